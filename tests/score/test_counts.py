"""Counts of a whole grid, with cells of different numbers of replicates."""

import numpy as np

from seggrid.score.counts import PairCounts, read_counts, write_counts


def counts():
    replicates = np.array([2, 1, 2])
    by_sentence = np.arange(5 * 4 * 3, dtype=np.int32).reshape(5, 4, 3)
    return PairCounts(np.array(["a", "b", "c"]), replicates, np.array([1, 2, 3, 4]), by_sentence)


def test_counts_are_read_back_as_they_were_written(tmp_path):
    write_counts(tmp_path / "c.npz", {"p-q": counts(), "r": counts()})
    found = read_counts(tmp_path / "c.npz")
    assert list(found) == ["p-q", "r"]
    for name in ("cells", "replicates", "sure", "counts"):
        assert np.array_equal(getattr(found["p-q"], name), getattr(counts(), name))


def test_cells_of_one_number_of_replicates_are_one_array():
    of = counts()
    assert np.array_equal(of.of(np.array([0, 2]), 2), [of.counts[[0, 1]], of.counts[[3, 4]]])
    assert np.array_equal(of.of(np.array([1]), 1), [of.counts[[2]]])


def test_no_pair_has_counts(tmp_path):
    write_counts(tmp_path / "c.npz", {})
    assert read_counts(tmp_path / "c.npz") == {}
