"""Where compiled kernels are kept: a private folder, named by a digest of the code of all kernels.

Machine code contains the functions that a kernel calls and the constants that it uses, from any module with
kernels; so one digest of all these modules, with the versions of numba and Python, names the folder.
Checkouts with the same code share it. Cached code is run, so the folder must belong to this user, and nobody
else may write in it; a folder of a study is never used.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import stat
import sys
import tempfile
import time
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent

UNUSED_DAYS = 30
"""Days after which an unused folder of compiled code is removed."""

_WITH_KERNELS = re.compile(rb"\b(?:njit|intrinsic)\b")


@cache
def digest() -> str:
    """A digest of all modules with kernels, and of the versions of numba and Python: 24 digits."""
    code = hashlib.sha256(f"{version('numba')} {sys.version}".encode())
    for file in sorted(PACKAGE.rglob("*.py")):
        if _WITH_KERNELS.search(content := file.read_bytes()):
            code.update(f"\0{file.relative_to(PACKAGE)}\0".encode() + content)
    return code.hexdigest()[:24]


@cache
def kernel_folder() -> Path | None:
    """The folder of compiled code: below NUMBA_CACHE_DIR if that is set, else in the user's cache, else in
    the temporary folder. It may not exist yet (`made`). None if there is none that is private."""
    own = os.environ.get("NUMBA_CACHE_DIR")
    user = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    for folder in [Path(own).absolute()] if own else [Path(user), private_temporary()]:
        if folder is not None and folder.is_absolute() and made(folder / "seggrid-kernels"):
            return folder / "seggrid-kernels" / digest()
    return None


def private_temporary() -> Path | None:
    """A folder of this user for caches, where the home folder cannot be written; None if there is none."""
    folder = Path(tempfile.gettempdir(), f"seggrid-{os.getuid()}")
    return folder if made(folder) else None


def made(folder: Path) -> bool:
    """Make a folder if it is missing, and say whether it is private to this user and can be written."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        found = folder.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
            return False
        if found.st_mode & 0o022:
            folder.chmod(found.st_mode & ~0o022)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


def enter(folder: Path) -> bool:
    """Make a folder of compiled code and mark it as in use; if it is new, remove those that have not been
    used for a long time. Returns whether it can be used.

    Processes that run code from a removed folder are not affected, since they have it in memory.
    """
    is_new = not folder.is_dir()
    if not made(folder):
        return False
    os.utime(folder)
    if is_new:
        oldest = time.time() - UNUSED_DAYS * 86400
        for other in folder.parent.iterdir():
            with suppress(OSError):
                if re.fullmatch("[0-9a-f]{24}", other.name) and other.stat().st_mtime < oldest:
                    shutil.rmtree(other)
    return True
