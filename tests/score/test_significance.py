"""Intervals, tests and corrections, compared with simulation, enumeration and worked examples."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from grids import counts_of
from hypothesis import given
from hypothesis import strategies as st

from seggrid.base.resampling import bootstrap_weights
from seggrid.score import significance
from seggrid.score.counts import PairCounts
from seggrid.score.metrics import F1, compute_metrics


def simulate(generator, sentences):
    """Sure links per sentence (G,) and counts (G, 3) of an aligner; sentences differ in difficulty."""
    counts = counts_of(generator, [0.6], sentences=sentences)
    return counts.sure, counts.counts[0]


@pytest.mark.tier("check")
def test_95_percent_intervals_cover_between_93_and_97_percent():
    generator = np.random.default_rng(11)
    sure, counts = simulate(generator, 2_000_000)
    truth = compute_metrics(counts.sum(axis=0), sure.sum())
    weights = bootstrap_weights(200, 1000, seed=12)
    covered = np.zeros(4)
    trials = 1500
    for _ in range(trials):
        sure, counts = simulate(generator, 200)
        low, high = significance.intervals(counts[None, None], sure, weights)[0].T
        covered += (low <= truth) & (truth <= high)
    assert ((covered / trials > 0.93) & (covered / trials < 0.97)).all(), covered / trials


def test_randomization_equals_full_enumeration_on_few_sentences():
    sure = np.array([4, 6, 3, 8, 5])
    ours = np.array([[5, 3, 4], [7, 4, 5], [3, 2, 2], [9, 6, 8], [4, 4, 4]])
    theirs = np.array([[4, 2, 3], [8, 4, 5], [3, 1, 1], [9, 5, 6], [5, 3, 4]])
    real = abs(difference(ours, theirs, sure))
    as_large = [
        abs(difference(np.where(swap, theirs, ours), np.where(swap, ours, theirs), sure))
        >= real - 1e-12
        for swap in (np.array(bits)[:, None] for bits in product([False, True], repeat=5))
    ]
    p = significance.randomization_test(
        ours[None, None], theirs[None, None], sure, rounds=40_000, seed=1
    )[0]
    assert p == pytest.approx(np.mean(as_large), abs=0.01)


def difference(ours, theirs, sure):
    return (
        compute_metrics(ours.sum(0), sure.sum())[2] - compute_metrics(theirs.sum(0), sure.sum())[2]
    )


def test_results_do_not_depend_on_how_cells_are_cut_into_blocks(monkeypatch):
    generator = np.random.default_rng(2)
    sure, _ = simulate(generator, 40)
    cells = np.stack([simulate(generator, 40)[1] for _ in range(14)]).reshape(7, 2, 40, 3)
    weights = bootstrap_weights(40, 50, seed=3)
    whole = significance.intervals(cells, sure, weights)
    p = significance.randomization_test(cells, cells[::-1], sure, rounds=50, seed=4)
    monkeypatch.setattr(significance, "_BLOCK", 2)
    assert (significance.intervals(cells, sure, weights) == whole).all()
    assert (significance.randomization_test(cells, cells[::-1], sure, 50, seed=4) == p).all()


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_holm_against_its_definition(p_values):
    # Directly from the procedure: step down from the smallest p, stop at the first that is not rejected.
    corrected = significance.holm(np.array(p_values))
    for alpha in (0.01, 0.05, 0.5):
        rejected = set()
        for step, i in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
            if p_values[i] * (len(p_values) - step) > alpha:
                break
            rejected.add(i)
        assert rejected == set(np.flatnonzero(corrected <= alpha))


def test_holm_leaves_out_what_was_not_tested():
    corrected = significance.holm(np.array([np.nan, 0.02, np.nan, 0.04]))
    assert np.isnan(corrected[[0, 2]]).all()
    assert corrected[[1, 3]].tolist() == [0.04, 0.04]


CELLS = pd.DataFrame(
    [("w", "w", ""), ("b", "w", ""), ("d", "w", "b")], columns=["cell", "words_cell", "plain_cell"]
).assign(equal_cell="")


def grid(generator):
    sure, words = simulate(generator, 80)
    better = words.copy()
    better[:, 1:] += np.minimum(1, sure - words[:, 1])[:, None]
    better[:, 0] += np.minimum(1, sure - words[:, 1])
    counts = np.stack([words, words, better]).astype(np.int32)
    return {"p": PairCounts(np.array(["w", "b", "d"]), np.array([1, 1, 1]), sure, counts)}


def test_summarize_compares_each_cell_with_its_words_and_its_plain_bpe():
    counts = grid(np.random.default_rng(9))
    table = significance.summarize(counts, CELLS, seed=1, bootstrap_rounds=200)
    assert table.cell.tolist() == ["w", "b", "d"]
    rows = table.set_index("cell")
    assert rows.words.to_dict() == {"w": "", "b": "w", "d": "w"}
    assert np.isnan(rows.p_words["w"])
    assert rows.p_words["b"] == 1
    assert rows.p_words["d"] == pytest.approx(1 / 1001)
    assert rows.p_words_holm["d"] == pytest.approx(2 / 1001)
    assert rows.p_plain.notna().tolist() == [False, False, True]
    assert rows.delta_f1_words_low["d"] > 0
    totals = counts["p"].counts.sum(axis=1)
    f1 = compute_metrics(totals, counts["p"].sure.sum())[:, F1]
    assert ((rows.f1_low < f1) & (f1 < rows.f1_high)).all()


def test_comparisons_of_cells_with_the_same_tokens_are_corrected_as_one():
    pair = grid(np.random.default_rng(9))["p"]
    twice = PairCounts(
        np.array(["w", "b", "d", "e"]),
        np.ones(4, dtype=int),
        pair.sure,
        pair.counts[[0, 1, 2, 2]],
    )
    more = pd.DataFrame(
        [("e", "w", "b", "d")], columns=["cell", "words_cell", "plain_cell", "equal_cell"]
    )
    once, both = (
        significance.summarize({"p": counts}, cells, seed=1, bootstrap_rounds=200).set_index("cell")
        for counts, cells in ((pair, CELLS), (twice, pd.concat([CELLS, more])))
    )
    pd.testing.assert_frame_equal(both.loc[["w", "b", "d"]], once)
    assert both.loc["e"].equals(once.loc["d"])


def replicates(generator):
    """Like `grid`, with three replicates of words and of plain BPE, and one of the cell without a partner."""
    sure, _ = simulate(generator, 60)
    cells = [simulate(generator, 60)[1] for _ in range(7)]
    counts = np.minimum(np.stack(cells), sure[:, None] + [60, 0, 30]).astype(np.int32)
    return {"p": PairCounts(np.array(["w", "b", "x"]), np.array([3, 3, 1]), sure, counts)}


REPLICATED = pd.DataFrame(
    [("x", "", ""), ("w", "w", ""), ("b", "w", "")], columns=["cell", "words_cell", "plain_cell"]
).assign(equal_cell="")


def test_intervals_and_tests_of_replicates_equal_the_resampling_written_out():
    counts = replicates(np.random.default_rng(4))
    sure, rounds, seed = counts["p"].sure, 200, 8
    table = significance.summarize(counts, REPLICATED, seed=seed, bootstrap_rounds=rounds)
    assert table["cell"].tolist() == ["x", "w", "b"]
    row = table.set_index("cell").loc["b"]

    def f1(rows, weights):
        """The metrics in one resample, as means over replicates."""
        sums = [(weights[:, None] * replicate).sum(axis=0) for replicate in rows]
        return np.mean([compute_metrics(one, (weights * sure).sum())[F1] for one in sums])

    words, ours = counts["p"].counts[:3], counts["p"].counts[3:6]
    boot, swaps = np.random.SeedSequence([seed, 0]).generate_state(2).tolist()
    resamples = bootstrap_weights(60, rounds, boot)
    ends = np.quantile([f1(ours, weights) for weights in resamples], [0.025, 0.975])
    assert row[["f1_low", "f1_high"]].tolist() == pytest.approx(ends.tolist())
    gain = [f1(ours, weights) - f1(words, weights) for weights in resamples]
    ends = np.quantile(gain, [0.025, 0.975])
    found = row[["delta_f1_words_low", "delta_f1_words_high"]].tolist()
    assert found == pytest.approx(ends.tolist())

    # All replicates of a sentence are permuted together.
    generator, one = np.random.default_rng(swaps), np.ones(60)
    real = abs(f1(ours, one) - f1(words, one))
    at_least = 0
    for swap in generator.integers(0, 2, size=(1000, 60), dtype=np.uint8).astype(bool):
        swapped = swap[None, :, None]
        drawn = f1(np.where(swapped, words, ours), one) - f1(np.where(swapped, ours, words), one)
        at_least += abs(drawn) >= real - 1e-12
    assert row["p_words"] == pytest.approx((at_least + 1) / 1001)


def test_cells_of_unlike_numbers_of_replicates_are_compared_by_their_means():
    """As if the replicates of each were repeated to an equal number."""
    counts = replicates(np.random.default_rng(6))
    cells = REPLICATED.assign(words_cell=["w", "w", "w"])
    options = {"seed": 1, "bootstrap_rounds": 50}
    found = significance.summarize(counts, cells, **options).set_index("cell").loc["x"]
    own = counts["p"]
    repeated = np.concatenate([own.counts[:6], *[own.counts[6:]] * 3])
    alike = {"p": PairCounts(own.cells, np.array([3, 3, 3]), own.sure, repeated)}
    expected = significance.summarize(alike, cells, **options).set_index("cell").loc["x"]
    compared = ["delta_f1_words_low", "delta_f1_words_high", "p_words"]
    assert found[compared].tolist() == pytest.approx(expected[compared].tolist())
    assert found["words"] == "w"


@pytest.mark.parametrize(("resamples", "smallest"), [(40, 1 / 201), (2, 1 / 51)])
def test_the_number_of_resamples_governs_that_of_permutations(resamples, smallest):
    # Five permutations per resample, or more if the correction needs them.
    counts = grid(np.random.default_rng(9))
    table = significance.summarize(counts, CELLS, seed=1, bootstrap_rounds=resamples)
    assert table["p_words"].min() == pytest.approx(smallest)


def test_chosen_cells_are_compared_as_in_the_table_of_significance():
    counts = grid(np.random.default_rng(9))
    known = significance.summarize(counts, CELLS, seed=1, bootstrap_rounds=200).set_index("cell")
    chosen = [("p", "d", "w"), ("p", "b", "w"), ("q", "x", "y")]
    table = significance.contrast(counts, chosen, seed=1, rounds=200)
    assert table[["cell", "other"]].to_numpy().tolist() == [["d", "w"], ["b", "w"]]
    assert table["delta_f1"].tolist() == (table["f1"] - table["other_f1"]).tolist()
    for name in ("delta_f1_words_low", "delta_f1_words_high", "p_words", "p_words_holm"):
        assert table[name.replace("_words", "")].tolist() == known.loc[["d", "b"], name].tolist()
    assert significance.contrast(counts, [], seed=1).empty
