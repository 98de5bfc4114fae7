"""Digests of the code that a job runs.

Snakemake does not rerun a job when a module that its script imports changes. Therefore every rule has a
parameter that is a digest of all the project's code that its script imports, found from the import
statements: of the parsed code, so that comments, formatting and docstrings do not change it. Imports inside
functions are followed, those under `if TYPE_CHECKING:` and installed libraries are not; but a name that a
module with `__getattr__` offers there is followed to its own module. A rule with an import by name at run
time names the module.

Other files of a package, such as the page's style sheet, belong to the digest of every script that imports
from that package. Of a tables.toml it has the columns and what they hold, not what is said of them, which
the rules of the report name themselves (`Inputs.captions`); of rules nothing, since Snakemake compares them.
"""

from __future__ import annotations

import ast
import hashlib
import json
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from seggrid.base.extras import EXTRAS

PACKAGE = Path(__file__).resolve().parents[2]


@cache
def code_digest(
    script: Path,
    extra_modules: tuple[str, ...] = (),
    ignore: tuple[str, ...] = (),
    package: Path = PACKAGE,
) -> str:
    """Digest of a script and of the modules of a package that it imports, directly or indirectly: sixteen
    hexadecimal digits. Files are read once per process.

    `extra_modules` are those that it imports by name at run time, as `"seggrid.align.eflomal"`; a plug-in is
    the path of a file, or a module of another package, all of which counts. The own code of the modules to
    `ignore`, registries, is left out, but not the code that they import.
    """
    digest = hashlib.sha256(_code(script)[0])
    for name in extra_modules:
        if name.endswith(".py"):
            digest.update(code_digest(Path(name), (), ignore, package).encode())
        elif name.partition(".")[0] != package.name:
            digest.update(_package_digest(name))
    for name, file in sorted(imported_modules(script, extra_modules, package).items()):
        if name not in ignore:
            digest.update(f"\0{name}\0".encode() + _code(file)[0])
        for data in _data_files(file.parent) if file.name == "__init__.py" else ():
            digest.update(f"\0{name}/{data.name}\0".encode() + _content(data))
    return digest.hexdigest()[:16]


def _package_digest(module: str) -> bytes:
    """Digest of the Python files of the package of an imported module; of its file if it is in none."""
    found = find_spec(module.partition(".")[0])
    folders = (found and found.submodule_search_locations) or ()
    files = sorted(file for folder in folders for file in Path(folder).rglob("*.py"))
    files = files or [Path(str(found and found.origin))]
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).digest()


@cache
def _content(file: Path) -> bytes:
    """What jobs read of a file of a package that is not a module."""
    if file.name != "tables.toml":
        return file.read_bytes()
    tables = tomllib.loads(file.read_text("utf-8"))
    used = {
        name: [table["key"], [column[:2] for column in table["columns"]]]
        for name, table in tables.items()
    }
    return json.dumps(used).encode()


def imported_modules(
    script: Path | str, extra_modules: Iterable[str] = (), package: Path = PACKAGE
) -> dict[str, Path]:
    """The files of the project's modules that a script imports, directly or indirectly, by module name; with
    the `__init__` of the packages that contain a module, which Python runs first."""
    found: dict[str, Path] = {}
    names = [*extra_modules, *_code(Path(script))[1]]
    while names:
        wanted = names.pop()
        files = _files(wanted, package)
        for name, file in files.items():
            if name not in found:
                found[name] = file
                names += _code(file)[1]
        module, _, attribute = wanted.rpartition(".")
        if module in files and wanted not in files:
            names += filter(None, [_offered(files[module]).get(attribute)])
    return found


@cache
def _offered(file: Path) -> dict[str, str]:
    """The names that a module imports when they are asked for, and where each comes from."""
    content = file.read_bytes()
    if b"def __getattr__" not in content:
        return {}
    tree = ast.parse(content, file)
    if not any(
        isinstance(node, ast.FunctionDef) and node.name == "__getattr__" for node in tree.body
    ):
        return {}
    return {
        alias.asname or alias.name: f"{node.module}.{alias.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


@cache
def _files(name: str, package: Path) -> dict[str, Path]:
    """The files that Python runs when it imports a name: those of its packages, and of the module itself."""
    found: dict[str, Path] = {}
    parts = name.split(".")
    for end in range(1, len(parts) + 1) if parts[0] == package.name else ():
        path = package.parent.joinpath(*parts[:end])
        for file in (path / "__init__.py", path.with_suffix(".py")):
            if file.is_file():
                found[".".join(parts[:end])] = file
                break
    return found


@cache
def _data_files(folder: Path) -> list[Path]:
    """The files of a package that are not modules, without those of packages inside it."""
    found: list[Path] = []
    for path in sorted(folder.iterdir()):
        # `_project` is the workflow in an installed package.
        if path.name.startswith((".", "__pycache__", "_project")):
            continue
        if path.is_dir() and not (path / "__init__.py").exists():
            found += _data_files(path)
        elif path.is_file() and path.suffix not in (".py", ".smk"):
            found.append(path)
    return found


def modules_of_scripts(scripts: Iterable[Path]) -> list[str]:
    """Every module that some scripts import, without scripts that need the extra `lm`, which takes seconds
    and hundreds of MB to import."""
    modules: set[str] = set()
    for script in scripts:
        found = imported_modules(script)
        names = (name for file in (script, *found.values()) for name in _code(file)[1])
        if EXTRAS["lm"].keys().isdisjoint(name.partition(".")[0] for name in names):
            modules |= set(found)
    return sorted(modules)


@cache
def _code(file: Path) -> tuple[bytes, list[str]]:
    """The digest of the code of a file, and the names that it imports."""
    tree, names = ast.parse(file.read_bytes(), file), []
    for block in _blocks(tree):
        block[:] = [node for node in block if not _is_comment(node)]
        for node in block:
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
                node.body = [ast.Pass()]
            elif isinstance(node, ast.Import):
                names += [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                assert not node.level, f"{file}: a relative import is not followed"
                names += [f"{node.module}.{alias.name}" for alias in node.names]
    return hashlib.sha256(ast.unparse(tree).encode()).digest(), names


def _blocks(node: ast.AST) -> Iterator[list[ast.AST]]:
    """The lists of statements below a node, each before those in it, so that it may be changed first.
    (Expressions, nine tenths of all nodes, are not visited: a plan reads two hundred files.)"""
    for field in ("body", "handlers", "orelse", "finalbody", "cases"):
        block = getattr(node, field, None)
        if isinstance(block, list):
            yield block
            for statement in block:
                yield from _blocks(statement)


def _is_comment(node: ast.AST) -> bool:
    """Whether a statement is a string alone: a docstring, or one that is used as a comment."""
    value = node.value if isinstance(node, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)
