"""Plug-ins: segmenters, aligners and studies of the user, registered beside those of the package.

A plug-in is a Python file, or a module of an installed package, with entries for the registries:

    SEGMENTERS = {"hyphens": Hyphens}  # a class, see seggrid.segment.segmenter
    ALIGNERS = {"diagonal": Diagonal}  # a class, `seggrid.align.Aligner`
    STUDIES = {"frequent": Frequent}  # a class, `seggrid.grid.study.Study`, with its files beside it

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
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

from seggrid.align import ALIGNERS, Aligner, register_aligner
from seggrid.align import AXES as ALIGNER_AXES
from seggrid.base.axis import Axis, Kind, check_name
from seggrid.base.errors import InputError, either, from_here
from seggrid.base.parameters import AnyPath, checked
from seggrid.base.result_tables import BY_NAME
from seggrid.base.settings import Settings
from seggrid.grid.study import STUDIES, Section, Study
from seggrid.segment import SEGMENTERS
from seggrid.segment.axes import AXES, register_segmenter
from seggrid.segment.segmenter import Segmenter

VARIABLE = "SEGGRID_PLUGINS"
"""Name of the environment variable by which jobs find the plug-ins of their grid, as JSON."""

_LOADED: dict[str, str] = {}
"""The plug-ins that are registered: names of modules, and digests of the files."""

_RESERVED = frozenset(
    {
        *("pairs", "source", "target", "sides", "samples", "aligner"),
        *("replicates", "symmetrization", "aggregate"),
    }
)
"""Keys of an experiment besides the axes of segmentations and aligners, which no axis may have as its
name."""


@checked
def load(plugin: AnyPath) -> list[str]:
    """Import a plug-in, `FILE.py` or the name of a module, and register what it defines, so that its names
    can be used as those of seggrid. Its code runs as yours. A file that was edited since is loaded again.

    Returns:
        The names of its segmenters, aligners and studies.

    Raises:
        InputError: it cannot be imported, or a registration is wrong; with its file and line.
    """
    name = os.fspath(plugin)
    module = _of_file(os.path.abspath(os.path.expanduser(name))) if is_file(name) else _of(name)
    segmenters, aligners, studies = (
        _table(module, table) for table in ("SEGMENTERS", "ALIGNERS", "STUDIES")
    )
    if not (segmenters or aligners or studies):
        hint = "define SEGMENTERS, ALIGNERS or STUDIES in it"
        raise InputError("registers nothing", file=file_of(module), hint=hint)
    for key, entry in segmenters.items():
        _check_name(module, "SEGMENTERS", key, entry, Segmenter, SEGMENTERS)
        _check_segmenter(module, key, entry)
    for key, entry in aligners.items():
        _check_name(module, "ALIGNERS", key, entry, Aligner, ALIGNERS)
        _check_aligner(module, key, entry)
    for key, entry in studies.items():
        _check_name(module, "STUDIES", key, entry, Study, STUDIES)
        _check_study(module, key, entry)
    for key, entry in segmenters.items():
        register_segmenter(key, entry)
    for key, entry in aligners.items():
        register_aligner(key, entry)
    STUDIES.update(studies)
    return [*segmenters, *aligners, *studies]


def _table(module: ModuleType, name: str) -> dict[str, Any]:
    """A table of registrations in a module; empty if it has none."""
    table = getattr(module, name, {})
    if not isinstance(table, dict):
        raise _wrong(module, name, f"{name} is no dict", "write {NAME: CLASS}")
    return table


def is_file(plugin: str) -> bool:
    """Whether the name of a plug-in is that of a file."""
    return plugin.endswith(".py")


@cache
def load_installed() -> None:
    """Load the plug-ins of installed packages, their entry points `seggrid.segmenters`, `seggrid.aligners`
    and `seggrid.studies`, once per process."""
    for group in ("seggrid.segmenters", "seggrid.aligners", "seggrid.studies"):
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
    except (Exception, SystemExit) as error:
        # What reads a model tells all exceptions as one of its file.
        cause = error.__cause__ if isinstance(error, InputError) else error
        frame = None if cause is None else _own_frame(cause)
        if cause is None or frame is None:
            raise
        raise _mistake(cause, frame.filename, frame.lineno) from error


def of_frame(error: BaseException) -> str:
    """The line of a plug-in at which an exception was raised, in brackets; empty if in none."""
    frame = _own_frame(error)
    return f" ({from_here(frame.filename)}:{frame.lineno})" if frame else ""


def _own_frame(error: BaseException) -> traceback.FrameSummary | None:
    """The innermost frame of an exception that is in the code of a plug-in."""
    files = {getattr(sys.modules.get(name), "__file__", None) for name in _LOADED}
    frames = traceback.extract_tb(error.__traceback__)
    return next((frame for frame in reversed(frames) if frame.filename in files), None)


def file_of(module: ModuleType) -> str:
    """The path of a module's file, as messages show it."""
    return from_here(module.__file__ or module.__name__)


def _mistake(error: BaseException, file: str, line: int | None) -> InputError:
    if isinstance(error, SyntaxError):
        return InputError(f"not valid Python: {error.msg}", file=from_here(file), line=error.lineno)
    return InputError(f"{type(error).__name__}: {error}", file=from_here(file), line=line)


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
    except (Exception, SystemExit) as error:
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
    except (Exception, SystemExit) as error:
        if isinstance(error, ModuleNotFoundError) and error.name and name.startswith(error.name):
            hint = "give a file as FILE.py, or install the package"
            raise InputError(f"there is no plug-in {name}", hint=hint) from None
        last = traceback.extract_tb(error.__traceback__)[-1]
        raise _mistake(error, last.filename, last.lineno) from error
    _LOADED.setdefault(name, "")
    return module


def _wrong(module: ModuleType, table: str, message: str, hint: str) -> InputError:
    return InputError(message, file=file_of(module), line=_line(module, table), hint=hint)


def _check_name(
    module: ModuleType, table: str, key: str, entry: Any, base: type, known: Mapping[str, type]
) -> None:
    """Check the name and the kind of a registration, and that its code is that of the module."""
    if not (isinstance(entry, type) and issubclass(entry, base)):
        hint = f"give a class derived from {base.__module__}.{base.__name__}"
        raise _wrong(module, table, f"{key!r} is no class of {base.__name__}", hint)
    try:
        check_name(key)
    except InputError as error:
        raise _wrong(module, table, error.message, error.hint or "") from None
    if key in known and known[key].__module__ != entry.__module__:
        message = f"{key!r} is already registered, by {known[key].__module__}"
        raise _wrong(module, table, message, "give it another name")
    if is_file(module.__name__) and entry.__module__ != module.__name__:
        hint = "derive one from it in this file"
        raise _wrong(module, table, f"{key!r} is a class of another module", hint)


def _check_segmenter(module: ModuleType, key: str, entry: type[Segmenter]) -> None:
    """Check the axes of a segmenter, and that it has the methods that it needs."""

    def wrong(message: str, hint: str) -> InputError:
        return _wrong(module, "SEGMENTERS", message, hint)

    _check_axes(entry.own_axes, wrong)
    for axis in entry.own_axes:
        name, known = axis.name, AXES.get(axis.name)
        before = SEGMENTERS[key].own_axes if key in SEGMENTERS else ()
        taken = known is not None and known != axis and known not in before
        if taken or name in _RESERVED or name in ALIGNER_AXES:
            raise wrong(f"the axis {name!r} cannot be added", "give it another name")
        if axis.stage not in ("learn", "segment"):
            raise wrong(f"the axis {name!r} has no stage", 'write stage="learn" or "segment"')
    _check_defaults(entry.own_axes, wrong)
    names = {*AXES, *(axis.name for axis in entry.own_axes)}
    if unknown := [axis for axis in entry.axes if axis not in names]:
        raise wrong(f"no axis {unknown[0]!r}", "add its row to own_axes, or leave it out")
    if told := [flag for flag in ("outside", "annotation", "given") if getattr(entry, flag)]:
        raise wrong(f"{key!r} sets {told[0]}", "a plug-in cannot: leave it out")
    needed: list[tuple[str, ...]] = [("cut", "segment")]
    if entry.learns:
        needed += [("learn",), ("learned",), ("rows", "write"), ("of_rows", "read")]
    for names_of in needed:
        own = [
            name for name in names_of if _function(entry, name) is not _function(Segmenter, name)
        ]
        if not own:
            raise wrong(f"has no {' or '.join(names_of)}", f"define {names_of[0]}")
        for name in own:
            if name != "learned":
                _check_function(module, _function(entry, name), _function(Segmenter, name))


_Wrong = Callable[[str, str], InputError]


def _check_axes(axes: Sequence[Any], wrong: _Wrong) -> None:
    """Check that the rows of own axes are rows, with names that paths, options and attributes can have, and
    of kinds that there are."""
    kinds = get_args(Kind)
    for axis in axes:
        if not isinstance(axis, Axis):
            raise wrong(f"{axis!r} in own_axes", 'write (Axis("NAME", "what it is", …),)')
        if not axis.name.isidentifier():
            hint = "write a name of letters, digits and _"
            raise wrong(f"the axis {axis.name!r} cannot be added", hint)
        if axis.kind not in kinds:
            raise wrong(
                f"the axis {axis.name!r} is of kind {axis.kind!r}", f"write {either(kinds)}"
            )


def _check_defaults(axes: Sequence[Axis[Any]], wrong: _Wrong) -> None:
    """Check that axes may have their defaults."""
    for axis in axes:
        for value in axis.default if isinstance(axis.default, list) else [axis.default]:
            try:
                axis.value(axis.plain(value))
            except InputError as error:
                message = f"the default of the axis {axis.name!r}: {error.message}"
                raise wrong(message, error.hint or "give a value that it may have") from None


def _function(owner: type, name: str) -> Any:
    """A method as a function, without the class to which it is bound."""
    found = getattr(owner, name)
    return getattr(found, "__func__", found)


def _check_aligner(module: ModuleType, key: str, entry: type[Aligner]) -> None:
    """Check that an aligner has the methods that it needs."""

    def wrong(message: str, hint: str) -> InputError:
        return _wrong(module, "ALIGNERS", message, hint)

    _check_axes(entry.own_axes, wrong)
    if not (isinstance(entry.settings, type) and issubclass(entry.settings, Settings)):
        raise wrong(f"settings of {entry.__name__}", "give a class derived from Settings")
    before = ALIGNERS[key].axes() if key in ALIGNERS else {}
    for name in entry.axes():
        if name in AXES or name in _RESERVED or (name in ALIGNER_AXES and name not in before):
            raise wrong(f"the axis {name!r} cannot be added", "give it another name")
    _check_defaults(entry.own_axes, wrong)
    if entry.encodes:
        raise wrong(f"{key!r} encodes", "a plug-in cannot: leave it out")
    if missing := sorted(entry.__abstractmethods__):
        raise wrong(f"{entry.__name__} has no method {missing[0]}", "define it")
    _check_function(module, entry.align, Aligner.align)


def _check_study(module: ModuleType, key: str, entry: type[Study]) -> None:
    """Check that a study has its rules, and that its key, tables, stages and sections are of no other."""
    if not isinstance(entry.key, str) or not f"_{entry.key}".isidentifier():
        hint = "write a name of letters, digits and _"
        raise _wrong(module, "STUDIES", f"{entry.key!r} is no key of a config", hint)
    if entry.key and not (isinstance(entry.value, tuple) and len(entry.value) == 2):
        hint = 'write value = (TYPE, Field(DEFAULT, description="…"))'
        raise _wrong(
            module, "STUDIES", f"the key {entry.key!r} has the value {entry.value!r}", hint
        )
    if other := [one for one in entry.sections if not isinstance(one, Section)]:
        message = f"{other[0]!r} in sections"
        raise _wrong(module, "STUDIES", message, 'write (Section("ID", "TITLE", "NOTE", (…)),)')
    if not (entry.folder() / "rules.smk").is_file():
        hint = "write its rules there; docs/plugins.md has an example"
        raise _wrong(module, "STUDIES", f"{key!r} has no rules.smk beside it", hint)
    entry.tables.__func__.cache_clear()  # type: ignore[attr-defined]
    try:
        tables = entry.tables()
    except Exception as error:
        file = str(entry.folder() / "tables.toml")
        raise InputError(
            f"not a tables.toml: {type(error).__name__}: {error}", file=from_here(file)
        ) from None
    others = [study for name, study in STUDIES.items() if name != key]
    taken = {
        "the key": ({study.key for study in others}, [entry.key]),
        "the table": (
            {table.name for study in others for table in study.tables()} | {*BY_NAME},
            [table.name for table in tables],
        ),
        "the section": (
            {section.id for study in others for section in study.sections},
            [section.id for section in entry.sections],
        ),
    }
    for what, (known, own) in taken.items():
        if again := [name for name in own if name and name in known]:
            hint = "give it another name"
            raise _wrong(module, "STUDIES", f"{what} {again[0]!r} is already there", hint)


def _check_function(owner: ModuleType, function: Any, wanted: Callable[..., Any]) -> None:
    """Check that a function can be called with the parameters of a function of the package."""
    name, called = wanted.__name__, [*inspect.signature(wanted).parameters.values()]
    called = [one for one in called if one.name not in ("self", "cls")]
    positional = [one.name for one in called if one.kind is not one.KEYWORD_ONLY]
    keywords = [one.name for one in called if one.kind is one.KEYWORD_ONLY]
    own = [*inspect.signature(function).parameters]
    bound = own[:1] if own[:1] in (["self"], ["cls"]) else []
    try:
        inspect.signature(function).bind(*bound, *positional, **dict.fromkeys(keywords))
    except TypeError as error:
        usage = f"{name}({', '.join([*positional, *(f'{one}=…' for one in keywords)])})"
        line = getattr(getattr(function, "__code__", None), "co_firstlineno", None)
        message = f"{name} cannot be called as {usage}: {error}"
        raise InputError(message, file=file_of(owner), line=line) from None


def _line(module: ModuleType, table: str) -> int | None:
    """The line on which a module registers."""
    lines = Path(str(module.__file__)).read_text("utf-8").splitlines()
    return next((k for k, line in enumerate(lines, 1) if re.match(rf"{table}\b", line)), None)
