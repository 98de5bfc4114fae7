"""A model's file: its indices must be in range, or kernels would read outside of its arrays."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays as any_array

from seggrid.align.fast_align import Model, force_align, train
from seggrid.base.npz import read_arrays, write_arrays
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
@pytest.mark.parametrize(
    "array",
    [
        None,
        np.array("text"),
        np.zeros((3, 3, 3)),
        np.full(5, 2**62),
        np.full(5, -1),
        np.full(5, np.nan),
        np.array([], dtype=np.int64),
    ],
    ids=["missing", "text", "misshapen", "huge", "negative", "nan", "empty"],
)
def test_any_array_that_is_another_is_refused(load_with, name, array):
    with pytest.raises(InputError, match=r"changed\.npz: damaged .*train and save it anew"):
        load_with(**{name: array})


# Rows: a: x y; b: x y z; c: x y; d: x y z.
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"row": [0, 2, 5, 7, 11]}, "row does not cut 10 cells"),
        ({"row": [1, 2, 5, 7, 10]}, "row does not cut 10 cells"),
        ({"row": [0, 5, 2, 7, 10]}, "row does not cut 10 cells"),
        ({"row": [0, 2**40, 5, 7, 10]}, "row does not cut 10 cells"),
        ({"column": [0, 1, 0, 1, 2, 0, 1, 0, 1, 3]}, "column is not within 0 to 2"),
        ({"column": [1, 0, 0, 1, 2, 0, 1, 0, 1, 2]}, "column does not ascend"),
        ({"column": [0, 0, 0, 1, 2, 0, 1, 0, 1, 2]}, "column does not ascend"),
        ({"source_null": [0.1] * 3}, "source_null is float64 of shape"),
        ({"target_null": [0.1] * 4}, "target_null is float64 of shape"),
        ({"target_null": [0.1, 0.1, np.inf]}, "target_null has values that are not probabilities"),
        ({"probability": [[0.5, 1.5]] * 10}, "probability has values that are not probabilities"),
        ({"p0": 1.0}, "p0 is 1.0"),
        ({"p0": -0.1}, "p0 is -0.1"),
        ({"directions": [[4.0, 1.0]]}, "directions is float64 of shape"),
        ({"directions": [[0.0, 1.0], [4.0, 1.0]]}, "directions has 0.0"),
        ({"directions": [[4.0, 1.0], [np.nan, 1.0]]}, "directions has nan"),
        ({"directions": [[4.0, 0.0], [4.0, 1.0]]}, "directions has 4.0, 0.0"),
    ],
)
def test_numbers_that_no_model_has_are_refused(load_with, changes, message):
    with pytest.raises(InputError, match=message):
        load_with(**{name: np.array(value) for name, value in changes.items()})


def test_types_are_distinct(load_with):
    with pytest.raises(InputError, match="source_types has a type twice"):
        load_with(source_types=text(["a", "b", "a", "d"]))
    with pytest.raises(InputError, match="target_types is not UTF-8"):
        load_with(target_types=np.array([0xFF, 10, 0x61], dtype=np.uint8))


@pytest.mark.tier("test")
@given(data=st.data())
@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_loads_aligns(load_with, saved, data):
    """Any numbers in any array: the file is refused, or the model aligns without leaving its arrays."""
    arrays = read_arrays(saved)
    name = data.draw(st.sampled_from(sorted(arrays)))
    shape = arrays[name].shape
    if name.endswith("types"):
        array = text(
            data.draw(st.permutations(["a", "b", "c", "d", "e"]))[: data.draw(st.integers(0, 5))]
        )
    elif arrays[name].dtype.kind == "f":
        array = data.draw(any_array(np.float64, shape, elements=st.floats() | st.floats(0, 1)))
    else:
        small = st.integers(-1, 11) | st.integers(-(2**63), 2**63 - 1)
        array = data.draw(any_array(np.int64, shape, elements=small))
    try:
        model = load_with(**{name: array})
    except InputError:
        return
    for alignment in force_align(model, SOURCE, TARGET):
        assert len(alignment.links) == 2
