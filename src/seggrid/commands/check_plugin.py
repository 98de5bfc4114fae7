"""`seggrid check-plugin`: whether a segmenter, aligner or study of the user does what it must."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import chain
from os import fspath
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, NamedTuple

from seggrid.align import ALIGNERS
from seggrid.base.parameters import AnyPath, Help, checked
from seggrid.grid.plugins import load
from seggrid.grid.plugins.contract import (
    check_again,
    check_aligner,
    check_segmenter,
    check_study,
)
from seggrid.segment import SEGMENTERS

plugin = load  # its name in Python, `seggrid.plugin`


class Check(NamedTuple):
    """A check of a segmenter, aligner or study.

    Attributes:
        name: the name that it is registered by.
        what: what must hold.
        wrong: what is wrong; None if it holds.
    """

    name: str
    what: str
    wrong: str | None

    def __str__(self) -> str:
        checked = f"{self.name}: {self.what}"
        return f"FAILED  {checked}: {self.wrong}" if self.wrong else f"ok      {checked}"


@checked
def check_plugin(plugin: AnyPath) -> list[Check]:
    """Check what a plug-in has, a Python file or the name of a module, as `seggrid check-plugin` does."""
    return list(_checks(fspath(plugin)))


def _checks(plugin: str) -> Iterator[Check]:
    for name in load(plugin):
        with TemporaryDirectory() as folder:
            if name in SEGMENTERS:
                checks = check_segmenter(name, Path(folder))
            else:
                checks = check_aligner(name) if name in ALIGNERS else check_study(name)
            for what, wrong in chain(checks, check_again(name, plugin)):
                yield Check(name, what, wrong)


def epilog() -> str:
    """What else the help says."""
    return "Exit status: 0 if all checks hold, 1 if one does not."


def command(
    plugin: Annotated[str, Help("a Python file, or the name of a module", metavar="PLUGIN")], /
) -> None:
    """Print one line for each check, as soon as it is made."""
    failed = False
    for check in _checks(plugin):
        print(check)
        failed |= check.wrong is not None
    if failed:
        sys.exit(1)
