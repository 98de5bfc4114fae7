"""Which edits count as a change of a job's code."""

import itertools
import shutil
import textwrap

import pytest

from seggrid.grid.run.code_digest import code_digest, imported_modules

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
        from pkg.base import half
        if TYPE_CHECKING:
            from pkg.typed import Shape

        def quarter(x: Shape) -> float:
            '''A quarter of x.'''
            return half(half(x))
        """,
    "pkg/work/lazy.py": "def load():\n    from pkg.work import plugin\n    return plugin\n",
    "pkg/work/plugin.py": "NAME = 'plugin'\n",
    "pkg/work/page.html": "<p>one</p>\n",
    "pkg/work/rules.smk": "rule one:\n",
    "pkg/work/tables.toml": """
        [one]
        title = "One"
        key = ["cell"]
        columns = [["cell", "name", "the cell"]]
        """,
    "pkg/face.py": """
        from typing import TYPE_CHECKING
        if TYPE_CHECKING:
            from pkg.far import unused
            from pkg.work.plugin import NAME

        def __getattr__(name):
            return __import__("importlib").import_module(f"pkg.{name}")
        """,
    "scripts/job.py": """
        '''A job.'''
        import argparse
        import numpy as np
        from pkg.work import kernel
        from pkg.work.kernel import quarter

        if __name__ == "__main__":
            print(quarter(np.float64(argparse.Namespace(x=8.0).x)), kernel)
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
    return code_digest(copy / "scripts/job.py", tuple(extra), tuple(ignore), copy / "pkg")


def edit(project, file, old, new):
    text = (project / file).read_text()
    assert old in text
    (project / file).write_text(text.replace(old, new))


def test_follows_imports_transitively_and_takes_the_packages_on_the_way(project):
    found = imported_modules(project / "scripts/job.py", (), project / "pkg")
    assert set(found) == {"pkg", "pkg.work", "pkg.work.kernel", "pkg.base"}
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
        # What is said of a table is for the report, whose rules name it; Snakemake compares rules.
        ("pkg/work/tables.toml", '"One"', '"The one"'),
        ("pkg/work/tables.toml", '"the cell"', '"the cell\'s name"'),
        ("pkg/work/rules.smk", "one", "other"),
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
        ("pkg/__init__.py", "VERSION = 1", "VERSION = 2"),
        ("pkg/base.py", "x / 2", "x // 2"),
        ("pkg/base.py", "x / 2", "x / 2.0"),
        ("pkg/base.py", "x / 2", "x / True"),
        ("pkg/base.py", "def half", "half = None\ndef half"),
        ("pkg/work/kernel.py", "half(half(x))", "half(x)"),
        ("pkg/work/page.html", "one", "two"),
        ("pkg/work/tables.toml", '"name"', '"count"'),
        ("pkg/work/tables.toml", 'key = ["cell"]', "key = []"),
    ],
)
def test_code_of_any_imported_module_counts(project, file, old, new):
    before = digest(project)
    edit(project, file, old, new)
    assert digest(project) != before


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


def test_of_a_module_that_imports_names_when_asked_only_those_count(project):
    (project / "scripts/job.py").write_text("from pkg.face import NAME\n")
    before = digest(project)
    edit(project, "pkg/far.py", "return 0", "return 1")
    assert digest(project) == before
    edit(project, "pkg/work/plugin.py", "plugin", "other")
    assert digest(project) != before
