"""Segmentations come back from disk as they were, and the same ones give the same bytes."""

import numpy as np
import pytest

from seggrid.data.npz import read_arrays
from seggrid.data.segmentation import Segmentation, unpack_segmentations, write_segmentations
from seggrid.segment import characters

SENTENCES = [["ein", "Haus"], [], ["x"], ["ein"] * 300]
FIELDS = ("ids", "offsets", "first", "last")


class Side:
    """All that `characters` reads of a side."""

    spaces = False


SAMPLES = {
    "words": [Segmentation.from_words(SENTENCES)],
    # Tokens that overlap no word: the last word comes before the first.
    "boundaries": characters.segment(None, SENTENCES, Side, [0], 1),
    "many types": [Segmentation.from_words([[str(n) for n in range(70_000)]])],
    "nothing": [Segmentation.from_words([[]])],
    "several": [Segmentation.from_words(SENTENCES), Segmentation.from_words(SENTENCES[:2])],
}


@pytest.mark.parametrize("name", SAMPLES)
def test_what_is_saved_is_loaded(tmp_path, name):
    samples = SAMPLES[name]
    write_segmentations(tmp_path / "a.npz", samples)
    loaded = unpack_segmentations(read_arrays(tmp_path / "a.npz"))
    for before, after in zip(samples, loaded, strict=True):
        assert (after.types if len(after.ids) else []) == before.types
        for field in FIELDS:
            assert getattr(after, field).dtype == getattr(before, field).dtype
            np.testing.assert_array_equal(getattr(after, field), getattr(before, field))


def test_same_samples_same_bytes(tmp_path):
    for name in "ab":
        write_segmentations(tmp_path / f"{name}.npz", SAMPLES["several"])
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
