"""Docstrings are whole, and data classes describe their fields by name."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MODULES = sorted(ROOT.glob("src/seggrid/**/*.py"))

_ARRAYS = re.compile(r"\b(NDArray|Array|Ints|Floats|U?Int(8|32|64)|Float(32|64))\b")
"""Annotations of arrays, whose shape only a description tells."""
_ENTRY = re.compile(r"(\w+(?:, \w+)*): \S")
_TORN = re.compile(r"[(\[{]$|\bshapes? \([^()]*$")


def docstrings(tree):
    """Line and content of each docstring, also of constants and fields."""
    for node in ast.walk(tree):
        for statement in node.body if isinstance(getattr(node, "body", None), list) else ():
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                yield statement.lineno, str(statement.value.value)


def torn_lines(tree):
    """Lines of docstrings that end in an open bracket or within a shape, doctests apart."""
    for first, text in docstrings(tree):
        for number, line in enumerate(text.split("\n"), start=first):
            if _TORN.search(line.rstrip()) and not line.lstrip().startswith((">>>", "...")):
                yield number


def attributes(text):
    """The entries of `Attributes:`, each with whether it begins with one or more names."""
    below = re.search(r"^( *)Attributes:\n((?:\1 +\S.*\n|\s*\n)*)", text + "\n", re.M)
    indent = f"{below[1]}    " if below else ""
    for line in below[2].split("\n") if below else ():
        if line.startswith(indent) and line[len(indent) :].lstrip() == line[len(indent) :] != "":
            yield line.strip(), _ENTRY.match(line.strip())


def nameless_entries(tree):
    """Docstrings with an entry of `Attributes:` that does not begin with names, or has a second one."""
    for first, text in docstrings(tree):
        for line, names in attributes(text):
            if names is None or re.search(r"\. \w+: ", line):
                yield first


def undescribed(tree):
    """Data classes with an array that is not described by name, or with three and more fields of which none
    is, although a docstring of more than one line says more of them than their names and types do."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.ClassDef):
            continue
        makers = [ast.unparse(one) for one in (*node.decorator_list, *node.bases)]
        if not any(re.search(r"\bdataclass\b|\b(NamedTuple|TypedDict)$", one) for one in makers):
            continue
        text, fields, named = ast.get_docstring(node) or "", {}, set()
        for statement, after in zip(node.body, [*node.body[1:], None], strict=True):
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                fields[statement.target.id] = ast.unparse(statement.annotation)
                if isinstance(after, ast.Expr):
                    named.add(statement.target.id)
        fields = {name: kind for name, kind in fields.items() if "ClassVar" not in kind}
        named |= {name for _, names in attributes(text) if names for name in names[1].split(", ")}
        arrays = {name for name, kind in fields.items() if _ARRAYS.search(kind)}
        if arrays - named or (len(fields) > 2 and "\n" in text and not named):
            yield node.lineno


@pytest.mark.parametrize("fault", [torn_lines, nameless_entries, undescribed])
def test_docstrings_are_whole(fault):
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in MODULES
        for line in fault(ast.parse(path.read_text("utf-8")))
    ]
    assert not found


_DATA = "class A(NamedTuple):\n    '''{}'''\n\n    x: {}\n    y: int\n    z: int\n"


@pytest.mark.parametrize(
    ("fault", "source"),
    [
        (torn_lines, '"""Offsets (\nof sentences)."""'),
        (torn_lines, '"""Tokens, shape (M\n+ 1,)."""'),
        (
            nameless_entries,
            _DATA.format("A.\n\n    Attributes:\n        counts of x.\n    ", "int"),
        ),
        (
            nameless_entries,
            _DATA.format("A.\n\n    Attributes:\n        x: one. y: two.\n    ", "int"),
        ),
        (undescribed, _DATA.format("A.", "Int64")),
        (undescribed, _DATA.format("An x, a y,\n    and a z.", "int")),
    ],
)
def test_faults_are_found(fault, source):
    assert list(fault(ast.parse(source)))


@pytest.mark.parametrize(
    "text",
    [
        "A.",
        "A.\n\n    Attributes:\n        x: one,\n            shape (M,).\n        y, z: two.\n    ",
    ],
)
@pytest.mark.parametrize("fault", [torn_lines, nameless_entries, undescribed])
def test_whole_docstrings_pass(fault, text):
    assert not list(fault(ast.parse(_DATA.format(text, "int"))))
