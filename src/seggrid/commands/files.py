"""The files that a command reads and writes: types for options that name them, and checks before any work.

Options that name files have one of the types below, so one function checks the files of every command.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from seggrid.base.compressed import SUFFIXES
from seggrid.base.errors import InputError
from seggrid.base.files import check_writable, is_device, target_of
from seggrid.base.folders import check_folder
from seggrid.base.parameters import input_file, output_file, output_folder
from seggrid.base.parsers import actions_of

STDIN, STDOUT = "/dev/stdin", "/dev/stdout"


@dataclass(frozen=True)
class NameOrInputFile:
    """The type of an option that takes one of `names()` or else, as `input_file`, names a file to read.
    Plug-ins may add names."""

    names: Callable[[], Collection[str]]

    def __call__(self, text: str) -> str:
        return text


def check_files(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> None:
    """Check the values of all options, and replace `-` and `~` by paths. Refused are empty values, standard
    input that is read twice, and an output that cannot be written, that would change an input or another
    output, or that is a folder which must not be replaced (`seggrid.base.folders`)."""
    found: dict[Any, list[tuple[str, str]]] = {input_file: [], output_file: [], output_folder: []}
    standard: dict[Any, str] = {input_file: STDIN, output_file: STDOUT, output_folder: "-"}
    for action in actions_of(parser):
        value = getattr(arguments, action.dest, None)
        name = action.option_strings[-1] if action.option_strings else action.metavar or action.dest
        if "" in _flat(value):
            hint = "an unset variable? give a value, or leave the option out"
            raise InputError(f"{name}: an empty value", hint=hint)
        kind: Any = input_file if isinstance(action.type, NameOrInputFile) else action.type
        if kind in found:
            value = _located(value, standard[kind])
            setattr(arguments, action.dest, value)
            names: Collection[str] = getattr(action.type, "names", tuple)()
            found[kind] += [(str(name), text) for text in _flat(value) if text not in names]
    inputs = [file for _, file in found[input_file]]
    if inputs.count(STDIN) > 1:
        raise InputError("standard input twice", hint="give one of the two as a file")
    # A pair in Moses format is given by the common part of the names of its two files.
    codes = getattr(arguments, "codes", None) or ()
    inputs += [
        f"{file}.{code}{end}" for file in inputs for code in codes for end in ("", *SUFFIXES)
    ]
    for _, file in found[output_file]:
        check_writable(file)
    outputs = found[output_file] + found[output_folder]
    for name, file in outputs:
        if same := next((other for other in inputs if _overlap(file, other)), None):
            message = f"{name} {file} would change this input"
            raise InputError(message, file=same, hint="name another place for it")
    for (name, file), (other, second) in combinations(outputs, 2):
        if _overlap(file, second):
            message = f"{name} and {other} are one file, or one is in the folder of the other"
            raise InputError(message, file=second, hint="name another place for one of the two")
    for _, folder in found[output_folder]:
        check_folder(folder)


def _overlap(one: str, other: str) -> bool:
    """Whether two paths lead to the same place, or one lies in the other."""
    if is_device(one) or is_device(other):
        return False
    first, second = target_of(one), target_of(other)
    return first == second or first in second.parents or second in first.parents


def _flat(value: object) -> Iterator[str]:
    """All strings in the value of an option, which may be a list of lists."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _flat(inner)


def _located(value: Any, standard: str) -> Any:
    """The value of an option, with `-` and `~` replaced by paths."""
    if isinstance(value, list):
        return [_located(inner, standard) for inner in value]
    if not isinstance(value, str):
        return value
    return standard if value == "-" else os.path.expanduser(value)
