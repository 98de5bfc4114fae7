"""The axes of the grid, and which of them each stage's files depend on.

`STAGES` is the one place that says so. A file's path is made from that table by `path`, Snakemake's
patterns by `pattern`, and a cell's targets by `Cell.value`, so that a path names exactly the axes
that its file depends on, from the stage that first uses them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from seggrid.segment.side import CORPUS, LEARN, PRUNE, SEGMENT

RESULTS = "results"


@dataclass(frozen=True)
class Stage:
    """What the files of a stage depend on.

    Attributes:
        axes: the path's parts, in order. `spec` stands for all of `side_axes` of one side, and
            `source` and `target` for all of `SEGMENT` of either.
        side_axes: the axes of one side that `spec` holds.
        suffix: how the file's name ends.
    """

    axes: tuple[str, ...]
    suffix: str
    side_axes: tuple[str, ...] = ()


_ALIGN = ("pair", "source", "target", "aligner")

STAGES = {
    "corpus": Stage(("pair", "side", "spec"), ".txt", CORPUS),
    "gold": Stage(("pair",), ".npz"),
    "learn": Stage(("pair", "side", "spec"), ".model", LEARN),
    "prune": Stage(("pair", "side", "spec"), ".model", PRUNE),
    # `part` is a run of samples, `4-7`, or `0-0` where there is no dropout.
    "segment": Stage(("pair", "side", "spec", "part"), ".npz", SEGMENT),
    "align": Stage((*_ALIGN, "replicate", "part"), ".npz"),
    # One job symmetrizes, projects, aggregates a cell's samples in every way asked for and scores
    # the results: a new threshold redoes that job, which takes hardly longer than its start.
    "score": Stage((*_ALIGN, "symmetrization", "replicates", "samples"), ".npz"),
}


def path(stage: str, **values: Any) -> str:
    """The path of one file of a stage, relative to the working directory.

    >>> path("corpus", pair="eng-deu", side="source", spec="case=first")
    'results/corpus/eng-deu/source/case=first.txt'
    """
    parts = [f"{axis}={values[axis]}" if axis in _NAMED else values[axis] for axis in _axes(stage)]
    return "/".join([RESULTS, stage, *map(str, parts)]) + STAGES[stage].suffix


def pattern(stage: str) -> str:
    """The same path with a wildcard for each axis, as Snakemake wants it.

    >>> pattern("corpus")
    'results/corpus/{pair}/{side}/{spec}.txt'
    """
    return path(stage, **{axis: f"{{{axis}}}" for axis in _axes(stage)})


def _axes(stage: str) -> tuple[str, ...]:
    return STAGES[stage].axes


# A bare number in a path would not say what it counts.
_NAMED = frozenset({"replicate", "replicates", "samples"})
