"""What a score job writes is read back whole, and the same bytes each time."""

import numpy as np
import pytest

from seggrid.corpus.gold import Gold
from seggrid.data.links import Links
from seggrid.data.npz import read_arrays, write_arrays
from seggrid.data.segmentation import Segmentation
from seggrid.errors import InputError
from seggrid.score.score_file import read_score_file, score_replicates, write_score_file

GOLD = Gold(
    np.array([0, 2]), Links.from_lines(["0-0 1-1", "0-0"]), Links.from_lines(["0-0 1-1", "0-0"])
)
SOURCE = Segmentation.from_words([["a", "b"], ["c"]])
TARGET = Segmentation.from_words([["x", "ü y"], ["z"]])


def test_a_score_file_is_read_back_as_it_was_written(tmp_path):
    samples = [Links.from_lines(["0-0 1-1", "0-1"]), Links.from_lines(["0-0", "0-0"])]
    one = score_replicates(GOLD, [samples, samples], ["union", "0.5"], (SOURCE, TARGET))
    write_score_file(tmp_path / "x.npz", one)
    other = read_score_file(tmp_path / "x.npz")
    assert other.aggregates == ["union", "0.5"]
    for name in ("sentences", "sure", "counts", "sample_f1"):
        assert np.array_equal(getattr(other, name), getattr(one, name))
    assert other.counts.shape == (2, 2, 2, 3)
    assert [links.lines() for links in other.links] == [["0-0 1-1", "0-0 0-1"], ["0-0", ""]]
    assert (other.source.lines(), other.target.lines()) == (["a b", "c"], ["x ü y", "z"])
    write_score_file(tmp_path / "y.npz", other)
    assert (tmp_path / "x.npz").read_bytes() == (tmp_path / "y.npz").read_bytes()


def test_each_sample_has_its_own_f1():
    samples = [Links.from_lines(["0-0 1-1", "0-0"]), Links.from_lines(["0-0", "0-0"])]
    scored = score_replicates(GOLD, [samples], ["union"], (SOURCE, TARGET))
    assert scored.sample_f1.tolist() == [[1.0, 0.8]]


@pytest.mark.parametrize(
    "name", ["counts", "sure", "links/0/pairs", "tokens/1/types", "aggregates"]
)
def test_a_file_that_lacks_an_array_is_damaged(tmp_path, name):
    samples = [Links.from_lines(["0-0 1-1", "0-0"])]
    write_score_file(
        tmp_path / "x.npz", score_replicates(GOLD, [samples], ["none"], (SOURCE, TARGET))
    )
    arrays = read_arrays(tmp_path / "x.npz")
    del arrays[name]
    write_arrays(tmp_path / "x.npz", arrays)
    with pytest.raises(InputError, match="damaged"):
        read_score_file(tmp_path / "x.npz")
