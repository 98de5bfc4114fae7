"""Compressed files. Readers recognize them by their first bytes; writers compress by gzip or Zstandard if the
name ends in `.gz` or `.zst`."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO, Any, BinaryIO

import zstandard

from seggrid.base.files import atomic_write
from seggrid.errors import InputError

_LARGEST_WINDOW = 1 << 31
"""The most bytes that a decompressor may look back: those of `zstd --long=31`."""

_KINDS: list[tuple[str, tuple[bytes, ...], Callable[[], Any]]] = [
    ("gzip", (b"\x1f\x8b",), partial(zlib.decompressobj, wbits=16 + zlib.MAX_WBITS)),
    (
        "Zstandard",
        # The first byte of a skippable frame, which pzstd writes before each other one, is 0x50 to 0x5f.
        (b"\x28\xb5\x2f\xfd", *(bytes([k]) + b"\x2a\x4d\x18" for k in range(0x50, 0x60))),
        lambda: zstandard.ZstdDecompressor(max_window_size=_LARGEST_WINDOW).decompressobj(),
    ),
    ("bzip2", tuple(b"BZh%d1AY" % k for k in range(1, 10)), bz2.BZ2Decompressor),
    ("xz", (b"\xfd7zXZ\0",), partial(lzma.LZMADecompressor, memlimit=_LARGEST_WINDOW)),
]
"""For each way of compressing: its name, the first bytes of its files, and what makes a decompressor."""

SUFFIXES = (".gz", ".zst")
"""Endings of file names by which writers compress."""

_PIECE = 1 << 20
_CHUNK = 1 << 10  # small, since a byte of Zstandard may unpack to 32 kB

_HARMLESS = 1 << 26
_DENSEST = 100
"""A file that unpacks to more than `_HARMLESS` bytes and to more than `_DENSEST` times its size is refused:
text is compressed to about a tenth, files that are made to fill the memory to a thousandth or less."""


def read_bytes(path: str | Path, limit: int) -> bytes:
    """The first `limit` bytes of a file, unpacked if it is compressed."""
    pieces, size = [], 0
    for piece in read_pieces(path):
        pieces.append(piece[: limit - size])
        size += len(pieces[-1])
        if size >= limit:
            break
    return b"".join(pieces)


def read_pieces(path: str | Path, bounded: bool = True) -> Iterator[bytes]:
    """The content of a file, unpacked if it is compressed, piece by piece.

    Raises:
        InputError: a compressed file is cut short, damaged, or, if `bounded`, unpacks to far more than text
            would; or it is a zip archive.
        OSError: the file cannot be read.
    """
    with open(path, "rb") as file:
        start = file.peek(8)
        if start.startswith(b"PK\x03\x04"):
            hint = "unpack it, and give the file in it"
            raise InputError("a zip archive, not a text", file=path, hint=hint)
        for kind, begins, new in _KINDS:  # noqa: B007
            if start.startswith(begins):
                break
        else:
            while piece := file.read(_PIECE):
                yield piece
            return
        size = 0
        try:
            for packed, piece in _unpack(file, new):
                size += len(piece)
                if bounded and size > allowed(packed):
                    raise InputError(
                        f"compressed by {kind}, and unpacks to more than {_DENSEST} times its size",
                        file=path,
                        hint="text rarely does: unpack it and look; if it is right, give it unpacked",
                    )
                yield piece
        except EOFError:
            message = f"compressed by {kind}, and cut short"
            raise InputError(message, file=path, hint="fetch or make it again") from None
        except (zlib.error, zstandard.ZstdError, lzma.LZMAError, OSError) as error:
            if getattr(error, "errno", None):  # not of bz2, but of the file
                raise
            message = f"compressed by {kind}, and damaged: {error}"
            raise InputError(message, file=path, hint="fetch or make it again") from None


def allowed(packed: int) -> int:
    """The most bytes to which so many compressed bytes may unpack."""
    return max(_HARMLESS, _DENSEST * packed)


def _unpack(file: BinaryIO, new: Callable[[], Any]) -> Iterator[tuple[int, bytes]]:
    """Unpack all frames of a file: the number of bytes read so far, and the next unpacked bytes.

    `new` makes a decompressor for a frame. (zstandard's `stream_reader` would accept truncated files.)
    """
    frame, read = None, 0
    while chunk := file.read(_CHUNK):
        read += len(chunk)
        # The gzip standard allows zeros after a frame.
        while chunk and (frame or chunk.strip(b"\0")):
            frame = frame or new()
            yield read, frame.decompress(chunk)
            chunk = frame.unused_data
            if frame.eof:
                frame = None
    if frame is not None:
        raise EOFError


@contextmanager
def write_text(path: str | Path) -> Iterator[IO[Any]]:
    """Open a text file as `atomic_write` does, compressed if the ending of its name says so.

    Equal texts give equal bytes, since neither time nor name is stored.
    """
    ending = Path(path).suffix
    if ending not in SUFFIXES:
        with atomic_write(path) as file:
            yield file
        return
    with atomic_write(path, "wb") as file:
        if ending == ".gz":
            packed: Any = gzip.GzipFile("", "wb", 6, file, mtime=0)
        else:
            options = zstandard.ZstdCompressor(level=6, write_checksum=True)
            packed = options.stream_writer(file, closefd=False)
        with packed, io.TextIOWrapper(packed, encoding="utf-8", newline="\n") as text:
            yield text
