"""The page's JavaScript: its types, and what it computes, without a browser."""

import os
import shutil
import subprocess

import pytest

TYPESCRIPT = "5.9.3"


def run(program, *arguments):
    """Run a program of Node; without Node the test is skipped."""
    if shutil.which(program) is None:
        pytest.skip(f"no {program} on the PATH: apt-get install npm")
    return subprocess.run([program, *arguments], capture_output=True, text=True, timeout=300)


def test_what_the_page_computes(root):
    done = run("node", "--test", str(root / "tests/report/page_functions.test.mjs"))
    assert done.returncode == 0, done.stdout


@pytest.mark.tier("check")
def test_the_scripts_are_well_typed(root):
    config = str(root / "tests/report/tsconfig.json")
    compiler = ("npx", "--yes", f"--package=typescript@{TYPESCRIPT}", "tsc")
    probe = run(*compiler, "--version")
    if probe.returncode != 0 and not os.environ.get("CI"):
        pytest.skip(f"no TypeScript to be had: {' '.join(compiler)}\n{probe.stderr[-300:]}")
    done = run(*compiler, "--project", config)
    assert done.returncode == 0, done.stdout
