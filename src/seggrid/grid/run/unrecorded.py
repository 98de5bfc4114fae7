"""Outputs of which Snakemake has no record; apart from their digests, since jobs need no Snakemake."""

from __future__ import annotations

import json
import os
from pathlib import Path

from seggrid.base.errors import InputError, note
from seggrid.base.files import RESULTS
from seggrid.grid.run.output_digests import DIGESTS
from seggrid.grid.run.snakemake_private import record_path

_INCOMPLETE = ".snakemake/incomplete"


def unrecorded_outputs() -> list[InputError]:
    """A mistake if no output has a record of what it was made from, by which Snakemake notices changed
    settings: it takes an output without one for a current one. If others have one, those without are marked
    as incomplete, and so are made again."""
    if (record_of := record_path()) is None:
        return []
    made = (Path(place, name) for place, _, names in os.walk(DIGESTS) for name in names)
    paths = {Path(RESULTS, kept.relative_to(DIGESTS)) for kept in made}
    recorded, incomplete = (
        {path for path in paths if os.path.exists(record_of(folder, path.as_posix()))}
        for folder in (".snakemake/metadata", _INCOMPLETE)
    )
    lacking = sorted(p.as_posix() for p in paths - recorded - incomplete if p.exists())
    if not lacking:
        return []
    message = (
        f"{len(lacking)} files, such as {lacking[0]}, have no record of what they were made from"
    )
    if recorded:
        # A run that was killed has not recorded what its last jobs made, on a cluster even after its end.
        for path in lacking:
            mark = Path(record_of(_INCOMPLETE, path))
            mark.parent.mkdir(parents=True, exist_ok=True)
            mark.write_text(json.dumps({"external_jobid": None}), encoding="utf-8")
        note([f"{message}, as after a run that was killed: they are made again"])
        return []
    hint = f"copy .snakemake along with {RESULTS}, or delete {RESULTS}: a run makes it again"
    return [InputError(message, file=".snakemake/metadata", hint=hint)]
