"""Compressed files, and single files of archives (zip, and tar, plain or compressed).

Readers recognize them by their first bytes; writers compress by gzip or Zstandard if the name ends in `.gz`
or `.zst`. No file is written under a name from an archive, so that no such name can lead out of a folder.
"""

from __future__ import annotations

import bz2
import io
import lzma
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import IO, Any, BinaryIO

import zstandard

from seggrid.base.errors import InputError
from seggrid.base.files import atomic_write

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


def read_pieces(path: str | Path) -> Iterator[bytes]:
    """The content of a file, unpacked if it is compressed, piece by piece. A compressed file that is cut
    short or damaged is refused, and so is a zip archive."""
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
        try:
            yield from _unpack(file, new)
        except EOFError:
            message = f"compressed by {kind}, and cut short"
            raise InputError(message, file=path, hint="fetch or make it again") from None
        except (zlib.error, zstandard.ZstdError, lzma.LZMAError, OSError) as error:
            if getattr(error, "errno", None):  # not of bz2, but of the file
                raise
            if "ictionary" in str(error):
                message, hint = (
                    f"compressed by {kind} with a dictionary",
                    "unpack it: zstd -d -D DICTIONARY",
                )
                raise InputError(message, file=path, hint=hint) from None
            message = f"compressed by {kind}, and damaged: {error}"
            raise InputError(message, file=path, hint="fetch or make it again") from None


def _unpack(file: BinaryIO, new: Callable[[], Any]) -> Iterator[bytes]:
    """Unpack all frames of a file, of which `new` makes a decompressor for each. (zstandard's `stream_reader`
    would accept truncated files.)"""
    frame = None
    while chunk := file.read(_CHUNK):
        # The gzip standard allows zeros after a frame.
        while chunk and (frame or chunk.strip(b"\0")):
            frame = frame or new()
            yield frame.decompress(chunk)
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
            import gzip

            packed: Any = gzip.GzipFile("", "wb", 6, file, mtime=0)
        else:
            options = zstandard.ZstdCompressor(level=6, write_checksum=True)
            packed = options.stream_writer(file, closefd=False)
        with packed, io.TextIOWrapper(packed, encoding="utf-8", newline="\n") as text:
            yield text


def read_member(path: str | Path, member: str) -> Iterator[bytes]:
    """The content of a file in an archive, by its name with folders, piece by piece; if there are several, of
    the first."""
    import tarfile
    import zipfile

    names: list[str] = []
    try:
        for name, opened in _files(path):
            names.append(name)
            if name.removeprefix("./") == member.removeprefix("./"):
                file = opened()
                assert file is not None, "a regular file"
                while piece := file.read(_PIECE):
                    yield piece
                return
    except (
        *(tarfile.TarError, zipfile.BadZipFile, zlib.error, EOFError),
        *(lzma.LZMAError, zstandard.ZstdError),
    ) as error:
        kinds = "tar, tar.gz, tar.bz2, tar.xz, tar.zst, zip"
        message = f"not an archive ({kinds}), or damaged: {error}"
        raise InputError(message, file=path, hint="fetch it again") from None
    except (NotImplementedError, RuntimeError) as error:  # an unknown compression, a password
        message = f"{member} cannot be unpacked: {error}"
        raise InputError(message, file=path, hint="unpack it, and give its path") from None
    close = get_close_matches(member, names, n=1)
    hint = f"did you mean {close[0]}?" if close else f"it has {len(names)} files"
    raise InputError(f"has no file {member}", file=path, hint=hint)


def _files(path: str | Path) -> Iterator[tuple[str, Callable[[], IO[bytes] | None]]]:
    """The names of the files of an archive, each with what opens it; others may be encrypted. A file is read
    before the next one is asked for."""
    import tarfile
    import zipfile

    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as zipped:
            for name in zipped.namelist():
                if not name.endswith("/"):
                    yield name, partial(zipped.open, name)
        return
    with open(path, "rb") as packed:
        is_zst = packed.peek(4).startswith(zstandard.FRAME_HEADER)
        whole = zstandard.open(packed, "rb") if is_zst else packed
        with tarfile.open(fileobj=whole, mode="r|" if is_zst else "r|*") as archive:
            for entry in archive:
                if entry.isfile():
                    yield entry.name, partial(archive.extractfile, entry)
