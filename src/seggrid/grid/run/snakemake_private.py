"""Where Snakemake keeps its records and locks, which only attributes say that are private to it.

They are named here alone. Where another version of Snakemake has others, what needs them is left out.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from seggrid.base.files import RESULTS


def record_path() -> Callable[[str, str], str] | None:
    """A function that gives, for a folder of records and an output, the path of the output's record."""
    from snakemake.persistence.file import FilePersistence

    try:
        records = FilePersistence.__new__(FilePersistence)
        records._max_len = os.pathconf(".", "PC_NAME_MAX")
        records._record_path("", RESULTS)
    except (AttributeError, TypeError):
        return None
    path: Callable[[str, str], str] = records._record_path
    return path


def lock_files(persistence: object) -> list[str]:
    """The lock files that this process holds."""
    locks = getattr(persistence, "_lockfile", None)
    return list(map(str, locks.values())) if locks else []
