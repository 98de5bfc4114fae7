"""Links as Pharaoh lines, `i-j i-j ...`, counted from 0: what aligners write, for every sentence."""

from __future__ import annotations

import re
from pathlib import Path

from seggrid.corpus.text import read_lines
from seggrid.data.links import Links
from seggrid.errors import InputError

_LINK = re.compile(r"(\d{1,9})-(\d{1,9})", re.ASCII)


def read_links(path: str | Path) -> Links:
    """The links of each line; an empty line is a sentence pair without links.

    Raises:
        InputError: the file cannot be read, or something in a line is no link.
    """
    sentences = []
    for number, line in enumerate(read_lines(path), 1):
        links = []
        for text in line.split(" "):
            if not text:
                continue
            match = _LINK.fullmatch(text)
            if match is None:
                raise InputError(
                    f"{text!r} is no link",
                    file=path,
                    line=number,
                    hint="write links as i-j, from 0",
                )
            links.append((int(match[1]), int(match[2])))
        sentences.append(links)
    return Links.from_sets(sentences)
