"""Forecast what a run will cost, before it starts: CPU time, wall-clock time, memory and disk.

The CPU time of a job has a fixed part and a part in proportion to its work. The work of an aligner is the
number of tokens, and of token pairs within sentence pairs; that of other jobs, the size of the text, or what
their study says. The figures in `seggrid.grid.costs` were measured on one machine with default options. For
jobs of `UNFORESEEN` stages there is no forecast.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from seggrid.base.axis import read_part
from seggrid.grid.cost import Cost, Work
from seggrid.grid.costs import cost_of, mem_mb
from seggrid.grid.grid import Grid
from seggrid.grid.rules.files import Files
from seggrid.grid.run.terminal import duration
from seggrid.grid.samples import Part
from seggrid.grid.study import asked_studies
from seggrid.segment.axes import AXES
from seggrid.text.sides import SIDES
from seggrid.text.text_files import words_of

UNFORESEEN = frozenset({"encode"})
"""Stages whose cost depends on a model that is not known before the run."""

START, EACH, READING = 5.0, 0.07, 0.03
"""CPU seconds of the workflow itself: once per run; for each job; for each job and MB of text."""

SAMPLERS = frozenset({"gibbs", "eflomal"})
"""Aligners whose number of sweeps falls with the number of sentence pairs."""


class Extent(NamedTuple):
    """The size of a pair's text, as far as the cost of jobs depends on it.

    Attributes:
        mb: MB of its files, both sides.
        sentences: number of sentence pairs.
        words: number of words of each side.
        letters: average number of letters of a word of each side.
        products: number of pairs of a source and a target word within sentence pairs.
    """

    mb: float
    sentences: int
    words: tuple[int, int]
    letters: tuple[float, float]
    products: float


def extent(files: Files, pair: str) -> Extent:
    """The size of a pair's text; this reads the text."""
    lengths: list[list[int]] = []
    letters = []
    for side in SIDES:
        split = [words_of(one) for text in files.texts(pair, side) for one in text.read().sentences]
        lengths.append([len(one) for one in split])
        letters.append(sum(len(word) for one in split for word in one) / max(1, sum(lengths[-1])))
    source, target = lengths
    # If empty sentence pairs are skipped, the sides may differ in their number of lines.
    products = sum(one * other for one, other in zip(source, target, strict=False))
    words = sum(source), sum(target)
    sentences = min(len(source), len(target))
    return Extent(files.text_mb([pair]), sentences, words, (letters[0], letters[1]), products)


def tokens_per_word(spec: str, letters: float) -> float:
    """An estimate of the tokens of a word, from the spelling of a segmentation in paths.

    A token of BPE with m merges has about 0.48 · m^0.26 characters. On 14 sides of seven pairs, with 100 to
    4,000 merges, the actual number of tokens per word is 0.9 to 1.2 times the estimate.

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
        kind: its aligner or segmenter; empty if it has none.
        pair: the pair whose text it reads; empty for jobs of the whole grid.
        specs: the segmentations that it reads, as spelled in paths.
        lines: sentence pairs of a part of the text; None if it reads all that the segmentations have.
        work: its work, if a study says it.
    """

    stage: str
    kind: str
    pair: str
    samples: int
    specs: tuple[str, ...] = ()
    lines: int | None = None
    work: Work | None = None

    @property
    def cost(self) -> Cost:
        """The cost of its kind, or else of its stage."""
        return cost_of("align" if self.aligns else self.stage, self.kind)

    @property
    def aligns(self) -> float:
        """The share of an alignment's time that it takes; 0 if it does not align."""
        return cost_of(self.stage).aligns


def planned(rule: str, wildcards: Mapping[str, str], grid: Grid) -> Job:
    """The job of a rule with these wildcards."""
    works = (study.work(grid, rule, wildcards) for study in asked_studies(grid))
    work = next((found for found in works if found), None)
    named = wildcards.get("aligner") or wildcards.get("spec", "")
    samples, lines = 1, None
    if "part" in wildcards:
        samples = Part.from_text(wildcards["part"]).size
    elif not wildcards.keys().isdisjoint(("drawn", "lines", "parts")):
        # A part of a text.
        samples = int(wildcards["samples"])
        lines = int(wildcards["drawn"]) if "drawn" in wildcards else None
        if "lines" in wildcards:
            lines = Part.from_text(wildcards["lines"]).size
    specs = tuple(wildcards[name] for name in ("source", "target", "spec") if name in wildcards)
    return Job(
        rule, named.partition("+")[0], wildcards.get("pair", ""), samples, specs, lines, work
    )


class Forecast(NamedTuple):
    """The cost of a run.

    Attributes:
        cpu_seconds: CPU seconds of all jobs and of the workflow itself.
        longest: CPU seconds of the longest job.
        memory_mb: the most MB of memory that a job asks for.
        disk_mb: MB of all files.
    """

    cpu_seconds: float
    longest: float
    memory_mb: float
    disk_mb: float


class Costs:
    """The costs of jobs, from the size of each pair's text."""

    def __init__(self, texts: Mapping[str, Extent]) -> None:
        self._texts = texts

    def _share(self, job: Job) -> float:
        """The share of the text that a job reads, which its part or the axis `sentences` may limit."""
        text = self._texts.get(job.pair)
        lines = job.lines
        if lines is None and job.specs and text:
            lines = read_part(AXES, job.specs[0].split("+")).get("sentences")
        return min(1.0, lines / max(1, text.sentences)) if text and lines else 1.0

    def _mb(self, job: Job) -> float:
        """The size of what a job reads: of its pair's text, or of all texts."""
        texts = [self._texts[job.pair]] if job.pair in self._texts else self._texts.values()
        return self._share(job) * sum(text.mb for text in texts)

    def _aligning(self, job: Job) -> float:
        """CPU seconds of one sample of an aligner's job."""
        text, share = self._texts[job.pair], self._share(job)
        source, target = map(tokens_per_word, job.specs, text.letters)
        tokens = share * (text.words[0] * source + text.words[1] * target)
        pairs = share * text.products * source * target
        seconds = job.cost.rate * tokens / 1e3 + job.cost.pairs * pairs / 1e6
        if job.kind in SAMPLERS:
            seconds *= job.aligns / math.sqrt(max(1, share * text.sentences))
        return seconds

    def _work(self, job: Job) -> float:
        """CPU seconds of a job's own work."""
        cost = job.cost
        if job.work:
            return job.work.seconds
        each = self._aligning(job) if job.aligns else cost.rate * self._mb(job)
        return cost.fixed + each * job.samples

    def cpu_seconds(self, job: Job) -> float:
        """CPU seconds of a job, including those of the workflow itself for this job."""
        return self._work(job) + EACH + READING * self._mb(job)

    def memory_mb(self, job: Job) -> float:
        """The memory that a job asks for."""
        return job.work.memory_mb if job.work else mem_mb(job.stage, self._mb(job))

    def of(self, jobs: Sequence[Job]) -> Forecast:
        """The cost of a run with some jobs."""
        seconds = [self.cpu_seconds(job) for job in jobs]
        return Forecast(
            sum(seconds) + START,
            max(seconds),
            max(map(self.memory_mb, jobs)),
            sum((job.cost.disk * self._mb(job) + job.cost.file) * job.samples for job in jobs),
        )


def describe_forecast(found: Forecast, cores: int) -> str:
    """A forecast as one line.

    >>> describe_forecast(Forecast(5400, 60, 1500, 250), 1).partition(", jobs")[0]
    'cost: about 1 h 30 min on one core (1 h 30 min of CPU), 250 MB of disk'
    """
    # At least the time of the longest job.
    wall = duration(max(found.longest, found.cpu_seconds / cores))
    on = f"on {cores} cores" if cores > 1 else "on one core"
    return (
        f"cost: about {wall} {on} ({duration(found.cpu_seconds)} of CPU), {_megabytes(found.disk_mb)} of "
        f"disk, jobs that ask for up to {_megabytes(found.memory_mb)} of memory, by figures of "
        "another machine"
    )


def _megabytes(mb: float) -> str:
    return f"{mb:.0f} MB" if mb < 1000 else f"{mb / 1000:.1f} GB"
