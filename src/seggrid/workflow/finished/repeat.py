"""Run a packed run again, in another folder."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from seggrid.errors import InputError
from seggrid.grid.axes import tables_folder
from seggrid.grid.config import read_config
from seggrid.workflow.finished.crate import CONFIG, INPUTS, METADATA, TABLES
from seggrid.workflow.finished.difference import NOT_COMPARED, Two, differing
from seggrid.workflow.finished.record import read_record, versions
from seggrid.workflow.run.records import digest_of


def unpack(
    crate: Path, folder: Path, *, trust: bool = False
) -> tuple[dict[str, Any], dict[str, Two]]:
    """Copy the config and the inputs of a crate into a folder, after comparing them with the record.
    Plug-ins, which are code of whoever packed it, only run with `trust`. Returns the record, and the versions
    that differ here."""
    for path in sorted(crate.rglob("*")):
        if path.is_symlink():
            message = "a link, which may lead out of the crate"
            raise InputError(message, file=path, hint="put the file itself there")
    for name in (METADATA, CONFIG):
        if not (crate / name).is_file():
            raise InputError(
                f"no {name}", file=crate, hint="name a folder that seggrid crate wrote"
            )
    plugins = read_config([crate / CONFIG]).plain().get("plugins")
    if plugins and not trust:
        raise InputError(
            "the run has plug-ins, whose code would run here",
            file=crate / CONFIG,
            hint="read them, then add --trust",
        )
    record = read_record(crate / TABLES)
    if not record:
        raise InputError(
            "no run.json", file=crate / TABLES, hint="name a folder that seggrid crate wrote"
        )
    for number, digest in enumerate(record["inputs"].values(), 1):
        found = list((crate / INPUTS / str(number)).glob("*"))
        if len(found) != 1 or digest_of(found[0]) != digest:
            raise InputError(
                "not the input of the run", file=crate / INPUTS / str(number), hint="get it again"
            )
    shutil.copyfile(crate / CONFIG, folder / CONFIG)
    if record["inputs"]:
        shutil.copytree(crate / INPUTS, folder / INPUTS)
    return record, differing(record["versions"], versions())


def repeat(folder: Path, cores: str) -> None:
    """Run the config of a folder in that folder."""
    command = [sys.executable, "-P", "-m", "seggrid.cli", "run", CONFIG, "--cores", cores]
    if subprocess.run(command, cwd=folder).returncode:
        sys.exit(1)


def same_tables(folder: Path, record: Mapping[str, Any]) -> dict[str, bool]:
    """For each table of a record except that of costs, whether the folder has it with the same bytes."""
    tables = folder / tables_folder(record["settings"].get("study"))
    return {
        name: (tables / name).is_file() and digest_of(tables / name) == digest
        for name, digest in record["tables"].items()
        if Path(name).stem not in NOT_COMPARED
    }
