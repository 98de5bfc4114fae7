"""Files of named arrays; equal arrays give equal bytes."""

from __future__ import annotations

import io
import math
import os
import re
import struct
import zipfile
import zlib
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from seggrid.base.files import atomic_write
from seggrid.errors import InputError


def write_arrays(path: str | Path, arrays: dict[str, NDArray[Any]]) -> None:
    """Write named arrays as an `.npz`, atomically; equal arrays give equal bytes.

    They are compressed at the fastest level. The level that numpy uses would make the largest files of a run
    a fifth smaller, but takes four times as long.
    """
    with atomic_write(path, "wb") as file, zipfile.ZipFile(file, "w") as archive:
        for name, array in arrays.items():
            content = io.BytesIO()
            np.lib.format.write_array(content, array, allow_pickle=False)
            # Members have a fixed date, so that equal arrays give equal bytes.
            member = zipfile.ZipInfo(f"{name}.npy")
            archive.writestr(member, content.getvalue(), zipfile.ZIP_DEFLATED, compresslevel=1)


LARGEST = 1 << 32
"""The most bytes of the arrays in a file; a file that claims to have more is damaged."""

_HARMLESS, _DENSEST = 1 << 28, 50
"""A file that claims to have more than `_HARMLESS` bytes, and more than `_DENSEST` times its size, is damaged
too: files of a run are compressed to about a tenth."""

HINT = "delete it and run again"

# The exceptions of zipfile, zlib and numpy for an archive that is truncated or altered (its members have
# checksums).
_DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    RuntimeError,
    OSError,
    TypeError,
    ValueError,
    OverflowError,
)


class Arrays(dict[str, NDArray[Any]]):
    """The named arrays of a file, with access by name, type and shape.

    Attributes:
        file: the file.
    """

    def __init__(self, arrays: Mapping[str, NDArray[Any]], file: str | Path | None = None) -> None:
        super().__init__(arrays)
        self.file = file

    def __missing__(self, name: str) -> NDArray[Any]:
        raise self.damaged(f"{name} is missing")

    def integers(self, name: str, shape: Sequence[int | None]) -> NDArray[np.integer]:
        """An array of whole numbers; None in `shape` allows any length."""
        return self._array(name, "iu", shape)

    def floats(self, name: str, shape: Sequence[int | None]) -> NDArray[np.floating]:
        """An array of floating-point numbers; arguments and errors as in `integers`."""
        return self._array(name, "f", shape)

    def texts(self, name: str, shape: Sequence[int | None]) -> NDArray[np.str_]:
        """An array of strings; arguments and errors as in `integers`."""
        return self._array(name, "U", shape)

    def lengths(self, name: str, total: int) -> NDArray[np.integer]:
        """The lengths of rows that have `total` entries together, shape (rows,).

        Raises:
            InputError: there is no such array, or its sum is not `total`.
        """
        lengths = self.integers(name, (None,))
        if (lengths.size and lengths.min() < 0) or lengths.sum(dtype=np.int64) != total:
            raise self.damaged(f"{name} does not add up to {total}")
        return lengths

    def below(self, name: str, limit: int) -> NDArray[np.integer]:
        """Whole numbers from 0 to below a limit, shape (any,).

        Raises:
            InputError: there is no such array, or a number is out of bounds.
        """
        numbers = self.integers(name, (None,))
        if numbers.size and not 0 <= numbers.min() <= numbers.max() < limit:
            raise self.damaged(f"{name} is not within 0 to {limit - 1}")
        return numbers

    def damaged(self, what: str) -> InputError:
        """The error for a damaged file."""
        return InputError(f"damaged ({what})", file=self.file, hint=HINT)

    def _array(self, name: str, kinds: str, shape: Sequence[int | None]) -> NDArray[Any]:
        if name not in self:
            raise self.damaged(f"{name} is missing")
        array = self[name]
        same = len(array.shape) == len(shape) and all(
            n is None or n == m for n, m in zip(shape, array.shape, strict=True)
        )
        if array.dtype.kind not in kinds or not same:
            raise self.damaged(f"{name} is {array.dtype.name} of shape {array.shape}")
        return array


def read_arrays(path: str | Path, only: Collection[str] | None = None) -> Arrays:
    """Read back what `write_arrays` wrote.

    Args:
        path: the file.
        only: names of the arrays to read, if they exist; by default, all are read.

    Raises:
        InputError: the file is damaged, or claims to hold more than `LARGEST`.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            largest = min(LARGEST, max(_HARMLESS, _DENSEST * os.path.getsize(path)))
            # This is enough: a member is never unpacked beyond the size that it claims.
            if sum(member.file_size for member in members) > largest:
                raise ValueError(f"more than {largest:,} bytes")
            named = ((member.filename.removesuffix(".npy"), member) for member in members)
            wanted = ((name, member) for name, member in named if only is None or name in only)
            return Arrays({name: _read(archive, member) for name, member in wanted}, path)
    except FileNotFoundError:
        raise
    except _DAMAGED as error:
        raise InputError(f"damaged ({error})", file=path, hint=HINT) from error


_HEADER = re.compile(
    rb"\{'descr': '([<>|]?[A-Za-z]\d+)', 'fortran_order': (True|False), 'shape': \(([\d, ]*)\), \} *\n"
)
"""The header of an array as numpy writes it. numpy itself would parse it as any Python literal, which takes
half of the time of reading a file of many small arrays."""


def _read(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> NDArray[Any]:
    """Read one array, of version 1.0 of the format `.npy`."""
    content = archive.read(member)
    begin = 10 + int.from_bytes(content[8:10], "little")
    header = _HEADER.fullmatch(content[10:begin])
    if content[:8] != b"\x93NUMPY\x01\x00" or header is None:
        raise ValueError(f"{member.filename} is not an array as seggrid writes it")
    dtype = np.dtype(header[1].decode())
    shape = tuple(int(n) for n in header[3].split(b",") if n.strip())
    size = math.prod(shape) * dtype.itemsize
    if dtype.hasobject or size != len(content) - begin:
        raise ValueError(f"{member.filename} claims to be {dtype} of shape {shape}")
    order: Literal["C", "F"] = "F" if header[2] == b"True" else "C"
    if not size:
        return np.zeros(shape, dtype, order)
    # A copy, since arrays over `bytes` cannot be modified.
    return np.frombuffer(content, dtype, offset=begin).reshape(shape, order=order).copy("K")


def pack_strings(strings: Sequence[str]) -> NDArray[np.uint8]:
    """Strings without line ends as the bytes of UTF-8 text, one string per line."""
    return np.frombuffer("\n".join(strings).encode(), dtype=np.uint8)


def unpack_strings(arrays: Arrays, name: str) -> list[str]:
    """The strings that `pack_strings` packed; a single empty string becomes no string."""
    try:
        text = arrays.integers(name, (None,)).astype(np.uint8).tobytes().decode()
    except UnicodeDecodeError:
        raise arrays.damaged(f"{name} is not UTF-8") from None
    return text.split("\n") if text else []
