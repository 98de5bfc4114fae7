"""Compiled kernels: numba's `njit`, imported when a kernel is first called, with a cache of all kernels.

numba's own cache depends only on the file of a function, although the machine code contains the functions
that it calls and the constants that it uses: after an edit in another module, outdated code would run. It
also tells versions of a file by its date and path, so that no two clones share code, has one index for all
signatures of a function, which two processes overwrite, and fails if a file is damaged. Here one digest of
all modules with kernels names the folder, which checkouts with the same code share, and the function with its
signature names the file; whatever cannot be loaded is compiled anew. Cached code is run, so the folder must
belong to this user, and nobody else may write in it.
"""

from __future__ import annotations

import gc
import hashlib
import io
import os
import pickle
import re
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache, cached_property, partial, update_wrapper
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from seggrid.base.errors import note
from seggrid.base.steps import step

if TYPE_CHECKING:
    # In kernels these are machine types; for a type checker they are functions that return int or float.
    def int64(value: Any) -> int: ...
    def uint64(value: Any) -> int: ...
    def float32(value: Any) -> float: ...
    def float64(value: Any) -> float: ...
else:
    int64, uint64, float32, float64 = np.int64, np.uint64, np.float32, np.float64


def njit(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """`numba.njit` that releases the GIL and caches; used with or without arguments, which are numba's."""
    return partial(Kernel, options=options) if function is None else Kernel(function, options)


class Kernel:
    """A kernel, which becomes numba's at its first call: importing numba takes a third of a short command.

    Other kernels call it as if it were numba's own, which asks for `_numba_type_` and the options.
    """

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        self._function, self._options = function, options
        self._kernel: Any = None
        self._called: Any = None
        update_wrapper(self, function)

    def _of_numba(self) -> Any:
        # Not a property: `__getattr__` would be asked for one that raises AttributeError, without an end.
        if self._kernel is None:
            # Not above: it imports numba.
            from seggrid.base.kernel_compiler import KernelCompiler

            self._kernel = self._made(pipeline_class=KernelCompiler)
            if (folder := _folder()) is not None:
                # Private to numba: where it has another name, nothing is cached.
                self._kernel._cache = Cache(self._function, folder)
        return self._kernel

    @cached_property
    def _numba_type_(self) -> Any:
        """The kernel as other kernels call it: without what calls from Python and C need, which takes a sixth
        of the time of compiling, and not once for each constant among its arguments. It is not cached, since
        theirs contain it."""
        # Kept here, since numba's types hold a function by a weak reference.
        self._called = kernel = self._made(no_cpython_wrapper=True)
        unliteral, call = _numba().core.types.unliteral, kernel.get_call_template
        kernel.get_call_template = lambda given, named: call(tuple(map(unliteral, given)), named)
        return kernel._numba_type_

    def _made(self, **options: Any) -> Any:
        options |= self._options
        kernel = _numba().njit(nogil=True, no_cfunc_wrapper=True, **options)(self._function)
        kernel._compile_for_args = partial(_compile, kernel._compile_for_args)
        return kernel

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self._of_numba()(*arguments, **named)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._of_numba(), name)


@njit
def grown(array: Any, used: int, capacity: int) -> Any:
    """Copy the first `used` elements of an array into one of length `capacity`, in kernels."""
    grown = np.empty(capacity, dtype=array.dtype)
    # Not one assignment: for its message on shapes, numba compiles the formatting of texts, for two seconds.
    for i in range(used):
        grown[i] = array[i]
    return grown


class Intrinsic:
    """`numba.extending.intrinsic`, for functions that give the types and the LLVM code of a call in kernels;
    numba is imported when such a kernel is compiled."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def __call__(self, *arguments: Any) -> Any:
        raise NotImplementedError("it is called by kernels")

    @cached_property
    def _numba_type_(self) -> Any:
        found = import_module("numba.extending").intrinsic(self._function)
        context = import_module("numba.core.registry").cpu_target.typing_context
        context.refresh()
        return context.resolve_value_type(found)


@cache
def _numba() -> Any:
    # numba asks scipy only for its version, and yaml only for a file of settings: a fifth of its import. It
    # colors each message with colorama, also those of errors that never happen: 3% of the time of compiling.
    unneeded = [name for name in ("colorama", "scipy", "yaml") if name not in sys.modules]
    sys.modules.update(dict.fromkeys(unneeded))  # type: ignore[arg-type]
    try:
        numba = import_module("numba")
    finally:
        for name in unneeded:
            del sys.modules[name]
    # Without compiling, kernels would take hours, and those that use unsigned indices would not work.
    numba.config.DISABLE_JIT = False
    return numba


@cache
def _find_runtime() -> None:
    """Let code that is loaded find the functions of numba's runtime. Compiling calls `context.refresh()`,
    which takes half as long as numba's import; `rtsys.initialize(context)` alone compiles functions that
    loaded code contains, which takes a tenth of the time and the memory of a short command."""
    binding: Any = import_module("llvmlite.binding")
    functions = import_module("numba.core.runtime._nrt_python").c_helpers
    for name, address in functions.items():
        binding.add_symbol(name if name.startswith("_") else f"NRT_{name}", address)


def _compile(compile: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    """Compile or load a function without the packages that extend numba, which it imports before. No kernel
    needs one, and awkward takes as long as a whole short command; the user's own functions may. The names
    are private: where they are others, they are imported.

    Nor is garbage collected, of which there is little: looking for it takes 7% of the time of compiling."""
    extensions: Any = import_module("numba.core.entrypoints")
    before, collects = getattr(extensions, "_already_initialized", False), gc.isenabled()
    extensions._already_initialized = True
    gc.disable()
    try:
        return compile(*arguments, **named)
    finally:
        extensions._already_initialized = before
        if collects:
            gc.enable()


def worthwhile(size: int, least: int) -> bool:
    """Whether a kernel pays off where Python gives the same: if there is so much to do, or numba is imported
    already."""
    return size >= least or "numba" in sys.modules


COMPILING = "compiling kernels, once for this version of seggrid and numba: up to a minute"


@cache
def _folder() -> Path | None:
    """The folder of compiled code, in use; if it is new, a note says that compiling takes its time."""
    folder = kernel_folder()
    is_new = folder is not None and not folder.is_dir()
    if folder is None or not enter(folder):
        return None
    if is_new:
        note([COMPILING])
    return folder


_compiled = 0
"""The number of kernels that this process has compiled."""


class Cache:
    """The compiled code of one function, in a file for each signature; numba calls these methods.

    A file begins with the digest of the rest, so that one that was cut or damaged is not loaded.
    """

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        self._function, self._folder = function, folder
        self.cache_path = str(folder)

    def load_overload(self, signature: Any, context: Any) -> Any:
        """The compiled code for a signature; None if there is none that can be loaded."""
        global _compiled
        try:
            _find_runtime()
            content = self._file(signature, context.codegen()).read_bytes()
            digest, code = content[:_DIGEST], content[_DIGEST:]
            if hashlib.sha256(code).digest() != digest:
                raise ValueError("damaged")
            result = _numba().core.compiler.CompileResult
            return result._rebuild(context, *_Unpickler(io.BytesIO(code)).load())
        except Exception:
            _compiled += 1
            step("compiling kernel", _compiled, 0)
            return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep the compiled code for a signature, if it can be kept."""
        if result.lifted or result.library.has_dynamic_globals:
            return
        code = _dumps(result._reduce())
        # Another process may have removed the folder as unused, or the disk is full.
        with suppress(OSError):
            enter(self._folder)
            handle, temporary = tempfile.mkstemp(dir=self._folder)
            with os.fdopen(handle, "wb") as file:
                file.write(hashlib.sha256(code).digest() + code)
            os.replace(temporary, self._file(signature, result.codegen))

    def _file(self, signature: Any, codegen: Any) -> Path:
        """The file of a signature on this kind of processor."""
        function = self._function
        closure = [cell.cell_contents for cell in function.__closure__ or ()]
        named = function.__module__, function.__qualname__, str(function.__code__.co_firstlineno)
        key = hashlib.sha256("\0".join([*named, repr(signature)]).encode())
        key.update(_dumps((codegen.magic_tuple(), closure)))
        return self._folder / f"{function.__name__}-{key.hexdigest()[:24]}"

    def enable(self) -> None:
        """Nothing: it is always in use."""

    disable = flush = enable


class _Unpickler(pickle.Unpickler):
    """Loads code without the modules of numba whose functions it contains, which takes a tenth of the time of
    a short command: only code in object mode, which no kernel has, asks for their globals."""

    def find_class(self, module: str, name: str) -> Any:
        return _environment if name == "_rebuild_env" else super().find_class(module, name)


def _environment(module: str, constants: list[Any], name: str) -> Any:
    kind: Any = import_module("numba.core.environment").Environment
    if (known := kind._memo.get(name)) is not None:
        return known
    own = kind(vars(sys.modules[module]) if module in sys.modules else {"__name__": module})
    own.consts[:], own.env_name = constants, name
    kind._memo[name] = own
    return own


_DIGEST = hashlib.sha256().digest_size


def _dumps(value: Any) -> bytes:
    code: bytes = _numba().core.serialize.dumps(value)
    return code


PACKAGE = Path(__file__).resolve().parent.parent

UNUSED_DAYS = 30
"""Days after which an unused folder of compiled code is removed."""


def has_kernels(code: bytes) -> bool:
    """Whether a module may have kernels, or what they consist of."""
    return b"njit" in code or b"Intrinsic" in code


@cache
def kernels_digest() -> str:
    """A digest of all modules with kernels, and of the versions of numba and Python: 24 digits."""
    from importlib.metadata import version

    code = hashlib.sha256(f"{version('numba')} {sys.version}".encode())
    for file in sorted(PACKAGE.rglob("*.py")):
        if has_kernels(content := file.read_bytes()):
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
            return folder / "seggrid-kernels" / kernels_digest()
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
