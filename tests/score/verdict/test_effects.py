"""Main effects, by worked examples, and settings across pairs."""

import numpy as np
import pandas as pd
import pytest

from seggrid.score.verdict.effects import main_effects
from seggrid.score.verdict.pairs import friedman, mean_ranks, nemenyi


def cells(**columns):
    count = len(next(iter(columns.values())))
    known = {
        "segmenter": "bpe",
        "sides": "both",
        "aggregate": "none",
        "samples": 1,
        "words_cell": "",
    }
    table = pd.DataFrame({"cell": [f"c{i}" for i in range(count)], **columns})
    return table.assign(**{name: value for name, value in known.items() if name not in columns})


def effects_of(table, f1):
    f1 = np.array(f1)
    found = main_effects(table, f1, np.stack([f1 - 0.01, f1, f1 + 0.01]))
    return {
        (row.axis, row.value, row.reference): (row.cells, row.delta_f1)
        for row in found.itertuples()
    }


def test_an_effect_is_the_mean_over_cells_that_differ_in_nothing_else():
    table = cells(
        merges=[100, 200, 100, 200, 400], aligner=["a", "a", "b", "b", "a"], symmetrization="u"
    )
    found = effects_of(table, [0.5, 0.6, 0.3, 0.2, 0.9])
    assert found["merges", "200", "100"] == (2, pytest.approx(0.0))
    assert found["merges", "400", "100"] == (1, pytest.approx(0.4))
    assert found["aligner", "b", "a"] == (2, pytest.approx(-0.3))


def test_segmenters_are_compared_with_the_best_words_of_the_same_aligner():
    table = cells(
        segmenter=["words", "bpe", "bpe", "unigram"],
        sides=["none", "both", "both", "both"],
        words_cell=["c0", "c0", "c0", "c0"],
    )
    found = effects_of(table, [0.5, 0.6, 0.8, 0.4])
    assert found["segmenter", "bpe", "words"] == (2, pytest.approx(0.2))
    assert found["segmenter", "unigram", "words"] == (1, pytest.approx(-0.1))


def test_dropout_is_compared_with_one_alignment_without_it():
    table = cells(
        dropout=[0.0, 0.1, 0.1, 0.1, 0.0],
        samples=[1, 10, 10, 10, 1],
        aggregate=["none", "0.3", "0.5", "posterior-0.4", "posterior-0.4"],
    )
    found = effects_of(table, [0.5, 0.6, 0.8, 0.4, 0.7])
    # By votes 0.7 over 0.5, by probabilities 0.4 over 0.7.
    assert found["dropout", "0.1", "0"] == (3, pytest.approx(-0.05))


def test_a_grid_without_an_axis_has_no_effects():
    assert effects_of(cells(merges=[100]), [0.5]) == {}


def test_intervals_are_those_of_the_resamples():
    table = cells(merges=[100, 200])
    random = np.random.default_rng(0)
    drawn = random.normal(0.5, 0.1, (1000, 2))
    row = main_effects(table, np.array([0.5, 0.5]), drawn).iloc[0]
    expected = np.quantile(drawn[:, 1] - drawn[:, 0], [0.025, 0.975])
    assert [row["delta_f1_low"], row["delta_f1_high"]] == pytest.approx(expected.tolist())


def test_nemenyis_factors_are_the_published_ones():
    # Demšar 2006, table 5(a), for 5%.
    published = {2: 1.960, 4: 2.569, 5: 2.728, 6: 2.850, 10: 3.164}
    assert {k: round(nemenyi(k), 3) for k in published} == published
    # 2.3437 is printed as 2.343.
    assert nemenyi(3) == pytest.approx(2.343, abs=1e-3)


def test_friedmans_test_is_that_of_all_assignments():
    # Three settings, three pairs, the same order in each: 6 of the 6³ assignments are as extreme.
    ranks = np.tile([[1.0], [2.0], [3.0]], 3)
    assert friedman(ranks, seed=1, rounds=20_000) == pytest.approx(6 / 216, abs=0.004)


def test_settings_are_ranked_over_pairs():
    across = pd.DataFrame({p: [0.5, 0.7, 0.6] for p in "abcdefgh"}, index=["x", "y", "z"])
    table = mean_ranks(across, seed=1, rounds=500)
    assert table["setting"].tolist() == ["y", "z", "x"]
    assert table["mean_rank"].tolist() == [1, 2, 3]
    assert table["critical_difference"].iloc[0] == pytest.approx(2.343 * np.sqrt(12 / 48), abs=1e-3)
    assert table["told_apart"].tolist() == ["no", "no", "yes"]
