"""Read the links of all sentences from Pharaoh lines, `i-j i-j ...`, counted from 0, as aligners write
them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from seggrid.base.lines import LARGEST_TEXT, read_lines
from seggrid.corpus.text import LONGEST
from seggrid.data.links import Links
from seggrid.errors import InputError, refuse

_LINK = re.compile(r"(\d{1,9})-(\d{1,9})", re.ASCII)


def read_links(path: str | Path) -> Links:
    """The links of each line; an empty line is a sentence pair without links.

    Raises:
        InputError: the file cannot be read, or a line has something that is not a link, or a position beyond
            any sentence.
    """
    words = [
        [word for word in line.split(" ") if word] for line in read_lines(path, limit=LARGEST_TEXT)
    ]
    refuse(_mistakes(path, words))
    return Links.from_sets(
        ((int(i), int(j)) for i, _, j in (word.partition("-") for word in row)) for row in words
    )


def _mistakes(path: str | Path, words: Sequence[Sequence[str]]) -> Iterator[InputError]:
    """A mistake for the first word of each line that is not a link."""
    for number, row in enumerate(words, 1):
        wrong = next((word for word in row if _LINK.fullmatch(word) is None), None)
        if wrong is not None:
            yield InputError(
                f"{wrong!r} is not a link",
                file=path,
                line=number,
                hint="write links as i-j, from 0",
            )
            continue
        far = next((word for word in row if max(map(int, word.split("-"))) >= LONGEST), None)
        if far is not None:
            yield InputError(
                f"{far!r} links a word that no sentence has",
                file=path,
                line=number,
                hint=f"sentences have fewer than {LONGEST:,} words",
            )
