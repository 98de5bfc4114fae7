"""Rank correlations of measures with scores, compared with scipy and with a published worked example."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr

from seggrid.align import AXES
from seggrid.score.correlations import (
    correlate,
    correlation_columns,
    correlation_interval,
    spearman,
    with_others,
)


@pytest.mark.parametrize("seed", range(5))
def test_spearman_is_scipys(seed):
    draw = np.random.default_rng(seed)
    one, other = pd.Series(draw.integers(0, 6, 12)), pd.Series(draw.integers(0, 5, 12))
    assert spearman(one, other) == pytest.approx(spearmanr(one, other).statistic, abs=1e-9)
    assert np.isnan(spearman(one, other * 0))


@pytest.mark.parametrize("correlation", [0.0, 0.6, -0.9])
def test_an_interval_over_cells_has_the_true_correlation(correlation):
    """Of samples of 20 normal pairs, whose rank correlation is known from Pearson's, about 95% have it."""
    draw = np.random.default_rng(1)
    pearson = 2 * np.sin(np.pi * correlation / 6)
    inside = 0
    for _ in range(400):
        x = draw.standard_normal(20)
        y = pearson * x + np.sqrt(1 - pearson**2) * draw.standard_normal(20)
        low, high = correlation_interval(spearman(pd.Series(x), pd.Series(y)), 20)
        inside += low <= correlation <= high
    assert inside / 400 == pytest.approx(0.95, abs=0.035)


def test_ranks_that_agree_wholly_have_no_interval():
    assert np.isnan(correlation_interval(1.0, 12)).all()
    assert np.isnan(correlation_interval(-1.0, 12)).all()


CELLS = 12


@pytest.fixture
def cells():
    """Cells of one pair, and their measures."""
    draw = np.random.default_rng(7)
    names = [f"cell{k}" for k in range(CELLS)]
    return pd.DataFrame(
        {
            **{"cell": names, "pair": "p", "aligner": "a", "symmetrization": "s", "case": "keep"},
            **{"source": names, "target": "words", "replicates": [1, 2] * 6, "samples": 1},
            **{"aggregate": "none", "equal_cell": "", "f1": draw.random(CELLS)},
            **{"aer": draw.random(CELLS), "fertility_source": draw.random(CELLS)},
            **{"parity": draw.random(CELLS), "vocabulary_use_source": 0.5},
        }
    )


def test_a_row_each_measure_and_score(cells):
    cells.loc[2, "parity"] = np.nan
    table = correlate(cells)
    assert tuple(table.columns) == correlation_columns()
    # A measure with the same value in all cells has no correlation.
    assert list(table["measure"]) == ["fertility_source"] * 2 + ["parity"] * 2
    assert list(table["cells"]) == [12, 12, 11, 11]
    there = cells[cells["parity"].notna()]
    expected = spearmanr(there["parity"], there["aer"]).statistic
    assert table.iloc[3]["spearman"] == pytest.approx(expected, abs=1e-9)
    assert (table["spearman_low"] < table["spearman"]).all()
    assert (table["spearman"] < table["spearman_high"]).all()


def test_a_segmentation_counts_once_with_its_most_replicates(cells):
    every = correlate(cells)
    cells.loc[[0, 6], "source"] = cells.loc[1, "source"]
    table = correlate(cells)
    ten = cells.drop([0, 6])
    expected = spearmanr(ten["parity"], ten["f1"]).statistic
    found = table[(table["measure"] == "parity") & (table["score"] == "f1")]
    assert set(every["cells"]) == {12}
    assert found["cells"].item() == 10
    assert found["spearman"].item() == pytest.approx(expected, abs=1e-9)
    cells.loc[2, "source"] = cells.loc[1, "source"]
    assert correlate(cells).empty  # nine cells are too few


@pytest.mark.parametrize(
    ("column", "values", "left"),
    [
        # Cells with the same tokens count once, those that join samples not at all.
        ("equal_cell", [*[""] * 10, "cell9", "cell9"], {10}),
        ("equal_cell", [*[""] * 9, "cell8", "cell8", "cell8"], set()),
        ("samples", [10] * 3 + [1] * 9, set()),
        # Cells of another part of the text, case or threshold are ranked by themselves, and those with
        # another value of an axis of the aligner, which may be a plug-in's.
        ("sentences", ["all"] * 10 + ["900"] * 2, {10}),
        ("case", ["keep"] * 10 + ["lower"] * 2, {10}),
        ("aggregate", ["posterior-0.5"] * 10 + ["none"] * 2, {10}),
        ("reach", [1] * 10 + [2] * 2, {10}),
    ],
)
def test_cells_that_are_ranked_together(cells, monkeypatch, column, values, left):
    monkeypatch.setitem(AXES, "reach", AXES["layer"])
    table = correlate(cells.assign(**{column: values}))
    assert set(table["cells"]) == left
    assert tuple(table.columns) == correlation_columns()


def test_each_pair_is_compared_with_the_mean_of_the_others():
    own = {"p": 0.2, "q": 0.4, "r": 0.9}
    table = pd.DataFrame(
        [
            {
                **dict.fromkeys(correlation_columns()[:-1]),
                "pair": pair,
                "aligner": aligner,
                "spearman": value,
            }
            for aligner in ("a", "b")
            for pair, value in own.items()
            if (pair, aligner) != ("r", "b")
        ]
    )
    found = with_others(table)["spearman_others"]
    assert found[:3].tolist() == pytest.approx([0.65, 0.55, 0.3])
    # Two pairs are too few.
    assert found[3:].isna().all()
