"""Outputs of deterministic jobs whose inputs are equal though their paths are not.

Two pairs may have one text, and a pair with its sides swapped has the same two: what is learned on them is
the same. Paths name the pair, so each has a file of its own, but only the first is computed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from seggrid.base.files import atomic_write
from seggrid.errors import InputError
from seggrid.workflow.run.records import check_output, digest_of

TWINS = Path(".snakemake/seggrid/twins")
"""A file for each key, which contains the path of the output of the first such job."""


def key_of(settings: Iterable[object], inputs: Iterable[Path | None]) -> str:
    """What the output of a deterministic job depends on.

    Args:
        settings: its settings and the digest of its code, in an order of its own.
        inputs: the files that it reads; their contents count, not their paths. None if there is none.

    Returns:
        A digest, in hexadecimal digits.
    """
    parts = [repr(each) for each in settings] + [digest_of(path) if path else "" for path in inputs]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def twin(key: str) -> Path | None:
    """The output of an earlier job with the same key, if it is still as that job wrote it."""
    with suppress(OSError, InputError, ValueError):
        path = Path((TWINS / key).read_text(encoding="utf-8"))
        if path.is_file():
            check_output(path)
            return path
    return None


def note(key: str, output: Path) -> None:
    """Note the output of a job for later jobs with the same key."""
    with atomic_write(TWINS / key) as file:
        file.write(str(output))


def copy(path: Path, output: Path) -> None:
    """Write the output of a job as a copy of another one."""
    with atomic_write(output, "wb") as file:
        file.write(path.read_bytes())
