"""A cell in memory: its random choices follow from the seed."""

from itertools import accumulate

from seggrid.grid.align_cell import Process, align_cell
from seggrid.grid.cell import Cell
from seggrid.segment.side import Side
from sides import side_of

LINES = ["a b c d", "b a d", "c c a b", "d b", "a d c b a", "c b d a"]


def links(aligner, seed, threads=1):
    side = Side(segmenter="words", case="keep")
    source = [line.split() for line in LINES]
    target = [line.upper().split()[::-1] for line in LINES]
    cell = Cell("pair", side, side, aligner, "union")
    options = {"relative_iterations": 0.002, "samplers": 1} if aligner == "gibbs" else {}
    found = align_cell(cell, source, target, options=options, process=Process(seed, threads))
    return found.links.pairs.tobytes()


def test_links_of_gibbs_follow_from_the_seed():
    drawn = [links("gibbs", seed) for seed in range(8)]
    assert len(set(drawn)) > 1
    assert drawn == [links("gibbs", seed, threads=3) for seed in range(8)]


def test_links_of_fast_align_know_no_seed():
    assert len({links("fast_align", seed) for seed in range(3)}) == 1


def ends_of_tokens(kind, merges, seed):
    """In a sample of a text with long words, the characters after which a token ends, of each sentence."""
    side = side_of(merges=merges, dropout=0.5, dropout_kind=kind)
    text = [line.replace(" ", "").split() for line in LINES] * 4
    found = align_cell(
        Cell("pair", side, side, "fast_align", "union"), text, text, process=Process(seed)
    )
    return [set(accumulate(map(len, line.split()))) for line in found.tokens[0].lines()]


def are_nested(kind, seed):
    few, more = (ends_of_tokens(kind, merges, seed) for merges in (6, 12))
    return all(one >= other for one, other in zip(few, more, strict=True))


def test_a_sample_of_nested_dropout_skips_the_same_merges_at_every_size():
    assert all(are_nested("nested", seed) for seed in range(6))
    assert not all(are_nested("merge", seed) for seed in range(6))
