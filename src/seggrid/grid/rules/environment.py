"""Prepare the environment of the jobs of a run: interpreter, package, config, fork server."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from seggrid.base.compiled import COMPILING, PACKAGE, kernel_folder
from seggrid.base.extras import PROJECT
from seggrid.base.files import atomic_write
from seggrid.grid.run import fork_server
from seggrid.grid.run.code_digest import modules_of_scripts
from seggrid.grid.study import STUDIES

FORK_SERVER = "SEGGRID_FORK_SERVER"
"""Name of the environment variable with the socket of the fork server; its value is `no` if there is none."""

CONFIG = "SEGGRID_CONFIG"
"""Name of the environment variable with the file that holds the config as JSON."""


def prepare_jobs(config: Mapping[str, Any], folder: Path) -> None:
    """Set environment variables by which jobs find this interpreter, this package and this config.

    Jobs call `python`, which is the interpreter that runs Snakemake, or that of the rule's conda environment.
    Unless a rule says otherwise, jobs have one thread, since a grid has enough jobs for all cores. The config
    is written to a file in the folder, since an environment variable is limited to 128 kB.
    """
    text = json.dumps(config)
    file = folder / f"config-{hashlib.sha256(text.encode()).hexdigest()[:16]}.json"
    if not file.exists():
        with atomic_write(file) as out:
            out.write(text)
    os.environ[CONFIG] = str(file)
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    # Modules of the user's PYTHONPATH come after the package; those of the run's folder are not imported.
    before = os.environ.get("PYTHONPATH")
    found = [str(_package_folder(folder)), *(before.split(os.pathsep) if before else ())]
    os.environ["PYTHONPATH"] = os.pathsep.join(dict.fromkeys(found))
    os.environ["PYTHONSAFEPATH"] = "1"
    os.environ["OMP_NUM_THREADS"] = "1"
    # A plug-in may depend on the order of a set of texts, or on `hash`.
    os.environ["PYTHONHASHSEED"] = "0"


def _package_folder(folder: Path) -> Path:
    """A folder that contains this package and no other one, since the environment of a job has its own."""
    if PROJECT not in PACKAGE.parents:
        folder = Path(folder, "package").absolute()
        folder.mkdir(parents=True, exist_ok=True)
        link = folder / PACKAGE.name
        if not link.exists() or link.resolve() != PACKAGE:
            link.unlink(missing_ok=True)
            link.symlink_to(PACKAGE)
        return folder
    return PACKAGE.parent


def start_fork_server(socket: str, names: Collection[str]) -> None:
    """Start `seggrid.grid.run.fork_server` for jobs on this machine, with the kernels of segmenters and
    aligners of these names; it ends with this process.

    Only on Linux: on other systems, forking processes with threads or frameworks may fail.
    """
    if sys.platform != "linux" or os.environ.get(FORK_SERVER) == "no":
        return
    try:
        listener = fork_server.listen(socket)
    except OSError:
        return
    kernels = kernel_folder()
    if kernels is not None and not kernels.exists():
        print(COMPILING, file=sys.stderr, flush=True)
    reading, _writing = os.pipe()
    # Found here, since this process has already parsed most scripts, for the digests of their code.
    modules = modules_of_scripts(job_scripts())
    # The writing end stays open only in this process, until it ends.
    # Jobs also run without the server, so its errors only go to a log.
    own, named = [listener.fileno(), reading], ",".join(sorted(names))
    with open(f"{socket}.log", "w") as log, listener:
        subprocess.Popen(
            [sys.executable, "-P", "-m", fork_server.__name__, *map(str, own), named, *modules],
            pass_fds=own,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=log,
        )
    os.close(reading)
    os.environ[FORK_SERVER] = socket


SCRIPTS = PROJECT / "workflow/scripts"


def job_scripts() -> list[Path]:
    """The scripts of jobs, of the grid and of all studies."""
    folders = [SCRIPTS, *(study.folder() / "jobs" for study in STUDIES.values())]
    return [file for folder in folders for file in sorted(folder.glob("*.py"))]


def command_of(script: Path) -> list[str]:
    """The command of a script; paths are relative, so that a checkout can be moved."""
    return ["python", "-S", *map(os.path.relpath, (SCRIPTS / "job.py", script))]
