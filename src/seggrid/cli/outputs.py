"""Check a command's outputs before it does its work."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from seggrid.base.files import check_writable, is_device
from seggrid.cli.arguments import text_path
from seggrid.errors import InputError

_FILES = ("output", "probabilities")
_FOLDERS = ("keep",)
_IN_FOLDER = ("tokenizer.json", "merges.txt", "vocab.json")
"""What `prune` writes into its folder."""


def check_outputs(arguments: argparse.Namespace, *inputs: str) -> None:
    """Refuse outputs that cannot be written, and files that would be written over an input or one another.

    Args:
        arguments: of the command; its outputs are `output`, `probabilities`, `keep` and `folder`.
        inputs: names of the arguments that are files of input, or lists of these.

    Raises:
        InputError: an output is a file of input, or two outputs are one file.
        OSError: an output cannot be written.
    """
    folder = getattr(arguments, "folder", None)
    files = {name: file for name in _FILES if (file := getattr(arguments, name, None))}
    read = list(chain.from_iterable(_paths(getattr(arguments, name)) for name in inputs))
    # The files of Moses have the codes of their languages at the end.
    codes = (*(getattr(arguments, "codes", None) or ()), "ids")
    read += [Path(f"{path}.{code}") for path in read for code in codes if code]
    written = [*files.values(), *(Path(folder, name) for name in _IN_FOLDER if folder)]
    for file in written:
        check_writable(file)
        same = next((other for other in read if _same(other, Path(file))), None)
        if same is not None:
            message = "the output would be written over this file of input"
            raise InputError(message, file=same, hint="name another file for it")
    folders = {name: file for name in _FOLDERS if (file := getattr(arguments, name, None))}
    seen: dict[str, str] = {}
    for name, file in (files | folders).items():
        before = seen.setdefault(os.path.realpath(file), name)
        if before != name and not is_device(file):
            message = f"--{before} and --{name} are one file"
            raise InputError(message, file=file, hint="name another for one of the two")


def _paths(value: object) -> Iterator[Path]:
    """The files in the value of an argument."""
    if isinstance(value, list):
        yield from chain.from_iterable(map(_paths, value))
    elif value:
        yield text_path(str(value))


def _same(one: Path, other: Path) -> bool:
    """Whether two names are of one existing file, and not of a device or a pipe."""
    try:
        return one.is_file() and other.is_file() and one.samefile(other)
    except OSError:
        return False
