"""Compiled kernels: numba's `njit`, with a cache that depends on all modules of a kernel.

numba's own cache depends only on the file of a function, although the machine code contains the functions
that it calls: after an edit of a called kernel in another module, outdated code would run. Here a kernel
is cached in a folder named after a digest of its module, of all modules of the package that this one
imports, and of the versions of numba and Python. Checkouts with the same code share compiled code.

The folders are below NUMBA_CACHE_DIR if that is set, else in the user's cache, else in the folder of this
module. If none of these can be written, each process compiles anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numba
import numba.extending
import numpy as np
from numba.core import config

PACKAGE = Path(__file__).resolve().parent.parent

UNUSED_DAYS = 30
"""Days after which an unused folder of compiled code is removed."""


def _import_arrays() -> None:
    """Import numba's array functions without `scipy.linalg`, whose import would take a fifth of a short
    command's time.

    During its own import numba only tests whether `scipy.linalg` exists. It imports it again when a kernel
    that multiplies matrices is compiled, and none of ours does.
    """
    names = ("scipy.linalg", "scipy.linalg.cython_blas")
    # numba has imported scipy itself if it is installed.
    if sys.modules.get("scipy") is None or names[0] in sys.modules:
        return
    sys.modules.update({name: ModuleType(name) for name in names})
    try:
        # In another version of numba this module may have another name; then the import just takes longer.
        with contextlib.suppress(ImportError):
            import_module("numba.np.arraymath")
    finally:
        for name in names:
            del sys.modules[name]


_import_arrays()

if TYPE_CHECKING:
    # In kernels these are machine types; for a type checker they are functions that return int or float.
    def int64(value: Any) -> int: ...
    def uint64(value: Any) -> int: ...
    def float32(value: Any) -> float: ...
    def float64(value: Any) -> float: ...
else:
    int64, uint64, float32, float64 = np.int64, np.uint64, np.float32, np.float64


def intrinsic(function: Callable[..., Any]) -> Any:
    """`numba.extending.intrinsic`: a function made of LLVM instructions, which kernels can call."""
    return numba.extending.intrinsic(function)


def njit(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """`numba.njit` that releases the GIL and caches; used with or without arguments.

    Args:
        function: the kernel, if the decorator is used without arguments.
        options: options of numba, which override these defaults.
    """
    options = {"nogil": True, "cache": cache_folder() is not None, **options}

    def compiled(function: Callable[..., Any]) -> Any:
        with _cached_by_digest():
            return numba.njit(**options)(function)

    return compiled if function is None else compiled(function)


@cache
def cache_folder() -> Path | None:
    """The folder of all compiled code, which is made if it is missing; None if it cannot be written."""
    own = os.environ.get("NUMBA_CACHE_DIR")
    user = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    for folder in [Path(own)] if own else [Path(user), PACKAGE / "base/__pycache__"]:
        with contextlib.suppress(OSError):
            if folder.is_absolute() or own:
                kernels = folder.absolute() / "seggrid-kernels"
                _make(kernels)
                return kernels
    return None


@cache
def digest(module: Path) -> str:
    """A digest of a module and of all modules of the package that it imports, directly or indirectly."""
    code = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    for file in sorted(_closure(module)):
        code.update(f"\0{file.name}\0".encode() + _read(file))
    return code.hexdigest()[:24]


def _closure(module: Path) -> set[Path]:
    found = {module}
    unread = [module]
    while unread:
        new = set(_imported(unread.pop())) - found
        found |= new
        unread += new
    return found


# Imported names may be modules or names in a module, and an import may span several lines.
_IMPORT = re.compile(
    rb"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]*(\([^)]*\)|[^\n]*)|import[ \t]+([^\n]*))", re.M
)


@cache
def _imported(file: Path) -> tuple[Path, ...]:
    """The package's modules that a module imports directly."""
    names = []
    for match in _IMPORT.finditer(_read(file)):
        source, imported, modules = (group.decode() if group else "" for group in match.groups())
        if source:
            names += [source, *(f"{source}.{name}" for name in re.findall(r"\w+", imported))]
        names += re.findall(r"[\w.]+", modules)
    found = []
    for name in names:
        if name.partition(".")[0] == PACKAGE.name:
            base = PACKAGE.parent.joinpath(*name.split("."))
            found += [f for f in (base.with_suffix(".py"), base / "__init__.py") if f.is_file()]
    return tuple(found)


@cache
def _read(file: Path) -> bytes:
    return file.read_bytes()


class Locator:
    """Tells numba where the compiled code of a function is cached; numba calls these methods."""

    def __init__(self, module: Path, line: int, folder: Path) -> None:
        self._py_file = str(module)
        self._digest = digest(module)
        # Modules of the same name in two packages may have the same imports.
        self._name = f"{module.parent.name}-{line}"
        self._folder = folder / self._digest

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> Locator | None:
        """The locator of a function in a file."""
        folder = cache_folder()
        if folder is None:
            return None
        locator = cls(Path(file).resolve(), function.__code__.co_firstlineno, folder)
        with contextlib.suppress(OSError):
            _enter(locator._folder)
        return locator

    def ensure_cache_path(self) -> None:
        """Make the folder, which another process may have removed as unused."""
        _make(self._folder)

    def get_cache_path(self) -> str:
        """The folder."""
        return str(self._folder)

    def get_source_stamp(self) -> str:
        """An identifier of the source of the compiled code."""
        return self._digest

    def get_disambiguator(self) -> str:
        """An identifier that distinguishes functions of the same name."""
        return self._name


def _make(folder: Path) -> None:
    """Make a folder, and check that it can be written."""
    folder.mkdir(parents=True, exist_ok=True)
    tempfile.TemporaryFile(dir=folder).close()


@cache
def _enter(folder: Path) -> None:
    """Mark a folder as in use; if it is new, remove folders that have not been used for a long time.

    Processes that run code from a removed folder are not affected, since they have it in memory.
    """
    new = not folder.is_dir()
    _make(folder)
    os.utime(folder)
    if new:
        oldest = time.time() - UNUSED_DAYS * 86400
        for other in folder.parent.iterdir():
            with contextlib.suppress(OSError):
                if re.fullmatch("[0-9a-f]{24}", other.name) and other.stat().st_mtime < oldest:
                    shutil.rmtree(other)


@contextlib.contextmanager
def _cached_by_digest() -> Iterator[None]:
    """Make numba use `Locator`. A version of numba without locators caches as usual."""
    before = getattr(config, "CACHE_LOCATOR_CLASSES", "")
    setattr(config, "CACHE_LOCATOR_CLASSES", f"{__name__}.Locator")  # noqa: B010 -- untyped
    try:
        yield
    finally:
        setattr(config, "CACHE_LOCATOR_CLASSES", before)  # noqa: B010
