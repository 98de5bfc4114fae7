"""Forecast what a run will cost, before it starts: CPU time, wall-clock time, memory and disk.

The CPU time of a job has a fixed part and a part in proportion to its work. The work of an aligner is the
number of tokens, and of token pairs within sentence pairs; that of training a language model, the number of
operations; that of other jobs, the size of the text. The figures in
`seggrid.workflow.rules.costs` were measured on one machine. Another machine differs by a factor, which
`calibrate` finds; other options of an aligner change its cost by a
factor that is not known. So if results/cost.csv has measured jobs of the same kind, their ratio to the
figures is used; other jobs get the ratio of all measured jobs. For jobs of `UNFORESEEN` stages there is no
forecast.
"""

from __future__ import annotations

import csv
import math
import random
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from seggrid.align.gibbs_options import LARGE
from seggrid.align.memory import NEEDS as ALIGNED
from seggrid.base.axis import read_part
from seggrid.grid.samples import Part
from seggrid.segment.axes import AXES
from seggrid.workflow.rules.costs import COSTS, OTHER, Cost, Extent, Training
from seggrid.workflow.run.dry_run import PlannedJob

PROCESS_MB = 220
"""MB of memory of a fork before it reads a text; 150 more if kernels were just compiled."""

PAGE_MB = 340
"""MB of memory of the report's job, which is the largest job of a small grid."""

TORCH_MB = 1100
"""MB of memory of a language model's job in addition to the weights."""

UNFORESEEN = frozenset({"encode"})
"""Stages whose cost depends on a model that is not known before the run."""

START, EACH, READING = 5.0, 0.07, 0.03
"""CPU seconds of the workflow itself: once per run; for each job; for each job and MB of text."""

ALIGNING = {"align": 1.0, "whole": 1.0, "kept": 1.0, "counted": 1.0, "shared": 0.5, "slice": 0.5}
"""Stages that align, each with the share of an alignment's time that it takes: with priors, samplers run half
of their sweeps."""

SAMPLERS = frozenset({"gibbs", "eflomal"})
"""Aligners whose number of sweeps falls with the number of sentence pairs."""


def tokens_per_word(spec: str, letters: float) -> float:
    """An estimate of the tokens of a word, from the spelling of a segmentation in paths.

    A token of BPE with m merges has about 0.48 · m^0.26 characters. On 14 sides of seven pairs, with 100 to
    4,000 merges, the actual number of tokens per word is 0.9 to 1.2 times the estimate.

    Args:
        spec: the segmentation.
        letters: average number of characters of a word.

    >>> tokens_per_word("words+case=lower", 5.0), tokens_per_word("characters+case=lower", 5.0)
    (1.0, 5.0)
    >>> round(tokens_per_word("bpe+merges=1000+application=rank", 4.96), 2)
    1.71
    """
    name, *parts = spec.split("+")
    values = read_part(AXES, parts)
    if name == "words":
        return 1.0
    if name == "characters":
        return max(1.0, letters)
    merges = values.get("merges", 2000)
    # The likelihood score of WordPiece leaves most words in characters.
    tokens = 0.9 * letters if name == "wordpiece" else letters / (0.48 * max(merges, 1) ** 0.26)
    # With dropout of 0.1, 1.2 to 1.3 times as many.
    dropped = 1 + 2.5 * float(values.get("dropout", 0))
    return max(1.0, min(letters, max(1.0, tokens) * dropped))


class Job(NamedTuple):
    """A job as the forecast sees it.

    Attributes:
        stage: its stage, or its rule.
        kind: its aligner or segmenter; empty if it has none.
        pair: the pair whose text it reads, or its language model; empty for jobs of the whole grid.
        samples: number of samples that it computes.
        specs: the segmentations that it reads, as spelled in paths; for a language model, its task or probe.
        lines: sentence pairs of a part of the text; None if it reads all that the segmentations have.
    """

    stage: str
    kind: str
    pair: str
    samples: int
    specs: tuple[str, ...] = ()
    lines: int | None = None

    @property
    def cost(self) -> Cost:
        """The cost of its kind, or else of its stage."""
        stage = "align" if self.stage in ALIGNING else self.stage
        return COSTS.get(f"{stage} {self.kind}", COSTS.get(stage, OTHER))


def planned(job: PlannedJob) -> Job:
    """The `Job` of a planned job."""
    wildcards = job.wildcards
    if "lm" in wildcards:
        scores = tuple(wildcards[name] for name in ("task", "probe") if name in wildcards)
        return Job(job.rule, "", wildcards["lm"], 1, scores)
    named = wildcards.get("aligner") or wildcards.get("spec", "")
    part = wildcards.get("part")
    samples, lines = _of_parts(wildcards) if job.rule in IN_PARTS else (1, None)
    if part:
        samples = Part.from_text(part).size
    specs = tuple(wildcards[name] for name in ("source", "target", "spec") if name in wildcards)
    return Job(job.rule, named.partition("+")[0], wildcards.get("pair", ""), samples, specs, lines)


IN_PARTS = frozenset({"kept", "slice", "counted", "summed", "shared"})
"""Stages of a text that is aligned in parts."""


def _of_parts(named: Mapping[str, str]) -> tuple[int, int | None]:
    """The samples and the lines of a job of these stages, from the values that its path names."""
    drawn = int(named["drawn"]) if "drawn" in named else None
    return int(named["samples"]), Part.from_text(named["lines"]).size if "lines" in named else drawn


def measured(row: Mapping[str, str]) -> Job:
    """The `Job` of a row of results/cost.csv. The column `cell` is the path of the job's log."""
    parts = row["cell"].split("/")
    if row["stage"].startswith("language_model"):
        return Job(row["stage"], "", parts[0], 1, tuple(parts[1:2]))
    of_cells = {"align", "whole", "score", *IN_PARTS}
    places = {"segment": 2, "learn": 2, "measure": 2} | dict.fromkeys(of_cells, 3)
    place = places.get(row["stage"], len(parts))
    kind = parts[place].partition("+")[0] if place < len(parts) else ""
    samples, lines = 1, None
    with suppress(ValueError, KeyError):
        if row["stage"] in ("align", "whole", "segment"):
            samples = Part.from_text(parts[-1]).size
        elif row["stage"] in IN_PARTS:
            named = dict(part.partition("=")[::2] for part in parts)
            samples, lines = _of_parts(named)
    first = 1 if row["stage"] in of_cells else 2
    specs = tuple(parts[first:3]) if row["stage"] in places else ()
    return Job(row["stage"], kind, parts[0], samples, specs, lines)


@dataclass(frozen=True)
class Forecast:
    """The cost of a run.

    Attributes:
        cpu_seconds: CPU seconds of all jobs and of the workflow itself.
        longest: CPU seconds of the longest job.
        memory_mb: peak memory of the largest job.
        disk_mb: size of the files that the jobs write.
        measured: share of the CPU time that belongs to jobs whose kind was measured in this folder.
        factor: the factor by which the shipped figures were multiplied, from `calibrate`; None if they were
            not.
    """

    cpu_seconds: float
    longest: float
    memory_mb: float
    disk_mb: float
    measured: float
    factor: float | None = None

    def wall_seconds(self, cores: int) -> float:
        """Wall-clock time if nothing else runs: that of the jobs on all cores, at least that of the longest
        job."""
        return max(self.longest, self.cpu_seconds / cores)


class Costs:
    """The costs of jobs on this machine.

    Args:
        texts: the size of each pair's text.
        rows: measured jobs, rows of results/cost.csv.
        factor: factor of the shipped figures if no job was measured, from `calibrate`.
        trainings: the work of each language model, by its name, and of each of its tasks, by both names.
    """

    def __init__(
        self,
        texts: Mapping[str, Extent],
        rows: Iterable[Mapping[str, str]] = (),
        factor: float | None = None,
        trainings: Mapping[tuple[str, ...], Training] | None = None,
    ) -> None:
        self._calibrated = factor
        self._trainings = trainings or {}
        self._texts = texts
        shipped: dict[tuple[str, str], float] = {}
        actual: dict[tuple[str, str], float] = {}
        self._memory: dict[tuple[str, str], float] = {}
        for row in rows:
            job = measured(row)
            if (job.pair in texts or self._training(job)) and row["cpu_seconds"]:
                key = job.stage, job.kind
                shipped[key] = shipped.get(key, 0) + self._shipped(job)
                actual[key] = actual.get(key, 0) + float(row["cpu_seconds"])
                peak = float(row.get("max_rss_mb") or 0)
                self._memory[key] = max(peak, self._memory.get(key, 0))
        self._factors = {key: actual[key] / shipped[key] for key in actual if shipped[key] > 0}
        total = sum(shipped.values())
        self._factor = sum(actual.values()) / total if total else factor or 1.0

    def _training(self, job: Job) -> Training | None:
        """The work of a job that trains a language model; None for other jobs."""
        # The stage is checked, since a pair may have the same name as a model.
        is_model = job.stage.startswith("language_model")
        return self._trainings.get((job.pair, *job.specs)) if is_model else None

    def _share(self, job: Job) -> float:
        """The share of the text that a job reads, which its part or the axis `sentences` may limit."""
        text = self._texts.get(job.pair)
        if text and job.lines is not None:
            return min(1.0, job.lines / max(1, text.sentences))
        given = read_part(AXES, job.specs[0].split("+")).get("sentences") if job.specs else None
        return min(1.0, given / max(1, text.sentences)) if text and given else 1.0

    def _sentences(self, job: Job) -> float:
        return self._share(job) * self._texts[job.pair].sentences

    def _mb(self, job: Job) -> float:
        text = self._texts.get(job.pair)
        size = text.mb if text else sum(one.mb for one in self._texts.values())
        return self._share(job) * size

    def tokens(self, job: Job) -> tuple[float, float]:
        """The numbers of tokens, of both sides, and of token pairs within sentence pairs in an aligner's
        job."""
        text = self._texts.get(job.pair)
        if text is None or len(job.specs) != len(text.letters):
            return 0.0, 0.0
        sides = list(map(tokens_per_word, job.specs, text.letters))
        tokens = sum(words * each for words, each in zip(text.words, sides, strict=True))
        return self._share(job) * tokens, self._share(job) * text.products * math.prod(sides)

    def _shipped(self, job: Job) -> float:
        cost = job.cost
        if training := self._training(job):
            return cost.fixed + cost.rate * training.operations / 1e9
        if job.stage not in ALIGNING:
            return cost.fixed + cost.rate * self._mb(job) * job.samples
        tokens, pairs = self.tokens(job)
        each = cost.rate * tokens / 1e3 + cost.pairs * pairs / 1e6
        if job.kind in SAMPLERS and tokens:
            each *= ALIGNING[job.stage] / math.sqrt(self._sentences(job))
        return cost.fixed + each * job.samples

    def is_measured(self, job: Job) -> bool:
        """Whether jobs of this kind were measured in this folder."""
        return (job.stage, job.kind) in self._factors

    def cpu_seconds(self, job: Job) -> float:
        """CPU seconds of a job, including those of the workflow itself for this job."""
        factor = self._factors.get((job.stage, job.kind), self._factor)
        return factor * self._shipped(job) + self.overhead(job)

    @property
    def start(self) -> float:
        """CPU seconds of the workflow itself at the start of a run."""
        return START * self._factor

    def overhead(self, job: Job) -> float:
        """CPU seconds of the workflow itself for a job, scaled by the same factor as those of jobs."""
        return self._factor * (EACH + READING * self._mb(job))

    def memory_mb(self, job: Job) -> float:
        """Peak memory of a job; if its kind was measured, the largest measured peak."""
        peak = self._memory.get((job.stage, job.kind))
        if training := self._training(job):
            return max(peak or 0.0, TORCH_MB + training.weights_mb)
        if job.stage in ALIGNING and job.kind in ALIGNED:
            large = job.kind == "gibbs" and self._sentences(job) > LARGE
            need = ALIGNED["gibbs, large" if large else job.kind]
            tokens, pairs = self.tokens(job)
            return peak or PROCESS_MB + (need.token * tokens + need.pair * pairs) / 1e6
        if job.stage == "page":
            return peak or PAGE_MB
        return peak or PROCESS_MB + job.cost.memory * self._mb(job)

    def disk_mb(self, job: Job) -> float:
        """Size of the files that a job writes."""
        return (job.cost.disk * self._mb(job) + job.cost.file) * job.samples

    def of(self, jobs: Sequence[Job]) -> Forecast:
        """The cost of some jobs."""
        seconds = [self.cpu_seconds(job) for job in jobs]
        measured_kinds = sum(
            s for s, job in zip(seconds, jobs, strict=True) if self.is_measured(job)
        )
        total = sum(seconds)
        return Forecast(
            total + (self.start if jobs else 0.0),
            max(seconds, default=0.0),
            max(map(self.memory_mb, jobs), default=0.0),
            sum(map(self.disk_mb, jobs)),
            measured_kinds / total if total else 0.0,
            self._calibrated,
        )


def read_costs(file: Path) -> list[dict[str, str]]:
    """The measured jobs of an earlier run; none if there is no table, or it is damaged."""
    try:
        with file.open(encoding="utf-8", newline="") as text:
            rows = list(csv.DictReader(text))
        return [row for row in rows if row["stage"] and float(row["cpu_seconds"] or 0) >= 0]
    except (OSError, ValueError, KeyError, TypeError):
        return []


def calibrate() -> float:
    """The CPU time of gibbs on generated sentences on this machine, divided by that on the machine of
    `COSTS`."""
    # Imported here, since kernels take seconds to load.
    from seggrid.align import ALIGNERS
    from seggrid.align.sample import align_sample
    from seggrid.data.segmentation import Segmentation

    draw = random.Random(1)
    # Sentences of 20 words; word frequencies are as skewed as in texts.
    lines = [[str(int(3000 ** draw.random())) for _ in range(20)] for _ in range(CALIBRATION)]
    words = Segmentation.from_words(lines)
    options = ALIGNERS["gibbs"].load_options()()
    took = []
    # The first call loads or compiles kernels.
    for _ in range(3):
        start = time.process_time()
        align_sample("gibbs", words, words, options=options, threads=1, seed=1)
        took.append(time.process_time() - start)
    return min(took[1:]) / CALIBRATED


LONG = 60
"""A calibration, which takes 4 CPU seconds, is made if the forecast is above this and no job was measured."""

CALIBRATION = 500
"""Number of sentence pairs of the calibration."""

CALIBRATED = 1.25
"""CPU seconds of the calibration on the machine on which `COSTS` was measured, at that time."""


def describe(found: Forecast, cores: int) -> str:
    """A forecast as one line.

    >>> describe(Forecast(5400, 60, 1500, 250, 0.5), 1).partition("; ")[0]
    'cost: about 1.5 h on one core (1.5 CPU hours), 1.5 GB of memory for the largest job, 250 MB of disk'
    """
    wall, cpu = _time(found.wall_seconds(cores)), _time(found.cpu_seconds)
    cpu = cpu.replace(" h", " CPU hours") if cpu.endswith(" h") else f"{cpu} of CPU"
    on = f"on {cores} cores" if cores > 1 else "on one core"
    return (
        f"cost: about {wall} {on} ({cpu}), {_megabytes(found.memory_mb)} of memory for the largest job, "
        f"{_megabytes(found.disk_mb)} of disk; {found.measured:.0%} of it by jobs measured in this folder"
        + (f", the rest by {found.factor:.1f} times shipped figures" if found.factor else "")
    )


def _time(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 90 * 60 else f"{seconds / 3600:.1f} h"


def _megabytes(mb: float) -> str:
    return f"{mb:.0f} MB" if mb < 1000 else f"{mb / 1000:.1f} GB"
