"""The cache of a kernel depends on every module that the kernel uses, is shared, and never causes a
failure."""

import os
import re
import shutil
import subprocess
import sys
import time

import pytest

from seggrid.base import compiled

# Each starts interpreters that compile.
pytestmark = pytest.mark.tier("test")

CALLED = """
from seggrid.base.compiled import njit
from seggrid.constants import FACTOR

@njit
def called(x):
    return FACTOR * x
"""
CALLER = """
from seggrid.base.compiled import (
    njit,
)
from seggrid.work import called  # the module

inner = called.called

@njit(error_model="numpy")
def caller(x):
    return inner(x) + 1
"""


def make_package(folder):
    """A package of the given name with two kernels, one of which calls the other."""
    package = folder / "seggrid"
    for part in ("base", "work"):
        (package / part).mkdir(parents=True)
        (package / part / "__init__.py").touch()
    shutil.copy(compiled.__file__, package / "base/compiled.py")
    (package / "__init__.py").touch()
    (package / "constants.py").write_text("FACTOR = 2\n")
    (package / "work/called.py").write_text(CALLED)
    (package / "work/caller.py").write_text(CALLER)
    return package


def run(folder, **environment):
    code = (
        "from seggrid.work.caller import caller\n"
        "print(caller(10), sum(caller.stats.cache_hits.values()))"
    )
    env = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    env |= {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=env | environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    value, hits = map(int, done.stdout.split())
    return value, hits


@pytest.mark.parametrize(
    "file", ["work/called.py", pytest.param("constants.py", marks=pytest.mark.tier("check"))]
)
def test_an_edit_behind_a_kernel_gives_a_new_result(tmp_path, file):
    package = make_package(tmp_path)
    where = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    assert run(tmp_path, **where) == (21, 0)
    assert run(tmp_path, **where) == (21, 1)
    text = (package / file).read_text()
    edited = text.replace("FACTOR = 2", "FACTOR = 3").replace("FACTOR * x", "3 * x")
    (package / file).write_text(edited)
    assert run(tmp_path, **where) == (31, 0)
    # The cache still has the first version of the code.
    (package / file).write_text(text)
    assert run(tmp_path, **where) == (21, 1)


def test_two_checkouts_share_what_is_compiled(tmp_path):
    for name in ("one", "two"):
        make_package(tmp_path / name)
    where = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    assert run(tmp_path / "one", **where) == (21, 0)
    assert run(tmp_path / "two", **where) == (21, 1)
    assert not list(tmp_path.rglob("__pycache__"))


def test_where_the_user_has_no_cache_it_lies_beside_the_module_or_nowhere(tmp_path):
    package = make_package(tmp_path)
    (tmp_path / "file").touch()
    nowhere = {"XDG_CACHE_HOME": str(tmp_path / "file/cache")}
    assert run(tmp_path, **nowhere) == (21, 0)
    assert list((package / "base/__pycache__/seggrid-kernels").rglob("*.nbi"))
    assert run(tmp_path, **nowhere) == (21, 1)
    shutil.rmtree(package / "base/__pycache__")
    (package / "base/__pycache__").touch()
    assert run(tmp_path, **nowhere) == (21, 0)
    assert run(tmp_path, **nowhere) == (21, 0)


def test_a_numba_without_locators_works_all_the_same(monkeypatch):
    monkeypatch.delattr(compiled.config, "CACHE_LOCATOR_CLASSES")

    @compiled.njit
    def double(x):
        return 2 * x

    assert double(4) == 8


def test_only_folders_that_nobody_has_used_for_long_are_removed(tmp_path):
    old, young, foreign = (tmp_path / name for name in ("0" * 24, "1" * 24, "mine"))
    for folder, days in ((old, 40), (young, 3), (foreign, 40)):
        folder.mkdir()
        when = time.time() - days * 86400
        os.utime(folder, (when, when))
    compiled._enter(tmp_path / ("2" * 24))
    assert sorted(folder.name for folder in tmp_path.iterdir()) == [
        "1" * 24,
        "2" * 24,
        "mine",
    ]


def test_every_kernel_is_cached_so(root):
    for file in (root / "src/seggrid").rglob("*.py"):
        if file.name != "compiled.py":
            assert not re.search(r"numba.*\bjit|numba.*njit", file.read_text()), file
            assert not re.search(r"@njit\(.*cache", file.read_text()), file
