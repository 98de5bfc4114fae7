"""Find outputs that something other than the workflow has changed.

Snakemake does not check files that exist. Its records of an output suffice to tell whether the file is still
the one that its job wrote: the time at which the job had written it, and its checksum, from later jobs that
have read it.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from seggrid.errors import InputError

RECORDS = Path(".snakemake/metadata")
DATABASE = Path(".snakemake/metadata.db")


def changed_outputs(folder: str | Path = ".", contents: bool = False) -> list[str]:
    """The existing outputs that differ from those that their jobs wrote, in alphabetical order.

    A file with the recorded time of modification counts as unchanged. A file with another time counts as
    unchanged if its checksum is the one that a later job recorded; final outputs, which no job reads, have no
    checksum. A folder is unchanged if no file in it is newer than its record.

    Args:
        folder: the workflow's working directory.
        contents: whether to compare the checksum of every file that has one, also if its time is unchanged.

    Raises:
        InputError: there are no records in the known format, which is private to Snakemake.
    """
    folder = Path(folder)
    records = dict(_records(folder / RECORDS))
    if not records:
        if (folder / DATABASE).exists():
            raise InputError(
                "Snakemake keeps its records in a database here, which we cannot read",
                file=folder / DATABASE,
                hint="run without --persistence-backend db",
            )
        raise InputError(
            "no records of a run, or none in a format that we can read",
            file=folder / RECORDS,
            hint="name the folder in which snakemake ran: --folder FOLDER",
        )
    checksums = _checksums(records)
    changed = []
    for name, record in records.items():
        file = folder / name
        if not file.exists() or record.get("endtime") is None:
            continue
        if file.is_dir():
            paths = (file, *file.rglob("*"))
            if any(path.stat().st_mtime > record["endtime"] for path in paths):
                changed.append(name)
            continue
        touched = file.stat().st_mtime != record["endtime"]
        if touched or contents:
            checksum = checksums.get(name)
            if touched if checksum is None else checksum != _checksum(file):
                changed.append(name)
    return sorted(changed)


def _records(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Snakemake's record of each output. Its file name is the path of the output in base 64."""
    for file in folder.rglob("*"):
        if file.is_file():
            # Names that are too long for the file system are split into folders, marked by an @.
            parts = file.relative_to(folder).parts
            code = "".join(part.removeprefix("@") for part in parts)
            try:
                name = base64.urlsafe_b64decode(code).decode()
                record = json.loads(file.read_text("utf-8"))
            except ValueError:
                # The record was truncated while it was written; Snakemake makes that output again.
                continue
            if isinstance(record, dict) and "endtime" in record:
                yield name, record


def _checksums(records: dict[str, dict[str, Any]]) -> dict[str, str]:
    """The checksum of each output when a job last read it."""
    last: dict[str, tuple[float, str]] = {}
    for record in records.values():
        for name, checksum in (record.get("input_checksums") or {}).items():
            # A job that ended before the file was made again has read an earlier version.
            made = records[name]["endtime"] if name in records else None
            if made is not None and record["endtime"] >= made:
                last[name] = max(last.get(name, (0.0, "")), (record["endtime"], checksum))
    return {name: checksum for name, (_, checksum) in last.items()}


def _checksum(file: Path) -> str:
    with file.open("rb") as content:
        return f"sha256:{hashlib.file_digest(content, 'sha256').hexdigest()}"
