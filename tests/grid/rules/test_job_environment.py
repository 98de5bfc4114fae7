"""The environment of the jobs of a run."""

import os
import subprocess
import sys

import pytest

from seggrid.grid.rules import environment

pytestmark = pytest.mark.tier("check")


@pytest.fixture
def prepared(tmp_path, monkeypatch):
    """Prepares a run in an empty folder; gives the environment of its jobs."""
    monkeypatch.chdir(tmp_path)

    def prepare(**before):
        for name in ("PYTHONPATH", "PYTHONSAFEPATH", "OMP_NUM_THREADS", environment.CONFIG):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("PATH", os.environ["PATH"])
        for name, value in before.items():
            monkeypatch.setenv(name, value)
        environment.prepare_jobs({"seed": 1}, tmp_path / "state")
        return dict(os.environ)

    return prepare


def test_the_modules_of_the_user_stay_on_the_path_behind_the_package(prepared, root):
    assert prepared()["PYTHONPATH"] == str(root / "src")
    own = os.pathsep.join(["/mine", "/theirs"])
    assert prepared(PYTHONPATH=own)["PYTHONPATH"] == os.pathsep.join([str(root / "src"), own])
    again = prepared(PYTHONPATH=os.pathsep.join([str(root / "src"), own]))
    assert again["PYTHONPATH"].count(str(root / "src")) == 1


@pytest.mark.parametrize("options", [["-c"], ["-m", "runpy"]])
def test_modules_of_the_folder_of_a_run_are_not_those_of_jobs(prepared, tmp_path, options):
    """A study may have a json.py."""
    for name in ("json", "runpy"):
        (tmp_path / f"{name}.py").write_text("print('mine')")
    code = "import json; json.loads('1')" if options == ["-c"] else "nothing"
    command = [sys.executable, *options, code]
    done = subprocess.run(command, env=prepared(), capture_output=True, text=True, cwd=tmp_path)
    assert "mine" not in done.stdout


@pytest.mark.parametrize("cold", [True, False])
def test_the_first_run_says_that_it_compiles(tmp_path, monkeypatch, capsys, cold):
    """Otherwise it would be silent for a minute."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "kernels"
    if not cold:
        folder.mkdir()
    monkeypatch.setattr(environment, "kernel_folder", lambda: folder)
    monkeypatch.setattr(environment.subprocess, "Popen", lambda *command, **options: None)
    monkeypatch.setenv(environment.FORK_SERVER, "")
    environment.start_fork_server("socket", [])
    assert capsys.readouterr().err.startswith("compiling kernels, once") == cold
