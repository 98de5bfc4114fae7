"""The data of the page's alignment viewer: sentences, gold, and links and tokens of some cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from seggrid.grid.report.html import deflated
from seggrid.score.metrics import count_hits
from seggrid.score.votes import united
from seggrid.text.links import Links
from seggrid.text.segmentation import Segmentation

if TYPE_CHECKING:
    # `seggrid show` works without the extra `grid`.
    import pandas as pd

    from seggrid.grid.jobs.viewer_inputs import ViewerCell, ViewerPair

MOST_CELLS = 240
"""The most cells of all pairs together, which make a page of some 2 MB."""


def cells_to_view(scores: pd.DataFrame, limit: int = 100) -> dict[str, list[str]]:
    """Choose at most `limit` cells of each pair for the viewer, fewer if there are many pairs.

    First come the best cell by F1 and the words with the same settings (or, if words are best, the best
    segmentation), which the viewer compares; for each aligner, the best cell, the words, the best cell
    without dropout, and the best of every other combination of segmenter, spaces and sides; then all others
    by F1. Without gold, the best are those that agree most with the others or, before their agreement is
    known, the first of the table. A cell that takes its scores from another cell is represented by that cell.
    """
    made = scores[scores.status != "missing"]
    if "agreement" in made:
        made = made.assign(f1=made.f1.fillna(made.agreement))
    limit = min(limit, MOST_CELLS // max(1, made.pair.nunique()))
    known = set(made.cell)
    shown = dict(
        zip(made.cell, made.equal_cell.where(made.equal_cell != "", made.cell), strict=True)
    )
    chosen: dict[str, list[str]] = {}
    for pair, cells in made.groupby("pair", sort=False):
        # Cells without scores come last, and of equal ones words first.
        by_score = cells.assign(words=cells.sides == "none")
        by_score = by_score.sort_values(["f1", "words"], ascending=False, kind="stable")
        top, segmented = by_score.iloc[0], by_score.cell[by_score.sides != "none"]
        wanted = [top.cell, *(segmented.head(1) if top.sides == "none" else [top.words_cell])]
        scored = by_score[by_score.f1.notna()]
        for _, same in scored.groupby("aligner", sort=False):
            best = same.iloc[0]
            wanted += [best.cell, best.words_cell, best.plain_cell]
        kinds = ["aligner", "segmenter", "spaces", "sides"]
        wanted += [*scored.drop_duplicates(kinds).cell, *by_score.cell]
        distinct = dict.fromkeys(shown[cell] for cell in wanted if cell in known)
        chosen[str(pair)] = [*distinct][:limit]
    return chosen


def errors(links: Links, sure: Links, possible: Links) -> NDArray[np.int64]:
    """How many links of each of S sentences are wrong or missed, shape (S,)."""
    found, right, allowed = count_hits(links, sure, possible).T
    wrong: NDArray[np.int64] = found - allowed + np.diff(sure.offsets) - right
    return wrong


def telling(pair: ViewerPair) -> dict[str, int]:
    """The sentences, by what they show, with which the viewer of a pair begins.

    With gold: of the sentences that the first cell, A, gets right, the one with most errors of the second, B;
    the same the other way round; and, of those that every cell gets wrong, the one whose best cell has most
    errors. If A gets none right in which B has errors, it is better than B in the first. Errors are divided
    by gold links.

    Without gold: the sentence with the largest share of links that only one of A and B has, and the one in
    which a cell has the smallest share of the links of all cells.

    Of equal sentences, the shortest is taken, and of these the first.
    """
    length = np.array(
        [len(source) + len(target) for source, target in zip(pair.source, pair.target, strict=True)]
    )
    found = {}

    def choose(what: str, weight: NDArray[np.float64]) -> None:
        if weight.max(initial=0) > 0:
            found[what] = int(np.lexsort((length, -weight))[0])

    if not has_gold(pair):
        if len(pair.cells) > 1:
            choose("A and B differ most", _disagreement(pair.cells[:2]))
        if len(pair.cells) > 2:
            choose("all cells differ most", _disagreement(pair.cells))
        return found
    wrong = np.array([errors(cell.links, pair.sure, pair.possible) for cell in pair.cells])
    share = wrong / np.maximum(1, np.diff(pair.sure.offsets))
    if len(wrong) > 1:
        for one, other, name, rival in ((0, 1, "A", "B"), (1, 0, "B", "A")):
            more = share[other] - share[one]
            right = np.where(wrong[one] == 0, more, 0)
            if right.max(initial=0) > 0:
                choose(f"{name} right, {rival} wrong", right)
            else:
                choose(f"{name} better than {rival}", more)
    choose("no cell right", share.min(axis=0))
    return found


def has_gold(pair: ViewerPair) -> bool:
    """Whether any sentence of a pair has gold links."""
    return len(pair.possible.pairs) > 0


def _disagreement(cells: Sequence[ViewerCell]) -> NDArray[np.float64]:
    """For each of S sentences, the share of the links of some cells that a cell lacks on average, shape
    (S,)."""
    sets = [cell.links for cell in cells]
    union = np.diff(united(sets)[0].offsets)
    mean = np.mean([np.diff(links.offsets) for links in sets], axis=0)
    return np.asarray(1 - mean / np.maximum(1, union)) * (union > 0)


def viewer_data(pairs: Sequence[ViewerPair]) -> dict[str, dict[str, Any]]:
    """Sentences, gold, links and tokens of each pair, compressed for the page.

    Returns:
        For each pair, `cells`, the names of its cells, and `data`: JSON that is deflated (RFC 1951) and
        encoded in base64. Its keys are `source` and `target`: the words, one sentence per line; `sure` and
        `possible`: Pharaoh lines; `tokens`: the distinct segmentations, one sentence per line (see
        `grouped_tokens`); `cells`: for each cell, `cell`, `links` (Pharaoh lines), and `source` and `target`,
        which are indices into `tokens`; `names`: ids or line numbers of the sentences; `of`: how many
        sentences the scores are of; `telling`: see there.
        Without gold, `sure` and `possible` have a null for each sentence.
    """
    return {
        pair.pair: {
            "cells": [cell.cell for cell in pair.cells],
            "data": deflated(_pair_data(pair)),
        }
        for pair in pairs
    }


def _pair_data(pair: ViewerPair) -> dict[str, object]:
    # Cells may share segmentations (words, or thresholds over the same samples), so each is stored once.
    numbers: dict[tuple[str, ...], int] = {}

    def number(segmentation: Segmentation, sentences: Sequence[Sequence[str]]) -> int:
        lengths = [len(words) for words in sentences]
        return numbers.setdefault(tuple(grouped_tokens(segmentation, lengths)), len(numbers))

    cells = [
        {
            "cell": cell.cell,
            "links": cell.links.lines(),
            "source": number(cell.source, pair.source),
            "target": number(cell.target, pair.target),
        }
        for cell in pair.cells
    ]
    none = [None] * len(pair.names)
    return {
        "source": [" ".join(words) for words in pair.source],
        "target": [" ".join(words) for words in pair.target],
        "sure": pair.sure.lines() if has_gold(pair) else none,
        "possible": pair.possible.lines() if has_gold(pair) else none,
        "telling": telling(pair),
        "tokens": [list(lines) for lines in numbers],
        "cells": cells,
        "names": list(pair.names),
        "of": pair.of,
    }


def grouped_tokens(segmentation: Segmentation, lengths: Sequence[int]) -> list[str]:
    """The tokens of each sentence, grouped by the words that they cover, one sentence per line.

    A line is a sequence of groups, separated by tabs. A group consists of as few successive words as possible
    such that no token crosses its ends. It is written as the number of words, then their tokens, separated by
    spaces. If tokens stay within words, every group is one word. A token that is only a boundary belongs to
    the next group. `lengths` are the numbers of words of the sentences.

    >>> words = Segmentation.from_words([["the", "cake"]])
    >>> grouped_tokens(words, [2])
    ['1 the\\t1 cake']
    """
    lines = []
    for s, length in enumerate(lengths):
        rows = slice(int(segmentation.offsets[s]), int(segmentation.offsets[s + 1]))
        groups: list[tuple[int, list[str]]] = []
        begin, end = 0, 0
        tokens: list[str] = []
        spans = zip(
            segmentation.sentence(s),
            segmentation.first[rows].tolist(),
            segmentation.last[rows].tolist(),
            strict=True,
        )
        for token, first, last in spans:
            if first >= end > begin:
                groups.append((end - begin, tokens))
                begin, tokens = end, []
            tokens.append(token)
            end = max(end, last + 1)
        groups.append((length - begin, tokens))
        lines.append("\t".join(" ".join([str(count), *tokens]) for count, tokens in groups))
    return lines
