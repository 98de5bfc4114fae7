"""Pairs without gold, and pairs with training text, through a run of the workflow."""

import subprocess

import pytest

import builtin_pair
from seggrid.grid.align_cell import align_cell
from seggrid.grid.grid import Grid
from seggrid.score.counts import read_score_file
from seggrid.text.gold import read_gold_file
from seggrid.text.links import read_alignments
from snake import rows_of

TEXT, TRAINING = 40, 80

CONFIG = {
    "learn_merges": 100,
    "pairs": {
        "bare": {"source": {"text": "eng"}, "target": {"text": "deu"}},
        "more": {
            "source": {"text": "eng", "training": ["more.eng.gz", "last.eng"]},
            "target": {"text": "deu", "training": ["more.deu", "last.deu"]},
            "gold": {"file": "gold"},
        },
        "less": builtin_pair.in_config(),
    },
    "experiments": {"x": {"merges": 50, "aligner": "gibbs"}},
    "report": {"resamples": 100},
}


@pytest.fixture(scope="module")
def lines():
    return {name: builtin_pair.lines_of(name) for name in ("eng", "deu", "gold")}


@pytest.fixture(scope="module")
def finished(snakemake, lines, tmp_path_factory):
    folder = tmp_path_factory.mktemp("pairs")
    for name in ("eng", "deu"):
        parts = {name: (0, TEXT), f"more.{name}": (TEXT, 90), f"last.{name}": (90, TEXT + TRAINING)}
        for file, (first, end) in parts.items():
            (folder / file).write_text("\n".join(lines[name][first:end]) + "\n", "utf-8")
    subprocess.run(["gzip", folder / "more.eng"], check=True)
    (folder / "gold").write_text("\n".join(lines["gold"][:TEXT]) + "\n", "utf-8")
    snakemake(folder, CONFIG, "--cores", "2")
    return folder


@pytest.fixture
def rows(finished):
    return rows_of(finished / "results/scores.csv")


def scored_links(folder, name):
    (cell,) = (cell for cell in Grid(CONFIG).experiments if str(cell) == name)
    return read_score_file(folder / cell.path("score")).links[0].lines()


def test_cells_of_a_pair_without_gold_have_measures_and_links_and_no_scores(finished, rows):
    bare = [row for row in rows if row["pair"] == "bare"]
    assert len(bare) == 2
    for row in bare:
        assert row["status"] == "no gold"
        assert row["f1"] == row["aer"] == row["delta_f1_words"] == ""
        assert float(row["fertility_source"]) >= 1
        assert any(scored_links(finished, row["cell"]))
    assert {row["status"] for row in rows if row["pair"] != "bare"} == {"ok"}
    # The report is made, with the cells of all pairs.
    assert (finished / "results/report.html").exists()


def test_training_text_is_learned_from_and_aligned_but_not_scored(finished, rows, lines):
    of = {row["pair"]: row for row in rows if row["segmenter"] == "bpe"}
    assert of["more"]["gold_sentences"] == of["less"]["gold_sentences"] == str(TEXT)
    # Learning from a third of the text gives other links.
    assert of["more"]["f1"] != of["less"]["f1"]
    (cell,) = (cell for cell in Grid(CONFIG).experiments if str(cell) == of["more"]["cell"])
    texts = [[line.split() for line in lines[name][: TEXT + TRAINING]] for name in ("eng", "deu")]
    expected = align_cell(cell, *texts).links.take(range(TEXT)).lines()
    assert scored_links(finished, str(cell)) == expected
    assert read_gold_file(finished / "results/gold/more.npz").sentences.tolist() == list(
        range(TEXT)
    )
    (links,) = finished.glob("results/align/more/bpe*/**/*.npz")
    assert len(read_alignments(links)[0][0]) == TEXT
