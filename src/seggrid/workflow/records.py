"""Find outputs that something other than the workflow has changed.

Snakemake trusts a file that exists. Its records of each output suffice to tell whether the file is
still the one that its job left: the time at which the job had written it, and, from the jobs that
have read it since, its checksum.
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
    """The outputs that are there but are not what their jobs left, in alphabetical order.

    A file whose time of change is the recorded one is taken to be unchanged. One that was only
    touched counts as unchanged if a later job recorded its checksum; the last files of the
    workflow, which no job reads, have none. A folder is unchanged if nothing in it is younger than
    its record.

    Args:
        folder: the workflow's working directory.
        contents: compare the checksum of every file that has one, whatever its time of change.

    Raises:
        InputError: there are no records in the form that we know, which is private to Snakemake.
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
            "no records of a run, or none in a form that we can read",
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
    """Snakemake's record of each output. Its file is named after the output, in base 64."""
    for file in folder.rglob("*"):
        if file.is_file():
            # Names too long for the file system are cut into folders, marked by an @.
            parts = file.relative_to(folder).parts
            code = "".join(part.removeprefix("@") for part in parts)
            try:
                name = base64.urlsafe_b64decode(code).decode()
                record = json.loads(file.read_text("utf-8"))
            except ValueError:
                # Cut off while it was being written: Snakemake makes that output again.
                continue
            if isinstance(record, dict) and "endtime" in record:
                yield name, record


def _checksums(records: dict[str, dict[str, Any]]) -> dict[str, str]:
    """The checksum of each output as it was when it was last read by a job."""
    last: dict[str, tuple[float, str]] = {}
    for record in records.values():
        for name, checksum in (record.get("input_checksums") or {}).items():
            # A job that ended before the file was made again has read another one.
            made = records[name]["endtime"] if name in records else None
            if made is not None and record["endtime"] >= made:
                last[name] = max(last.get(name, (0.0, "")), (record["endtime"], checksum))
    return {name: checksum for name, (_, checksum) in last.items()}


def _checksum(file: Path) -> str:
    with file.open("rb") as content:
        return f"sha256:{hashlib.file_digest(content, 'sha256').hexdigest()}"
