"""What a run will cost before it starts: CPU time, time by the clock, memory and disk.

A job's CPU time is a share that does not depend on its text, and one in proportion to the text and to the
samples. The shares in `COSTS` were measured on texts of 0.3 and 3.5 MB; on another machine, and with other
options, they are off by a factor. So where results/cost.csv has measured jobs of the same kind, the forecast
is theirs, in proportion; other jobs get the factor of all measured jobs. Language models and encoders are
not foreseen.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from seggrid.workflow.rules.resources import samples_of
from seggrid.workflow.run.dry_run import PlannedJob


class Cost(NamedTuple):
    """The cost of a job.

    Attributes:
        fixed: CPU seconds, whatever the text.
        rate: CPU seconds for each MB of text, both sides, and each sample.
        memory: MB of memory for each MB of text, beside those of a process.
        disk: MB of files for each MB of text and each sample.
        file: MB of files for each sample, whatever the text.
    """

    fixed: float
    rate: float
    memory: float
    disk: float = 0.0
    file: float = 0.0


PROCESS_MB = 210
"""Memory of a job's process before it has read a text."""

COSTS = {
    "corpus": Cost(0.02, 0.03, 5, disk=0.5),
    "gold": Cost(0.1, 0.01, 0, file=0.05),
    "gold_lines": Cost(0.1, 0.01, 0),
    "learn": Cost(0.2, 0.13, 5, disk=0.05),
    "segment": Cost(0.15, 0.06, 15, disk=0.22),
    "segment words": Cost(0.01, 0.02, 10, disk=0.22),
    "measure": Cost(0.02, 0.02, 15),
    # gibbs, which does more sweeps of a small text.
    "align": Cost(1.7, 4.0, 100, file=0.35),
    "align fast_align": Cost(0.05, 0.35, 60, file=0.35),
    # On the thesis's text, 4.9 to 5.9 times the CPU time of gibbs.
    "align eflomal": Cost(9.0, 22.0, 100, file=0.35),
    "score": Cost(0.01, 0.0, 5, file=0.15),
    "page": Cost(2.0, 0.0, 0, file=2.0),
}
"""The costs of a stage, or of one aligner or segmenter in it."""

OTHER = Cost(0.5, 0.1, 10, file=0.1)
"""The cost of a job of any other stage."""

OVERHEAD = 0.3
"""CPU seconds of the workflow itself for each job (docs/benchmarks.md)."""


class Job(NamedTuple):
    """A job, of which a forecast is made.

    Attributes:
        stage: its stage, or its rule.
        kind: its aligner or segmenter; empty if it has none.
        pair: the pair whose text it reads; empty for those of a whole grid.
        samples: samples that it computes.
    """

    stage: str
    kind: str
    pair: str
    samples: int

    @property
    def cost(self) -> Cost:
        """The costs of its kind, or of its stage."""
        return COSTS.get(f"{self.stage} {self.kind}", COSTS.get(self.stage, OTHER))


def planned(job: PlannedJob) -> Job:
    """A planned job as one to forecast."""
    wildcards = job.wildcards
    named = wildcards.get("aligner") or wildcards.get("spec", "")
    part = wildcards.get("part")
    samples = samples_of(part) if part else 1
    return Job(job.rule, named.partition("+")[0], wildcards.get("pair", ""), samples)


def measured(row: Mapping[str, str]) -> Job:
    """A row of results/cost.csv as such a job. Its `cell` is the path of the job's log."""
    parts = row["cell"].split("/")
    places = {"align": 3, "segment": 2, "learn": 2, "measure": 2, "score": 3}
    place = places.get(row["stage"], len(parts))
    kind = parts[place].partition("+")[0] if place < len(parts) else ""
    samples = 1
    if row["stage"] in ("align", "segment"):
        with suppress(ValueError):
            samples = samples_of(parts[-1])
    return Job(row["stage"], kind, parts[0], samples)


@dataclass(frozen=True)
class Forecast:
    """The cost of a run.

    Attributes:
        cpu_seconds: of all jobs, with what the workflow itself takes.
        longest: CPU seconds of the longest job.
        memory_mb: peak memory of the largest job.
        disk_mb: size of what the jobs write.
        measured: share of the CPU time that is of jobs whose kind was measured in this folder.
    """

    cpu_seconds: float
    longest: float
    memory_mb: float
    disk_mb: float
    measured: float

    def wall_seconds(self, cores: int) -> float:
        """Time by the clock if nothing else runs: the jobs on all cores, and no less than the longest one."""
        return max(self.longest, self.cpu_seconds / cores)


class Costs:
    """The costs of jobs on this machine.

    Args:
        text_mb: size of each pair's text in MB, both sides.
        rows: measured jobs, rows of results/cost.csv.
    """

    def __init__(
        self, text_mb: Mapping[str, float], rows: Iterable[Mapping[str, str]] = ()
    ) -> None:
        self._text_mb = text_mb
        shipped: dict[tuple[str, str], float] = {}
        found: dict[tuple[str, str], float] = {}
        self._memory: dict[tuple[str, str], float] = {}
        for row in rows:
            job = measured(row)
            if job.pair in text_mb and row["cpu_seconds"]:
                key = job.stage, job.kind
                shipped[key] = shipped.get(key, 0) + self._shipped(job)
                found[key] = found.get(key, 0) + float(row["cpu_seconds"])
                peak = float(row.get("max_rss_mb") or 0)
                self._memory[key] = max(peak, self._memory.get(key, 0))
        self._factors = {key: found[key] / shipped[key] for key in found if shipped[key] > 0}
        self._factor = sum(found.values()) / sum(shipped.values()) if sum(shipped.values()) else 1.0

    def _mb(self, job: Job) -> float:
        return self._text_mb.get(job.pair, sum(self._text_mb.values()))

    def _shipped(self, job: Job) -> float:
        return job.cost.fixed + job.cost.rate * self._mb(job) * job.samples

    def is_measured(self, job: Job) -> bool:
        """Whether jobs of this kind were measured in this folder."""
        return (job.stage, job.kind) in self._factors

    def cpu_seconds(self, job: Job) -> float:
        """CPU seconds of a job, with its share of what the workflow itself takes."""
        factor = self._factors.get((job.stage, job.kind), self._factor)
        return factor * self._shipped(job) + OVERHEAD

    def memory_mb(self, job: Job) -> float:
        """Peak memory of a job; of a kind that was measured, the largest that was found."""
        known = self._memory.get((job.stage, job.kind))
        return known or PROCESS_MB + job.cost.memory * self._mb(job)

    def disk_mb(self, job: Job) -> float:
        """Size of what a job writes."""
        return (job.cost.disk * self._mb(job) + job.cost.file) * job.samples

    def of(self, jobs: Sequence[Job]) -> Forecast:
        """The cost of some jobs."""
        seconds = [self.cpu_seconds(job) for job in jobs]
        known = sum(s for s, job in zip(seconds, jobs, strict=True) if self.is_measured(job))
        total = sum(seconds)
        return Forecast(
            total,
            max(seconds, default=0.0),
            max(map(self.memory_mb, jobs), default=0.0),
            sum(map(self.disk_mb, jobs)),
            known / total if total else 0.0,
        )


def read_costs(file: Path) -> list[dict[str, str]]:
    """The measured jobs of an earlier run; none if there is no table, or a damaged one."""
    try:
        with file.open(encoding="utf-8", newline="") as text:
            rows = list(csv.DictReader(text))
        return [row for row in rows if row["stage"] and float(row["cpu_seconds"] or 0) >= 0]
    except (OSError, ValueError, KeyError, TypeError):
        return []


def cores_here() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def describe(found: Forecast, cores: int) -> str:
    """A forecast as one line.

    >>> describe(Forecast(5400, 60, 1500, 250, 0.5), 1).partition("; ")[0]
    'cost: about 1.5 h on one core (1.5 CPU hours), 1.5 GB of memory for the largest job, 250 MB of disk'
    """
    wall, cpu = _time(found.wall_seconds(cores)), _time(found.cpu_seconds)
    cpu = cpu.replace(" h", " CPU hours") if cpu.endswith(" h") else f"{cpu} of CPU"
    on = f"on {cores} cores" if cores > 1 else "on one core"
    return (
        f"cost: about {wall} {on} ({cpu}), {_size(found.memory_mb)} of memory for the largest job, "
        f"{_size(found.disk_mb)} of disk; {found.measured:.0%} of it by jobs measured in this folder"
    )


def _time(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 90 * 60 else f"{seconds / 3600:.1f} h"


def _size(mb: float) -> str:
    return f"{mb:.0f} MB" if mb < 1000 else f"{mb / 1000:.1f} GB"
