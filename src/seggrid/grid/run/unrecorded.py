"""Outputs of which Snakemake has no record; apart from their digests, since jobs need no Snakemake."""

from __future__ import annotations

import os
from pathlib import Path

from seggrid.base.errors import InputError
from seggrid.base.files import RESULTS
from seggrid.grid.run.output_digests import DIGESTS
from seggrid.grid.run.snakemake_private import record_path


def unrecorded_outputs() -> list[InputError]:
    """A mistake if outputs have no record of what they were made from, by which Snakemake notices changed
    settings: it takes an output without one for a current one."""
    if (record_of := record_path()) is None:
        return []
    made = (Path(place, name) for place, _, names in os.walk(DIGESTS) for name in names)
    paths = (Path(RESULTS, kept.relative_to(DIGESTS)) for kept in made)
    # One that is marked as incomplete is made again.
    folders = (".snakemake/metadata", ".snakemake/incomplete")
    lacking = sorted(
        path.as_posix()
        for path in paths
        if not any(os.path.exists(record_of(own, path.as_posix())) for own in folders)
        and path.exists()
    )
    if not lacking:
        return []
    message = (
        f"{len(lacking)} files, such as {lacking[0]}, have no record of what they were made from"
    )
    hint = f"copy .snakemake along with {RESULTS}, or delete {RESULTS}: a run makes it again"
    return [InputError(message, file=".snakemake/metadata", hint=hint)]
