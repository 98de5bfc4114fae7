"""The grid on a real Slurm gives the same bytes as a local run, and survives canceled and late jobs.

Needs a running Slurm, which `tests/cluster/slurm.sh up` starts (root; slurm-wlm and munge).
"""

import hashlib
import shutil
import subprocess
import sys
import time

import pytest
import yaml

import builtin_pair

pytestmark = [
    pytest.mark.slurm,
    # One at a time: the node has few cores.
    pytest.mark.skipif(
        shutil.which("sinfo") is None or subprocess.run(["sinfo"], capture_output=True).returncode,
        reason="no Slurm is running: tests/cluster/slurm.sh up",
    ),
]

# Options in addition to the profile, for a Slurm without accounting and for frequent status checks.
HERE = [
    *("--slurm-status-command", "squeue", "--slurm-no-account"),
    *("--slurm-init-seconds-before-status-checks", "1", "--latency-wait", "10", "--cores", "2"),
]
# Snakemake, with a plugin that looks for ended jobs every second: else it waits 10 s longer after each look
# that finds none.
PROGRAM = """
from snakemake.cli import main
from snakemake_executor_plugin_slurm import Executor
Executor.next_seconds_between_status_checks = property(lambda self: 1, lambda self, seconds: None)
main()
"""
# The plugin would wait forever for the missing accounting; on a busy machine a run takes some minutes.
LONGEST = 1800
NOT_COMPARED = ("logs", "report.html", "cost.csv", "run.json")


def snakemake(folder, *options):
    command = [sys.executable, "-c", PROGRAM, *options]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=LONGEST)


def results(folder):
    """The digests of all results that do not tell times, and of their records."""
    files = (path for path in sorted((folder / "results").rglob("*")) if path.is_file())
    names = {path.relative_to(folder / "results"): path for path in files}
    return {
        name.as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for name, path in names.items()
        # The record of an output has its path, below the folder of all records.
        if name.parts[name.parts[0] == ".digests"] not in NOT_COMPARED
    }


@pytest.fixture
def folders(tmp_path, root):
    """Two folders with the same small grid of the first sentences of the built-in pair."""
    config = yaml.safe_load((root / "config/config.yaml").read_text())
    config["learn_merges"] = 100
    config["batch"] = 1
    config["report"] = {"resamples": 100}
    config["experiments"] = {
        "dropout": {"merges": 100, "dropout": 0.1, "samples": 2, "aggregate": [0.5]},
        "gibbs": {"merges": 100, "aligner": "gibbs", "aggregate": "posterior-0.5"},
    }
    for name in ("local", "slurm"):
        builtin = tmp_path / name / "resources/builtin"
        shutil.copytree(root / "resources/builtin", builtin)
        builtin_pair.write_pair(builtin, 200, ".txt")
        (tmp_path / name / "config.yaml").write_text(yaml.safe_dump(config))
    return tmp_path / "local", tmp_path / "slurm"


def test_same_bytes_as_on_this_machine(folders, root):
    local, slurm = folders
    what = ["--snakefile", str(root / "workflow/Snakefile"), "--configfile", "config.yaml"]
    done = snakemake(local, *what, "--cores", "2")
    assert done.returncode == 0, done.stderr
    profile = ["--workflow-profile", str(root / "workflow/profiles/slurm"), *HERE]
    done = snakemake(slurm, *what, *profile)
    assert done.returncode == 0, done.stderr
    # One cluster job for each group of rules, and no other.
    assert (done.stdout + done.stderr).count("submitted with SLURM jobid") == 5
    assert results(slurm) == results(local)


SNAKEFILE = """
rule all:
    input: "good", "late", "never"

rule good:
    output: "good"
    shell: "echo whole > {output}"

# Its first attempt hangs, until it is out of time.
rule late:
    output: "late"
    resources: runtime=1, attempt=lambda wc, attempt: attempt
    shell: "echo half > {output}; [ {resources.attempt} -gt 1 ] || sleep 600; echo whole > {output}"

# It hangs until it is allowed to go on; the test cancels it.
rule never:
    output: "never"
    resources: runtime=20
    shell: "echo half > {output}; [ -e allowed ] || sleep 1200; echo whole > {output}"
"""


def test_jobs_that_slurm_ends(tmp_path, root):
    """One job is retried and succeeds; another always fails, without blocking the others."""
    (tmp_path / "Snakefile").write_text(SNAKEFILE)
    profile = ["--workflow-profile", str(root / "workflow/profiles/slurm"), *HERE]
    command = [sys.executable, "-c", PROGRAM, *profile, "--retries", "1"]
    start = time.monotonic()
    with (tmp_path / "log").open("w") as log:
        run = subprocess.Popen(command, cwd=tmp_path, stdout=log, stderr=subprocess.STDOUT)
        while run.poll() is None and time.monotonic() < start + LONGEST:
            time.sleep(1)
            cancel(tmp_path, "never")
        run.kill()
    text = (tmp_path / "log").read_text()
    assert run.wait() == 1, text
    for status in ("TIMEOUT", "CANCELLED"):
        assert f"SLURM status is: '{status}'" in text
    assert (tmp_path / "good").read_text() == (tmp_path / "late").read_text() == "whole\n"
    assert not (tmp_path / "never").exists(), "half of an output was left"
    (tmp_path / "allowed").touch()
    done = snakemake(tmp_path, *profile)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "never").read_text() == "whole\n"


def cancel(folder, rule):
    """Cancel a rule's running jobs once they have begun to write their output."""
    output = folder / rule
    if output.exists() and output.read_text() == "half\n":
        running = subprocess.run(
            ["squeue", "--noheader", "--states=running", "--format=%i %k"],
            capture_output=True,
            text=True,
        )
        for line in running.stdout.splitlines():
            job, comment = line.split()
            if comment == f"rule_{rule}":
                subprocess.run(["scancel", job], check=True)
