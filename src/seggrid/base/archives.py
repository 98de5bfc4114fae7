"""Read single files from archives: zip, and tar, plain or compressed.

No file is written under a name from the archive, so that no such name can lead out of a folder.
"""

from __future__ import annotations

import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import IO

import zstandard

from seggrid.errors import InputError

_PIECE = 1 << 20


def read_member(path: str | Path, member: str) -> Iterator[bytes]:
    """The content of a file in an archive, by its name with folders, piece by piece; of several, the first.

    Raises:
        InputError: it is not an archive, is damaged, or has no such file.
    """
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
