"""A model's file: its indices must be in range, or kernels would read outside of its arrays."""

import numpy as np
import pytest

from seggrid.align.fast_align import Model
from seggrid.align.fast_align.training import train
from seggrid.base.arrays import read_arrays, write_arrays
from seggrid.data.segmentation import Segmentation
from seggrid.errors import InputError


def segmented(*lines):
    return Segmentation.from_words([line.split() for line in lines])


SOURCE, TARGET = segmented("a b c", "b d"), segmented("x y", "y z x")


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "model.npz"
    train(SOURCE, TARGET).model.save(path)
    return path


@pytest.fixture
def load_with(saved, tmp_path):
    """Load the model with some arrays replaced, or left out where they are None."""

    def load(**changes):
        arrays = {**read_arrays(saved), **changes}
        path = tmp_path / "changed.npz"
        write_arrays(path, {name: array for name, array in arrays.items() if array is not None})
        return Model.load(path)

    return load


def text(types):
    return np.frombuffer("\n".join(types).encode(), dtype=np.uint8)


def test_is_read_back(saved, load_with):
    model, again = Model.load(saved), load_with()
    assert model.source_types == ["a", "b", "c", "d"]
    for name in ("row", "column", "probability", "source_null", "target_null", "directions"):
        assert np.array_equal(getattr(model, name), getattr(again, name))


@pytest.mark.parametrize("name", [
    "source_types", "target_types", "row", "column", "probability", "source_null", "target_null",
    "p0", "directions",
])  # fmt: skip
def test_a_missing_array_is_named(load_with, name):
    with pytest.raises(InputError, match=f"{name} is missing"):
        load_with(**{name: None})
