"""Installing: the Pythons that are supported, the lock, and what is said where a program is missing."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from seggrid.grid.run.planning import ensure_cache

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
PYTHONS = ("3.11", "3.12", "3.13", "3.14")


def test_supported_pythons_are_told_in_one_way():
    named = [line.rpartition(" ")[2] for line in PROJECT["classifiers"] if "Python :: 3." in line]
    minors = [int(version.removeprefix("3.")) for version in PYTHONS]
    assert tuple(named) == PYTHONS
    assert PROJECT["requires-python"] == f">=3.{minors[0]},<3.{minors[-1] + 1}"
    readme = (ROOT / "README.md").read_text("utf-8")
    assert f"Python {PYTHONS[0]} to {PYTHONS[-1]}" in readme


def test_snakemake_without_the_package_says_what_to_install(tmp_path):
    (tmp_path / "sitecustomize.py").write_text("import sys; sys.modules['zstandard'] = None\n")
    command = [sys.executable, "-m", "snakemake", "-n", "--snakefile", ROOT / "workflow/Snakefile"]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 1
    said = done.stdout + done.stderr
    assert "error: the module zstandard is not installed (run pip install 'seggrid[grid]'" in said
    assert "Traceback" not in said


BASE_ALONE = """
import io, re, sys
from contextlib import redirect_stderr, redirect_stdout
from importlib.metadata import packages_distributions, requires

def canonical(name):
    return re.sub("[-_.]+", "-", name).lower()

known, waiting = set(), ["seggrid"]
while waiting:
    name = canonical(waiting.pop())
    if name not in known:
        known.add(name)
        needs = [need for need in requires(name) or () if "extra ==" not in need]
        waiting += [re.match("[A-Za-z0-9._-]+", need)[0] for need in needs]

class Refuse:
    def find_spec(self, name, path=None, target=None):
        owners = packages.get(name.partition(".")[0], ["seggrid"])
        if not known & set(map(canonical, owners)):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

packages = packages_distributions()
sys.meta_path.insert(0, Refuse())
"""

COMMAND_ALONE = """
from seggrid.commands import VERBS, main
for verb in VERBS:
    try:
        with redirect_stdout(io.StringIO()):
            main([verb, "--help"])
    except SystemExit as end:
        assert end.code == 0, verb
for verb in ("run", "plan"):
    said = io.StringIO()
    with redirect_stderr(said):
        assert main([verb]) == 2
    assert said.getvalue().startswith(f"error: seggrid {verb}: the packages"), said.getvalue()
    assert len(said.getvalue().splitlines()) == 1
print("through")
"""


def test_each_command_works_or_says_what_to_install_where_the_command_alone_is_installed(tmp_path):
    """Packages that base requirements do not bring cannot be imported."""
    done = subprocess.run(
        [sys.executable, "-c", BASE_ALONE + COMMAND_ALONE],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert (done.stdout, done.stderr) == ("through\n", "")


def python_stub(folder, *, version="3.11", without=""):
    """A program that answers like a Python of a version in which a module is missing."""
    stub = folder / "python3"
    stub.write_text(f"""#!/bin/sh
case "$*" in
    --version) echo "Python {version}.0" ;;
    *version_info\\[:2\\]*) echo python{version} ;;
    *sys.exit*) [ {version.replace("3.", "")} -ge 11 ] ;;
    *include*) echo {folder}/include ;;
    *"import {without or "nothing"}"*) exit 1 ;;
esac
""")
    stub.chmod(0o755)
    return stub


@pytest.fixture
def machine(tmp_path):
    """A folder with all programs that installing looks for, the only one on the PATH besides sed."""
    folder = tmp_path / "bin"
    (folder / "include").mkdir(parents=True)
    (folder / "include/Python.h").touch()
    for name in ("sed", "sh", "dirname"):
        (folder / name).symlink_to(shutil.which(name))
    (folder / "gcc").symlink_to("/bin/true")
    python_stub(folder)
    return folder


def find_python(machine):
    command = [ROOT / "tools/find_python.sh"]
    return subprocess.run(command, env={"PATH": str(machine)}, capture_output=True, text=True)


def test_the_newest_python_that_fits_is_found(machine):
    assert find_python(machine).stdout == "python3\n"
    shutil.copy(machine / "python3", machine / "python3.13")
    python_stub(machine, version="3.10")
    assert find_python(machine).stdout == "python3.13\n"


@pytest.mark.parametrize(
    ("break_", "said"),
    [
        (
            lambda m: (m / "python3").unlink(),
            "needs Python 3.11 to 3.14; python3 here: no such program",
        ),
        (lambda m: python_stub(m, version="3.10"), "3.11 to 3.14; python3 here: Python 3.10.0"),
        (lambda m: python_stub(m, without="ensurepip"), "a virtual environment .*python3.11-venv"),
        (lambda m: (m / "gcc").unlink(), "no C compiler, which building the aligner eflomal needs"),
        (
            lambda m: (m / "include/Python.h").unlink(),
            "no Python.h in .*/include, .*python3.11-dev",
        ),
    ],
)
def test_what_is_missing_is_said_in_one_line(machine, break_, said):
    break_(machine)
    done = find_python(machine)
    assert done.returncode == 1
    assert re.fullmatch(f"error: .*{said}.*\n", done.stderr)


SHEBANGS = {
    "short": "#!{}/python3\n",
    "long": '#!/bin/sh\n\'\'\'exec\' "{}/python3" "$0" "$@"\n',
}


@pytest.mark.parametrize("shebang", SHEBANGS)
@pytest.mark.parametrize("moved", [True, False])
def test_a_clone_that_was_moved_after_the_install(tmp_path, shebang, moved):
    clone = tmp_path / "a clone"
    (clone / ".venv/bin").mkdir(parents=True)
    for name in ("Makefile", "pyproject.toml", "requirements.lock"):
        shutil.copy(ROOT / name, clone)
    made_in = tmp_path / "elsewhere" if moved else clone
    (clone / ".venv/bin/seggrid").write_text(SHEBANGS[shebang].format(made_in / ".venv/bin"))
    for target, refused in (("help", False), ("run", moved)):
        command = ["make", "-n", target, "PYTHON=false"]
        done = subprocess.run(command, cwd=clone, capture_output=True, text=True)
        assert bool(done.returncode) == refused, done.stderr
        assert ("*** .venv was made in another folder and works only" in done.stderr) == refused


def test_a_home_that_cannot_be_written_is_no_place_for_caches(tmp_path, monkeypatch):
    (tmp_path / "home").write_text("no folder, so nobody can write into it")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    ensure_cache()
    # Not in the folder of a study, from which somebody else may have it.
    assert os.environ["XDG_CACHE_HOME"] == str(tmp_path / f"seggrid-{os.getuid()}")
