"""The rows that docs/studies/segmenters.py makes, on made-up cells."""

import doctest
from importlib import import_module

import numpy as np
import pandas as pd
import pytest

from seggrid.score.counts import PairCounts

PAIRS = ("eng-a", "eng-b", "eng-c")
AXES = {
    "segmenter": "bpe",
    "spaces": "yes",
    "removal": "",
    "transition": "",
    "joint": "no",
    "application": "rank",
}
# Tokens per word and hits of eight links, of which eight are sure, in every sentence; the size that is better
# on the development sentences.
BPE = [(10, 2.0, 2), (20, 1.6, 4), (40, 1.2, 6)]
CELLS = [
    *(({}, size, tokens, hits, size == 40) for size, tokens, hits in BPE),
    ({"segmenter": "mingram"}, 20, 1.5, 5, True),
    ({"segmenter": "mingram"}, 40, 1.1, 7, False),
    ({"segmenter": "superbpe", "transition": "10"}, 20, 1.3, 3, False),
    ({"segmenter": "superbpe", "transition": "20"}, 40, 1.2, 2, True),
    ({"segmenter": "words"}, None, 1.0, 1, True),
]


@pytest.fixture
def segmenters(root, monkeypatch):
    monkeypatch.syspath_prepend(root / "docs/studies")
    return import_module("segmenters")


@pytest.fixture
def rows(segmenters):
    cells, counts = [], {}
    for pair in PAIRS:
        names = [f"{pair}/{k}" for k in range(len(CELLS))]
        for name, (axes, merges, tokens, hits, chosen) in zip(names, CELLS, strict=True):
            of = {"cell": name, "pair": pair, "merges": merges, "f1": hits / 8, "f1_dev": chosen}
            both = {"fertility_source": tokens - 0.1, "fertility_target": tokens + 0.1}
            cells.append({**AXES, **axes, **of, **both})
        hits = np.array([[[8, hits, hits]] * 5 for *_, hits, _ in CELLS])
        one, sure = np.ones(len(CELLS), dtype=int), np.array([8] * 5)
        counts[pair] = PairCounts(np.array(names), one, sure, hits)
    return segmenters.tabulate(pd.DataFrame(cells), counts, [20, 40])


def test_the_examples_are_right(segmenters):
    assert doctest.testmod(segmenters).failed == 0


def test_sizes_are_chosen_on_the_development_sentences(rows):
    chosen = rows[rows.table == "chosen"].set_index("setting")
    assert sorted(chosen.index) == ["BPE", "MinGram", "SuperBPE, T = 0.5 n", "words"]
    assert (chosen.f1 * 8).to_dict() == {
        "BPE": 6,
        "MinGram": 5,
        "SuperBPE, T = 0.5 n": 2,
        "words": 1,
    }
    assert chosen["rank"].tolist() == chosen.f1.rank(ascending=False).tolist()
    assert chosen["eng-b"].tolist() == chosen.f1.tolist()
    assert (chosen.precision == chosen.recall).all()


def test_differences_are_from_bpe_of_the_same_size_and_of_as_many_tokens(rows):
    own = rows[rows.table == "20"].set_index("setting")
    for name in ("gain", "gain_low", "gain_high"):
        found = own[name] * 8
        assert found.to_dict() == pytest.approx(
            {"BPE": 0, "MinGram": 1, "SuperBPE, T = 0.5 n": -1, "words": -3}
        )
    # BPE with 1.5 tokens per word would have 4.5 hits, and with 1.3, 5.5; none of its sizes has words.
    for name in ("even", "even_low", "even_high"):
        found = own[name] * 8
        assert found.drop("words").to_dict() == pytest.approx(
            {"BPE": 0, "MinGram": 0.5, "SuperBPE, T = 0.5 n": -2.5}
        )
        assert np.isnan(found["words"])
