"""Which edits count as a change of a job's code."""

import itertools
import json
import shutil
import textwrap

import pytest

from seggrid.errors import InputError
from seggrid.workflow.run import code_digest as code_digest_module
from seggrid.workflow.run.code_digest import PACKAGE, code_digest, imported_modules, remember_in

FILES = {
    "pkg/__init__.py": '"""The package."""\nVERSION = 1\n',
    "pkg/base.py": "def half(x):\n    return x / 2\n",
    "pkg/far.py": "def unused():\n    return 0\n",
    "pkg/typed.py": "class Shape: ...\n",
    "pkg/work/__init__.py": "",
    "pkg/work/kernel.py": """
        '''Kernels.'''
        from __future__ import annotations
        from typing import TYPE_CHECKING
        from ..base import half
        if TYPE_CHECKING:
            from pkg.typed import Shape

        def quarter(x: Shape) -> float:
            '''A quarter of x.'''
            return half(half(x))
        """,
    "pkg/work/lazy.py": "def load():\n    from . import plugin\n    return plugin\n",
    "pkg/work/plugin.py": "NAME = 'plugin'\n",
    "pkg/work/page.html": "<p>one</p>\n",
    "scripts/beside.py": "import os\nWHERE = os.sep\n",
    "scripts/job.py": """
        '''A job.'''
        import argparse
        import numpy as np
        import beside
        from pkg.work import kernel
        from pkg.work.kernel import quarter

        if __name__ == "__main__":
            print(quarter(np.float64(argparse.Namespace(x=8.0).x)), kernel, beside)
        """,
}

COUNTER = itertools.count()


@pytest.fixture
def project(tmp_path):
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
    return tmp_path


def digest(project, extra=(), ignore=()):
    # A process reads each file once, so a copy is used in place of a new process.
    copy = project / f"copies/{next(COUNTER)}"
    for part in ("scripts", "pkg"):
        shutil.copytree(project / part, copy / part)
    return code_digest(copy / "scripts/job.py", extra, ignore, copy / "pkg")


def edit(project, file, old, new):
    text = (project / file).read_text()
    assert old in text
    (project / file).write_text(text.replace(old, new))


def test_follows_imports_transitively_and_takes_the_packages_on_the_way(project):
    found = imported_modules(project / "scripts/job.py", (), project / "pkg")
    assert set(found) == {"beside", "pkg", "pkg.work", "pkg.work.kernel", "pkg.base"}
    assert found["pkg.work"] == project / "pkg/work/__init__.py"


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("pkg/base.py", "return x / 2", "return x / 2  # a half"),
        ("pkg/base.py", "def half(x):\n    return x / 2", "\n\ndef half( x ):\n  return (x/2)"),
        ("pkg/work/kernel.py", "'''A quarter of x.'''", "'''Quarter.\n\n    Twice halved.'''"),
        ("pkg/work/kernel.py", "'''A quarter of x.'''", ""),
        ("pkg/work/kernel.py", "'''Kernels.'''", '"The kernels."'),
        ("scripts/job.py", "'''A job.'''", "# A job."),
        ("pkg/work/__init__.py", "", "'A docstring where there was nothing.'"),
        ("pkg/far.py", "return 0", "return 1"),
        ("pkg/typed.py", "...", "side = 1"),
        ("pkg/work/plugin.py", "plugin", "other"),
    ],
)
def test_comment_format_docstring_and_unrelated_module_do_not_count(project, file, old, new):
    before = digest(project)
    edit(project, file, old, new)
    assert digest(project) == before


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("scripts/job.py", "8.0", "9.0"),
        ("scripts/beside.py", "os.sep", "os.curdir"),
        ("pkg/__init__.py", "VERSION = 1", "VERSION = 2"),
        ("pkg/base.py", "x / 2", "x // 2"),
        ("pkg/base.py", "x / 2", "x / 2.0"),
        ("pkg/base.py", "x / 2", "x / True"),
        ("pkg/base.py", "def half", "half = None\ndef half"),
        ("pkg/work/kernel.py", "half(half(x))", "half(x)"),
        ("pkg/work/page.html", "one", "two"),
    ],
)
def test_code_of_any_imported_module_counts(project, file, old, new):
    before = digest(project)
    edit(project, file, old, new)
    assert digest(project) != before


def test_an_edit_undone_gives_the_digest_back(project):
    before = digest(project)
    edit(project, "pkg/base.py", "x / 2", "x / 3")
    edit(project, "pkg/base.py", "x / 3", "x / 2")
    assert digest(project) == before


def test_modules_loaded_by_name_are_named_by_the_caller(project):
    plain = digest(project)
    extra = ["pkg.work.plugin"]
    before = digest(project, extra)
    assert before != plain
    edit(project, "pkg/work/plugin.py", "plugin", "other")
    assert digest(project, extra) != before
    assert digest(project) == plain


def test_an_ignored_module_does_not_count_but_its_imports_do(project):
    ignore = ["pkg.work.kernel"]
    before = digest(project, ignore=ignore)
    edit(project, "pkg/work/kernel.py", "half(half(x))", "half(x)")
    assert digest(project, ignore=ignore) == before
    edit(project, "pkg/base.py", "x / 2", "x / 3")
    assert digest(project, ignore=ignore) != before


def test_import_inside_a_function_counts(project):
    before = digest(project, ["pkg.work.lazy"])
    edit(project, "pkg/work/plugin.py", "plugin", "other")
    assert digest(project, ["pkg.work.lazy"]) != before


def test_a_module_that_does_not_parse_is_named_with_its_line(project):
    edit(project, "pkg/base.py", "return x / 2", "return x /")
    with pytest.raises(
        InputError, match=r"pkg/base\.py:2: not valid Python: .* \(correct the code\)"
    ):
        digest(project)


@pytest.mark.parametrize(
    "statement", ["import pkg.absent", "from pkg.absent import x", "from pkg.work.absent import x"]
)
def test_an_import_of_a_module_that_is_not_there_is_refused(project, statement):
    edit(project, "pkg/base.py", "def half", f"{statement}\ndef half")
    with pytest.raises(InputError, match=r"pkg/base\.py:1: imports pkg(\.work)?\.absent, which"):
        digest(project)


def test_a_module_of_the_project_itself_is_followed():
    found = imported_modules(PACKAGE / "base/npz.py")
    assert {"seggrid", "seggrid.base.files"} <= set(found)


def remembering(project, memory, monkeypatch):
    """The digest in a new process, as it were, that remembers what the last one wrote."""
    monkeypatch.setattr(code_digest_module, "_MEMORY", code_digest_module._Memory())
    remember_in(memory)
    return digest(project)


def test_what_is_remembered_gives_the_same_digest_and_follows_edits(project, monkeypatch):
    memory = project / "memory/code.json"
    fresh = digest(project)
    assert remembering(project, memory, monkeypatch) == fresh
    with monkeypatch.context() as patched:
        # Nothing is parsed again.
        patched.setattr(code_digest_module.ast, "parse", None)
        assert remembering(project, memory, monkeypatch) == fresh
    edit(project, "pkg/base.py", "x / 2", "x / 3")
    edited = remembering(project, memory, monkeypatch)
    assert edited == digest(project) != fresh
    assert remembering(project, memory, monkeypatch) == edited


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"maker": "another", "codes": {}}', "7", '{"codes": 1}']
)
def test_a_damaged_memory_is_as_none(project, monkeypatch, text):
    memory = project / "code.json"
    fresh = remembering(project, memory, monkeypatch)
    right = memory.read_text()
    memory.write_text(text)
    assert remembering(project, memory, monkeypatch) == fresh
    assert memory.read_text() == right


def test_what_another_version_of_the_digest_remembered_is_not_used(project, monkeypatch):
    memory = project / "code.json"
    fresh = remembering(project, memory, monkeypatch)
    known = json.loads(memory.read_text())
    known["maker"] = "another"
    known["codes"] = {key: ["wrong", []] for key in known["codes"]}
    memory.write_text(json.dumps(known))
    assert remembering(project, memory, monkeypatch) == fresh
