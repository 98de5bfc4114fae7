"""The locks of a run that was killed.

Snakemake locks the files of a run. A run that is killed (`kill -9`, a power cut) leaves its locks, and
Snakemake cannot distinguish them from those of an active run. Therefore a run notes its lock files in a file
on which it holds a lock of the system, which ends with its process. The next run on this host that gets that
lock removes the noted ones.
"""

from __future__ import annotations

import fcntl
import json
import os
import platform
from pathlib import Path
from typing import TextIO

from seggrid.grid.run.snakemake_private import lock_files

NOTE = Path(".snakemake/seggrid-locks.json")

_held: list[TextIO] = []
"""The notes of this process, open until it ends."""


def note_locks(persistence: object, file: Path = NOTE) -> None:
    """Note which lock files this process holds. If Snakemake does not say it, nothing is noted, and the user
    has to remove stale locks."""
    if not (locks := lock_files(persistence)):
        return
    note = file.open("a+", encoding="utf-8")
    try:
        fcntl.flock(note, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        # Another run in this folder has other files, or this file system has no locks.
        note.close()
        return
    note.truncate(0)
    times = {lock: os.stat(lock).st_mtime_ns for lock in locks}
    json.dump({"host": platform.node(), "process": os.getpid(), "locks": times}, note)
    note.flush()
    _held.append(note)


def remove_stale_locks(file: Path = NOTE) -> str | None:
    """Remove the locks of the last run if it was killed. Returns a message, or None if there were none."""
    removed = False
    try:
        with file.open("r+", encoding="utf-8") as note:
            # Fails as long as the process of the note runs.
            fcntl.flock(note, fcntl.LOCK_EX | fcntl.LOCK_NB)
            noted = json.load(note)
            if noted["host"] != platform.node():
                return None
            for lock, made in noted["locks"].items():
                if os.path.exists(lock) and os.stat(lock).st_mtime_ns == made:
                    os.unlink(lock)
                    removed = True
    except (OSError, ValueError, TypeError):
        return None
    if not removed:
        return None
    run = f"the last run (process {noted['process']})"
    return f"{run} was killed: its lock is removed, and this run continues it"
