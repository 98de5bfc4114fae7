"""The files that a command reads and writes: types for options that name them, and checks before any work.

Options that name files have one of the types below, so one function checks the files of every command. It
refuses an empty value, standard input read twice, a folder that must not be replaced, and an output that
would destroy an input or another output.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seggrid.base.compressed import SUFFIXES
from seggrid.base.files import check_writable, is_device, target_of
from seggrid.base.folders import check_folder
from seggrid.errors import InputError

STDIN, STDOUT = "/dev/stdin", "/dev/stdout"


def input_file(text: str) -> str:
    """The type of an option that names a file to read, or a folder of such files; `-` is standard input."""
    return text


@dataclass(frozen=True)
class NameOrInputFile:
    """The type of an option that takes one of `names` or else, as `input_file`, names a file to read."""

    names: Collection[str]

    def __call__(self, text: str) -> str:
        return text


def output_file(text: str) -> str:
    """The type of an option that names a file to write; `-` is standard output."""
    return text


def output_folder(text: str) -> str:
    """The type of an option that names a folder to write, which is replaced as a whole."""
    return text


def check_files(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> None:
    """Check the values of all options, and replace `-` and `~` by paths.

    Raises:
        InputError: an option is empty, standard input is read twice, an output folder must not be replaced
            (`seggrid.base.folders`), an output is an input or in an input folder, an input or another output
            is in an output folder, or two outputs are the same file.
        OSError: an output cannot be written.
    """
    for action in parser._actions:
        values = getattr(arguments, action.dest, None)
        if "" in _flat(values):
            hint = "an unset variable? give a value, or leave the option out"
            raise InputError(f"{_name(action)}: an empty value", hint=hint)
        kind = _kind(action)
        if kind in (input_file, output_file, output_folder):
            standard = {input_file: STDIN, output_file: STDOUT}.get(kind)
            setattr(arguments, action.dest, _located(values, standard))
    inputs = [Path(file) for _, file in _named(parser, arguments, input_file)]
    if sum(str(file) == STDIN for file in inputs) > 1:
        raise InputError("standard input twice", hint="give one of the two as a file")
    # A pair in Moses format is given by the common part of the names of its two files.
    codes = getattr(arguments, "codes", None) or ()
    inputs += [
        Path(f"{file}.{code}{suffix}")
        for file in inputs
        for code in codes
        for suffix in ("", *SUFFIXES)
    ]
    _check_outputs(
        [*_named(parser, arguments, output_file)],
        [*_named(parser, arguments, output_folder)],
        inputs,
    )


def _check_outputs(
    files: list[tuple[str, str]], folders: list[tuple[str, str]], inputs: list[Path]
) -> None:
    """Refuse outputs that cannot be written, or that would be written over an input or one another.

    Args:
        files, folders: the outputs, each with the name of its option.
        inputs: the input files and folders.
    """
    for _, file in files:
        check_writable(file)
        same = next((other for other in inputs if _is_same(other, Path(file))), None)
        if same is not None:
            message = "the output would be written over this file of input"
            raise InputError(message, file=same, hint="name another file for it")
        if any(other.is_dir() and _lies_in(file, other) for other in inputs):
            message = "the output would be written into a folder of input"
            raise InputError(message, file=file, hint="name another place for it")
    seen: dict[Path, str] = {}
    for name, file in files + folders:
        before = seen.setdefault(target_of(file), name)
        if before != name and not is_device(file):
            hint = "name another for one of the two"
            raise InputError(f"{before} and {name} are one file", file=file, hint=hint)
    for name, folder in folders:
        for other, file in files + folders:
            if other != name and _lies_in(file, Path(folder)):
                message = f"{other} lies in the folder of {name}, which is written as a whole"
                raise InputError(message, file=file, hint="name another place for one of the two")
        for path in inputs:
            if path.exists() and (_is_same(path, Path(folder)) or _lies_in(path, Path(folder))):
                message = f"a file of input in the folder of {name}, which would be replaced"
                raise InputError(message, file=path, hint="name another folder")
        check_folder(folder)


def _named(
    parser: argparse.ArgumentParser, arguments: argparse.Namespace, kind: Callable[[str], str]
) -> Iterator[tuple[str, str]]:
    """The values of the options of one of the types above, each with the name of its option."""
    for action in parser._actions:
        if _kind(action) is kind:
            names = action.type.names if isinstance(action.type, NameOrInputFile) else ()
            for text in _flat(getattr(arguments, action.dest, None)):
                if text not in names:
                    yield _name(action), text


def _kind(action: argparse.Action) -> Any:
    """The type of an option, one of the functions above if it names files."""
    return input_file if isinstance(action.type, NameOrInputFile) else action.type


def _name(action: argparse.Action) -> str:
    if action.option_strings:
        return action.option_strings[-1]
    return str(action.metavar or action.dest)


def _flat(value: object) -> Iterator[str]:
    """All strings in the value of an option, which may be a list of lists."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _flat(inner)


def _located(value: Any, standard: str | None) -> Any:
    """The value of an option, with `-` and `~` replaced by paths."""
    if isinstance(value, str):
        return _path(value, standard)
    return [_located(inner, standard) for inner in value] if isinstance(value, list) else value


def _path(text: str, standard: str | None) -> str:
    if text == "-" and standard:
        return standard
    try:
        return str(Path(text).expanduser()) if text.startswith("~") else text
    except RuntimeError:
        raise InputError(
            "no user of that name", file=text, hint="write ./~ if it is a file's name"
        ) from None


def _is_same(one: Path, other: Path) -> bool:
    """Whether two paths lead to the same existing file or folder that is not a device or a pipe."""
    try:
        exist = one.exists() and other.exists() and not (is_device(one) or is_device(other))
        return exist and one.samefile(other)
    except OSError:
        return False


def _lies_in(path: str | Path, folder: Path) -> bool:
    return not is_device(path) and target_of(folder) in target_of(path).parents
