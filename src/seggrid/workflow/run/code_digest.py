"""Digests of the code that a job runs.

Snakemake reruns a job when its command, parameters or inputs change, but not when a module that its script
imports changes: results could be outdated without a warning. Therefore every rule has a parameter
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
import json
import sys
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from seggrid.base.files import atomic_write
from seggrid.errors import InputError

PACKAGE = Path(__file__).resolve().parents[2]


class _Import(NamedTuple):
    """`import module`, or `from module import names`, where a name may also be a module."""

    module: str
    names: tuple[str, ...]
    line: int


class _Code(NamedTuple):
    """The digest and the imports of a Python file.

    Attributes:
        digest: digest of its code, without comments, formatting and docstrings.
        imports: the imports that are executed: for each, the number of leading dots, module, names and line.
    """

    digest: str
    imports: list[tuple[int, str, list[str], int]]


class _Memory:
    """A cache of what was found in files, by the digests of their contents."""

    def __init__(self) -> None:
        self.file: Path | None = None
        self.codes: dict[str, _Code] = {}
        self.written = 0

    @property
    def maker(self) -> str:
        """What else the cached values depend on: this module, and the version of Python, which parses."""
        own = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()
        return f"{own} {sys.version_info[:2]}"

    def read(self, file: Path) -> None:
        self.file = file
        with suppress(OSError, ValueError, KeyError, TypeError):
            cached = json.loads(file.read_text("utf-8"))
            if cached["maker"] == self.maker:
                self.codes |= {key: _Code(*code) for key, code in cached["codes"].items()}
                self.written = len(self.codes)

    def write(self) -> None:
        if self.file is None or len(self.codes) == self.written:
            return
        self.written = len(self.codes)
        with suppress(OSError), atomic_write(self.file) as file:
            # Eight times as fast as json.dump.
            file.write(json.dumps({"maker": self.maker, "codes": self.codes}))


_MEMORY = _Memory()


def remember_in(file: Path) -> None:
    """Keep a cache of what is found in Python files, so that the next process parses only changed files;
    parsing takes most of the time. A cache that is damaged or cannot be written is ignored."""
    _MEMORY.read(file)


def code_digest(
    script: Path | str,
    extra_modules: Iterable[str] = (),
    ignore: Iterable[str] = (),
    package: Path = PACKAGE,
) -> str:
    """Digest of a script and of the project's modules that it imports, directly or indirectly.

    Files are read once per process, so later changes of a file are not noticed.

    Args:
        script: a Python file.
        extra_modules: modules that it imports by name at run time, as `"seggrid.align.eflomal"`.
        ignore: modules whose own code is left out, but not the code that they import: registries, whose
            modules in use are named in `extra_modules`.
        package: the folder of the package whose modules are followed.

    Returns:
        Sixteen hexadecimal digits.
    """
    return _code_digest(Path(script), tuple(extra_modules), frozenset(ignore), package)


# Cached, since a workflow needs the same few digests for each job.
@cache
def _code_digest(
    script: Path, extra_modules: tuple[str, ...], ignore: frozenset[str], package: Path
) -> str:
    modules = imported_modules(script, extra_modules, package)
    digest = hashlib.sha256(_code(script).digest.encode())
    for name, file in sorted(modules.items()):
        if name not in ignore:
            digest.update(f"\0{name}\0{_code(file).digest}".encode())
        if file.name == "__init__.py":
            for data in _data_files(file.parent):
                digest.update(f"\0{name}/{data.name}\0".encode() + data.read_bytes())
    _MEMORY.write()
    return digest.hexdigest()[:16]


def imported_modules(
    script: Path | str, extra_modules: Iterable[str] = (), package: Path = PACKAGE
) -> dict[str, Path]:
    """The files of the project's modules that a script imports, directly or indirectly, by module name.

    They include the `__init__` of the packages that contain a module, which Python runs first, and modules in
    the folder of the script. Arguments and errors are as in `code_digest`.
    """
    script = Path(script)
    found: dict[str, Path] = {}
    unread = [("", script)]

    def add(files: Iterable[tuple[str, Path]]) -> None:
        for name, file in files:
            if name not in found:
                found[name] = file
                unread.append((name, file))

    for name in extra_modules:
        add(_required(name, None, script, script.parent, package))
    while unread:
        module, file = unread.pop()
        add(_imported_files(file, module, script.parent, package))
    return found


# Cached, since most scripts import the same modules.
@cache
def _imported_files(
    file: Path, module: str, script_folder: Path, package: Path
) -> list[tuple[str, Path]]:
    """The files that Python runs for the direct imports of a module."""
    files: dict[str, Path] = {}
    for imported in _imports(file, module):
        files.update(_required(imported.module, imported.line, file, script_folder, package))
        for name in imported.names:
            files.update(_found(f"{imported.module}.{name}", script_folder, package)[0])
    return list(files.items())


def _required(
    name: str, line: int | None, importer: Path, script_folder: Path, package: Path
) -> list[tuple[str, Path]]:
    files, complete = _found(name, script_folder, package)
    if not complete and name.partition(".")[0] == package.name:
        raise InputError(
            f"imports {name}, which does not exist",
            file=importer,
            line=line,
            hint="correct the import or add the module",
        )
    return files


def _found(name: str, script_folder: Path, package: Path) -> tuple[list[tuple[str, Path]], bool]:
    """The files of a module of the package or in the script's folder, and whether all parts of the name were
    found."""
    own = name.partition(".")[0] == package.name
    return _module_files(name, package.parent if own else script_folder)


def imports_library(file: Path, libraries: Collection[str]) -> bool:
    """Whether a file directly imports one of these top-level packages."""
    return any(entry.module.partition(".")[0] in libraries for entry in _imports(file, ""))


@cache
def _module_files(name: str, folder: Path) -> tuple[list[tuple[str, Path]], bool]:
    """The files that Python runs when it imports a module below `folder`: those of its packages and its own.

    Returns:
        Names and files, and whether all parts of the name were found.
    """
    above, _, last = name.rpartition(".")
    files, complete = _module_files(above, folder) if above else ([], True)
    if not complete:
        return files, False
    base = folder.joinpath(*name.split("."))
    for file in (base / "__init__.py", base.parent / f"{last}.py"):
        if file.is_file():
            return [*files, (name, file)], True
    return files, False


@cache
def _data_files(folder: Path) -> list[Path]:
    """The files of a package that are not modules, without files of packages inside it."""
    found: list[Path] = []
    for path in sorted(folder.iterdir()):
        # `_project` is the workflow in an installed package.
        if path.name.startswith(".") or path.name in ("__pycache__", "_project"):
            continue
        if path.is_dir():
            if not (path / "__init__.py").exists():
                found += _data_files(path)
        elif path.suffix != ".py":
            found.append(path)
    return found


@cache
def _code(file: Path) -> _Code:
    content = file.read_bytes()
    key = hashlib.sha256(content).hexdigest()
    if key not in _MEMORY.codes:
        try:
            parsed = ast.parse(content)
        except SyntaxError as error:
            raise InputError(
                f"not valid Python: {error.msg}",
                file=file,
                line=error.lineno,
                hint="correct the code",
            ) from error
        found: list[tuple[int, str, list[str], int]] = []
        for node in _executed(parsed.body):
            if isinstance(node, ast.Import):
                found += [(0, alias.name, [], node.lineno) for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [alias.name for alias in node.names]
                found.append((node.level, node.module or "", names, node.lineno))
        digest = hashlib.sha256(_canonical(parsed).encode()).hexdigest()
        _MEMORY.codes[key] = _Code(digest, found)
    return _MEMORY.codes[key]


@cache
def _imports(file: Path, module: str) -> tuple[_Import, ...]:
    """The imports that a file executes, with relative imports resolved by the module's dotted name."""
    parts = module.split(".")
    found = []
    for dots, name, names, line in _code(file).imports:
        # One dot means the package that contains the module; in an `__init__`, the package itself.
        up = dots - (file.name == "__init__.py")
        base = parts[: len(parts) - up] if dots else []
        base += name.split(".") if name else []
        found.append(_Import(".".join(base), tuple(names), line))
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


def _canonical(node: Any) -> str:
    """A syntax tree as text, without positions and docstrings.

    Unlike in `ast.dump`, empty fields are left out, since new versions of Python add some.
    """
    if isinstance(node, ast.AST):
        fields = [(name, _canonical(getattr(node, name, None))) for name in node._fields]
        parts = [f"{name}={text}" for name, text in fields if text not in ("None", "[]")]
        return f"{type(node).__name__}({','.join(parts)})"
    if isinstance(node, list):
        return f"[{','.join([_canonical(item) for item in node if not _is_docstring(item)])}]"
    return repr(node)


def _is_docstring(node: Any) -> bool:
    """Whether a statement is only a string: a docstring, or one used as a comment."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )
