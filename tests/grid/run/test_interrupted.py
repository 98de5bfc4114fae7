"""Runs that are killed, interrupted, started twice or in which a job fails, and are then resumed.

At any moment every existing output is complete, and in the end all have the bytes of an undisturbed run.
"""

import hashlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from string import ascii_lowercase

import psutil
import pytest
import yaml

import builtin_pair
from snake import rows_of

pytestmark = pytest.mark.tier("check")

# These contain times; the last is not written by a run that succeeds.
NOT_COMPARED = ("logs/", "cost.csv", "report.html", "run.json", ".digests/", "partial/")
CONFIG = {
    "pairs": {"p": builtin_pair.in_config()},
    "batch": 1,
    "experiments": {
        "dropout": {
            **{"merges": [20, 40], "dropout": 0.1, "samples": 2, "aggregate": [0.5, "union"]},
            **{"aligner": "fast_align", "sides": ["both", "source"]},
        },
    },
}


class Study:
    """A folder in which a grid runs."""

    def __init__(self, folder, root, config=CONFIG):
        self.folder, self.results = folder, folder / "results"
        builtin_pair.write_pair(folder, 40)
        (folder / "config.yaml").write_text(yaml.safe_dump(config), "utf-8")
        files = ["--snakefile", str(root / "workflow/Snakefile"), "--configfile", "config.yaml"]
        targets = ["results/scores.csv", "results/significance.csv"]
        self.command = [sys.executable, "-m", "snakemake", *targets, "--cores", "2", *files]

    def start(self):
        """Start a run in a session of its own, as a terminal would."""
        return subprocess.Popen(
            self.command,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )

    def run(self, status=0):
        """Run to the end; returns what it says."""
        run = self.start()
        said = run.communicate(timeout=600)[1]
        assert run.returncode == status, said[-3000:]
        return said

    def wait_for(self, count, run):
        """Wait until a run has made so many outputs."""
        while run.poll() is None and len(self.made()) < count:
            time.sleep(0.01)
        assert run.poll() is None, run.communicate()[1][-3000:]

    def made(self):
        """The digests of all outputs."""
        found = {}
        # A walk does not mind that a run removes the folder `partial` meanwhile.
        files = (Path(place, name) for place, _, names in os.walk(self.results) for name in names)
        for path in files:
            name = path.relative_to(self.results).as_posix()
            # Files of that form are parts of outputs that are being written, which no reader takes for whole.
            if path.is_file() and not name.startswith(NOT_COMPARED) and path.name[0] != ".":
                found[name] = hashlib.sha256(path.read_bytes()).hexdigest()
        return found


def kill(run):
    """SIGKILL a run and all its descendants before any can react."""
    family = [psutil.Process(run.pid)]
    family[0].suspend()
    family += family[0].children(recursive=True)
    for process in family:
        if process.is_running():
            process.kill()
    run.communicate()
    psutil.wait_procs(family[1:], timeout=10)


@pytest.fixture(scope="module")
def whole(root, tmp_path_factory):
    """The outputs of an undisturbed run."""
    study = Study(tmp_path_factory.mktemp("whole"), root)
    study.run()
    return study.made()


@pytest.mark.parametrize("disturb", ["kill", "interrupt"])
def test_a_run_resumes_wherever_it_was_stopped(whole, root, tmp_path, disturb):
    study = Study(tmp_path, root)
    for share in (0.1, 0.5, 0.9):
        run = study.start()
        study.wait_for(int(share * len(whole)), run)
        if disturb == "kill":
            kill(run)
        else:
            os.killpg(run.pid, signal.SIGINT)
            run.communicate(timeout=300)
            # It may come when the last job has just ended.
            assert run.returncode != 0 or study.made() == whole
        assert study.made().items() <= whole.items()
    study.run()
    assert study.made() == whole


def test_of_two_runs_one_gives_way_and_says_so(whole, root, tmp_path):
    study = Study(tmp_path, root)
    runs = [study.start(), study.start()]
    said = [run.communicate(timeout=600)[1] for run in runs]
    assert 0 in [run.returncode for run in runs], said
    for run, text in zip(runs, said, strict=True):
        assert not run.returncode or "is at work in this folder" in text
    assert study.made() == whole


def test_a_job_that_fails_holds_up_only_its_cells_and_the_table_says_why(whole, root, tmp_path):
    pytest.importorskip("thot", reason="needs sil-thot: pip install sil-thot")
    other = {"merges": 1, "aligner": "thot_hmm"}
    more = {"plugins": str(root / "examples/thot.py")}
    more["experiments"] = {**CONFIG["experiments"], "y": other}
    study = Study(tmp_path, root, CONFIG | more)
    # How many tokens a word has is known only once it is cut; Thot takes 200 in a sentence.
    for name in ("eng", "deu"):
        with (tmp_path / name).open("a", encoding="utf-8") as file:
            file.write(f"{ascii_lowercase * 9}\n")
    study.run(status=1)
    rows = rows_of(study.results / "partial/scores.csv")
    failed = [row for row in rows if not row["f1"]]
    assert failed
    assert {row["aligner"] for row in failed} == {"thot_hmm"}
    assert all(row["reason"].startswith("align: ") and "200" in row["reason"] for row in failed)
    assert len(rows) > len(failed)
