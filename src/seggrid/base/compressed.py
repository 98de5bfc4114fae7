"""Files compressed by gzip or Zstandard. Readers recognize them by their first bytes, writers by the ending
of their names, `.gz` or `.zst`."""

from __future__ import annotations

import codecs
import gzip
import io
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO, Any, BinaryIO

import zstandard

from seggrid.base.files import atomic_write
from seggrid.errors import InputError

GZIP, ZSTANDARD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
SUFFIXES = (".gz", ".zst")
"""Endings of file names by which writers compress."""

_PIECE = 1 << 20
_CHUNK = 1 << 10  # small, since a byte of Zstandard may unpack to 32 kB

_HARMLESS = 1 << 26
_DENSEST = 100
"""A file that unpacks to more than `_HARMLESS` bytes and to more than `_DENSEST` times its size is refused:
text is compressed to about a tenth, files that are made to fill the memory to a thousandth or less."""


def read_bytes(path: str | Path, limit: int) -> bytes:
    """The first `limit` bytes of a file, unpacked if it is compressed.

    Raises:
        InputError: a compressed file is cut short, damaged, or unpacks to far more than text would.
        OSError: the file cannot be read.
    """
    pieces, size = [], 0
    for piece in read_pieces(path):
        pieces.append(piece[: limit - size])
        size += len(pieces[-1])
        if size >= limit:
            break
    return b"".join(pieces)


def read_blocks(path: str | Path) -> Iterator[str]:
    """The text of a file in blocks of whole lines, so that it is never in memory as a whole.

    Raises:
        InputError: a compressed file is cut short or damaged; or a line is not UTF-8.
        OSError: the file cannot be read.
    """
    lines = 0
    rest: list[bytes] = []
    for piece in _without_mark(read_pieces(path, bounded=False)):
        whole, end, last = piece.rpartition(b"\n")
        if end:
            yield _decode(b"".join([*rest, whole]), path, lines)
            lines += whole.count(b"\n") + 1
            rest = []
        rest.append(last)
    if any(rest):
        yield _decode(b"".join(rest), path, lines)


def read_pieces(path: str | Path, bounded: bool = True) -> Iterator[bytes]:
    """The content of a file, unpacked if it is compressed, piece by piece.

    Args:
        path: the file.
        bounded: whether to refuse a file that unpacks to far more than text would.

    Raises:
        InputError: a compressed file is cut short, damaged, or, if bounded, unpacks to far too much.
        OSError: the file cannot be read.
    """
    with open(path, "rb") as file:
        start = file.peek(len(ZSTANDARD))
        if start.startswith(GZIP):
            kind = "gzip"
            new: Callable[[], Any] = partial(zlib.decompressobj, wbits=16 + zlib.MAX_WBITS)
        elif start.startswith(ZSTANDARD):
            kind, new = "Zstandard", zstandard.ZstdDecompressor().decompressobj
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
        except (zlib.error, zstandard.ZstdError) as error:
            message = f"compressed by {kind}, and damaged: {error}"
            raise InputError(message, file=path, hint="fetch or make it again") from None


def allowed(packed: int) -> int:
    """The most bytes to which so many compressed bytes may unpack."""
    return max(_HARMLESS, _DENSEST * packed)


def _unpack(file: BinaryIO, new: Callable[[], Any]) -> Iterator[tuple[int, bytes]]:
    """Unpack all frames of a file.

    Args:
        file: the compressed file.
        new: makes a decompressor for a frame. (zstandard's `stream_reader` would accept truncated files.)

    Yields:
        The number of bytes read so far, and the next unpacked bytes.
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


def _without_mark(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The pieces without a byte order mark at the beginning of the first."""
    for k, piece in enumerate(pieces):
        yield piece.removeprefix(codecs.BOM_UTF8) if k == 0 else piece


def _decode(data: bytes, path: str | Path, before: int) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = before + data.count(b"\n", 0, error.start) + 1
        hint = "save it as UTF-8"
        raise InputError("not UTF-8", file=path, line=line, hint=hint) from None


def stream_lines(path: str | Path) -> Iterator[str]:
    """The lines of a text without line ends, read block by block. Errors are as in `read_blocks`."""
    for block in read_blocks(path):
        yield from block.split("\n")


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
