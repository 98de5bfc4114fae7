"""The environment of a run's jobs: interpreter, package, config, fork server."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from seggrid.base.files import atomic_write

FORK_SERVER = "SEGGRID_FORK_SERVER"
"""Name of the environment variable with the socket of the fork server; its value is `no` if there is none."""

CONFIG = "SEGGRID_CONFIG"
"""Name of the environment variable with the file that holds the config as JSON."""


def prepare(package_folder: Path, config: Mapping[str, Any], folder: Path) -> None:
    """Set environment variables by which jobs find this interpreter, this package and this config.

    Jobs call `python`, which is the one that runs Snakemake, or that of the conda environment of a rule. Jobs
    have one thread, unless a rule says otherwise, since a grid has enough jobs for all cores.

    Args:
        package_folder: the folder with the package `seggrid`.
        config: the config.
        folder: folder for the file of the config, which is named after its content. An environment variable
            could not hold the config itself, since it is limited to 128 kB.
    """
    text = json.dumps(config)
    file = folder / f"config-{hashlib.sha256(text.encode()).hexdigest()[:16]}.json"
    if not file.exists():
        with atomic_write(file) as out:
            out.write(text)
    os.environ[CONFIG] = str(file)
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    os.environ["PYTHONPATH"] = str(package_folder)
    os.environ["OMP_NUM_THREADS"] = "1"


def start_fork_server(socket: str) -> None:
    """Start `seggrid.workflow.run.fork_server` for jobs on this machine; it ends with this process.

    There is none on systems other than Linux, where forks of processes with threads or frameworks may fail.
    """
    if sys.platform != "linux" or os.environ.get(FORK_SERVER) == "no":
        return
    reading, _writing = os.pipe()
    # The writing end stays open in this process only, until it ends.
    subprocess.Popen(
        [sys.executable, "-m", "seggrid.workflow.run.fork_server", socket, str(reading)],
        pass_fds=[reading],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    os.close(reading)
    os.environ[FORK_SERVER] = socket


def lift_job_rate_limit(workflow: Any) -> None:
    """Let Snakemake start jobs as fast as there are free cores.

    With a limit of jobs a second, Snakemake checks all waiting jobs every second, once for each job that it
    has started, which takes a fifth of a core after some hundred jobs. The limit is private to Snakemake; if
    it is not found, it stays, and runs are slower.
    """
    scheduler = getattr(workflow, "scheduler", None)
    if hasattr(scheduler, "job_rate_limiter"):
        scheduler.job_rate_limiter = None
