"""What jobs find in their environment."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def prepare(package_folder: Path, config: Mapping[str, Any]) -> None:
    """Let the jobs' shells find this interpreter, this package and this config.

    Jobs call `python`: the one that runs Snakemake, wherever the virtual environment is; a conda
    environment that a rule is given puts its own before it. One thread a job, unless its rule says
    otherwise: the grid has jobs enough for all cores.

    Args:
        package_folder: the folder that holds the package `seggrid`.
        config: as Snakemake merged it; jobs find it as JSON in `SEGGRID_CONFIG`.
    """
    os.environ["SEGGRID_CONFIG"] = json.dumps(config)
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    os.environ["PYTHONPATH"] = str(package_folder)
    os.environ["OMP_NUM_THREADS"] = "1"


PRELOADED = "SEGGRID_PRELOADED"
"""Names the socket at which jobs find a process with their imports; `no` if there is to be none."""


def start_preloaded(socket: str) -> None:
    """Start `seggrid.workflow.fork_server`, for jobs on this machine; it ends with this process.

    Only on Linux: elsewhere, forks of processes that have threads or frameworks loaded may fail.
    """
    if sys.platform != "linux" or os.environ.get(PRELOADED) == "no":
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
    os.environ[PRELOADED] = socket
