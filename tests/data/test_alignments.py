"""Alignments are read back with the tokens that they link, or the file is refused."""

import numpy as np
import pytest

from seggrid.base.npz import read_arrays, write_arrays
from seggrid.data.alignments import read_alignments, read_posteriors, write_alignments
from seggrid.data.links import Links
from seggrid.data.posteriors import Posteriors
from seggrid.data.segmentation import Segmentation
from seggrid.errors import InputError

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


@pytest.mark.parametrize("name", ["source/1/types", "forward/1/pairs", "reverse/0/pairs"])
def test_a_missing_sample_is_refused(tmp_path, name):
    write_alignments(tmp_path / "a.npz", [SAMPLE, SAMPLE])
    arrays = read_arrays(tmp_path / "a.npz")
    del arrays[name]
    write_arrays(tmp_path / "a.npz", arrays)
    with pytest.raises(InputError, match="damaged"):
        read_alignments(tmp_path / "a.npz")


def test_a_missing_sentence_is_refused(tmp_path):
    write_alignments(tmp_path / "a.npz", [SAMPLE])
    arrays = read_arrays(tmp_path / "a.npz")
    arrays["forward/0/lengths"] = np.array([3])
    write_arrays(tmp_path / "a.npz", arrays)
    with pytest.raises(InputError, match="parts of unlike lengths"):
        read_alignments(tmp_path / "a.npz")


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("forward/0/pairs", lambda pairs: pairs + 5),
        ("source/0/steps", lambda steps: steps.astype(np.int32) + 10**6),
        ("source/0/widths", lambda widths: widths.astype(np.int32) + 9),
    ],
)
def test_what_leads_out_of_the_sentences_is_refused(tmp_path, name, change):
    write_alignments(tmp_path / "a.npz", [SAMPLE])
    arrays = read_arrays(tmp_path / "a.npz")
    arrays[name] = change(arrays[name])
    write_arrays(tmp_path / "a.npz", arrays)
    with pytest.raises(InputError, match="out of the sentences"):
        read_alignments(tmp_path / "a.npz")


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


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("posteriors/forward/0/probability", lambda p: p + 0.5),
        ("posteriors/forward/0/probability", lambda p: p * np.nan),
        ("posteriors/forward/0/probability", lambda p: p[1:]),
        ("posteriors/reverse/0/probability", None),
        ("posteriors/reverse/0/pairs", None),
        ("posteriors/forward/0/pairs", lambda pairs: pairs + 5),
    ],
)
def test_damaged_probabilities_are_refused(tmp_path, name, change):
    write_alignments(tmp_path / "a.npz", [SAMPLE], [PROBABLE])
    arrays = read_arrays(tmp_path / "a.npz")
    if change is None:
        del arrays[name]
    else:
        arrays[name] = change(arrays[name])
    write_arrays(tmp_path / "a.npz", arrays)
    with pytest.raises(InputError, match="damaged"):
        read_posteriors(tmp_path / "a.npz")


def test_links_without_probabilities_are_refused_where_these_are_asked_for(tmp_path):
    write_alignments(tmp_path / "a.npz", [SAMPLE])
    with pytest.raises(InputError, match="not as many probabilities"):
        read_posteriors(tmp_path / "a.npz")
