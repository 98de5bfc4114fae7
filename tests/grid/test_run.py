"""A cell in memory: its random choices follow from the seed."""

from seggrid.grid.cell import Cell
from seggrid.grid.run import align_cell
from seggrid.segment.side import Side

LINES = ["a b c d", "b a d", "c c a b", "d b", "a d c b a", "c b d a"]


def links(aligner, seed, threads=1):
    side = Side(segmenter="words", case="keep")
    source = [line.split() for line in LINES]
    target = [line.upper().split()[::-1] for line in LINES]
    cell = Cell("pair", side, side, aligner, "union")
    options = {"relative_iterations": 0.002, "samplers": 1} if aligner == "gibbs" else {}
    found = align_cell(cell, source, target, options=options, seed=seed, threads=threads)
    return found.links.pairs.tobytes()


def test_links_of_gibbs_follow_from_the_seed():
    drawn = [links("gibbs", seed) for seed in range(8)]
    assert len(set(drawn)) > 1
    assert drawn == [links("gibbs", seed, threads=3) for seed in range(8)]


def test_links_of_fast_align_know_no_seed():
    assert len({links("fast_align", seed) for seed in range(3)}) == 1
