"""Reuse the output of a deterministic job for jobs with equal inputs at other paths (twins).

Two pairs may share a text, and a pair with swapped sides has the same two texts; what is learned from them is
equal. Paths contain the name of the pair, so each pair has its own file, but only the first file is computed
and the others are copies.
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
"""A folder with a file for each key, which contains the path of the output of the first job with that key."""


def key_of(settings: Iterable[object], inputs: Iterable[Path | None]) -> str:
    """A digest of everything on which the output of a deterministic job depends.

    Args:
        settings: settings of the job and the digest of its code, always in the same order.
        inputs: the files that it reads, by content, not by path; None for a file that it does not have.

    Returns:
        A digest, in hexadecimal digits.
    """
    parts = [repr(each) for each in settings] + [digest_of(path) if path else "" for path in inputs]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def twin(key: str) -> Path | None:
    """The output of an earlier job with the same key, if it has not changed since; otherwise None."""
    with suppress(OSError, InputError, ValueError):
        path = Path((TWINS / key).read_text(encoding="utf-8"))
        if path.is_file():
            check_output(path)
            return path
    return None


def note(key: str, output: Path) -> None:
    """Record the output of a job for later jobs with the same key."""
    with atomic_write(TWINS / key) as file:
        file.write(str(output))


def copy(path: Path, output: Path) -> None:
    """Write the output of a job as a copy of another job's output."""
    with atomic_write(output, "wb") as file:
        file.write(path.read_bytes())
