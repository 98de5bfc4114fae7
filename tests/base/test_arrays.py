"""Named arrays are read back from a file as they were, or the file is refused."""

import numpy as np
import pytest

from seggrid.base.arrays import read_arrays, write_arrays
from seggrid.base.errors import InputError

ARRAYS = {
    "ids": np.arange(1000, dtype=np.int32) ** 2 % 91,
    "types": np.array(["▁the", "Käse", ""]),
    "none": np.zeros((0, 2), dtype=np.int64),
    "columns": np.asfortranarray(np.arange(6, dtype=np.uint8).reshape(2, 3)),
    "number": np.array(2.5),
    "empty texts": np.array(["", ""]),
}


@pytest.fixture
def path(tmp_path):
    write_arrays(tmp_path / "a.npz", ARRAYS)
    return tmp_path / "a.npz"


def test_saved_arrays_come_back_with_their_types(path):
    back = read_arrays(path)
    assert list(back) == list(ARRAYS)
    for name, array in ARRAYS.items():
        assert back[name].dtype == array.dtype
        assert np.array_equal(back[name], array)
        assert back[name].flags.writeable
    assert list(read_arrays(path, only=["types", "absent"])) == ["types"]
    with pytest.raises(InputError, match=r"a\.npz: damaged \(absent is missing\)"):
        back["absent"]


def test_same_arrays_same_bytes(path, monkeypatch):
    monkeypatch.setattr("time.time", lambda: 1e9)
    monkeypatch.setattr("time.localtime", lambda *_: (2001, 9, 9, 1, 46, 40, 6, 252, 0))
    write_arrays(path.with_name("b.npz"), ARRAYS)
    assert path.read_bytes() == path.with_name("b.npz").read_bytes()


@pytest.mark.parametrize("kept", [0.0, 0.1, 0.5, 0.9, 0.999])
def test_a_truncated_file_is_refused_by_name(path, kept):
    whole = path.read_bytes()
    path.write_bytes(whole[: int(kept * len(whole))])
    with pytest.raises(InputError, match=r"a\.npz: damaged .*\(delete it and run again\)"):
        read_arrays(path)
    np.savez(path, a=np.array([path], dtype=object))
    with pytest.raises(InputError, match=r"a\.npz: damaged"):  # Objects are not unpickled.
        read_arrays(path)


def test_a_missing_file_is_missing_not_damaged(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_arrays(tmp_path / "absent.npz")
