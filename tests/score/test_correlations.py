"""Rank correlations of measures with scores, compared with scipy and with explicit resampling."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr

from seggrid.align import AXES
from seggrid.base.resampling import bootstrap_weights
from seggrid.score.correlations import columns, correlate, spearman, with_others
from seggrid.score.counts import PairCounts
from seggrid.score.metrics import AER, F1, compute_metrics
from seggrid.score.significance import resampled_metrics


@pytest.mark.parametrize("seed", range(5))
def test_spearman_is_scipys(seed):
    draw = np.random.default_rng(seed)
    measure = draw.integers(0, 6, 12).astype(float)
    scores = draw.integers(0, 5, (4, 12)).astype(float)
    expected = [spearmanr(measure, row).statistic for row in scores]
    assert spearman(measure, scores) == pytest.approx(expected, abs=1e-9)
    assert np.isnan(spearman(np.arange(4.0), np.ones((1, 4)))).all()


SENTENCES, CELLS = 30, 7


@pytest.fixture
def grid():
    """Cells of one pair, with one or two replicates, and their measures."""
    draw = np.random.default_rng(7)
    sure = draw.integers(1, 6, SENTENCES)
    replicates = np.array([1, 2, 1, 1, 1, 2, 1])
    links = draw.integers(1, 9, (replicates.sum(), SENTENCES))
    hits = np.minimum(draw.integers(0, 6, links.shape), np.minimum(links, sure))
    counts = np.stack([links, hits, np.minimum(hits + 1, links)], axis=2)
    names = [f"cell{k}" for k in range(CELLS)]
    pair = PairCounts(np.array(names), replicates, sure, counts)
    metrics = [
        compute_metrics(pair.of(np.array([k]), n).sum(axis=2)[0], sure.sum()).mean(axis=0)
        for k, n in enumerate(replicates)
    ]
    cells = pd.DataFrame(
        {
            **{"cell": names, "pair": "p", "aligner": "a", "symmetrization": "s"},
            **{"source": names, "target": "words", "replicates": replicates},
            **{"aggregate": "none", "equal_cell": "", "f1": [m[F1] for m in metrics]},
            **{"aer": [m[AER] for m in metrics], "fertility_source": draw.random(CELLS)},
            **{"parity": draw.random(CELLS), "vocabulary_use_source": 0.5},
        }
    )
    return {"p": pair}, cells


def test_a_row_each_measure_and_score(grid):
    counts, cells = grid
    cells.loc[2, "parity"] = np.nan
    table = correlate(counts, cells, seed=3, rounds=200)
    assert tuple(table.columns) == columns()
    # A measure with the same value in all cells has no correlation.
    assert list(table["measure"]) == ["fertility_source"] * 2 + ["parity"] * 2
    assert list(table["cells"]) == [7, 7, 6, 6]
    there = cells[cells["parity"].notna()]
    expected = spearmanr(there["parity"], there["aer"]).statistic
    assert table.iloc[3]["spearman"] == pytest.approx(expected, abs=1e-9)
    assert (table["spearman_low"] <= table["spearman_high"]).all()
    assert table["spearman_high"].between(-1, 1).all()


def test_an_interval_is_of_resampled_sentences(grid):
    counts, cells = grid
    table = correlate(counts, cells, seed=3, rounds=150)
    own = np.random.SeedSequence([3, 0]).generate_state(2).tolist()[0]
    weights = bootstrap_weights(SENTENCES, 150, own)
    pair = counts["p"]
    drawn = []
    for weight in weights:
        f1 = []
        for k, n in enumerate(pair.replicates):
            sums = (pair.of(np.array([k]), n)[0] * weight[None, :, None]).sum(axis=1)
            f1.append(compute_metrics(sums, (weight * pair.sure).sum())[:, F1].mean())
        drawn.append(spearmanr(cells["fertility_source"], f1).statistic)
    low, high = np.quantile(drawn, [0.025, 0.975])
    assert table.iloc[0][["spearman_low", "spearman_high"]].tolist() == pytest.approx([low, high])
    found = resampled_metrics(pair, np.arange(CELLS), weights)
    assert found.shape == (150, CELLS, 4)


def test_a_segmentation_counts_once_with_its_most_replicates(grid):
    counts, cells = grid
    every = correlate(counts, cells, seed=1, rounds=100)
    cells.loc[[0, 6], "source"] = cells.loc[1, "source"]
    table = correlate(counts, cells, seed=1, rounds=100)
    five = cells[1:6]
    expected = spearmanr(five["parity"], five["f1"]).statistic
    found = table[(table["measure"] == "parity") & (table["score"] == "f1")]
    assert set(every["cells"]) == {7}
    assert found["cells"].item() == 5
    assert found["spearman"].item() == pytest.approx(expected, abs=1e-9)
    cells.loc[2, "source"] = cells.loc[1, "source"]
    assert correlate(counts, cells, seed=1, rounds=100).empty


@pytest.mark.parametrize(
    ("column", "values", "left"),
    [
        # Cells with the same tokens count once, those that join samples not at all.
        ("equal_cell", [*[""] * 5, "cell4", "cell4"], {5}),
        ("equal_cell", [*[""] * 4, "cell3", "cell3", "cell3"], set()),
        ("aggregate", ["union"] * 3 + ["none"] * 4, set()),
        # Cells of another part of the text are ranked by themselves, and those with another value of an axis
        # of the aligner, which may be a plug-in's.
        ("sentences", ["all"] * 5 + ["900"] * 2, {5}),
        ("reach", [1] * 5 + [2] * 2, {5}),
    ],
)
def test_cells_that_are_ranked_together(grid, monkeypatch, column, values, left):
    counts, cells = grid
    monkeypatch.setitem(AXES, "reach", AXES["layer"])
    table = correlate(counts, cells.assign(**{column: values}), seed=1, rounds=100)
    assert set(table["cells"]) == left
    assert tuple(table.columns) == columns()


def test_each_pair_is_compared_with_the_mean_of_the_others():
    own = {"p": 0.2, "q": 0.4, "r": 0.9}
    table = pd.DataFrame(
        [
            {**dict.fromkeys(columns()[:-1]), "pair": pair, "aligner": aligner, "spearman": value}
            for aligner in ("a", "b")
            for pair, value in own.items()
            if (pair, aligner) != ("r", "b")
        ]
    )
    found = with_others(table)["spearman_others"]
    assert found[:3].tolist() == pytest.approx([0.65, 0.55, 0.3])
    # Two pairs are too few.
    assert found[3:].isna().all()
