"""`run.json`: the record of what the tables in its folder were made from, with which programs, and where.

The record has the digest of the bytes of each table, by which a table of another run is recognized. It is
written when a run ends (`workflow/Snakefile`), and is not changed as long as tables, settings and inputs stay
the same.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from seggrid.base.errors import InputError
from seggrid.base.extras import PROJECT
from seggrid.base.files import atomic_write
from seggrid.base.json_file import read_json
from seggrid.grid.run.output_digests import digest_of
from seggrid.grid.study import every_table

RECORD = "run.json"
"""Name of the record, in the folder of the tables."""

PACKAGES = ("seggrid", "snakemake", "numpy", "numba", "pandas", "eflomal")


def table_files() -> list[str]:
    """The files of all tables of results, and of the counts of links."""
    return [*(table.file for table in every_table()), "counts.npz"]


def versions() -> dict[str, str]:
    """The versions of Python and of packages on which results may depend, and the commit of a clone."""
    found = {"Python": platform.python_version()}
    if (PROJECT / ".git").exists() and (commit := _commit()):
        found["commit"] = commit
    for package in PACKAGES:
        with suppress(PackageNotFoundError):
            found[package] = version(package)
    return found


def _commit() -> str:
    """Twelve digits of the clone's commit, with `+` if its files were changed since; empty without git."""
    # Without any tag.
    named = ["describe", "--always", "--exclude=*", "--abbrev=12", "--dirty=+"]
    try:
        found = subprocess.run(["git", "-C", PROJECT, *named], capture_output=True, text=True)
    except OSError:
        return ""
    return found.stdout.strip()


def cores_here() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def machine() -> dict[str, Any]:
    """This machine, without its name: system, processor, cores that this process may use, memory in MB."""
    found: dict[str, Any] = {
        "system": f"{platform.system()} {platform.release()}",
        "architecture": platform.machine(),
        "processor": _processor(),
        "cores": cores_here(),
    }
    with suppress(OSError, ValueError):
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        found["memory_mb"] = round(memory / 1e6)
    return {name: value for name, value in found.items() if value}


def facts(made: Path) -> dict[str, Any]:
    """What the report says about a run: the day on which a table was made, commit, machine, versions,
    record."""
    software, here = versions(), machine()
    about = [here.get(name, "") for name in ("processor", "architecture", "system")]
    about.append(f"{here['cores']} cores")
    if "memory_mb" in here:
        about.append(f"{here['memory_mb'] / 1000:.0f} GB")
    facts = {
        "date": datetime.fromtimestamp(made.stat().st_mtime, UTC).date().isoformat(),
        "commit": software.pop("commit", ""),
        "machine": ", ".join(filter(None, about)),
        "versions": software,
        "record": RECORD,
    }
    return {name: value for name, value in facts.items() if value}


def _processor() -> str:
    """The name of the processor; empty if the system does not say it."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8", "replace").splitlines()
    except OSError:
        return platform.processor()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor())


def write_record(
    folder: Path,
    run: Mapping[str, Any],
    digests: Mapping[str, str],
    made: Iterable[str] = (),
    *,
    whole: bool = True,
) -> None:
    """Write the record of a run into the folder of its tables, unless the existing record has the same
    tables, settings and inputs. Its facts are `finished`, `settings`, `config files` and `inputs`, the digest
    of each file that the config names; the digests are those of the tables that are up to date. Without one
    of the tables that the config makes, the run is not finished; nor if it was not asked for the `whole`,
    unless it has changed nothing of one that is."""
    before = read_or_none(folder)
    content = json.loads(json.dumps(run))
    same = all(before.get(name) == content[name] for name in ("settings", "inputs"))
    # A run that makes only some tables does not change the others.
    tables = {**(before.get("tables", {}) if same else {}), **digests}
    content["tables"] = {name: tables[name] for name in table_files() if name in tables}
    kept = same and before.get("finished") and before["tables"] == content["tables"]
    finished = content.get("finished", False) and tables.keys() >= set(made)
    content["finished"] = finished and bool(whole or kept)
    if all(before.get(name) == value for name, value in content.items()):
        return
    here = {"machine": machine(), "versions": versions()}
    # Other machines and versions with which runs in this folder made files that this run may have used.
    runs = [*before.get("earlier", []), {name: before.get(name) for name in here}]
    others = [one for one in runs if one != here and any(one.values())]
    earlier = [one for place, one in enumerate(others) if one not in others[:place]]
    ended = datetime.now(UTC).isoformat(timespec="seconds")
    content |= {**here, "earlier": earlier, "ended": ended}
    with atomic_write(folder / RECORD) as file:
        json.dump(content, file, indent=1, ensure_ascii=False)
        file.write("\n")


def read_or_none(folder: Path) -> dict[str, Any]:
    """The record of a folder; empty if there is none, or it is damaged."""
    try:
        return read_record(folder)
    except InputError:
        return {}


def read_record(folder: Path) -> dict[str, Any]:
    """The record of a folder; empty if there is none."""
    path = folder / RECORD
    if not path.is_file():
        return {}
    content = read_json(path)
    parts = ("settings", "inputs", "tables", "machine", "versions")
    if not isinstance(content, dict) or not all(isinstance(content.get(p), dict) for p in parts):
        raise InputError("not the record of a run", file=path, hint="run again, or delete it")
    return content


def flat(value: Any, name: str = "") -> dict[str, Any]:
    """Flatten nested values: each single value, by the path to it.

    >>> flat({"pairs": {"p": {"gold": None}}, "merges": [1, 2]})
    {'pairs.p.gold': None, 'merges': [1, 2]}
    """
    if not isinstance(value, dict):
        return {name: value}
    inner = ((f"{name}.{key}" if name else str(key), inside) for key, inside in value.items())
    return {path: one for key, inside in inner for path, one in flat(inside, key).items()}


def changed_tables(folder: Path, record: Mapping[str, Any]) -> list[str]:
    """The tables that are missing in a folder, or whose digest differs from that in a record."""
    return [
        name
        for name, recorded in record.get("tables", {}).items()
        if not (folder / name).is_file() or digest_of(folder / name) != recorded
    ]
