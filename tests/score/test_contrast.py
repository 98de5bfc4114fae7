"""Comparisons of any two cells of a pair."""

import numpy as np
import pytest

from seggrid.score.contrast import contrast
from seggrid.score.counts import PairCounts
from seggrid.score.significance_table import summarize


@pytest.fixture
def counts():
    generator = np.random.default_rng(3)
    sure = generator.integers(2, 8, 60)
    rows = []
    for rate in (0.5, 0.5, 0.8):
        hits = generator.binomial(sure, rate)
        rows.append(np.stack([sure, hits, hits], axis=1))
    cells = np.array(["a", "b", "c"])
    return {"p": PairCounts(cells, np.ones(3, dtype=int), sure, np.stack(rows))}


def test_differences(counts, documented):
    table = contrast(
        counts, [("p", "c", "a"), ("p", "b", "a"), ("q", "x", "y")], seed=1, rounds=200
    )
    documented("lexical_alignment.csv", table)
    assert table[["cell", "other"]].to_numpy().tolist() == [["c", "a"], ["b", "a"]]
    assert table["delta_f1"][0] == pytest.approx(table["f1"][0] - table["other_f1"][0])
    assert table["delta_f1_low"][0] > 0
    assert table["p"][0] < 0.01 < 0.05 < table["p"][1]
    assert table["p_holm"][0] == pytest.approx(2 * table["p"][0])


def test_as_the_table_of_significance_has_it(counts):
    import pandas as pd

    cells = pd.DataFrame(
        {"cell": ["a", "b", "c"], "words_cell": ["a"] * 3, "plain_cell": ["a"] * 3}
    ).assign(equal_cell="")
    known = summarize(counts, cells, seed=1, bootstrap_rounds=200).set_index("cell").loc["c"]
    (row,) = contrast(counts, [("p", "c", "a")], seed=1, rounds=200).to_dict("records")
    assert row["delta_f1_low"] == known["delta_f1_words_low"]
    assert row["p"] == known["p_words"]


def test_nothing_to_compare(counts):
    assert contrast(counts, [], seed=1).empty
