"""Types of arrays, and files of named arrays.

A digest, or the archive's checksums, tell if a file was changed; so what it holds is not checked again.
"""

from __future__ import annotations

import io
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from seggrid.base.errors import InputError
from seggrid.base.files import atomic_write

UInt8 = NDArray[np.uint8]
UInt32 = NDArray[np.uint32]
UInt64 = NDArray[np.uint64]
Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]
Float32 = NDArray[np.float32]
Float64 = NDArray[np.float64]

HINT = "delete it and run again"


def write_arrays(path: str | Path, arrays: dict[str, NDArray[Any]]) -> None:
    """Write named arrays as an `.npz`, atomically; equal arrays give equal bytes.

    They are compressed at the fastest level. The level that numpy uses would make the largest files of a run
    a fifth smaller, but takes four times as long.
    """
    import zipfile

    with atomic_write(path, "wb") as file, zipfile.ZipFile(file, "w") as archive:
        for name, array in arrays.items():
            content = io.BytesIO()
            np.lib.format.write_array(content, array, allow_pickle=False)
            # Members have a fixed date, so that equal arrays give equal bytes.
            member = zipfile.ZipInfo(f"{name}.npy")
            archive.writestr(member, content.getvalue(), zipfile.ZIP_DEFLATED, compresslevel=1)


class Arrays(dict[str, NDArray[Any]]):
    """The named arrays of a file."""

    def __init__(self, arrays: Mapping[str, NDArray[Any]], file: str | Path | None = None) -> None:
        super().__init__(arrays)
        self.file = file

    def __missing__(self, name: str) -> NoReturn:
        raise InputError(f"damaged ({name} is missing)", file=self.file, hint=HINT)


def read_arrays(path: str | Path, only: Collection[str] | None = None) -> Arrays:
    """Read back what `write_arrays` wrote, or `only` the arrays of these names that exist."""
    try:
        with np.load(path, allow_pickle=False) as found:
            wanted = [name for name in found.files if only is None or name in only]
            return Arrays({name: found[name] for name in wanted}, path)
    except FileNotFoundError:
        raise
    except (
        Exception
    ) as error:  # A damaged header is parsed as Python, whose errors differ by version.
        raise InputError(f"damaged ({error})", file=path, hint=HINT) from error


def pack_strings(strings: Sequence[str]) -> NDArray[np.uint8]:
    """Strings without line ends as the bytes of UTF-8 text, one string per line."""
    return np.frombuffer("\n".join(strings).encode(), dtype=np.uint8)


def unpack_strings(arrays: Arrays, name: str) -> list[str]:
    """The strings that `pack_strings` packed; a single empty string becomes no string."""
    text = arrays[name].tobytes().decode()
    return text.split("\n") if text else []
