"""The axes of the grid, and the axes on which the files of each stage depend.

`AXES` has a row for each axis; the axes of a segmentation come from `seggrid.segment.axes`, beside the
segmenters that read them. `STAGES` gives the axes on which each stage depends. From that table, `path`
makes the paths of files and `pattern` Snakemake's patterns, so that a path names exactly the axes that its
file depends on, from the stage that first reads them.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from seggrid.align import ALIGNERS, SYMMETRIZATIONS
from seggrid.align import AXES as ALIGNER_AXES
from seggrid.base.axis import Axis
from seggrid.base.errors import InputError, quoted_value
from seggrid.base.files import RESULTS
from seggrid.base.rational import read_rational, spell_rational
from seggrid.score.votes import MUTUAL, POSTERIOR, threshold_prefix
from seggrid.segment.axes import AXES as SIDE_AXES
from seggrid.text.sides import SIDES

NOT_AGGREGATED = "none"
"""The aggregate of a single sample whose links are symmetrized, by no threshold on probabilities."""


def canonical_aggregate(value: object) -> str:
    """The canonical spelling of an aggregate: `none`, `union`, `intersection`, an exact number t,
    `posterior-t` or `mutual-t`.

    >>> canonical_aggregate("0.50"), canonical_aggregate("2/6"), canonical_aggregate("posterior-.4")
    ('0.5', '1/3', 'posterior-0.4')
    """
    if value in (NOT_AGGREGATED, "union", "intersection"):
        return str(value)
    kind = threshold_prefix(value)
    try:
        threshold = read_rational(str(value).removeprefix(kind) if kind else value)
    except InputError:
        threshold = None
    if threshold is None or threshold > 1:
        raise InputError(
            f"{quoted_value(value)} is neither union, intersection, none nor a threshold from 0 to 1",
            hint="write a threshold as 0.7, as 1/3, or, of probabilities, as mutual-0.35 or posterior-0.5",
        )
    return kind + spell_rational(threshold)


# Rows beside the fields of `Cell`, since an experiment has values for them of which a cell has another
# (`sides`, of which both sides of a cell follow) or none.
_BEFORE_ALIGNERS: tuple[Axis[Any], ...] = (
    Axis(
        "sides",
        "Which sides are segmented; the other keeps its words.",
        default="both",
        choices=("both", *SIDES),
        phrases={"both": "", "source": "source only", "target": "target only"},
    ),
    Axis(
        "samples",
        "Number of samples of a segmentation with dropout or sampling.",
        kind="integer",
        default=10,
        least=1,
        most=100_000,
        phrase="× {value}",
        phrases={"1": ""},
    ),
    Axis(
        "aligner",
        "The aligner of the segmented texts.",
        default="gibbs",
        choices=ALIGNERS.keys(),
        phrase="{value}",
    ),
)

_AFTER_ALIGNERS: tuple[Axis[Any], ...] = (
    Axis(
        "replicates",
        "How often to run an aligner that is random; scores are means over the runs.",
        kind="integer",
        default=1,
        least=1,
        most=1000,
        drawn=False,
    ),
    Axis(
        "symmetrization",
        "Heuristic that combines the links of the two directions.",
        default="grow-diag-final-and",
        choices=SYMMETRIZATIONS,
        phrase="{value}",
    ),
    Axis(
        "aggregate",
        "How samples are combined: `union`; `intersection`; a threshold t from 0 to 1, such as 0.7 or "
        "1/3, which keeps the links that more than t·n of n samples have; of one sample, too (aligners "
        "gibbs and embeddings), `posterior-t`, which keeps the links with a mean probability above t, or "
        "`mutual-t`, where links of a word compete: above t is p³ / (a b), for a link of probability p, of "
        "whose words the most probable links have a and b; or `none`: the links of one sample are "
        "symmetrized. Of other aligners, and where `symmetrization` is set, `union`, `intersection` and "
        "`0.5` of several samples.",
        kind="text",
        default=["union", "intersection", "0.5"],
        neutral=NOT_AGGREGATED,
        canonical=canonical_aggregate,
        or_number=True,
        phrase="threshold {value}",
        phrases={"none": "", "union": "union", "intersection": "intersection"},
        prefixes={POSTERIOR: "posterior above {value}", MUTUAL: "mutual above {value}"},
    ),
)

CELL_AXES: ChainMap[str, Axis[Any]] = ChainMap(
    {axis.name: axis for axis in _AFTER_ALIGNERS},
    ALIGNER_AXES,
    {axis.name: axis for axis in _BEFORE_ALIGNERS},
)
"""The axes of a cell beside those of its sides; plug-ins add to those of aligners. (A `ChainMap` is gone
through from its last mapping to its first.)"""

AXES: Mapping[str, Axis[Any]] = ChainMap(*CELL_AXES.maps, SIDE_AXES)
"""Every axis by name, those of a segmentation first; plug-ins add to these."""


class Stage(NamedTuple):
    """The axes on which the files of a stage depend, which are the parts of their paths, in order; and the
    ending of their names. `spec` stands for those axes of one side that matter for the stage
    (`seggrid.segment.side`), `source` and `target` for all of that side, and `aligner` for the aligner with
    the axes that it reads (`Cell.alignment`)."""

    axes: tuple[str, ...]
    suffix: str


ALIGN = ("pair", "source", "target", "aligner")
"""The axes of an alignment."""

STAGES = {
    "corpus": Stage(("pair", "side", "spec"), ".txt"),
    "gold": Stage(("pair",), ".npz"),
    # Which sentences have gold. Alignments depend on it, but not on the links of the gold.
    "gold_lines": Stage(("pair",), ".npz"),
    "tag": Stage(("pair", "side", "spec"), ".txt"),
    "learn": Stage(("pair", "side", "spec"), ".model"),
    "prune": Stage(("pair", "side", "spec"), ".model"),
    # `part` is a range of samples, such as `4-7`; `0-0` if nothing is sampled.
    "segment": Stage(("pair", "side", "spec", "part"), ".npz"),
    "measure": Stage(("pair", "side", "spec"), ".json"),
    # Only for aligners that have an encoder.
    "encode": Stage(("pair", "side", "spec", "part"), ".npz"),
    "align": Stage((*ALIGN, "replicate", "part"), ".npz"),
    # One job symmetrizes and projects a cell's samples, aggregates them in all requested ways and scores the
    # results. A new threshold repeats that job, which takes little longer than its start.
    "score": Stage((*ALIGN, "symmetrization", "replicates", "samples"), ".npz"),
}


def tables_folder(study: str | None) -> Path:
    """The folder of the tables, figures and report of a study, or of a config without a name.

    >>> str(tables_folder(None)), str(tables_folder("german"))
    ('results', 'results/studies/german')
    """
    return Path(RESULTS) if study is None else Path(RESULTS, "studies", study)


def path(stage: str, **values: Any) -> str:
    """The path of one file of a stage, relative to the working directory.

    >>> path("corpus", pair="eng-deu", side="source", spec="case=first")
    'results/corpus/eng-deu/source/case=first.txt'
    """
    parts = [
        f"{axis}={values[axis]}" if axis in _NAMED else values[axis] for axis in STAGES[stage].axes
    ]
    return "/".join([RESULTS, stage, *map(str, parts)]) + STAGES[stage].suffix


def pattern(stage: str) -> str:
    """The path of a stage's files with a wildcard for each axis, for Snakemake.

    >>> pattern("corpus")
    'results/corpus/{pair}/{side}/{spec}.txt'
    """
    return path(stage, **{axis: f"{{{axis}}}" for axis in STAGES[stage].axes})


# Axes whose values are numbers have their name in a path, such as `replicates=3`.
_NAMED = frozenset({"replicate", "replicates", "samples", "drawn", "parts", "lines"})

__all__ = [
    "AXES", "CELL_AXES", "NOT_AGGREGATED", "RESULTS", "SIDE_AXES", "STAGES", "canonical_aggregate", "path",
    "pattern", "tables_folder",
]  # fmt: skip
