"""Counts of a whole grid, with cells of different numbers of replicates, and of a score job."""

import numpy as np
from grids import GOLD, TOKENS

from seggrid.score.counts import (
    PairCounts,
    read_counts,
    read_group_counts,
    read_score_file,
    score_replicates,
    write_counts,
    write_score_file,
)
from seggrid.text.links import Links, Posteriors


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
    write_counts(tmp_path / "c.npz", {})
    assert read_counts(tmp_path / "c.npz") == {}


def test_cells_of_one_number_of_replicates_are_one_array():
    of = counts()
    assert np.array_equal(of.of(np.array([0, 2]), 2), [of.counts[[0, 1]], of.counts[[3, 4]]])
    assert np.array_equal(of.of(np.array([1]), 1), [of.counts[[2]]])


# The file of a score job


def test_a_score_file_is_read_back_as_it_was_written(tmp_path):
    samples = [Links.from_lines(["0-0 1-1", "0-1"]), Links.from_lines(["0-0", "0-0"])]
    one = score_replicates(GOLD, [samples, samples], ["union", "0.5"], TOKENS)
    write_score_file(tmp_path / "x.npz", one)
    other = read_score_file(tmp_path / "x.npz")
    assert other.aggregates == ["union", "0.5"]
    for name in ("sentences", "sure", "counts", "sample_f1"):
        assert np.array_equal(getattr(other, name), getattr(one, name))
        assert np.array_equal(
            getattr(read_group_counts(tmp_path / "x.npz"), name), getattr(one, name)
        )
    assert other.counts.shape == (2, 2, 2, 3)
    assert [links.lines() for links in other.links] == [["0-0 1-1", "0-0 0-1"], ["0-0", ""]]
    assert (other.source.lines(), other.target.lines()) == (["a b", "c"], ["x ü y", "z"])
    write_score_file(tmp_path / "y.npz", other)
    assert (tmp_path / "x.npz").read_bytes() == (tmp_path / "y.npz").read_bytes()


def test_each_sample_has_its_own_f1():
    samples = [Links.from_lines(["0-0 1-1", "0-0"]), Links.from_lines(["0-0", "0-0"])]
    scored = score_replicates(GOLD, [samples], ["union"], TOKENS)
    assert scored.sample_f1.tolist() == [[1.0, 0.8]]


def test_probabilities_and_votes_side_by_side():
    samples = [Links.from_lines(["0-0 1-1", "0-1"]), Links.from_lines(["0-0", "0-0"])]
    probable = [
        Posteriors(links, np.full(len(links.pairs), p, dtype=np.float32))
        for links, p in zip(samples, (0.75, 0.125), strict=True)
    ]
    scored = score_replicates(GOLD, [samples], ["union", "posterior-0.3"], TOKENS, [probable])
    assert [links.lines() for links in scored.links] == [["0-0 1-1", "0-0 0-1"], ["0-0 1-1", "0-1"]]
    assert scored.counts[:, 0, :, 0].tolist() == [[2, 2], [2, 1]]
