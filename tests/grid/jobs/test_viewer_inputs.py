"""Inputs of the report from a run: the costs of this grid's jobs, and the data of the viewer."""

import numpy as np
import pandas as pd
import pytest

from seggrid.grid.jobs.viewer_inputs import read_cost, read_viewer
from seggrid.score.counts import score_replicates, write_score_file
from seggrid.text.gold import Gold, write_gold
from seggrid.text.links import Links
from seggrid.text.segmentation import Segmentation

WORDS = "words+case=keep"
BPE = "bpe+case=keep+spaces=yes+scoring=frequency+merges=9"
DROPOUT = f"{BPE}+dropout=0.1"


def cell(source, target, samples=1, replicates=1, aggregate="none"):
    folder = f"p/{source}/{target}/fast_align/union/replicates={replicates}/samples={samples}"
    return {
        "cell": f"{folder}/{aggregate}",
        "pair": "p",
        "source": source,
        "target": target,
        "aligner": "fast_align",
        "replicates": str(replicates),
        "symmetrization": "union",
        "samples": str(samples),
        "aggregate": aggregate,
        "file": f"results/score/{folder}.npz",
    }


def log(folder, name, memory=", 50 MB at most"):
    path = folder / f"{name}.log"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"algorithm took 1.5 s, 2.0 s of CPU{memory}\n")


def test_costs_are_those_of_the_cells_that_there_are(tmp_path):
    cells = pd.DataFrame(
        [cell(WORDS, WORDS), cell(BPE, WORDS, replicates=2), cell(DROPOUT, WORDS, samples=3)]
    )
    learned = BPE.replace("merges=9", "learned=20")
    ours = [
        f"align/p/{BPE}/{WORDS}/fast_align/replicate=0/0-0",
        f"align/p/{BPE}/{WORDS}/fast_align/replicate=1/0-0",
        f"align/p/{DROPOUT}/{WORDS}/fast_align/replicate=0/0-1",
        f"align/p/{DROPOUT}/{WORDS}/fast_align/replicate=0/2-3",
        f"align/p/{WORDS}/{WORDS}/fast_align/replicate=0/0-0",
        f"learn/p/source/{learned}",
        f"measure/p/source/{DROPOUT}",
        "morphology/m",
        f"score/p/{BPE}/{WORDS}/fast_align/union/replicates=2/samples=1",
        f"segment/p/source/{DROPOUT}/0-1",
        f"segment/p/source/{DROPOUT}/2-3",
    ]
    others = [
        # Files of other grids: another aligner, more replicates and samples, an axis, a pair, a study.
        f"align/p/{BPE}/{WORDS}/eflomal/replicate=0/0-0",
        f"align/p/{BPE}/{WORDS}/fast_align/replicate=2/0-0",
        f"align/p/{DROPOUT}/{WORDS}/fast_align/replicate=0/4-5",
        f"align/p/{DROPOUT}/{WORDS}/fast_align/replicate=0/1-1",
        f"segment/p/source/{DROPOUT}/4-5",
        f"learn/p/source/{learned.replace('frequency', 'likelihood')}",
        f"score/p/{BPE}/{WORDS}/fast_align/union/replicates=1/samples=1",
        f"score/p/{BPE}/{WORDS}/fast_align/intersect/replicates=2/samples=1",
        f"segment/q/source/{BPE}/0-0",
        f"measure/p/target/{DROPOUT}",
        "morphology/n",
    ]
    for name in (*ours, *others):
        log(tmp_path, name)
    cost = read_cost(cells, ["morphology/m"], tmp_path)
    assert (cost["stage"] + "/" + cost["cell"]).tolist() == ours
    assert set(cost["seconds"]) == {1.5}


def test_memory_that_was_not_measured_is_missing(tmp_path):
    log(tmp_path, f"segment/p/source/{WORDS}/0-0", memory="")
    (row,) = read_cost(pd.DataFrame([cell(WORDS, WORDS)]), folder=tmp_path).to_dict("records")
    assert (row["seconds"], row["cpu_seconds"]) == (1.5, 2.0)
    assert np.isnan(row["max_rss_mb"])


@pytest.fixture
def results(tmp_path, monkeypatch):
    """Only the files that the viewer reads for one cell; yields the table of cells."""
    monkeypatch.chdir(tmp_path)
    sure, possible = Links.from_lines(["0-0", "0-0 1-1"]), Links.from_lines(["0-0 0-1", "0-0 1-1"])
    gold = Gold(np.array([0, 2]), sure, possible, ["7", "09"])
    write_gold("results/gold/p.npz", gold)
    for side, text in (("source", "a b\nc\nd e\n"), ("target", "x y\nz\nu v\n")):
        folder = tmp_path / "results/corpus/p" / side
        folder.mkdir(parents=True)
        (folder / "case=keep.txt").write_text(text)
    samples = [Links.from_lines(["0-0", "0-0"]), Links.from_lines(["0-0", "1-1"])]
    tokens = (
        Segmentation.from_words([["a", "b"], ["d", "e"]]),
        Segmentation.from_words([["x", "y"], ["u", "v"]]),
    )
    cells = pd.DataFrame(
        [cell(DROPOUT, WORDS, 2, aggregate=how) for how in ("union", "intersection")]
    )
    scored = score_replicates(gold, [samples], ["intersection", "union"], tokens)
    write_score_file(cells["file"][0], scored)
    return cells


def test_the_viewer_shows_gold_sentences_with_a_cells_links_and_tokens(results):
    names = results["cell"].tolist()
    (pair,) = read_viewer(results, {"p": names, "q": []}, sentences=5)
    assert pair.source == [["a", "b"], ["d", "e"]]
    assert pair.target == [["x", "y"], ["u", "v"]]
    assert (pair.sure.lines(), pair.possible.lines()) == (
        ["0-0", "0-0 1-1"],
        ["0-0 0-1", "0-0 1-1"],
    )
    assert pair.names == ["7", "09"]
    union, intersection = pair.cells
    assert (union.links.lines(), intersection.links.lines()) == (["0-0", "0-0 1-1"], ["0-0", ""])
    assert union.source.lines() == ["a b", "d e"]
    (first,) = read_viewer(results, {"p": names}, sentences=1)
    assert first.source == [["a", "b"]]
    assert first.names == ["7"]
    assert first.cells[0].target.lines() == ["x y"]
