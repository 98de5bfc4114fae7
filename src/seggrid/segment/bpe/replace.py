"""Apply merges by literal string replacement, as the thesis does (section 5.2.2).

Replacing `a b` by `ab` in a text only deletes spaces. So the text itself stays unchanged, and one flag for
each character says whether a space stands before it. A merge can only apply where the last character of its
first part stands before the first character of its second part; all places of such character pairs are
found once. On the German side of the thesis, without spaces, 8,000 merges take a tenth of the time of
`str.replace`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from seggrid.base.compiled import njit
from seggrid.data.boundary import BOUNDARY
from seggrid.data.ragged import code_points, offsets_of
from seggrid.segment.unit_kernels import SEPARATOR

_WIDTH = 21  # bits of a code point


def replace_all(units: Sequence[str], merges: Sequence[tuple[str, ...]], spaces: bool) -> str:
    """Apply all merges in order; returns the units with a space between tokens, joined by `SEPARATOR`.

    Args:
        units: words, or sentences with `▁` between words.
        merges: the parts of each merge.
        spaces: whether units are words, to whose first character `▁` is joined.
    """
    mark = BOUNDARY if spaces else ""
    text = SEPARATOR.join(mark + unit for unit in units)
    characters = code_points(text)
    separators = characters == ord(SEPARATOR)
    spaced = np.ones(len(characters), dtype=np.bool_)
    begins = np.flatnonzero(np.concatenate([[True], separators[:-1]]))
    spaced[begins] = False
    spaced[separators] = False
    if spaces:
        spaced[begins + 1] = False
    if merges:
        meetings = (characters[:-1].astype(np.int64) << _WIDTH) | characters[1:]
        order = np.argsort(meetings, kind="stable")
        wanted = np.array(
            [(ord(merge[0][-1]) << _WIDTH) | ord(merge[1][0]) for merge in merges], dtype=np.int64
        )
        ordered = meetings[order]
        _replace(
            characters,
            spaced,
            order + 1,
            np.searchsorted(ordered, wanted, side="left"),
            np.searchsorted(ordered, wanted, side="right"),
            code_points("".join("".join(merge) for merge in merges)),
            offsets_of([sum(map(len, merge)) for merge in merges]),
            np.array([n == 0 for m in merges for part in m for n in range(len(part))]),
            np.array([len(merge[0]) for merge in merges], dtype=np.int64),
        )
    places = np.arange(len(characters)) + np.cumsum(spaced)
    out = np.full(len(characters) + int(spaced.sum()), ord(" "), dtype=np.uint32)
    out[places] = characters
    return out.tobytes().decode("utf-32-le")


@njit
def _replace(
    characters: NDArray[np.uint32],
    spaced: NDArray[np.bool_],
    places: NDArray[np.int64],
    low: NDArray[np.int64],
    high: NDArray[np.int64],
    patterns: NDArray[np.uint32],
    offsets: NDArray[np.int64],
    begins_part: NDArray[np.bool_],
    lead: NDArray[np.int64],
) -> None:
    """Delete the spaces inside every match of every merge, in order, left to right.

    `places[low[m]:high[m]]` are the places at which the second part of merge m may begin. A match may begin
    at any character, with or without a space before it, like a match of a string; inside it, spaces stand
    exactly where its parts begin.
    """
    for m in range(len(lead)):
        pattern = patterns[offsets[m] : offsets[m + 1]]
        is_begin = begins_part[offsets[m] : offsets[m + 1]]
        free = 0  # where text begins that is not yet part of a match
        for k in range(low[m], high[m]):
            if not spaced[places[k]]:
                continue
            start = places[k] - lead[m]
            if start < free or start + len(pattern) > len(characters):
                continue
            same = characters[start] == pattern[0]
            n = 1
            while same and n < len(pattern):
                at = start + n
                same = characters[at] == pattern[n] and spaced[at] == is_begin[n]
                n += 1
            if same:
                spaced[start + 1 : start + len(pattern)] = False
                free = start + len(pattern)
