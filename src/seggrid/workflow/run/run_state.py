"""What a run leaves for the next run: its locks, the config that made the tables in results/, and the files
that a failed run has made.

Snakemake locks the files of a run. A run that is killed (`kill -9`, a power cut) leaves its locks, and
Snakemake cannot distinguish them from those of an active run. Therefore a run records its lock files and its
process; the next run removes the locks if that process has certainly ended: if it ran on this host, in this
process namespace, and no process has its number and start time.
"""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from seggrid.base.files import RESULTS, atomic_write
from seggrid.workflow.finished.record import read_or_none

LOCK_OWNER = Path(".snakemake/seggrid-lock-owner.json")

AHEAD = 60.0
"""Seconds by which the clock of a file system may be ahead of this machine's clock."""

CLEANING = (
    *("--unlock", "--cleanup-metadata", "--cleanup-shadow", "--conda-cleanup-envs"),
    *("--delete-all-output", "--delete-temp-output", "--lint"),
)
"""Options of Snakemake that only clean up; they are allowed in any state of the results."""


def note_locks(persistence: object, file: Path = LOCK_OWNER) -> None:
    """Record which lock files this process holds.

    Args:
        persistence: Snakemake's object for its records. The attribute with its lock files is private to
            Snakemake: if it is missing, nothing is recorded, and the user has to remove stale locks.
        file: the file of the record.
    """
    # Imported here: it is installed with Snakemake, but the command imports this module without it too.
    import psutil

    locks = getattr(persistence, "_lockfile", None)
    if not isinstance(locks, dict) or not locks:
        return
    with atomic_write(file) as out:
        json.dump(
            {
                **_this_machine(),
                "process": os.getpid(),
                "started": psutil.Process().create_time(),
                "locks": {str(lock): os.stat(lock).st_mtime_ns for lock in locks.values()},
            },
            out,
        )


def remove_stale_locks(file: Path = LOCK_OWNER) -> str | None:
    """Remove the locks of the last run if it was killed. Returns a message, or None if there were none."""
    noted = _read(file)
    try:
        machine = {key: noted[key] for key in _this_machine()}
        process, started, locks = noted["process"], noted["started"], dict(noted["locks"])
    except (KeyError, TypeError, ValueError):
        return None
    if machine != _this_machine() or _runs(process, started):
        return None
    removed = False
    for lock, made in locks.items():
        try:
            if os.stat(lock).st_mtime_ns == made:
                os.unlink(lock)
                removed = True
        except OSError:
            continue
    if not removed:
        return None
    return f"the last run (process {process}) was killed: its lock is removed, and this run continues it"


def at_work(file: Path = LOCK_OWNER) -> str:
    """What to say where Snakemake finds the lock of a run that has not ended, or not certainly."""
    noted = _read(file)
    try:
        process, host = noted["process"], noted["host"]
    except (KeyError, TypeError):
        process, host = None, None
    who = f" (process {process} on {host})" if process else ""
    if process and host == platform.node():
        hint = "wait until it ends, or end it"
    else:
        hint = (
            "wait until it ends; if it has certainly ended, remove its lock: seggrid run --unlock"
        )
    return f"error: another run{who} is at work in this folder ({hint})"


def _this_machine() -> dict[str, str]:
    namespace = Path("/proc/self/ns/pid")
    return {
        "host": platform.node(),
        "namespace": os.readlink(namespace) if namespace.is_symlink() else "",
    }


def _runs(process: int, started: float) -> bool:
    """Whether there is a process with that number and start time."""
    import psutil

    try:
        return bool(abs(psutil.Process(process).create_time() - started) < 1)
    except psutil.NoSuchProcess:
        return False
    except psutil.Error:
        return True


def blind_to_settings(rerun_triggers: Collection[str]) -> str | None:
    """A warning if a run would not notice changed settings, code or files; otherwise None.

    Args:
        rerun_triggers: the kinds of change after which the run repeats a job.
    """
    lacking = [name for name in ("params", "input", "code") if name not in rerun_triggers]
    if not lacking:
        return None
    return (
        f"warning: this run repeats no job because of changed {', '.join(lacking)}: files and tables may be "
        "those of an earlier config (leave out --rerun-triggers)"
    )


def dated_ahead(folder: Path = Path(RESULTS)) -> str | None:
    """A warning if a result is dated in the future, as happens when the clock was set back; otherwise
    None."""
    now = time.time() + AHEAD
    ahead = sorted(path for path in folder.glob("[!.]*") if path.lstat().st_mtime > now)
    if not ahead:
        return None
    return (
        f"warning: {ahead[0]} is dated later than now: it is not made again where an input changes "
        "(set the clock right, or make everything again with --forceall)"
    )


def other_tables(config_files: Sequence[str | Path], folder: Path = Path(RESULTS)) -> str | None:
    """A warning if the tables in a folder were made from other config files; otherwise None."""
    before = read_or_none(folder).get("config files")
    now = [os.path.relpath(file) for file in config_files]
    if not before or before == now or not Path(folder, "scores.csv").exists():
        return None
    return (
        f"warning: {folder}/ holds the tables and the report of {' '.join(map(str, before))}; "
        f"this run of {' '.join(now)} writes over them (study: NAME in one of them keeps both)"
    )


def _read(file: Path) -> Any:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
