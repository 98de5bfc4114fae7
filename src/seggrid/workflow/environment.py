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

from seggrid.data.files import atomic_write

FORK_SERVER = "SEGGRID_FORK_SERVER"
"""The variable with the socket of the fork server; `no` if there is none."""

CONFIG = "SEGGRID_CONFIG"
"""The variable with the file that holds the config as JSON."""


def prepare(package_folder: Path, config: Mapping[str, Any], folder: Path) -> None:
    """Let the shells of jobs find this interpreter, this package and this config.

    Jobs call `python`: the one that runs Snakemake, wherever the virtual environment is; a conda
    environment that a rule is given puts its own before it. One thread a job, unless its rule says
    otherwise: the grid has jobs enough for all cores.

    Args:
        package_folder: the folder that holds the package `seggrid`.
        config: as Snakemake merged it.
        folder: where the config is written, to a file named after its content: an environment
            variable holds no more than 128 kB.
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
    """Start `seggrid.workflow.fork_server` for jobs on this machine; it ends with this process.

    Only on Linux: elsewhere, forks of processes that have threads or frameworks loaded may fail.
    """
    if sys.platform != "linux" or os.environ.get(FORK_SERVER) == "no":
        return
    reading, _writing = os.pipe()
    # The writing end stays open, here alone, as long as this process lives.
    subprocess.Popen(
        [sys.executable, "-m", "seggrid.workflow.fork_server", socket, str(reading)],
        pass_fds=[reading],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    os.close(reading)
    os.environ[FORK_SERVER] = socket


def lift_job_rate_limit(workflow: Any) -> None:
    """Let Snakemake start jobs as fast as there are free cores.

    With its limit of jobs a second Snakemake looks at all waiting jobs again, each second, once for
    every job that it has started, which takes a fifth of a core after some hundred jobs. The limit is
    private to Snakemake; where it is not found, it stays, and runs are slower.
    """
    scheduler = getattr(workflow, "scheduler", None)
    if hasattr(scheduler, "job_rate_limiter"):
        scheduler.job_rate_limiter = None
