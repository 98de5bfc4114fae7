"""What jobs find in their environment."""

import os
import sys
from pathlib import Path


def prepare(package_folder: Path) -> None:
    """Let the jobs' shells find this interpreter and this package.

    Jobs call `python`: the one that runs Snakemake, wherever the virtual environment is; a conda
    environment that a rule is given puts its own before it. One thread a job, unless its rule says
    otherwise: the grid has jobs enough for all cores.

    Args:
        package_folder: the folder that holds the package `seggrid`.
    """
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    os.environ["PYTHONPATH"] = str(package_folder)
    os.environ["OMP_NUM_THREADS"] = "1"
