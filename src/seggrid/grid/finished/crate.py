"""A finished run as a folder that others can read, and run again in another folder: a Workflow Run RO-Crate.

The folder has the tables, the record, copies of the inputs, and a config with the paths of these copies. The
files are described in JSON-LD by RO-Crate 1.1 with the profiles Workflow RO-Crate 1.0 and Workflow Run Crate
0.5 (https://www.researchobject.org/workflow-run-crate/).
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator, Mapping
from mimetypes import MimeTypes
from pathlib import Path
from typing import Any
from urllib.parse import quote

import yaml

from seggrid.base.errors import InputError, raise_mistakes
from seggrid.base.extras import PROJECT, SNAKEFILE
from seggrid.base.files import atomic_write
from seggrid.grid.axes import tables_folder
from seggrid.grid.config import ConfigNode, mirror_folder, read_config
from seggrid.grid.config.values import Download
from seggrid.grid.finished.difference import NOT_COMPARED, Two, differing
from seggrid.grid.finished.record import RECORD, changed_tables, read_record, versions
from seggrid.grid.run.output_digests import digest_of
from seggrid.text.fetch import OutsideFiles, download_name

METADATA = "ro-crate-metadata.json"
CONFIG, TABLES, INPUTS = "config.yaml", "results", "inputs"
WORKFLOW = "workflow/Snakefile"

_WORKFLOW_CRATE = "https://w3id.org/workflowhub/workflow-ro-crate/1.0"
_PROFILES = (
    "https://w3id.org/ro/wfrun/process/0.5",
    "https://w3id.org/ro/wfrun/workflow/0.5",
    _WORKFLOW_CRATE,
)


def write_crate(results: Path, ran_in: Path, crate: Path, licence: str) -> None:
    """Write a finished run, a folder of tables, as a crate into an empty folder. Paths in its config are
    relative to the folder that it ran in; the licence of tables and inputs is a URL or a sentence. Refused
    are tables and inputs that are not those of the record; inputs that the config does not name itself, as
    with the files of a pair in Moses's format; and a glossary in a file."""
    record = complete_record(results)
    if glossary := next((s for s, _ in _files(record["settings"]) if s.startswith("file:")), None):
        hint = "write its words as an expression in the config, such as USA|NATO, and run again"
        raise InputError(f"the glossary {glossary} is not packed", hint=hint)
    renamed = {}
    for number, (name, digest) in enumerate(record["inputs"].items(), 1):
        file = _find(ran_in, name, record["settings"])
        if digest_of(file) != digest:
            raise InputError("changed since the run", file=file, hint="run again first")
        renamed[name] = f"{INPUTS}/{number}/{file.name}"
        _copy(file, crate / renamed[name])
    settings = with_paths(record["settings"], renamed)
    if missing := set(renamed) - dict(_files(record["settings"])).keys():
        raise InputError(
            "has no name of its own in the config, so that it cannot be packed",
            file=min(missing),
            hint="name the files of both sides in place of what their names have in common; install a study "
            "of your own as a package",
        )
    with atomic_write(crate / CONFIG) as out:
        yaml.safe_dump(settings, out, sort_keys=False, allow_unicode=True)
    for name in record["tables"]:
        _copy(results / name, crate / TABLES / name)
    _copy(results / RECORD, crate / TABLES / RECORD)
    _copy(SNAKEFILE, crate / WORKFLOW)
    with atomic_write(crate / METADATA) as out:
        content = metadata(record, list(renamed.values()), licence)
        json.dump(content, out, indent=1, ensure_ascii=False)
        out.write("\n")


def complete_record(results: Path) -> dict[str, Any]:
    """The record of a finished run, whose tables are those of the record."""
    record = read_record(results)
    if not record:
        hint = "run the grid again; if it is a module of another workflow, see docs/runs.md"
        raise InputError("no record of a run", file=results / RECORD, hint=hint)
    if not record.get("finished"):
        raise InputError(
            "the record is of a run that failed", file=results / RECORD, hint="name another run"
        )
    if changed := changed_tables(results, record):
        raise InputError(
            "not the table of the last run", file=results / changed[0], hint="run the grid again"
        )
    return record


def _find(folder: Path, name: str, settings: Mapping[str, Any]) -> Path:
    """The path of an input, from its name in the config."""
    if "://" in name:
        downloads = folder / settings.get("downloads", "resources/downloads")
        mirror = mirror_folder(settings.get("mirror", ""))
        entry = Download(**dict(_files(settings))[name])
        return OutsideFiles(downloads, mirror and folder / mirror).locate(entry)
    places = folder / Path(name).expanduser(), PROJECT / name
    path = next(filter(Path.is_file, places), None)
    if path is None:
        hint = "name the folder in which the grid ran"
        raise InputError("no such file", file=places[0], hint=hint)
    return path


def _files(value: Any) -> Iterator[tuple[str, Any]]:
    """All strings in a config, and its files to download, with their names in the record of a run."""
    if isinstance(value, str):
        yield value, value
    elif isinstance(value, dict) and "url" in value:
        yield download_name(value["url"], value.get("member")), value
    elif isinstance(value, dict | list):
        for inside in value.values() if isinstance(value, dict) else value:
            yield from _files(inside)


def with_paths(value: Any, paths: Mapping[str, str]) -> Any:
    """A config with some paths replaced; entries of files to download become paths too.

    >>> with_paths({"text": ["a.txt", {"url": "b", "sha256": "c"}], "title": "t"}, {"a.txt": "1", "b": "2"})
    {'text': ['1', '2'], 'title': 't'}
    """
    if isinstance(value, list):
        return [with_paths(inside, paths) for inside in value]
    if isinstance(value, dict) and "url" not in value:
        return {key: with_paths(inside, paths) for key, inside in value.items()}
    for name, entry in _files(value):
        return paths.get(name, entry)
    return value


def _copy(file: Path, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, to)


def metadata(record: Mapping[str, Any], inputs: list[str], licence: str) -> dict[str, Any]:
    """The JSON-LD of a crate with inputs at these paths."""
    digests = dict(zip(inputs, record["inputs"].values(), strict=True))
    tables = {f"{TABLES}/{name}": digest for name, digest in record["tables"].items()}
    example = {CONFIG: "#config", **dict.fromkeys(tables, "#tables")}
    files = []
    for name in (*digests, *tables, CONFIG, f"{TABLES}/{RECORD}"):
        form = _FORMATS.guess_type(name)[0] or "application/octet-stream"
        own: dict[str, Any] = {"encodingFormat": form}
        if sha256 := (digests | tables).get(name):
            own["sha256"] = sha256
        if name in example:
            own["exampleOfWork"] = {"@id": example[name]}
        files.append(_entity(quote(name), "File", **own))
    title = (record["settings"].get("report") or {}).get("title", "a grid of word segmentations")
    root = _entity(
        "./",
        "Dataset",
        name=f"seggrid: {title}",
        description="Tables of a grid of word segmentations, with its config and inputs; "
        "`seggrid reproduce` runs it again.",
        datePublished=record["ended"],
        license={"@id": licence} if "://" in licence else licence,
        conformsTo=_ids(_PROFILES),
        hasPart=_ids([*(one["@id"] for one in files), WORKFLOW]),
        mainEntity={"@id": WORKFLOW},
        mentions={"@id": "#run"},
    )
    workflow = _entity(
        WORKFLOW,
        ["File", "SoftwareSourceCode", "ComputationalWorkflow"],
        name="seggrid",
        version=record["versions"].get("seggrid", "unknown"),
        description="The main file of the workflow; its rules and scripts are in seggrid of this version.",
        programmingLanguage={"@id": "#snakemake"},
        input={"@id": "#config"},
        output={"@id": "#tables"},
        conformsTo={"@id": f"{_BIOSCHEMAS}/ComputationalWorkflow/1.0-RELEASE"},
    )
    run = _entity(
        "#run",
        "CreateAction",
        name="The run that made the tables",
        instrument={"@id": WORKFLOW},
        object=_ids(map(quote, [CONFIG, *digests])),
        result=_ids(map(quote, tables)),
        endTime=record["ended"],
        actionStatus="http://schema.org/CompletedActionStatus",
        description=json.dumps({name: record[name] for name in ("machine", "versions")}),
    )
    kinds = ["https://w3id.org/ro/crate/1.1", _WORKFLOW_CRATE]
    about = _entity(METADATA, "CreativeWork", about={"@id": "./"}, conformsTo=_ids(kinds))
    context = ["https://w3id.org/ro/crate/1.1/context", {"sha256": _SHA256}]
    graph = [about, root, workflow, run, *files, *_contextual(record, licence)]
    return {"@context": context, "@graph": graph}


_SHA256 = "https://w3id.org/ro/terms/workflow-run#sha256"
_BIOSCHEMAS = "https://bioschemas.org/profiles"
_FORMATS = MimeTypes()


def _entity(place: str, kind: str | list[str], /, **more: Any) -> dict[str, Any]:
    return {"@id": place, "@type": kind, **more}


def _ids(names: Iterable[str]) -> list[dict[str, str]]:
    return [{"@id": name} for name in names]


def _contextual(record: Mapping[str, Any], licence: str) -> Iterator[dict[str, Any]]:
    """The entities besides files to which the metadata of a crate refers."""
    for profile in _PROFILES:
        name, version = profile.rsplit("/", 2)[1:]
        yield _entity(profile, "CreativeWork", name=name, version=version)
    yield _entity(
        "#snakemake",
        "ComputerLanguage",
        name="Snakemake",
        identifier={"@id": "https://doi.org/10.1093/bioinformatics/bts480"},
        url={"@id": "https://snakemake.readthedocs.io"},
        version=record["versions"].get("snakemake", "unknown"),
    )
    for name, what, required in (("config", "the settings", True), ("tables", "a table", False)):
        yield _entity(
            f"#{name}",
            "FormalParameter",
            additionalType="File",
            name=name,
            description=what,
            valueRequired=required,
            conformsTo={"@id": f"{_BIOSCHEMAS}/FormalParameter/1.0-RELEASE"},
        )
    if "://" in licence:
        what = "the licence of tables and inputs"
        yield _entity(licence, "CreativeWork", name=licence, description=what)


def unpack(
    crate: Path, folder: Path, *, trust: bool = False
) -> tuple[dict[str, Any], dict[str, Two]]:
    """Copy the config and the inputs of a crate into a folder, after comparing them with the record. Its
    plug-ins, code of whoever packed it, run only with `trust`. Returns record and versions that differ
    here."""
    for path in sorted(crate.rglob("*")):
        if path.is_symlink():
            message = "a link, which may lead out of the crate"
            raise InputError(message, file=path, hint="put the file itself there")
    for name in (METADATA, CONFIG, f"{TABLES}/{RECORD}"):
        if not (crate / name).is_file():
            raise InputError(
                f"no {name}", file=crate, hint="name a folder that seggrid crate wrote"
            )
    config = read_config([crate / CONFIG])
    raise_mistakes(_outside(config))
    if config.plain().get("plugins") and not trust:
        raise InputError(
            "the run has plug-ins, whose code would run here",
            file=crate / CONFIG,
            hint="read them, then add --trust",
        )
    record = read_record(crate / TABLES)
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


def _outside(node: ConfigNode) -> Iterator[InputError]:
    """The texts in a config of a crate that are paths which lead out of it, and its downloads."""
    if isinstance(node.value, dict):
        inner = {**node.value}
        if "url" in inner:
            yield InputError(
                "a download, which is not in the crate", file=node.file, line=node.line
            )
        for key in ("mirror", "downloads"):  # They name no file.
            inner.pop(key, None)
        for one in inner.values():
            yield from _outside(one)
    elif isinstance(node.value, list):
        for one in node.value:
            yield from _outside(one)
    elif isinstance(node.value, str):
        path = Path(node.value.removeprefix("file:"))
        if path.is_absolute() or ".." in path.parts or path.parts[:1] == ("~",):
            message = f"{node.value!r} leads out of the crate"
            yield InputError(message, file=node.file, line=node.line, hint="name a file of inputs/")


def same_tables(folder: Path, record: Mapping[str, Any]) -> dict[str, bool]:
    """For each table of a record except that of costs, whether the folder has it with the same bytes."""
    changed = changed_tables(folder / tables_folder(record["settings"].get("study")), record)
    names = (name for name in record["tables"] if Path(name).stem not in NOT_COMPARED)
    return {name: name not in changed for name in names}
