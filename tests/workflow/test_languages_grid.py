"""A small form of config/languages.yaml, on two of its pairs."""

import pandas as pd
import pytest

from seggrid.grid.config import read_config

pytestmark = [pytest.mark.tier("check"), pytest.mark.needs_mirror]


def test_a_segmentation_helps_where_words_are_rich(snakemake, root, shared_data, tmp_path):
    config = read_config([root / "config/languages.yaml"]).plain()
    config["pairs"] = {name: config["pairs"][name] for name in ("eng-hun", "eng-nld")}
    few = {"merges": 1000, "case": "lower", "aligner": "fast_align"}
    config["experiments"] = {"bpe": few, "target": {**few, "sides": "target"}}
    config["report"] = {"resamples": 100}
    snakemake(tmp_path, config, "--cores", "2", SEGGRID_MIRROR=str(shared_data))
    tables = tmp_path / "results/studies/languages"
    scores = pd.read_csv(tables / "scores.csv").set_index(["pair", "segmenter", "sides"])
    # dev and test have gold; the training text, which is aligned with them, has none that is used.
    assert set(scores.gold_sentences) == {105 + 245}
    assert (tmp_path / "results/corpus/eng-hun/target/case=lower.txt").read_text().count(
        "\n"
    ) == 1352
    words = {pair: scores.f1[pair, "words", "none"] for pair in config["pairs"]}
    gained = {pair: scores.f1[pair, "bpe", "both"] - words[pair] for pair in words}
    assert gained["eng-hun"] > gained["eng-nld"] + 0.02
    # What dev chooses is scored on test.
    selection = pd.read_csv(tables / "selection.csv").set_index(["pair", "family"])
    assert set(selection.folds.dropna()) == {1}
