"""Parallel texts: what aligners require of them, and how those that are programs read them.

Programs get lines of numbers. The text of types would not be safe: programs split lines at other characters
than the ASCII space, too, and some fold case or read `|||` as a separator. In lines of only digits and
spaces, token k of the line is token k of the sentence.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from seggrid.base.errors import InputError
from seggrid.text.links import Links
from seggrid.text.segmentation import Segmentation


def check_parallel(
    source: Segmentation, target: Segmentation, *, longest: int | None = None
) -> None:
    """Refuse sides that differ in length, a text without sentences, and an empty sentence or one with more
    than `longest` tokens, whose number is named."""
    if len(source) != len(target):
        raise InputError(
            f"{len(source)} source sentences against {len(target)} target sentences",
            hint="give two texts that are parallel line by line",
        )
    if len(source) == 0:
        raise InputError("no sentence pairs", hint="give at least one")
    for side, lengths in (("source", source.lengths), ("target", target.lengths)):
        empty = np.flatnonzero(lengths == 0)
        if len(empty):
            raise InputError(
                f"sentence {empty[0] + 1} of the {side} side is empty",
                hint="remove this sentence pair from both sides",
            )
        long = np.flatnonzero(lengths > (np.inf if longest is None else longest))
        if len(long):
            raise InputError(
                f"sentence {long[0] + 1} of the {side} side has {lengths[long[0]]} tokens; "
                f"the aligner takes at most {longest}",
                hint="leave this sentence pair out, or use the aligner gibbs",
            )


def numbered(
    source: Segmentation, target: Segmentation, *, lowercase: bool = False
) -> tuple[list[str], list[str]]:
    """Both sides, one sentence per line, with each token as the number of its type, separated by single
    spaces.

    Equal types have the same number on both sides, just as a program would see equal texts; if `lowercase`,
    also those that differ only in case.
    """
    index: dict[str, int] = {}
    lines = []
    for side in (source, target):
        texts = (text.lower() for text in side.types) if lowercase else side.types
        names = [str(index.setdefault(text, len(index))) for text in texts]
        tokens = [names[i] for i in side.ids]
        bounds = side.offsets.tolist()
        lines.append([" ".join(tokens[a:b]) for a, b in pairwise(bounds)])
    return lines[0], lines[1]


def read_printed_links(lines: list[str], sentences: int, program: str) -> Links:
    """The links that a program printed, one sentence pair per line."""
    if len(lines) != sentences:
        raise InputError(
            f"{program} wrote {len(lines)} lines of links for {sentences} sentences",
            hint="it may have run out of memory: look at the log, or align fewer sentences",
        )
    return Links.from_lines(lines)
