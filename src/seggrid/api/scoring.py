"""Score word links against gold links, with intervals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from os import PathLike, fspath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seggrid.api.alignment import WordLinks
from seggrid.base.resampling import bootstrap_weights
from seggrid.corpus.gold import Gold, GoldFormat, parse_gold
from seggrid.corpus.pharaoh import read_links
from seggrid.data.links import Links
from seggrid.errors import InputError
from seggrid.score.metrics import METRICS, compute_metrics, count_hits
from seggrid.score.significance import intervals

Pairs = Sequence[Iterable[tuple[int, int]]]
Path = str | PathLike[str]


@dataclass(frozen=True)
class Scores:
    """Scores of links, each from 0 to 1.

    Attributes:
        precision, recall, f1, aer: see `seggrid.score.metrics`.
        intervals: 95% bootstrap intervals of the four, float64, shape (4, 2).
    """

    precision: float
    recall: float
    f1: float
    aer: float
    intervals: NDArray[np.float64] = field(repr=False, compare=False)

    def __str__(self) -> str:
        values = [getattr(self, name) for name in METRICS]
        return " ".join(f"{name}={value:.4f}" for name, value in zip(METRICS, values, strict=True))


def score(
    links: WordLinks | Links | Path | Pairs,
    gold: Gold | Path | Pairs,
    *,
    possible: Pairs | None = None,
    format: GoldFormat = "pharaoh",
    resamples: int = 2000,
    seed: int = 1,
    **options: Any,
) -> Scores:
    """Precision, recall, F1 and AER of links against gold links.

    Args:
        links: the links of all S sentence pairs: a result of `seggrid.align`, sequences of (i, j), or a file
            of Pharaoh lines.
        gold: the sure links of the first G sentence pairs, or a file with gold links.
        possible: further links of these sentence pairs, for gold that is given as links.
        format: format of a gold file, `pharaoh`, `pharaoh-ids` or `naacl`.
        resamples: number of bootstrap resamples of the sentences, for the intervals.
        seed: seed of the resamples.
        options: `base`, `swapped`, `ids` and `empty_lines` of `seggrid.corpus.gold.parse_gold`.

    Raises:
        InputError: a file cannot be read, or the gold has more sentences than the links.

    >>> print(score([[(0, 0), (1, 2)], [(0, 0)]], [[(0, 0), (1, 1)], [(0, 0)]]))
    precision=0.6667 recall=0.6667 f1=0.6667 aer=0.3333
    """
    found = _links(links)
    gold = gold_in(gold, possible, format, **options)
    if len(gold) and (last := int(gold.sentences.max())) >= len(found):
        raise InputError(
            f"gold of sentence {last + 1}, but links of {len(found)} sentence pairs",
            hint="give the links of every sentence",
        )
    return score_links(found.take(gold.sentences), gold, resamples, seed)


def score_links(links: Links, gold: Gold, resamples: int, seed: int) -> Scores:
    """The scores of the links in sentences with gold; arguments as for `score`."""
    counts = count_hits(links, gold.sure, gold.possible)
    sure = np.diff(gold.sure.offsets)
    precision, recall, f1, aer = compute_metrics(counts.sum(axis=0), sure.sum()).tolist()
    weights = bootstrap_weights(len(sure), resamples, seed)
    bounds = intervals(counts[None, None], sure, weights)[0]
    return Scores(precision, recall, f1, aer, bounds)


def _links(links: WordLinks | Links | Path | Pairs) -> Links:
    if isinstance(links, WordLinks):
        return links.links
    if isinstance(links, str | PathLike):
        return read_links(fspath(links))
    return links if isinstance(links, Links) else Links.from_sets(links)


def gold_in(
    gold: Gold | Path | Pairs,
    possible: Pairs | None = None,
    format: GoldFormat = "pharaoh",
    **options: Any,
) -> Gold:
    """Gold in one of the forms that `score` takes."""
    if isinstance(gold, Gold):
        return gold
    if isinstance(gold, str | PathLike):
        return parse_gold(fspath(gold), format, **options)
    sure = gold
    more = possible or [[] for _ in sure]
    if len(more) != len(sure):
        raise InputError(f"sure links of {len(sure)} sentences, possible ones of {len(more)}")
    both = ([*one, *other] for one, other in zip(sure, more, strict=True))
    lines = np.arange(len(sure), dtype=np.int64)
    return Gold(lines, Links.from_sets(sure), Links.from_sets(both))
