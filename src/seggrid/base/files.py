"""Write files atomically."""

from __future__ import annotations

import errno
import os
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

PART = ".part"
"""Ending of the names of temporary files and folders."""

RESULTS = "results"
"""The folder of everything that a run writes."""

_LINKS = Path(".snakemake/seggrid/outside")
"""The folder of the links to files outside of a run's folder."""


def linked(file: str, digest: str) -> str:
    """A path in this folder to a file, which tells its content, and not its place if that is elsewhere."""
    if not os.path.isabs(file) and ".." not in Path(file).parts:
        return file
    link, place = _LINKS / digest[:16] / Path(file).name, os.path.abspath(file)
    if not link.is_symlink() or os.readlink(link) != place:
        link.parent.mkdir(parents=True, exist_ok=True)
        temporary = link.with_name(f"{os.urandom(16).hex()}{PART}")
        temporary.symlink_to(place)
        os.replace(temporary, link)
    return str(link)


def place_of(file: str | Path) -> str:
    """The place of a file, of which the path may be one of `linked`."""
    return os.readlink(file) if Path(file).parts[:3] == _LINKS.parts else str(file)


@contextmanager
def atomic_write(path: str | Path, mode: str = "w") -> Iterator[IO[Any]]:
    """Open a temporary file in the folder of `path`, and move it to `path` when it is complete and on disk.

    If the process is killed, the disk is full or an exception is raised, `path` is not changed; readers never
    see a part of the file. Text is UTF-8 with `\\n` line ends in any locale; missing folders are made. A
    symbolic link is kept, and its target is written. A device or a pipe is written directly; so is the file
    to which standard output leads, after its present end.
    """
    encoding, newline = (None, None) if "b" in mode else ("utf-8", "\n")
    if opened := _OPENED.fullmatch(str(path)):
        # Opening the name would empty a file to which a shell appends.
        with naming_file(path):
            handle = os.dup(int(opened[1] or 1))
            with open(handle, mode, encoding=encoding, newline=newline) as file:
                yield file
        return
    real = target_of(path)
    if is_device(path) or real.is_dir():
        # Written directly: replacing a device or a pipe by a file would be useless.
        with naming_file(path), open(path, mode, encoding=encoding, newline=newline) as file:
            yield file
        return
    with naming_file(path):
        real.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = temporary_file(real)
    try:
        with naming_file(path, temporary):
            with os.fdopen(handle, mode, encoding=encoding, newline=newline) as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, real)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


_OPENED = re.compile(r"/dev/(?:stdout|fd/(\d+))")
"""Names by which a process refers to its open files."""


def target_of(path: str | Path) -> Path:
    """The file or folder to which a path leads through symbolic links, whether it exists or not."""
    with naming_file(path):
        try:
            return Path(os.path.realpath(path, strict=True))
        except (FileNotFoundError, NotADirectoryError, PermissionError):
            return Path(os.path.realpath(path))


def is_device(path: str | Path) -> bool:
    """Whether a path is that of a device or a pipe."""
    # The target is not looked up by name: `/dev/fd/1` is a link to `pipe:[...]`, which is not a path.
    path = Path(path)
    return path.exists() and not (path.is_file() or path.is_dir())


def check_writable(path: str | Path, *, folder: bool = False) -> None:
    """Refuse a path at which `atomic_write`, or `seggrid.base.folders.fresh_folder` if `folder`, would fail,
    before there is anything to write; the errors are theirs."""
    real = target_of(path)
    if not folder and real.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if is_device(path):
        return
    with naming_file(path):
        above = next(folder for folder in real.parents if os.path.lexists(folder))
        Path(tempfile.mkdtemp(prefix=f".{real.name[:50]}.", suffix=PART, dir=above)).rmdir()


def remove_parts(folder: str | Path, older_than: float = 3600.0) -> None:
    """Remove the temporary files that killed processes left below a folder `older_than` seconds ago."""
    for place, folders, files in os.walk(folder):
        for name in folders + files:
            part = Path(place, name)
            if not (name.startswith(".") and name.endswith(PART)):
                continue
            with suppress(FileNotFoundError):
                if time.time() - part.stat().st_mtime < older_than:
                    continue
                if part.is_dir():
                    shutil.rmtree(part)
                else:
                    part.unlink()


@contextmanager
def naming_file(path: str | Path, temporary: str | Path | None = None) -> Iterator[None]:
    """Make errors name the file that the caller asked for, not the temporary one."""
    try:
        yield
    except OSError as error:
        if temporary is None or error.filename in (None, str(temporary)):
            error.filename, error.filename2 = str(path), None
            error.strerror = f"cannot be written: {error.strerror}"
        raise


def temporary_file(real: Path) -> tuple[int, Path]:
    """Make an empty file beside a path, open for writing, with the permissions of the file that it is to
    replace, or else of any new file. Returns its descriptor and its path."""
    temporary = _beside(real)
    kept = _permissions(real)
    # At no time has it more permissions than in the end.
    new = os.O_RDWR | os.O_CREAT | os.O_EXCL
    handle = os.open(temporary, new, 0o666 if kept is None else kept & 0o666)
    if kept is not None:
        os.fchmod(handle, kept)
    return handle, temporary


def temporary_folder(real: Path) -> Path:
    """Make an empty folder beside a path, with the permissions of the folder that it is to replace, or else
    of any new folder; its owner can write in it."""
    temporary = _beside(real)
    kept = _permissions(real)
    os.mkdir(temporary, 0o777 if kept is None else kept | 0o700)
    if kept is not None:
        os.chmod(temporary, kept | 0o700)
    return temporary


def _beside(real: Path) -> Path:
    # Not the process id: processes on other machines or in containers may have the same one.
    return real.with_name(f".{real.name[:50]}.{os.urandom(16).hex()}{PART}")


def _permissions(path: Path) -> int | None:
    """The permissions of an existing file or folder."""
    try:
        return stat.S_IMODE(os.stat(path).st_mode)
    except OSError:
        return None
