"""What a run would do: which jobs would run, why, and which cells they concern.

Snakemake gives a reason for each job. Most reasons only say that an earlier job runs, but users want to know
which change is the cause. So reasons are followed upstream, and cells with the same causes are grouped.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

_DIGEST = re.compile(r"'[0-9a-f]{16}'")

# How the parts of Snakemake's reasons begin, and our words for them.
_CAUSES = {
    "Missing output files": "not there yet",
    "Incomplete output files": "cut off while being made",
    "Updated input files": "input changed",
    "Set of input files has changed": "other input files",
    "Code has changed": "other command",
    "Params have changed": "other settings",
    "Software environment definition has changed": "other environment",
    "Forced execution": "forced",
}
NEW = "not there yet"


class PlannedJob(NamedTuple):
    """A job that would run, with its reason in Snakemake's words."""

    rule: str
    inputs: Sequence[str] = ()
    outputs: Sequence[str] = ()
    wildcards: Mapping[str, str] = {}
    reason: str = ""

    @property
    def causes(self) -> list[str]:
        """Short names of the job's own reasons; none if it runs only because an earlier job runs."""
        found = []
        for part in self.reason.split("; "):
            for start, cause in _CAUSES.items():
                if part.startswith(start):
                    found.append(_settings(part) if cause == "other settings" else cause)
        return found


def _settings(reason: str) -> str:
    """The kind of change in a job's parameters: a file from outside, its code, or other settings."""
    before, _, now = reason.partition(" now: ")
    if "'content:" in before and "'content:" in now:
        return "input changed"
    if _DIGEST.search(before) and _DIGEST.search(now):
        return "its code changed"
    return "other settings"


def write_jobs(dag: Any, file: Path, *, forced: bool) -> None:
    """Write the planned jobs of Snakemake's graph as JSON, in the order of the rules and their outputs.

    If the user has not `forced` jobs, Snakemake itself forces what a killed run left.
    """
    jobs = []
    for job in dag.needrun_jobs():
        reason = str(dag.reason(job))
        if reason == "Forced execution" and not forced:
            reason = "Incomplete output files"
        files = list(map(str, job.input)), list(map(str, job.output))
        jobs.append(PlannedJob(job.rule.name, *files, job.wildcards_dict, reason))
    order = {rule.name: place for place, rule in enumerate(dag.workflow.rules)}
    jobs.sort(key=lambda job: (order[job.rule], job.outputs))
    file.write_text(json.dumps(jobs), encoding="utf-8")


def read_jobs(file: Path) -> list[PlannedJob]:
    """Read what `write_jobs` wrote."""
    return [PlannedJob(*job) for job in json.loads(file.read_text("utf-8"))]


def root_causes(jobs: Iterable[PlannedJob]) -> dict[str, frozenset[tuple[str, str]]]:
    """The causes of each file that would be made, as pairs (rule, cause).

    A missing file is a cause only if there is no other cause upstream.
    """
    jobs = list(jobs)
    producer = {file: job for job in jobs for file in job.outputs}
    roots: dict[str, frozenset[tuple[str, str]]] = {}

    def causes_of(file: str) -> frozenset[tuple[str, str]]:
        if file not in roots:
            job = producer[file]
            found = {(job.rule, cause) for cause in job.causes}
            for upstream in job.inputs:
                if upstream in producer:
                    found |= causes_of(upstream)
            changes = {(rule, cause) for rule, cause in found if cause != NEW}
            roots[file] = frozenset(changes or found)
        return roots[file]

    return {file: causes_of(file) for file in producer}


class Effects(NamedTuple):
    """The effect of a run on the cells.

    Attributes:
        jobs: number of jobs by rule.
        new: cells whose scores would be made for the first time.
        again: cells whose scores would be made again, by the causes.
        kept: number of cells that do not change.
        dropped: cells of the last table that are not in the config.
    """

    jobs: Counter[str]
    new: list[Mapping[str, Any]]
    again: dict[frozenset[tuple[str, str]], list[Mapping[str, Any]]]
    kept: int
    dropped: list[str]


def effects_on(
    jobs: Sequence[PlannedJob], cells: Iterable[Mapping[str, Any]], scored: Iterable[str]
) -> Effects:
    """Sort the cells, rows with `cell` (a name) and `file` (its scores), by the effect of a run on them;
    `scored` are those in the last table of scores."""
    roots = root_causes(jobs)
    before = set(scored)
    new, kept = [], 0
    again: dict[frozenset[tuple[str, str]], list[Mapping[str, Any]]] = {}
    names = set()
    for cell in cells:
        names.add(cell["cell"])
        causes = roots.get(cell["file"])
        if causes is None:
            # The scores of the cell exist, even if the table does not.
            kept += 1
        elif cell["cell"] not in before and (before or {cause for _, cause in causes} == {NEW}):
            new.append(cell)
        else:
            again.setdefault(causes, []).append(cell)
    return Effects(Counter(job.rule for job in jobs), new, again, kept, sorted(before - names))


def summarize_cells(
    cells: Sequence[Mapping[str, Any]], axes: Sequence[str], most: int = 6
) -> dict[str, str]:
    """A short list of the values of cells on each axis.

    >>> summarize_cells([{"merges": "100"}, {"merges": "200"}], ["merges"])
    {'merges': '100, 200'}
    """
    summary = {}
    for axis in axes:
        values = list(dict.fromkeys(str(cell[axis]) for cell in cells if cell[axis] != ""))
        if values:
            rest = f" and {len(values) - most} more" if len(values) > most else ""
            summary[axis] = ", ".join(values[:most]) + rest
    return summary
