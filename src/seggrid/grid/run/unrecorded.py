"""Outputs of which Snakemake has no record; apart from their digests, since jobs need no Snakemake."""

from __future__ import annotations

import os
from pathlib import Path

from snakemake.persistence.file import FilePersistence

from seggrid.base.errors import InputError
from seggrid.base.files import RESULTS
from seggrid.grid.run.output_digests import DIGESTS


def unrecorded_outputs() -> list[InputError]:
    """A mistake if outputs have no record of what they were made from, by which Snakemake notices changed
    settings: it takes an output without one for a current one."""
    # Where Snakemake keeps its records is private to it, so another version may not say it.
    try:
        records = FilePersistence.__new__(FilePersistence)
        records._max_len = os.pathconf(".", "PC_NAME_MAX")
        records._record_path("", RESULTS)
    except (AttributeError, TypeError):
        return []
    made = (Path(place, name) for place, _, names in os.walk(DIGESTS) for name in names)
    paths = (Path(RESULTS, kept.relative_to(DIGESTS)) for kept in made)
    # One that is marked as incomplete is made again.
    folders = (".snakemake/metadata", ".snakemake/incomplete")
    lacking = sorted(
        path.as_posix()
        for path in paths
        if not any(os.path.exists(records._record_path(own, path.as_posix())) for own in folders)
        and path.exists()
    )
    if not lacking:
        return []
    message = (
        f"{len(lacking)} files, such as {lacking[0]}, have no record of what they were made from"
    )
    hint = f"copy .snakemake along with {RESULTS}, or delete {RESULTS}: a run makes it again"
    return [InputError(message, file=".snakemake/metadata", hint=hint)]
