"""Digests of the code that a job runs.

Snakemake reruns a job when its command, parameters or inputs change, but not when a module changes that its
script imports, so that results could be outdated without a warning. Therefore every rule has a parameter
that is a digest of all the project's code that its script imports, found from the import statements.

The digest is computed from the *parsed* code: comments, formatting and docstrings do not change it. Imports
inside functions are followed, those under `if TYPE_CHECKING:` are not, nor are installed libraries. An
import by name at run time cannot be found; a rule with one names the module in `extra_modules`. Other files
of a package, such as the page's template, are part of the digest of every script that imports from that
package.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from seggrid.errors import InputError

PACKAGE = Path(__file__).resolve().parents[2]


class _Import(NamedTuple):
    """`import module`, or `from module import names`, where a name may also be a module."""

    module: str
    names: tuple[str, ...]
    line: int


def code_digest(
    script: Path | str,
    extra_modules: Iterable[str] = (),
    ignore: Iterable[str] = (),
    package: Path = PACKAGE,
) -> str:
    """Digest of a script and of the project's modules that it imports, directly or indirectly.

    Files are read once in a process, so that later changes of a file are not seen.

    Args:
        script: a Python file.
        extra_modules: modules that it imports by name at run time, as `"seggrid.align.eflomal"`.
        ignore: modules whose own code is left out, though not the code that they import: registries, from
            which `extra_modules` names the modules in use.
        package: the folder of the package whose modules are followed.

    Returns:
        Sixteen hexadecimal digits.

    Raises:
        InputError: a module does not parse, or a module of the package does not exist.
    """
    return _code_digest(Path(script), tuple(extra_modules), frozenset(ignore), package)


# Cached, since a workflow asks for the same few digests once for each job.
@cache
def _code_digest(
    script: Path, extra_modules: tuple[str, ...], ignore: frozenset[str], package: Path
) -> str:
    modules = imported_modules(script, extra_modules, package)
    digest = hashlib.sha256(_canonical_code(script).encode())
    for name, file in sorted(modules.items()):
        if name not in ignore:
            digest.update(f"\0{name}\0{_canonical_code(file)}".encode())
        if file.name == "__init__.py":
            for data in _data_files(file.parent):
                digest.update(f"\0{name}/{data.name}\0".encode() + data.read_bytes())
    return digest.hexdigest()[:16]


def imported_modules(
    script: Path | str, extra_modules: Iterable[str] = (), package: Path = PACKAGE
) -> dict[str, Path]:
    """The files of the project's modules that a script imports, directly or indirectly, by module name.

    They include the `__init__` of the packages that a module is in, which Python runs first, and modules
    beside the script. Arguments and errors are as in `code_digest`.
    """
    script = Path(script)
    found: dict[str, Path] = {}
    unread = [("", script)]

    def add(name: str) -> bool:
        """Add a module and its packages. Returns whether there is such a module."""
        own = name.partition(".")[0] == package.name
        files, complete = _module_files(name, package.parent if own else script.parent)
        for module, file in files:
            if module not in found:
                found[module] = file
                unread.append((module, file))
        return complete

    def require(name: str, importer: Path, line: int | None = None) -> None:
        if not add(name) and name.partition(".")[0] == package.name:
            raise InputError(
                f"imports {name}, which does not exist",
                file=importer,
                line=line,
                hint="correct the import or add the module",
            )

    for name in extra_modules:
        require(name, script)
    while unread:
        module, file = unread.pop()
        for imported in _imports(file, module):
            require(imported.module, file, imported.line)
            for name in imported.names:
                add(f"{imported.module}.{name}")
    return found


def imports_library(file: Path, libraries: Collection[str]) -> bool:
    """Whether a file itself imports one of these top-level packages."""
    return any(entry.module.partition(".")[0] in libraries for entry in _imports(file, ""))


@cache
def _module_files(name: str, folder: Path) -> tuple[list[tuple[str, Path]], bool]:
    """The files that Python runs when it imports a module below `folder`: those of its packages and its own.

    Returns:
        Names and files, and whether all parts of the name were found.
    """
    files: list[tuple[str, Path]] = []
    parts = name.split(".")
    for depth in range(1, len(parts) + 1):
        base = folder.joinpath(*parts[:depth])
        candidates = (base / "__init__.py", base.parent / f"{base.name}.py")
        file = next((candidate for candidate in candidates if candidate.is_file()), None)
        if file is None:
            return files, False
        files.append((".".join(parts[:depth]), file))
    return files, True


def _data_files(folder: Path) -> Iterator[Path]:
    """The files of a package that are not modules, without those of packages inside it."""
    for path in sorted(folder.iterdir()):
        # `_project` is the workflow in an installed package.
        if path.name.startswith(".") or path.name in ("__pycache__", "_project"):
            continue
        if path.is_dir():
            if not (path / "__init__.py").exists():
                yield from _data_files(path)
        elif path.suffix != ".py":
            yield path


@cache
def _parse(file: Path) -> ast.Module:
    try:
        return ast.parse(file.read_text("utf-8"))
    except SyntaxError as error:
        raise InputError(
            f"not valid Python: {error.msg}", file=file, line=error.lineno, hint="correct the code"
        ) from error


@cache
def _imports(file: Path, module: str) -> tuple[_Import, ...]:
    """The imports of a file when it runs, with relative imports resolved by the module's dotted name."""
    parts = module.split(".")
    found = []
    for node in _executed(_parse(file).body):
        if isinstance(node, ast.Import):
            found += [_Import(alias.name, (), node.lineno) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            # One dot is the package that the module lies in; for an `__init__`, the package itself.
            up = node.level - (file.name == "__init__.py")
            base = parts[: len(parts) - up] if node.level else []
            base += node.module.split(".") if node.module else []
            names = tuple(alias.name for alias in node.names)
            found.append(_Import(".".join(base), names, node.lineno))
    return tuple(found)


def _executed(statements: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """All statements, including nested ones, except those under `if TYPE_CHECKING:`."""
    for statement in statements:
        yield statement
        typing = isinstance(statement, ast.If) and ast.unparse(statement.test) in _TYPING
        for block in ("orelse",) if typing else _BLOCKS:
            yield from _executed(getattr(statement, block, ()))


# Fields of statements that contain statements; expressions contain none.
_BLOCKS = ("body", "handlers", "cases", "orelse", "finalbody")
_TYPING = ("TYPE_CHECKING", "typing.TYPE_CHECKING")


@cache
def _canonical_code(file: Path) -> str:
    return _canonical(_parse(file))


def _canonical(node: Any) -> str:
    """A syntax tree as text, without positions and docstrings.

    Unlike `ast.dump`, it leaves out empty fields, since new versions of Python add some.
    """
    if isinstance(node, ast.AST):
        fields = [(name, _canonical(getattr(node, name, None))) for name in node._fields]
        parts = [f"{name}={text}" for name, text in fields if text not in ("None", "[]")]
        return f"{type(node).__name__}({','.join(parts)})"
    if isinstance(node, list):
        return f"[{','.join([_canonical(item) for item in node if not _is_docstring(item)])}]"
    return repr(node)


def _is_docstring(node: Any) -> bool:
    """Whether a statement is only a string, as a docstring or comment."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )
