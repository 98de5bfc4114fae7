"""A model of Morfessor, which is the distinct words with their morphs, and its file.

The file is UTF-8 text. After a header, each line holds the number of occurrences of a word, and its morphs:

    #seggrid-morfessor 1
    7 ver steh en
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from seggrid.base.lines import read_lines, write_lines
from seggrid.errors import InputError

_HEADER = "#seggrid-morfessor 1"
_COUNT = re.compile(r"[1-9]\d{0,17}", re.ASCII)


@dataclass(frozen=True)
class MorfessorModel:
    """Words and their morphs.

    Attributes:
        words: the number of occurrences and the morphs of each word.
    """

    words: dict[str, tuple[int, tuple[str, ...]]]

    @property
    def morphs(self) -> set[str]:
        """The distinct morphs."""
        return {morph for _, morphs in self.words.values() for morph in morphs}


def write_model(model: MorfessorModel, path: str | Path) -> None:
    """Write a model, atomically, in the format that the module describes."""
    rows = (f"{count} {' '.join(morphs)}" for count, morphs in model.words.values())
    write_lines(path, [_HEADER, *rows])


def read_model(path: str | Path) -> MorfessorModel:
    """Read what `write_model` wrote.

    Raises:
        InputError: the file is missing, not UTF-8, has another header, or a line is not a count with
            morphs, or repeats the word of an earlier line.
    """
    lines = read_lines(path)
    if lines[:1] != [_HEADER]:
        raise InputError(
            "not a model of Morfessor", file=path, line=1, hint=f"begin it with `{_HEADER}`"
        )
    words: dict[str, tuple[int, tuple[str, ...]]] = {}
    for number, line in enumerate(lines[1:], 2):
        count, *morphs = line.split(" ")
        word = "".join(morphs)
        if not _COUNT.fullmatch(count) or not morphs or "" in morphs:
            hint = "give a count and the morphs of a word, separated by single spaces"
            raise InputError(f"{line!r} is not a word", file=path, line=number, hint=hint)
        if word in words:
            raise InputError(f"the word {word!r} again", file=path, line=number, hint="remove it")
        words[word] = int(count), tuple(morphs)
    return MorfessorModel(words)
