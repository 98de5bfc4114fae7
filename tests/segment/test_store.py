"""Segmentations come back from disk as they were, and the same ones give the same bytes."""

import numpy as np
import pytest

from seggrid.arrays import Segmentation, load_arrays
from seggrid.segment import characters
from seggrid.segment.store import save_segmentations, unpack

SENTENCES = [["ein", "Haus"], [], ["x"], ["ein"] * 300]
FIELDS = ("ids", "offsets", "first", "last")


class Side:
    """All that `characters` reads of a side."""

    spaces = False


SAMPLES = {
    "words": [Segmentation.of_words(SENTENCES)],
    # Tokens that overlap no word: the last word comes before the first.
    "boundaries": characters.segment(None, SENTENCES, Side, [0], 1),
    "many types": [Segmentation.of_words([[str(n) for n in range(70_000)]])],
    "nothing": [Segmentation.of_words([[]])],
    "several": [Segmentation.of_words(SENTENCES), Segmentation.of_words(SENTENCES[:2])],
}


@pytest.mark.parametrize("name", SAMPLES)
def test_what_is_saved_is_loaded(tmp_path, name):
    samples = SAMPLES[name]
    save_segmentations(tmp_path / "a.npz", samples)
    loaded = unpack(load_arrays(tmp_path / "a.npz"))
    for before, after in zip(samples, loaded, strict=True):
        assert (after.types if len(after.ids) else []) == before.types
        for field in FIELDS:
            assert getattr(after, field).dtype == getattr(before, field).dtype
            np.testing.assert_array_equal(getattr(after, field), getattr(before, field))


def test_same_samples_same_bytes(tmp_path):
    for name in "ab":
        save_segmentations(tmp_path / f"{name}.npz", SAMPLES["several"])
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
