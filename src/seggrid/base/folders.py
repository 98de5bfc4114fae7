"""Write folders as a whole, and decide whether an existing folder may be replaced.

A folder is replaced only if it is empty, or if this package wrote every file in it and none has changed
since: `SHA256SUMS`, which `sha256sum -c` reads, has the digest of each. Anything else may belong to the user.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from seggrid.base.errors import InputError
from seggrid.base.files import PART, check_writable, naming_file, target_of, temporary_folder
from seggrid.base.lines import read_lines, write_lines

DIGESTS = "SHA256SUMS"
"""The name of the file of digests in a folder."""

_LINE = re.compile(r"([0-9a-f]{64})  ((?:(?!\.\.?/)[^/]+/)*[^/]+)")


def check_folder(path: str | Path) -> None:
    """Refuse a file, a folder with anything that this package did not write, or one that cannot be
    written."""
    real = target_of(path)
    if os.path.lexists(real):
        if not real.is_dir():
            raise InputError("not a folder", file=path, hint="name another one")
        if found := _foreign(real):
            raise InputError(
                f"the folder would be replaced, and {found}",
                file=path,
                hint="name a new folder, or an empty one",
            )
    check_writable(path, folder=True)


@contextmanager
def fresh_folder(path: str | Path, *, digests: bool = False) -> Iterator[Path]:
    """Make a temporary folder next to `path` for the caller to fill, and move it to `path` when it is
    complete; with `digests`, `SHA256SUMS` is written into it, so that it may be replaced later."""
    check_folder(path)
    real = target_of(path)
    with naming_file(path):
        real.parent.mkdir(parents=True, exist_ok=True)
        temporary = temporary_folder(real)
    try:
        yield temporary
        if digests:
            files = {file.relative_to(temporary): file for file in temporary.rglob("*")}
            sums = [
                f"{_sha256(files[name])}  {name}" for name in sorted(files) if files[name].is_file()
            ]
            write_lines(temporary / DIGESTS, sums)
        with naming_file(path, temporary):
            check_folder(path)
            _remove(real)
            os.replace(temporary, real)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise


def remove_folder(path: str | Path) -> None:
    """Remove a folder, if there is one, unless it must not be replaced.

    If it is a symbolic link, only the link is removed: the folder behind it may be needed under its own name.
    """
    check_folder(path)
    if (path := Path(path)).is_symlink():
        path.unlink()
    else:
        _remove(path)


def read_digests(folder: str | Path, hint: str) -> dict[str, str]:
    """The digest of each file below a folder, by its path in the folder, as listed in `SHA256SUMS`."""
    path = Path(folder, DIGESTS)
    digests = {}
    for number, line in enumerate(read_lines(path, hint=hint), 1):
        found = _LINE.fullmatch(line)
        if found is None:
            raise InputError("not a digest and a name", file=path, line=number, hint=hint)
        digests[found[2]] = found[1]
    return digests


def is_unchanged(file: Path, digest: str) -> bool:
    """Whether a file exists and has this digest."""
    return file.is_file() and not file.is_symlink() and _sha256(file) == digest


def _remove(folder: Path) -> None:
    if folder.is_dir():
        # Renamed first, so that a half-removed folder is not mistaken for a complete one.
        old = tempfile.mkdtemp(prefix=f".{folder.name}.", suffix=PART, dir=folder.parent)
        os.replace(folder, old)
        shutil.rmtree(old)


def _foreign(folder: Path) -> str | None:
    """A clause that says what a folder contains that this package did not write; None if there is nothing."""
    names = sorted(entry.name for entry in folder.iterdir())
    if not names:
        return None
    # Checked before everything below is listed, since it may be a large folder of the user.
    if DIGESTS not in names:
        return f"{names[0]} in it is not of seggrid's making (there is no {DIGESTS})"
    try:
        digests = read_digests(folder, "")
    except InputError:
        return f"its {DIGESTS} is damaged"
    ours = {*digests, DIGESTS, *(str(over) for name in digests for over in Path(name).parents)}
    for name in sorted(str(entry.relative_to(folder)) for entry in folder.rglob("*")):
        if name not in ours:
            return f"{name} in it is not of seggrid's making ({DIGESTS} lacks it)"
        if name in digests and not is_unchanged(folder / name, digests[name]):
            return f"{name} in it was changed since"
    return None


def _sha256(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
