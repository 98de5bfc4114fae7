"""Compiled kernels: numba's `njit`, with a cache that depends on the code of all kernels.

numba's own cache depends only on the file of a function, although the machine code contains the functions
that it calls: after an edit of a called kernel in another module, outdated code would run. It also has one
index for all signatures of a function, which two processes overwrite, and fails if a file is damaged. Here
the folder is named by a digest of all kernels (`seggrid.base.kernel_cache`) and each file by the function and
its signature; whatever cannot be loaded is compiled anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numba
import numba.extending
import numpy as np
from numba.core import compiler, config, serialize

from seggrid.base.kernel_cache import enter, kernel_folder

# Without compiling, kernels that use LLVM's instructions would not work, and others would take hours.
setattr(config, "DISABLE_JIT", False)  # noqa: B010 -- untyped
_compiler: Any = compiler
_dumps: Callable[[Any], bytes] = getattr(serialize, "dumps")  # noqa: B009 -- untyped


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
        options: options of numba.
    """

    def compiled(function: Callable[..., Any]) -> Any:
        kernel = numba.njit(nogil=True, **options)(function)
        if (folder := _folder()) is not None:
            # Private to numba: where it has another name, nothing is cached.
            kernel._cache = Cache(function, folder)
        return kernel

    return compiled if function is None else compiled(function)


@cache
def _folder() -> Path | None:
    folder = kernel_folder()
    return folder if folder is not None and enter(folder) else None


class Cache:
    """The compiled code of one function, in a file for each signature; numba calls these methods.

    A file begins with the digest of the rest, so that one that was cut or damaged is not loaded.
    """

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        self._function, self._folder = function, folder
        self.cache_path = str(folder)

    def load_overload(self, signature: Any, context: Any) -> Any:
        """The compiled code for a signature; None if there is none that can be loaded."""
        context.refresh()
        try:
            content = self._file(signature, context.codegen()).read_bytes()
            digest, code = content[:_DIGEST], content[_DIGEST:]
            if hashlib.sha256(code).digest() != digest:
                return None
            return _compiler.CompileResult._rebuild(context, *pickle.loads(code))
        except Exception:
            return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep the compiled code for a signature, if it can be kept."""
        if result.lifted or result.library.has_dynamic_globals:
            return
        code = _dumps(result._reduce())
        # Another process may have removed the folder as unused, or the disk is full.
        with contextlib.suppress(OSError):
            enter(self._folder)
            handle, temporary = tempfile.mkstemp(dir=self._folder)
            with os.fdopen(handle, "wb") as file:
                file.write(hashlib.sha256(code).digest() + code)
            os.replace(temporary, self._file(signature, result.codegen))

    def _file(self, signature: Any, codegen: Any) -> Path:
        """The file of a signature on this kind of processor."""
        function = self._function
        closure = [cell.cell_contents for cell in function.__closure__ or ()]
        named = [function.__module__, function.__qualname__, str(function.__code__.co_firstlineno)]
        key = hashlib.sha256("\0".join([*named, repr(signature)]).encode())
        key.update(_dumps((codegen.magic_tuple(), closure)))
        return self._folder / f"{function.__name__}-{key.hexdigest()[:24]}"

    def enable(self) -> None:
        """Nothing: it is always in use."""

    disable = flush = enable


_DIGEST = hashlib.sha256().digest_size
