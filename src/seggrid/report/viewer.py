"""The data of the page's alignment viewer: sentences, gold, and links and tokens of some cells."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from seggrid.data.segmentation import Segmentation

if TYPE_CHECKING:
    # `seggrid show` works without the extra `grid`.
    import pandas as pd

    from seggrid.workflow.jobs.viewer_inputs import ViewerPair

MOST_CELLS = 240
"""The most cells of all pairs together, which make a page of some 2 MB."""


def choose_cells(scores: pd.DataFrame, limit: int = 100) -> dict[str, list[str]]:
    """Choose at most `limit` cells of each pair for the viewer, fewer if there are many pairs.

    First come, for each aligner, the best cell by F1, the words, the best cell without dropout, and the best
    of every other combination of segmenter, spaces and sides; then all others by F1. A cell that takes its
    scores from another cell is represented by that cell.
    """
    scored = scores[scores.f1.notna()]
    limit = min(limit, MOST_CELLS // max(1, scored.pair.nunique()))
    known = set(scored.cell)
    shown = dict(
        zip(scored.cell, scored.equal_cell.where(scored.equal_cell != "", scored.cell), strict=True)
    )
    chosen: dict[str, list[str]] = {}
    for pair, rows in scored.groupby("pair", sort=False):
        wanted: list[str] = []
        for _, same in rows.groupby("aligner", sort=False):
            best = same.loc[same.f1.idxmax()]
            wanted += [best.cell, best.words_cell, best.plain_cell]
        kinds = rows.groupby(["aligner", "segmenter", "spaces", "sides"], sort=False, dropna=False)
        runners_up = rows.loc[kinds.f1.idxmax()].sort_values("f1", ascending=False, kind="stable")
        wanted += list(runners_up.cell)
        wanted += list(rows.sort_values("f1", ascending=False, kind="stable").cell)
        distinct = dict.fromkeys(shown[cell] for cell in wanted if cell in known)
        chosen[str(pair)] = [*distinct][:limit]
    return chosen


def viewer_data(pairs: Sequence[ViewerPair]) -> dict[str, dict[str, Any]]:
    """Sentences, gold, links and tokens of each pair, compressed for the page.

    Returns:
        For each pair, `cells`, the names of its cells, and `data`: JSON that is deflated (RFC 1951) and
        encoded in base64. Its keys are `source` and `target`: the words, one sentence per line; `sure` and
        `possible`: Pharaoh lines; `tokens`: the distinct segmentations, one sentence per line (see
        `grouped_tokens`); `cells`: for each cell, `cell`, `links` (Pharaoh lines), and `source` and `target`,
        which are indices into `tokens`; `names`: ids or line numbers of the sentences.
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
    return {
        "source": [" ".join(words) for words in pair.source],
        "target": [" ".join(words) for words in pair.target],
        "sure": pair.sure.lines(),
        "possible": pair.possible.lines(),
        "tokens": [list(lines) for lines in numbers],
        "cells": cells,
        "names": list(pair.names),
    }


def grouped_tokens(segmentation: Segmentation, lengths: Sequence[int]) -> list[str]:
    """The tokens of each sentence, grouped by the words that they cover, one sentence per line.

    A line is a sequence of groups, separated by tabs. A group consists of as few successive words as possible
    such that no token crosses its ends. It is written as the number of words, then their tokens, separated by
    spaces. If tokens stay within words, every group is one word. A token that is only a boundary belongs to
    the next group.

    >>> words = Segmentation.from_words([["the", "cake"]])
    >>> grouped_tokens(words, [2])
    ['1 the\\t1 cake']

    Args:
        segmentation: S sentences.
        lengths: number of words in each.
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


def deflated(data: object) -> str:
    """JSON for the viewer: deflated (RFC 1951), and encoded in base64."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
    compressor = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return base64.b64encode(compressor.compress(text) + compressor.flush()).decode()
