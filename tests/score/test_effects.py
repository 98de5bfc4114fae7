"""Main effects, by worked examples, and settings across pairs."""

import numpy as np
import pandas as pd
import pytest

from seggrid.score.effects import main_effects
from seggrid.score.selection import friedman, mean_ranks, nemenyi


def cells(**columns):
    count = len(next(iter(columns.values())))
    known = {"segmenter": "bpe", "sides": "both", "aggregate": "none", "samples": 1}
    table = pd.DataFrame({"cell": [f"c{i}" for i in range(count)], **columns})
    return table.assign(**{name: value for name, value in known.items() if name not in columns})


def found_in(table, f1):
    f1 = np.array(f1)
    return main_effects(table, f1, np.stack([f1 - 0.01, f1, f1 + 0.01]))


def effects_of(table, f1):
    return {
        (row.axis, row.value, row.reference): (row.cells, row.delta_f1)
        for row in found_in(table, f1).itertuples()
    }


def test_segmenters_are_compared_with_words_of_the_same_settings():
    """Not with the best words; not across spaces, with dropout or votes; over all sizes."""
    probable = "posterior-0.5"
    table = cells(
        segmenter=["words", "words", "bpe", "bpe", "bpe", "bpe", "unigram", "bpe"],
        sides=["none", "none", *["both"] * 5, "source"],
        aggregate=["none", probable, "none", "none", probable, *["none"] * 3],
        case="lower",
        spaces=["", "", "yes", "yes", "yes", "no", "yes", "yes"],
        merges=["", "", "100", "200", "100", "100", "100", "100"],
        dropout=[0.0] * 8,
        words_cell="c1",
    )
    f1 = [0.5, 0.9, 0.6, 0.8, 0.7, 0.1, 0.4, 0.0]
    found = effects_of(table, f1)
    # (0.6 + 0.8) / 2 − 0.5 without probabilities, 0.7 − 0.9 with them.
    assert found["segmenter", "bpe", "words"] == (3, pytest.approx(0.0))
    assert found["segmenter", "unigram", "words"] == (1, pytest.approx(-0.1))
    row = found_in(table, f1).query("axis == 'segmenter' and value == 'bpe'").iloc[0]
    assert row["fixed"] == "spaces=yes, sides=both"
    assert row["over"] == "merges (2), aggregate (2)"


def test_dropout_is_compared_with_one_alignment_without_it_for_each_way_to_combine_samples():
    table = cells(
        dropout=[0.0, 0.1, 0.1, 0.1, 0.0],
        samples=[1, 10, 10, 10, 1],
        aggregate=["none", "0.3", "0.5", "posterior-0.4", "posterior-0.4"],
    )
    found = found_in(table, [0.5, 0.6, 0.8, 0.4, 0.7]).query("axis == 'dropout'")
    # By votes 0.6 and 0.8 over 0.5, by probabilities 0.4 over 0.7.
    assert dict(zip(found["fixed"], found["delta_f1"].round(6), strict=True)) == {
        "samples=10, aggregate=0.3": 0.1,
        "samples=10, aggregate=0.5": 0.3,
        "samples=10, aggregate=posterior-0.4": -0.3,
    }


def test_values_that_the_one_without_effect_cannot_be_compared_with_are_compared_with_each_other():
    table = cells(
        aggregate=["none", "posterior-0.5", "0.3", "0.5"],
        samples=[1, 1, 10, 10],
        dropout=[0, 0, 0.1, 0.1],
    )
    found = effects_of(table, [0.5, 0.6, 0.7, 0.9])
    of_aggregates = {name[1:]: value for name, value in found.items() if name[0] == "aggregate"}
    assert of_aggregates == {
        ("posterior-0.5", "none"): (1, pytest.approx(0.1)),
        ("0.5", "0.3"): (1, pytest.approx(0.2)),
    }


def test_effects_are_those_of_every_two_cells_that_differ_in_one_axis():
    """By brute force, on a grid with holes: the mean, and that of the best of the same cells."""
    random = np.random.default_rng(3)
    values = [
        (m, c, k) for m in (100, 200, 400) for c in ("keep", "lower") for k in ("none", "blame-0.5")
    ]
    kept = [values[i] for i in sorted(random.permutation(len(values))[:9])]
    table = cells(**dict(zip(("merges", "case", "knockout"), zip(*kept, strict=True), strict=True)))
    f1 = random.random(len(kept))
    references = {"merges": "100", "case": None, "knockout": "none"}
    for row in found_in(table, f1).itertuples():
        place = ("merges", "case", "knockout").index(row.axis)
        assert references[row.axis] in (None, row.reference)
        pairs = [
            (f1[i], f1[j])
            for i, one in enumerate(kept)
            for j, two in enumerate(kept)
            if str(one[place]) == row.value and str(two[place]) == row.reference
            if all(a == b for at, (a, b) in enumerate(zip(one, two, strict=True)) if at != place)
        ]
        assert row.cells == len(pairs)
        ours, theirs = np.array(pairs).T
        assert row.delta_f1 == pytest.approx(np.mean(ours - theirs))
        assert row.delta_f1_best == pytest.approx(ours.max() - theirs.max())


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
    assert friedman(ranks, seed=1) == pytest.approx(6 / 216, abs=0.004)


def test_settings_are_ranked_over_pairs():
    across = pd.DataFrame({p: [0.5, 0.7, 0.6] for p in "abcdefgh"}, index=["x", "y", "z"])
    table = mean_ranks(across, seed=1)
    assert table["setting"].tolist() == ["y", "z", "x"]
    assert table["mean_rank"].tolist() == [1, 2, 3]
    assert table["critical_difference"].iloc[0] == pytest.approx(2.343 * np.sqrt(12 / 48), abs=1e-3)
    assert table["told_apart"].tolist() == ["no", "no", "yes"]
