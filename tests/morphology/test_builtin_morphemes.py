"""Knockout on the built-in pair, whose morphemes are known exactly, evaluated on held-out words."""

import pytest

from seggrid.morphology.evaluate import evaluate
from seggrid.morphology.references import read_reference
from seggrid.segment.bpe.learn import learn


@pytest.mark.parametrize("language", ["eng", "deu"])
def test_knockout_finds_more_morphemes_and_random_knockout_does_not(root, language):
    folder = root / "resources" / "builtin"
    sentences = [line.split() for line in (folder / f"{language}.txt").read_text().splitlines()]
    reference = read_reference(folder / f"{language}.morphemes.tsv", "surface")
    model = learn(sentences, 1000)
    base, blamed, random = (
        evaluate(model, reference, knockout, "holdout-0.5", repeats=10)[0]
        for knockout in ("none", "blame-0.5", "random-0.1")
    )
    for measure in ("precision", "recall", "f1"):
        assert blamed[measure] > base[measure]
        assert blamed[measure] > random[measure]
    assert random["precision"] < base["precision"]
    assert random["f1"] < base["f1"]
