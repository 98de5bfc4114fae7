"""Digests of what jobs wrote, by which outputs that something else has changed are found.

Snakemake does not check the content of existing files: results of a damaged one would be up to date. So the
digest of each output is kept, the first job that reads an output compares its content, and each run starts
with `changed_outputs`.

A digest is in a file below results/.digests, at the path that the output has below results. Its modification
time is that of the output when its content was last found to be right; 0: the content has to be read.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from seggrid.base.errors import InputError, of_system, refusing
from seggrid.base.files import RESULTS, temporary_file

DIGESTS = Path(RESULTS, ".digests")
UNREAD = 0


@contextmanager
def recorded(arguments: Sequence[str]) -> Iterator[None]:
    """A context for running a job with these arguments: check the outputs of other jobs that it reads, and
    keep the digests of its own. Snakemake removes the outputs of a job before it starts, so the paths that
    exist then are inputs, and those that exist only at its end are outputs."""
    named = dict.fromkeys(re.sub("^--[a-z-]+=", "", argument) for argument in arguments)
    paths = [Path(name) for name in named if name.startswith(f"{RESULTS}/")]
    outputs = [path for path in paths if not path.exists()]
    with refusing():
        for path in outputs:
            _kept(path).unlink(missing_ok=True)
        for path in paths:
            if path not in outputs:
                check_output(path)
    yield
    with refusing():
        for path in outputs:
            if path.exists():
                _write(_kept(path), digest_of(path))


def check_output(path: str | Path) -> None:
    """Refuse an output that has changed since its job wrote it. Outputs without a digest are not checked."""
    path = Path(path)
    if not _is_unchanged(path, _kept(path)):
        raise changed(path)


def changed(path: str | Path) -> InputError:
    """The error for an output that something other than its job has changed."""
    return InputError(
        "changed or damaged since its job wrote it",
        file=path,
        hint="delete it, and run again: it is made again if it is needed",
    )


def changed_outputs() -> list[str]:
    """The existing outputs that have changed since their jobs wrote them, in alphabetical order.

    An output whose modification time is that of its digest counts as unchanged; all others are read. The time
    of a folder is the latest time in it.
    """
    found = []
    for place, _, names in os.walk(DIGESTS):
        for kept in (Path(place, name) for name in names):
            path = Path(RESULTS, kept.relative_to(DIGESTS))
            try:
                if path.exists() and not _is_unchanged(path, kept):
                    found.append(path.as_posix())
            except FileNotFoundError:
                # Another run is making it again.
                continue
            except OSError as error:
                raise of_system(error) from None
    return sorted(found)


def _kept(path: Path) -> Path:
    return DIGESTS / path.relative_to(RESULTS)


def _is_unchanged(path: Path, kept: Path) -> bool:
    """Compare an output with its digest, if it has one, and set the time of the digest accordingly."""
    try:
        digest = kept.read_text(encoding="ascii")
        right = kept.stat().st_mtime_ns
    except (OSError, ValueError):
        return True
    if len(digest) != 64:
        # It was cut short, for instance by a power failure.
        return True
    time = max(file.stat().st_mtime_ns for file in (path, *_files(path)))
    if time == right:
        return True
    unchanged = digest_of(path) == digest
    # A user who only reads results may not be allowed to write here.
    with suppress(OSError):
        os.utime(kept, ns=(time, time) if unchanged else (UNREAD, UNREAD))
    return unchanged


def _write(kept: Path, digest: str) -> None:
    kept.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = temporary_file(kept)
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(digest)
    os.utime(temporary, ns=(UNREAD, UNREAD))
    os.replace(temporary, kept)


def _files(folder: Path) -> list[Path]:
    """All files and folders in a folder; none of a file.

    Hidden files are left out: no job writes any, but Snakemake, file managers and network file systems do.
    """
    inner = ((path, path.relative_to(folder).parts) for path in folder.rglob("*"))
    return sorted(path for path, parts in inner if not any(part[0] == "." for part in parts))


def digest_of(path: Path) -> str:
    """The digest of a file, or of a folder's files and their names, in hexadecimal digits."""
    if path.is_file():
        with path.open("rb") as content:
            return hashlib.file_digest(content, "sha256").hexdigest()
    digest = hashlib.sha256()
    for file in _files(path):
        inner = digest_of(file) if file.is_file() else ""
        digest.update(f"{file.relative_to(path).as_posix()}\0{inner}\0".encode())
    return digest.hexdigest()
