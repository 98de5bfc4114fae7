"""Segmentations as lines of numbers, the input of aligners that are programs.

The text of types would not be safe: programs split lines at other characters than the ASCII space, too, and
some fold case or read `|||` as a separator. In lines of only digits and spaces, token k of the line is token
k of the sentence.
"""

from __future__ import annotations

from itertools import pairwise

from seggrid.data.links import Links
from seggrid.data.segmentation import Segmentation
from seggrid.errors import InputError


def numbered(
    source: Segmentation, target: Segmentation, *, lowercase: bool = False
) -> tuple[list[str], list[str]]:
    """Both sides, one sentence per line, with each token as the number of its type, separated by single
    spaces.

    Equal types have the same number on both sides, just as a program would see equal texts.

    Args:
        source, target: segmentations of the same sentences.
        lowercase: give types that differ only in case the same number.
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


def read_links(lines: list[str], sentences: int, program: str) -> Links:
    """The links that a program printed, one sentence pair per line.

    Raises:
        InputError: the number of lines is not the number of sentences.
    """
    if len(lines) != sentences:
        raise InputError(
            f"{program} wrote {len(lines)} lines of links for {sentences} sentences",
            hint="it may have run out of memory: look at the log, or align fewer sentences",
        )
    return Links.from_lines(lines)
