"""Plug-ins: segmenters and aligners of the user, registered beside those of the package.

A plug-in is a Python file, or a module of an installed package, with entries for the registries:

    SEGMENTERS = {"hyphens": seggrid.segment.Registered(__name__, "hyphens")}
    ALIGNERS = {"diagonal": Diagonal}                  # a class, `seggrid.align.Aligner`

It is named by a config (`plugins`), by `--plugin` or `seggrid.plugin`, or it is an entry point of an
installed package. The name of the module of a file is the file's path, which also stands for it in
`code_digest`. It runs as any code of the user.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import os
import re
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from seggrid.align import ALIGNERS, Aligner
from seggrid.base.axis import check_name
from seggrid.errors import InputError
from seggrid.segment import LABELS, SEGMENTERS, Learned, Learner, Registered, Segmenter
from seggrid.segment.axes import AXES

VARIABLE = "SEGGRID_PLUGINS"
"""Name of the environment variable by which jobs find the plug-ins of their grid, as JSON."""

_LOADED: dict[str, str] = {}
"""The plug-ins that are registered: names of modules, and digests of the files."""

_REGISTRIES: dict[str, Mapping[str, Any]] = {"SEGMENTERS": SEGMENTERS, "ALIGNERS": ALIGNERS}


def load(plugin: str | os.PathLike[str]) -> list[str]:
    """Import a plug-in, `FILE.py` or the name of a module, and register what it defines.

    A file that was edited since it was loaded is loaded again.

    Returns:
        The names of its segmenters and aligners.

    Raises:
        InputError: it cannot be imported, or a registration is wrong; with its file and line.
    """
    name = os.fspath(plugin)
    module = _of_file(os.path.abspath(os.path.expanduser(name))) if is_file(name) else _of(name)
    found = [
        (table, key, entry)
        for table in _REGISTRIES
        for key, entry in getattr(module, table, {}).items()
    ]
    if not found:
        raise InputError(
            "registers nothing", file=file_of(module), hint="define SEGMENTERS or ALIGNERS in it"
        )
    for table, key, entry in found:
        check = _check if table == "SEGMENTERS" else _check_aligner
        check(module, table, key, entry)
    for table, key, entry in found:
        if table == "SEGMENTERS":
            SEGMENTERS[key] = entry
            LABELS[key] = entry.label
        else:
            ALIGNERS[key] = entry
    return [key for _, key, _ in found]


def is_file(plugin: str) -> bool:
    """Whether the name of a plug-in is that of a file."""
    return plugin.endswith(".py")


def is_plugin(entry: Registered | type[Aligner]) -> bool:
    """Whether a registration is that of a plug-in."""
    module = entry.module if isinstance(entry, Registered) else entry.__module__
    return not module.startswith("seggrid.")


@cache
def load_installed() -> None:
    """Load the plug-ins of installed packages, their entry points `seggrid.segmenters` and
    `seggrid.aligners`, once per process."""
    for group in ("seggrid.segmenters", "seggrid.aligners"):
        for module in sorted({entry.module for entry in entry_points(group=group)}):
            load(module)


def pass_on() -> None:
    """Make the loaded plug-ins known to the processes that this one starts."""
    os.environ.pop(VARIABLE, None)
    if _LOADED:
        os.environ[VARIABLE] = json.dumps(list(_LOADED))


def load_passed_on() -> None:
    """Load the plug-ins that `pass_on` made known."""
    for plugin in json.loads(os.environ.get(VARIABLE, "[]")):
        load(plugin)


@contextmanager
def blamed() -> Iterator[None]:
    """Turn an exception in the code of a plug-in into an `InputError` with its file and line."""
    try:
        yield
    except InputError:
        raise
    except Exception as error:
        frame = _own_frame(error)
        if frame is None:
            raise
        raise _mistake(error, frame.filename, frame.lineno) from error


def of_frame(error: Exception) -> str:
    """The line of a plug-in at which an exception was raised, in brackets; empty if in none."""
    frame = _own_frame(error)
    return f" ({_shown(frame.filename)}:{frame.lineno})" if frame else ""


def _own_frame(error: Exception) -> traceback.FrameSummary | None:
    """The innermost frame of an exception that is in the code of a plug-in."""
    files = {getattr(sys.modules.get(name), "__file__", None) for name in _LOADED}
    frames = traceback.extract_tb(error.__traceback__)
    return next((frame for frame in reversed(frames) if frame.filename in files), None)


def file_of(module: ModuleType) -> str:
    """The path of a module's file, as messages show it."""
    return _shown(module.__file__ or module.__name__)


def _shown(file: str) -> str:
    path = os.path.relpath(file)
    return file if path.startswith("..") else path


def _mistake(error: Exception, file: str, line: int | None) -> InputError:
    if isinstance(error, SyntaxError):
        return InputError(f"not valid Python: {error.msg}", file=_shown(file), line=error.lineno)
    return InputError(f"{type(error).__name__}: {error}", file=_shown(file), line=line)


def _of_file(file: str) -> ModuleType:
    try:
        text = Path(file).read_bytes()
    except OSError as error:
        raise InputError(f"no plug-in: {error.strerror}", file=file) from None
    digest = hashlib.sha256(text).hexdigest()
    if _LOADED.get(file) == digest:
        return sys.modules[file]
    module = ModuleType(file)
    module.__file__ = file
    before, sys.modules[file] = sys.modules.get(file), module
    try:
        exec(compile(text, file, "exec"), module.__dict__)
    except Exception as error:
        if before is None:
            del sys.modules[file]
        else:
            sys.modules[file] = before
        own = [one.lineno for one in traceback.extract_tb(error.__traceback__) if one[0] == file]
        raise _mistake(error, file, own[-1] if own else None) from error
    _LOADED[file] = digest
    return module


def _of(name: str) -> ModuleType:
    try:
        module = import_module(name)
    except Exception as error:
        if isinstance(error, ModuleNotFoundError) and error.name and name.startswith(error.name):
            hint = "give a file as FILE.py, or install the package"
            raise InputError(f"there is no plug-in {name}", hint=hint) from None
        last = traceback.extract_tb(error.__traceback__)[-1]
        raise _mistake(error, last.filename, last.lineno) from error
    _LOADED.setdefault(name, "")
    return module


def _check(module: ModuleType, table: str, key: str, entry: Any) -> None:
    """Check the registration of a segmenter, and that the functions that it needs can be called as they will
    be."""

    def wrong(message: str, hint: str) -> InputError:
        return InputError(message, file=file_of(module), line=_line(module, table), hint=hint)

    if not isinstance(entry, Registered):
        raise wrong(
            f"{key!r} is no seggrid.segment.Registered", f"write {key!r}: Registered(__name__, …)"
        )
    try:
        check_name(key)
    except InputError as error:
        raise wrong(error.message, error.hint or "") from None
    known = _REGISTRIES[table].get(key)
    if known is not None and known.module != entry.module:
        raise wrong(f"{key!r} is already registered, by {known.module}", "give it another name")
    modules = {entry.module, getattr(entry, "learner", None) or entry.module}
    if is_file(module.__name__) and modules != {module.__name__}:
        raise wrong(f"{key!r} names another module", "write Registered(__name__, …)")
    if unknown := [axis for axis in entry.axes if axis not in AXES]:
        raise wrong(f"no axis {unknown[0]!r}", "a plug-in has no axes of its own: leave it out")
    if told := [flag for flag in ("outside", "tagged") if getattr(entry, flag, False)]:
        raise wrong(f"{key!r} is {told[0]}", "a plug-in cannot be: leave it out")
    for owner, protocol in _needed(entry, module):
        for function in protocol:
            _check_function(owner, function, wrong)


def _check_aligner(module: ModuleType, table: str, key: str, entry: Any) -> None:
    """Check the registration of an aligner."""

    def wrong(message: str, hint: str) -> InputError:
        return InputError(message, file=file_of(module), line=_line(module, table), hint=hint)

    if not (isinstance(entry, type) and issubclass(entry, Aligner)):
        raise wrong(f"{key!r} is no aligner", "give a class derived from seggrid.align.Aligner")
    try:
        check_name(key)
    except InputError as error:
        raise wrong(error.message, error.hint or "") from None
    known = ALIGNERS.get(key)
    if known is not None and known.__module__ != entry.__module__:
        raise wrong(f"{key!r} is already registered, by {known.__module__}", "give it another name")
    if is_file(module.__name__) and entry.__module__ != module.__name__:
        raise wrong(f"{key!r} is a class of another module", "derive one from it in this file")
    if axes := entry.axes():
        raise wrong(
            f"an axis {next(iter(axes))!r}", "a plug-in has no axes of its own: leave it out"
        )
    if entry.encodes:
        raise wrong(f"{key!r} encodes", "a plug-in cannot: leave it out")
    if missing := sorted(entry.__abstractmethods__):
        raise wrong(f"{entry.__name__} has no method {missing[0]}", "define it")
    usage = "align(self, source, target, *, threads, seed)"
    try:
        inspect.signature(entry.align).bind(None, None, None, threads=1, seed=0)
    except TypeError as error:
        message = f"align cannot be called as {usage}: {error}"
        line = entry.align.__code__.co_firstlineno
        raise InputError(message, file=file_of(module), line=line) from None


def _needed(
    entry: Any, module: ModuleType
) -> Iterator[tuple[ModuleType, list[Callable[..., Any]]]]:
    """The modules of a registration, each with the functions of its protocol."""
    owner = module if entry.module == module.__name__ else _of(entry.module)
    yield owner, _functions(Learned if entry.learns else Segmenter)
    if entry.learns:
        yield _of_learner(entry, module), _functions(Learner)


def _of_learner(entry: Any, module: ModuleType) -> ModuleType:
    return module if entry.learner == module.__name__ else _of(entry.learner)


def _functions(protocol: type) -> list[Callable[..., Any]]:
    """The functions of a protocol, with those of the protocols that it extends."""
    return [
        function
        for owner in reversed(protocol.__mro__)
        for name, function in vars(owner).items()
        if inspect.isfunction(function) and not name.startswith("_") and owner is not object
    ]


def _check_function(
    owner: ModuleType, wanted: Callable[..., Any], wrong: Callable[[str, str], InputError]
) -> None:
    """Check that a module has a function of a protocol, with its parameters."""
    name = wanted.__name__
    called = [one for one in inspect.signature(wanted).parameters.values() if one.name != "self"]
    positional = [one.name for one in called if one.kind is not one.KEYWORD_ONLY]
    keywords = [one.name for one in called if one.kind is one.KEYWORD_ONLY]
    usage = f"{name}({', '.join([*positional, *(f'{one}=…' for one in keywords)])})"
    function = getattr(owner, name, None)
    if not callable(function):
        raise wrong(f"has no function {name}", f"define {usage}")
    try:
        inspect.signature(function).bind(*positional, **dict.fromkeys(keywords))
    except TypeError as error:
        line = getattr(getattr(function, "__code__", None), "co_firstlineno", None)
        message = f"{name} cannot be called as {usage}: {error}"
        raise InputError(message, file=file_of(owner), line=line) from None


def _line(module: ModuleType, table: str) -> int | None:
    """The line on which a module registers."""
    lines = Path(str(module.__file__)).read_text("utf-8").splitlines()
    return next((k for k, line in enumerate(lines, 1) if re.match(rf"{table}\b", line)), None)
