"""Alignments are read back with the tokens that they link."""

import numpy as np

from seggrid.data.alignments import read_alignments, read_posteriors, write_alignments
from seggrid.data.links import Links, Posteriors
from seggrid.data.segmentation import Segmentation

SAMPLE = (
    Segmentation.from_words([["a", "b"], ["a"]]),
    Segmentation.from_words([["x", "y"], ["z", "x"]]),
    Links.from_lines(["0-0 1-1", "0-1"]),
    Links.from_lines(["0-0", ""]),
)


def test_what_is_written_is_read(tmp_path):
    write_alignments(tmp_path / "a.npz", [SAMPLE, SAMPLE])
    back = read_alignments(tmp_path / "a.npz")
    assert len(back) == 2
    for sample in back:
        assert [part.lines() for part in sample] == [part.lines() for part in SAMPLE]


PROBABLE = (
    Posteriors(Links.from_lines(["0-0 1-1", "0-1"]), np.array([1, 0.5, 0.25], dtype=np.float32)),
    Posteriors(Links.from_lines(["", "0-0"]), np.array([0.125], dtype=np.float32)),
)


def test_probabilities_are_read_with_the_links(tmp_path):
    write_alignments(tmp_path / "a.npz", [SAMPLE, SAMPLE], [PROBABLE, PROBABLE])
    assert [part.lines() for part in read_alignments(tmp_path / "a.npz")[1]] == [
        part.lines() for part in SAMPLE
    ]
    back = read_posteriors(tmp_path / "a.npz")
    assert len(back) == 2
    for both in back:
        for ours, other in zip(both, PROBABLE, strict=True):
            assert ours.links.lines() == other.links.lines()
            assert ours.probability.tolist() == other.probability.tolist()
            taken = ours.take([1])
            assert taken.links.lines() == other.links.lines()[1:]
            assert (
                taken.probability.tolist() == other.probability.tolist()[-len(taken.links.pairs) :]
            )
