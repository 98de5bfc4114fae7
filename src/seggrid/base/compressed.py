"""Files compressed by gzip or Zstandard. Readers recognize them by their first bytes, writers by the ending
of their names, `.gz` or `.zst`."""

from __future__ import annotations

import codecs
import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, BinaryIO

import zstandard

from seggrid.base.files import atomic_write
from seggrid.errors import InputError

GZIP, ZSTANDARD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
SUFFIXES = (".gz", ".zst")
"""Endings of the names of files that are written compressed."""

_PIECE = 1 << 20
_CHUNK = 1 << 13  # small: a chunk of Zstandard may unpack to thousands of times its size


def read_bytes(path: str | Path, limit: int) -> bytes:
    """The first `limit` bytes of a file, unpacked if it is compressed.

    Raises:
        InputError: a compressed file is cut short or damaged.
        OSError: the file cannot be read.
    """
    with open(path, "rb") as file:
        start = file.peek(len(ZSTANDARD))
        with _told(path, "gzip" if start.startswith(GZIP) else "Zstandard"):
            if start.startswith(GZIP):
                with gzip.GzipFile(fileobj=file) as unpacked:
                    return unpacked.read(limit)
            if start.startswith(ZSTANDARD):
                return _unpack_zstandard(file, limit)
        return file.read(limit)


@contextmanager
def _told(path: str | Path, kind: str) -> Iterator[None]:
    """Turn errors in a compressed file into an `InputError`."""
    hint = "fetch or make it again"
    try:
        yield
    except EOFError:
        message = f"compressed by {kind}, and cut short"
        raise InputError(message, file=path, hint=hint) from None
    except (gzip.BadGzipFile, zlib.error, zstandard.ZstdError) as error:
        message = f"compressed by {kind}, and damaged: {error}"
        raise InputError(message, file=path, hint=hint) from None


def _unpack_zstandard(file: BinaryIO, limit: int) -> bytes:
    """Unpack all frames, up to `limit` bytes; `stream_reader` would accept truncated files."""
    pieces, size = [], 0
    for piece in _zstandard_pieces(file):
        pieces.append(piece)
        size += len(piece)
        if size >= limit:
            break
    return b"".join(pieces)[:limit]


def _zstandard_pieces(file: BinaryIO) -> Iterator[bytes]:
    frame = None
    while chunk := file.read(_CHUNK):
        while chunk:
            frame = frame or zstandard.ZstdDecompressor().decompressobj()
            yield frame.decompress(chunk)
            chunk = frame.unused_data
            if frame.eof:
                frame = None
    if frame is not None:
        raise EOFError


def read_blocks(path: str | Path) -> Iterator[str]:
    """The lines of a text in blocks of whole lines, so that it is never held whole.

    Raises:
        InputError: a compressed file is cut short or damaged; or a line is not UTF-8.
        OSError: the file cannot be read.
    """
    lines, rest = 0, []
    for piece in _without_mark(_pieces(path)):
        whole, end, begun = piece.rpartition(b"\n")
        if end:
            yield _decode(b"".join([*rest, whole]), path, lines)
            lines += whole.count(b"\n") + 1
            rest = []
        rest.append(begun)
    if any(rest):
        yield _decode(b"".join(rest), path, lines)


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


def _pieces(path: str | Path) -> Iterator[bytes]:
    """The content of a file, unpacked if it is compressed, piece by piece."""
    with open(path, "rb") as file:
        start = file.peek(len(ZSTANDARD))
        with _told(path, "gzip" if start.startswith(GZIP) else "Zstandard"):
            if start.startswith(ZSTANDARD):
                yield from _zstandard_pieces(file)
                return
            source: IO[bytes] = gzip.GzipFile(fileobj=file) if start.startswith(GZIP) else file
            while piece := source.read(_PIECE):
                yield piece


def stream_lines(path: str | Path) -> Iterator[str]:
    """The lines of a text without their ends, read block by block. Raises what `read_blocks` does."""
    for block in read_blocks(path):
        yield from block.split("\n")


@contextmanager
def write_text(path: str | Path) -> Iterator[IO[Any]]:
    """Open a text file as `atomic_write` does, compressed if its name has such an ending.

    Equal texts give equal bytes, since no time and no name are stored.
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
