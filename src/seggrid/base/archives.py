"""Read single files from archives: zip, and tar, plain or compressed (`seggrid.base.compressed`).

No file is written under a name from the archive, so that no such name can lead out of a folder.
"""

from __future__ import annotations

import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path

from seggrid.base.compressed import allowed, read_pieces
from seggrid.errors import InputError

_PIECE = 1 << 20


def read_member(path: str | Path, member: str) -> Iterator[bytes]:
    """The content of a file in an archive, piece by piece; if several have that name, the first.

    Args:
        path: the archive.
        member: the name of the file in it, with its folders.

    Raises:
        InputError: it is not an archive, is damaged, unpacks to far more than text would, stores the file as
            a sparse one, or has no such file.
        OSError: the archive cannot be read.
    """
    names: list[str] = []
    try:
        read = _of_zip if zipfile.is_zipfile(path) else _of_tar
        yield from read(path, member, names)
    except (tarfile.TarError, zipfile.BadZipFile, zlib.error, EOFError) as error:
        message = (
            f"not an archive (tar, tar.gz, tar.bz2, tar.xz, tar.zst, zip), or damaged: {error}"
        )
        raise InputError(message, file=path, hint="fetch it again") from None
    except (NotImplementedError, RuntimeError) as error:  # an unknown compression, a password
        message = f"{member} cannot be unpacked: {error}"
        raise InputError(message, file=path, hint="unpack it, and give its path") from None
    except LookupError:
        close = get_close_matches(member, names, n=1)
        hint = f"did you mean {close[0]}?" if close else f"it has {len(names)} files"
        raise InputError(f"has no file {member}", file=path, hint=hint) from None


def _of_tar(path: str | Path, member: str, names: list[str]) -> Iterator[bytes]:
    # Read as a stream, so that the limit on unpacked bytes also holds for everything before the file.
    with tarfile.open(fileobj=_Stream(read_pieces(path)), mode="r|") as archive:  # type: ignore[call-overload]
        for entry in archive:
            if not entry.isfile():
                continue
            names.append(entry.name)
            if entry.name.removeprefix("./") == member.removeprefix("./"):
                # Its holes are in no byte of the archive, so that no limit would hold.
                if entry.issparse():
                    message = f"{member} is stored as a sparse file"
                    hint = "unpack it, and give its path"
                    raise InputError(message, file=path, hint=hint)
                file = archive.extractfile(entry)
                assert file is not None, "a regular file"
                while piece := file.read(_PIECE):
                    yield piece
                return
    raise LookupError


def _of_zip(path: str | Path, member: str, names: list[str]) -> Iterator[bytes]:
    with zipfile.ZipFile(path) as archive:
        names += [entry.filename for entry in archive.infolist() if not entry.is_dir()]
        if member not in names:
            raise LookupError
        entry, size = archive.getinfo(member), 0
        with archive.open(entry) as file:
            while piece := file.read(_PIECE):
                size += len(piece)
                if size > allowed(entry.compress_size):
                    raise InputError(
                        f"{member} unpacks to far more than text would",
                        file=path,
                        hint="unpack it and look; if it is right, give its path",
                    )
                yield piece


class _Stream:
    """Pieces of bytes as a file that can be read once."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._piece = memoryview(b"")

    def read(self, size: int) -> bytes:
        """The next bytes, fewer than `size` only at the end."""
        parts = []
        while size:
            if not self._piece:
                self._piece = memoryview(next(self._pieces, b""))
                if not self._piece:
                    break
            # A view, not a copy: a piece from Zstandard may have 100 MB, of which tarfile takes 10 kB at a
            # time.
            parts.append(self._piece[:size])
            self._piece = self._piece[size:]
            size -= len(parts[-1])
        return b"".join(parts)
