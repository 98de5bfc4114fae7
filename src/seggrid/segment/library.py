"""Import libraries that are installed with an extra only."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from seggrid.errors import InputError

EXTRA = "tokenizers"


def require(name: str) -> ModuleType:
    """Import a library.

    Raises:
        InputError: it is not installed.
    """
    if find_spec(name) is None:
        raise InputError(
            f"the package {name} is not installed",
            hint=f"run pip install 'seggrid[{EXTRA}]'",
        )
    return import_module(name)
