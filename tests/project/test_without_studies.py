"""Without the folder of a study and its line, all else works: two studies are tried each day, by turns."""

import json
import os
import shutil
import subprocess
import sys
from datetime import date

import pytest

from seggrid.grid.study import STUDIES

pytestmark = pytest.mark.tier("check")

NAMES = sorted(STUDIES)
TODAY = [NAMES[(date.today().toordinal() * 2 + k) % len(NAMES)] for k in range(2)]
STATE = """
import json, seggrid, seggrid.commands
from seggrid.grid.study import STUDIES, every_table
from seggrid.grid.report.page import sections
print(json.dumps([list(STUDIES), [table.name for table in every_table()], len(sections())]))
"""


@pytest.fixture(params=TODAY)
def without(request, root, tmp_path):
    """A copy of the project without a study, and the study's name."""
    copy = tmp_path / "copy"
    listed = subprocess.run(
        ["git", "ls-files"], cwd=root, capture_output=True, text=True, check=True
    )
    for name in listed.stdout.splitlines():
        if not name.startswith(("docs/", "benchmarks/")) and (root / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(root / name, copy / name)
    shutil.rmtree(copy / "src/seggrid/studies" / request.param)
    shutil.rmtree(copy / "tests/studies" / request.param, ignore_errors=True)
    registry = copy / "src/seggrid/grid/study.py"
    lines = registry.read_text("utf-8").splitlines(keepends=True)
    kept = [line for line in lines if f"seggrid.studies.{request.param}." not in line]
    assert len(kept) == len(lines) - 1
    registry.write_text("".join(kept), "utf-8")
    return copy, request.param


def call(copy, *command):
    environment = {**os.environ, "PYTHONPATH": str(copy / "src")}
    done = subprocess.run(
        [sys.executable, "-P", *command], cwd=copy, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    return done.stdout + done.stderr


def test_all_else_works_without_a_study(without, root):
    copy, name = without
    studies, tables, _ = json.loads(call(copy, "-c", STATE))
    assert {*studies} == STUDIES.keys() - {name}
    assert not {table.name for table in STUDIES[name].tables()} & {*tables}
    # Every other test is found, and those of tables and of the config pass.
    call(copy, "-m", "pytest", "-q", "--collect-only", "--tier", "quick", "tests")
    few = [f"tests/grid/{file}" for file in ("report/test_tables.py", "test_config.py")]
    few += ["tests/grid/test_config_schema.py", "tests/grid/report/test_charts.py"]
    call(copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tier", "quick", *few)
    planned = call(copy, "-m", "snakemake", "--dry-run", "--quiet", "host", "--cores", "1")
    here = subprocess.run(
        [sys.executable, "-P", "-m", "snakemake", "--dry-run", "--quiet", "host", "--cores", "1",
         "--snakefile", str(root / "workflow/Snakefile")],
        cwd=copy, capture_output=True, text=True, check=True,
    )  # fmt: skip
    jobs = [
        sorted(line for line in text.splitlines() if line.strip().startswith(("output:", "rule ")))
        for text in (planned, here.stdout + here.stderr)
    ]
    assert len(jobs[0]) > 300
    assert jobs[0] == jobs[1]
