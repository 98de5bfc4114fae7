"""The cache of a kernel depends on every module that the kernel uses, is shared, and never causes a
failure."""

import ast
import os
import re
import shutil
import stat
import subprocess
import sys
import time
from importlib import import_module

import numba
import numpy as np
import pytest

from seggrid.base import compiled, errors, kernel_compiler, steps

# Each starts interpreters that compile.
pytestmark = pytest.mark.tier("check")

CALLED = """
from seggrid.base.compiled import njit

FACTOR = 2

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
    for module in (compiled, errors, kernel_compiler, steps):
        shutil.copy(module.__file__, package / "base")
    (package / "__init__.py").touch()
    (package / "work/called.py").write_text(CALLED)
    (package / "work/caller.py").write_text(CALLER)
    return package


CODE = """
from seggrid.work.caller import caller
print(caller(10), sum(caller.stats.cache_hits.values()))
"""


def run(folder, code=CODE, **environment):
    """What the code prints: the value of the kernel, and how many kernels were loaded."""
    env = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    env |= {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1", "TMPDIR": str(folder)}
    env["PYTHONWARNINGS"] = "ignore"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=env | environment,
        capture_output=True,
        text=True,
    )
    assert not done.returncode, done.stderr
    assert not done.stderr
    value, hits = map(int, done.stdout.split())
    return value, hits


def test_an_edit_behind_a_kernel_gives_a_new_result(tmp_path):
    file = "work/called.py"
    package = make_package(tmp_path)
    where = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    assert run(tmp_path, **where) == (21, 0)
    assert run(tmp_path, **where) == (21, 1)
    text = (package / file).read_text()
    edited = text.replace("FACTOR = 2", "FACTOR = 3")
    (package / file).write_text(edited)
    assert run(tmp_path, **where) == (31, 0)
    # The cache still has the first version of the code.
    (package / file).write_text(text)
    assert run(tmp_path, **where) == (21, 1)


def test_only_the_first_run_says_that_it_compiles(tmp_path):
    make_package(tmp_path)
    where = {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONWARNINGS": "error::UserWarning"}
    with pytest.raises(AssertionError, match="Note: compiling kernels, once"):
        run(tmp_path, **where)
    assert run(tmp_path, **where) == (21, 0)


ARRAYS = """
import numpy as np
from seggrid.base.compiled import njit

@njit
def parts(n):
    made = np.arange(n)
    return made * made, made[1:]
"""
SUMS = """
import sys
import numpy as np
from numba.core.runtime import rtsys
from seggrid.work.arrays import parts
total = sum(int(part.sum()) for n in {} for part in parts(n))
print(total, rtsys._init + ("numba.np.arrayobj" in sys.modules))
"""


def test_a_kernel_is_loaded_without_compiling_numbas_runtime(tmp_path):
    """Nor importing its functions on arrays; afterwards another kernel may be compiled, and is cached."""
    (make_package(tmp_path) / "work/arrays.py").write_text(ARRAYS)
    where = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    both = "[4, np.int32(4)]"
    for sizes, found in (("[4]", (20, 2)), ("[4]", (20, 0)), (both, (40, 2)), (both, (40, 0))):
        assert run(tmp_path, SUMS.format(sizes), **where) == found


def test_packages_that_extend_numba_are_not_imported(tmp_path):
    """They may take longer than a command, and numba would warn of one that fails."""
    make_package(tmp_path)
    (tmp_path / "broken-1.dist-info").mkdir()
    entry = "[numba_extensions]\ninit = no_such_module:init\n"
    (tmp_path / "broken-1.dist-info/entry_points.txt").write_text(entry)
    for hits in (0, 1):
        assert run(tmp_path, NUMBA_CACHE_DIR=str(tmp_path / "cache")) == (21, hits)


def test_two_checkouts_share_what_is_compiled(tmp_path):
    for name in ("one", "two"):
        make_package(tmp_path / name)
    where = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    assert run(tmp_path / "one", **where) == (21, 0)
    assert run(tmp_path / "two", **where) == (21, 1)
    assert not list(tmp_path.rglob("__pycache__"))


def test_where_the_user_has_no_cache_it_is_a_private_temporary_folder_or_nowhere(tmp_path):
    make_package(tmp_path)
    (tmp_path / "file").touch()
    nowhere = {"XDG_CACHE_HOME": str(tmp_path / "file/cache")}
    private = tmp_path / f"seggrid-{os.getuid()}"
    assert run(tmp_path, **nowhere) == (21, 0)
    assert run(tmp_path, **nowhere) == (21, 1)
    assert stat.S_IMODE(private.stat().st_mode) == 0o700
    # As of another user, who would have us run code.
    real = private.rename(tmp_path / "theirs")
    private.symlink_to(real)
    assert run(tmp_path, **nowhere) == (21, 0)
    assert run(tmp_path, **nowhere) == (21, 0)


def test_nobody_else_can_write_in_the_cache(tmp_path):
    assert compiled.made(tmp_path / "new")
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o700
    (tmp_path / "new").chmod(0o777)
    assert compiled.made(tmp_path / "new")
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o755


@pytest.mark.parametrize(
    "damage", [lambda code: code[:100], lambda code: b"", lambda code: b"x" + code]
)
def test_a_damaged_file_is_compiled_anew(tmp_path, damage):
    make_package(tmp_path)
    where = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    assert run(tmp_path, **where) == (21, 0)
    (file,) = (file for file in (tmp_path / "cache").rglob("calle*") if file.is_file())
    file.write_bytes(damage(file.read_bytes()))
    assert run(tmp_path, **where) == (21, 0)
    assert run(tmp_path, **where) == (21, 1)


def test_each_signature_has_a_file_of_its_own(tmp_path, monkeypatch):
    """Two processes that compile different ones at a time would overwrite one index."""
    monkeypatch.setattr(compiled, "_folder", lambda: tmp_path)
    kernels = [compiled.njit(len_of) for _ in range(2)]
    assert kernels[0]((1, 2)) == 2
    assert kernels[1]((1, 2, 3)) == 3
    again = compiled.njit(len_of)
    assert (again((1, 2)), again((1, 2, 3))) == (2, 3)
    assert sum(again.stats.cache_hits.values()) == 2
    assert len(list(tmp_path.iterdir())) == 2


def plus(value, more):
    return value + more


def test_a_kernel_is_compiled_once_for_all_constants_and_called_from_python_too(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(compiled, "_folder", lambda: tmp_path)
    inner = compiled.njit(plus)

    @compiled.njit
    def outer(value):
        return inner(value, 1) + inner(value, 2) + inner(value, value)

    assert outer(3) == 15
    assert inner(3, 4) == 7
    # For the calls of Python; that of kernels is part of the outer one.
    assert sorted(file.name.partition("-")[0] for file in tmp_path.iterdir()) == ["outer", "plus"]


def zeros_and_least(size):
    return np.zeros(size).sum() + min(size, 3)


def test_functions_of_the_user_are_compiled_as_ever(tmp_path, monkeypatch):
    """Also with what a kernel has compiled, which cannot be run on its own."""
    monkeypatch.setattr(compiled, "_folder", lambda: tmp_path)
    assert compiled.njit(zeros_and_least)(5) == 3
    assert numba.njit(zeros_and_least)(5) == 3
    assert numba.cfunc("float64(int64)")(zeros_and_least).ctypes(5) == 3

    @numba.njit
    def fibonacci(n):
        return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)

    assert fibonacci(10) == 55


def len_of(values):
    return len(values)


def test_kernels_are_compiled_where_numba_is_told_not_to(tmp_path):
    make_package(tmp_path)
    where = {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "NUMBA_DISABLE_JIT": "1"}
    assert run(tmp_path, **where) == (21, 0)


def test_numba_leaves_out_packages_that_can_be_imported_later():
    code = """
import sys
from seggrid.base import compiled
assert compiled._numba().njit
assert not {"scipy", "yaml"} & set(sys.modules)
import scipy.linalg, yaml
assert scipy.linalg.det([[2.0]]) == 2
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_only_folders_that_nobody_has_used_for_long_are_removed(tmp_path):
    old, young, foreign = (tmp_path / name for name in ("0" * 24, "1" * 24, "mine"))
    for folder, days in ((old, 40), (young, 3), (foreign, 40)):
        folder.mkdir()
        when = time.time() - days * 86400
        os.utime(folder, (when, when))
    compiled.enter(tmp_path / ("2" * 24))
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


def test_what_kernels_take_from_other_modules_is_in_their_digest(root):
    """A constant is part of the machine code, so its module has to count."""
    modules = {}
    for file in (root / "src/seggrid").rglob("*.py"):
        name = ".".join(file.relative_to(root / "src").with_suffix("").parts)
        if compiled.has_kernels(file.read_bytes()):
            modules[name.removesuffix(".__init__")] = file
    assert len(modules) > 15
    outside = []
    for name, file in modules.items():
        module = import_module(name)
        kernels = [one for one in vars(module).values() if hasattr(one, "py_func")]
        used = {word for one in kernels for word in one.py_func.__code__.co_names}
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("seggrid"):
                for imported in node.names:
                    own = imported.asname or imported.name
                    value = getattr(module, own, None)
                    constant = isinstance(
                        value, int | float | str | tuple | np.ndarray | np.generic
                    )
                    if own in used and constant and node.module not in modules:
                        outside.append(f"{name}: {own} of {node.module}")
    assert not outside


def test_what_numba_lacks_is_told_once(monkeypatch):
    def lacking():
        raise AttributeError("module 'numba' has no attribute 'njit'")

    monkeypatch.setattr(compiled, "_numba", lacking)
    kernel = compiled.njit(lambda x: x)
    with pytest.raises(AttributeError, match="'numba' has no attribute"):
        kernel(1)
    with pytest.raises(AttributeError, match="'numba' has no attribute"):
        kernel.py_func  # noqa: B018
