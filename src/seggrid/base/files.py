"""Write files and folders atomically."""

import errno
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

_PART = ".part"


@contextmanager
def atomic_write(path: str | Path, mode: str = "w") -> Iterator[IO[Any]]:
    """Open a temporary file beside `path` and move it to `path` when it is written and on disk.

    If the process is killed, the disk is full or an exception is raised, `path` stays unchanged; readers
    never see a part of the file. Text is UTF-8 with `\\n` line ends in any locale.
    A symbolic link stays one, and its target is written; a device or a pipe is written to directly.

    Args:
        path: path of the file; missing parent folders are made.
        mode: `"w"` (text) or `"wb"` (bytes).

    Raises:
        OSError: the file cannot be written; its `filename` is `path`.
    """
    text = {} if "b" in mode else {"encoding": "utf-8", "newline": "\n"}
    real = Path(os.path.realpath(path))
    if is_device(path) or real.is_dir():
        # A device or a pipe takes what is written; in its place, a file would be useless.
        with _named(path), open(path, mode, **text) as file:
            yield file
        return
    with _named(path):
        real.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=f".{real.name}.", suffix=_PART, dir=real.parent)
    try:
        with _named(path, temporary):
            with os.fdopen(handle, mode, **text) as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            os.chmod(temporary, 0o666 & ~_umask())
            os.replace(temporary, real)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


@contextmanager
def fresh_folder(path: str | Path) -> Iterator[Path]:
    """Make a temporary folder beside `path` to be filled, and move it to `path` when it is complete."""
    real = Path(os.path.realpath(path))
    with _named(path):
        real.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(prefix=f".{real.name}.", suffix=_PART, dir=real.parent))
    try:
        yield temporary
        with _named(path, temporary):
            os.chmod(temporary, 0o777 & ~_umask())
            shutil.rmtree(real, ignore_errors=True)
            os.replace(temporary, real)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise


def is_device(path: str | Path) -> bool:
    """Whether a path is of a device or a pipe."""
    # Not asked of its target: `/dev/fd/1` is a link to `pipe:[...]`, which is no path.
    path = Path(path)
    return path.exists() and not (path.is_file() or path.is_dir())


def check_writable(path: str | Path, *, folder: bool = False) -> None:
    """Refuse a path where `atomic_write` would fail, before there is anything to write.

    Args:
        path: path of a file.
        folder: whether it is the path of a folder, for `fresh_folder`.

    Raises:
        OSError: as for these.
    """
    real = Path(os.path.realpath(path))
    if not folder and real.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if is_device(path):
        return
    with _named(path):
        above = next(folder for folder in real.parents if os.path.lexists(folder))
        Path(tempfile.mkdtemp(prefix=f".{real.name[:50]}.", suffix=_PART, dir=above)).rmdir()


def remove_parts(folder: str | Path, older_than: float = 3600.0) -> None:
    """Remove the temporary files that killed processes left below a folder.

    Args:
        folder: the folder.
        older_than: age in seconds from which on a temporary file is removed.
    """
    for place, folders, files in os.walk(folder):
        for name in folders + files:
            part = Path(place, name)
            if not (name.startswith(".") and name.endswith(_PART)):
                continue
            with suppress(FileNotFoundError):
                if time.time() - part.stat().st_mtime < older_than:
                    continue
                if part.is_dir():
                    shutil.rmtree(part)
                else:
                    part.unlink()


@contextmanager
def _named(path: str | Path, temporary: str | Path | None = None) -> Iterator[None]:
    """Name the file that the caller asked for in errors, not the temporary one."""
    try:
        yield
    except OSError as error:
        if temporary is None or error.filename in (None, str(temporary)):
            error.filename, error.filename2 = str(path), None
            error.strerror = f"cannot be written: {error.strerror}"
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
