"""Digests of the content of files, cached between runs.

The workflow depends on digests of its inputs, not on their times: a file that `cp -p` or `rsync` puts in the
place of another may be older than outputs made from the earlier file, and a file that was only touched has
not changed.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from seggrid.base.files import atomic_write
from seggrid.errors import InputError

_RECENT = 2_000_000_000  # nanoseconds


class Digests:
    """The sha256 of files; a file is read again only if it has changed.

    A cached digest is used if the size, inode, modification time and status change time of the file are the
    same. The system sets the last one at any change, even if a program resets the others. A file that was
    changed in the last two seconds is read again, since another change could leave the same times.

    Args:
        memory: the file of the cache; None for no cache. If it is damaged or cannot be written, files are
            read again.
    """

    def __init__(self, memory: Path | None = None) -> None:
        self._memory = memory
        self._known: dict[str, list[Any]] = {}
        if memory is not None:
            with suppress(OSError, ValueError):
                saved = json.loads(memory.read_text("utf-8"))
                self._known = saved if isinstance(saved, dict) else {}

    def sha256(self, path: str | Path) -> str:
        """The sha256 of a file's content, 64 hexadecimal digits.

        Raises:
            InputError: the file cannot be read.
        """
        name = os.path.abspath(path)
        try:
            status = os.stat(name)
            state = [status.st_size, status.st_ino, status.st_mtime_ns, status.st_ctime_ns]
            saved = self._known.get(name)
            if isinstance(saved, list) and saved[:-1] == state and _is_sha256(saved[-1]):
                return str(saved[-1])
            with open(name, "rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", file=path) from None
        if time.time_ns() - max(state[2:]) > _RECENT:
            self._known[name] = [*state, digest]
            self._write()
        return digest

    def _write(self) -> None:
        if self._memory is not None:
            with suppress(OSError), atomic_write(self._memory) as file:
                json.dump(self._known, file)


def _is_sha256(text: object) -> bool:
    return isinstance(text, str) and len(text) == 64
