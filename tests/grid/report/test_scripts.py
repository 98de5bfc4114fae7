"""The page's JavaScript: its types, and what it computes, without a browser."""

import os
import shutil
import subprocess

import pytest
from browser import draw_all

TYPESCRIPT, AXE = "5.9.3", "4.11.0"


def run(program, *arguments):
    """Run a program of Node; without Node the test is skipped."""
    if shutil.which(program) is None:
        pytest.skip(f"no {program} on the PATH: apt-get install npm")
    return subprocess.run([program, *arguments], capture_output=True, text=True, timeout=300)


def test_what_the_page_computes(root):
    done = run("node", "--test", str(root / "tests/grid/report/page_functions.test.mjs"))
    assert done.returncode == 0, done.stdout


@pytest.mark.tier("check")
def test_the_scripts_are_well_typed(root):
    config = str(root / "tests/grid/report/tsconfig.json")
    compiler = ("npx", "--yes", f"--package=typescript@{TYPESCRIPT}", "tsc")
    probe = run(*compiler, "--version")
    if probe.returncode != 0 and not os.environ.get("CI"):
        pytest.skip(f"no TypeScript to be had: {' '.join(compiler)}\n{probe.stderr[-300:]}")
    done = run(*compiler, "--project", config)
    assert done.returncode == 0, done.stdout


@pytest.mark.tier("check")
@pytest.mark.parametrize(("width", "dark"), [(1280, False), (390, True)])
def test_axe_finds_nothing(chromium, report, tmp_path_factory, width, dark):
    """Contrast, names and roles for screen readers, with everything unfolded."""
    folder = tmp_path_factory.getbasetemp() / "axe"
    script = folder / "node_modules/axe-core/axe.min.js"
    if not script.exists():
        done = run("npm", "install", "--silent", "--prefix", str(folder), f"axe-core@{AXE}")
        if done.returncode != 0 and not os.environ.get("CI"):
            pytest.skip(f"no axe-core to be had: {done.stderr[-300:]}")
    shown = chromium.new_page(
        bypass_csp=True,
        viewport={"width": width, "height": 900},
        color_scheme="dark" if dark else "light",
    )
    shown.goto(report.as_uri())
    shown.evaluate("for (const folded of document.querySelectorAll('details')) folded.open = true")
    draw_all(shown)
    shown.evaluate(script.read_text("utf-8"))
    found = (
        "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))"
    )
    assert shown.evaluate(found) == []
    shown.close()
