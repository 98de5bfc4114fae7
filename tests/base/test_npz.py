"""Named arrays are read back from a file as they were, or the file is refused."""

import io
import random
import zipfile

import numpy as np
import pytest

from seggrid.base.npz import LARGEST, Arrays, read_arrays, write_arrays
from seggrid.errors import InputError

ARRAYS = {
    "ids": np.arange(1000, dtype=np.int32) ** 2 % 91,
    "types": np.array(["▁the", "Käse", ""]),
    "none": np.zeros((0, 2), dtype=np.int64),
    "columns": np.asfortranarray(np.arange(6, dtype=np.uint8).reshape(2, 3)),
    "number": np.array(2.5),
    "empty texts": np.array(["", ""]),
}


def test_saved_arrays_come_back_with_their_types(tmp_path):
    write_arrays(tmp_path / "a.npz", ARRAYS)
    back = read_arrays(tmp_path / "a.npz")
    assert list(back) == list(ARRAYS)
    for name, array in ARRAYS.items():
        assert back[name].dtype == array.dtype
        assert np.array_equal(back[name], array)
        # As numpy reads them, and to be written to.
        with np.load(tmp_path / "a.npz") as numpy:
            assert np.array_equal(back[name], numpy[name])
            assert back[name].flags.f_contiguous == numpy[name].flags.f_contiguous
        assert back[name].flags.writeable


def test_same_arrays_same_bytes(tmp_path, monkeypatch):
    write_arrays(tmp_path / "a.npz", ARRAYS)
    monkeypatch.setattr("time.time", lambda: 1e9)
    monkeypatch.setattr("time.localtime", lambda *_: (2001, 9, 9, 1, 46, 40, 6, 252, 0))
    write_arrays(tmp_path / "b.npz", ARRAYS)
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


@pytest.mark.parametrize("kept", [0.0, 0.1, 0.5, 0.9, 0.999])
def test_a_truncated_file_is_refused_by_name(tmp_path, kept):
    path = tmp_path / "a.npz"
    write_arrays(path, ARRAYS)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(kept * len(whole))])
    with pytest.raises(InputError, match=r"a\.npz: damaged .*\(delete it and run again\)"):
        read_arrays(path)


def test_an_altered_byte_of_the_data_never_passes(tmp_path):
    path = tmp_path / "a.npz"
    write_arrays(path, ARRAYS)
    whole = path.read_bytes()
    draw = random.Random(1)
    originals = [array.tolist() for array in ARRAYS.values()]
    refused = 0
    for _ in range(300):
        altered = bytearray(whole)
        altered[draw.randrange(len(whole))] ^= 1 << draw.randrange(8)
        path.write_bytes(altered)
        try:
            back = read_arrays(path)
        except InputError:
            refused += 1
            continue
        # Accepted damage only affects metadata of the archive: dates, names, counts.
        assert all(array.tolist() in originals for array in back.values())
    assert refused > 200


def test_a_missing_file_is_missing_not_damaged(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_arrays(tmp_path / "absent.npz")


def npy(shape, dtype="<i8", data=b""):
    """An object that pretends to be an array."""
    file = io.BytesIO()
    header = {"shape": shape, "fortran_order": False, "descr": dtype}
    np.lib.format.write_array_header_1_0(file, header)
    return file.getvalue() + data


@pytest.mark.parametrize(
    "content",
    [
        npy((1 << 40,)),
        npy((1 << 62, 1 << 62)),
        npy((2,), "|O", b"x" * 99),
        npy((-1,)),
        npy((2,), "<i8", b"x" * 17),
        npy((2,), "<i9", b"x" * 18),
        npy((1,), "<i8", b"x" * 8).replace(b"(1,)", b"(1, "),
        b"",
        b"\x93NUMPY",
    ],
    ids=[
        "more than it holds",
        "more than there is",
        "objects",
        "less than nothing",
        "more",
        "no type",
        "no header",
        "no",
        "cut",
    ],
)
def test_a_header_that_claims_what_is_not_there_is_refused(tmp_path, content):
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as file:
        file.writestr("a.npy", content)
    with pytest.raises(InputError, match=r"a\.npz: damaged"):
        read_arrays(tmp_path / "a.npz")


def test_an_archive_that_claims_too_much_is_refused(tmp_path, monkeypatch):
    write_arrays(tmp_path / "a.npz", ARRAYS)
    monkeypatch.setattr("seggrid.base.npz.LARGEST", 100)
    with pytest.raises(InputError, match="more than"):
        read_arrays(tmp_path / "a.npz")
    assert LARGEST > 100


def test_arrays_are_asked_for_by_name_type_and_shape():
    arrays = Arrays({"a": np.zeros((2, 3), dtype=np.int8), "b": np.zeros(2)}, "f.npz")
    assert arrays.integers("a", (None, 3)).shape == (2, 3)
    assert arrays.floats("b", (2,)).shape == (2,)
    for name, shape in (("a", (3, 3)), ("a", (None,)), ("b", (2,)), ("c", (2,))):
        with pytest.raises(InputError, match=r"f\.npz: damaged .*delete it and run again"):
            arrays.integers(name, shape)
    with pytest.raises(InputError, match="b is float64"):
        arrays.texts("b", (None,))
