"""How the links of a file are written, and what is known of their text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seggrid.text.link_formats import FORMATS
from seggrid.text.text_files import LONGEST, EmptyLines
from seggrid.text.words import Words

WordsOfPair = tuple[Sequence[str], Sequence[str]]
"""The words of the two sides of a sentence pair."""
BadLinks = Literal["refuse", "drop"]
"""Whether links outside their sentences are a mistake or are left out."""


@dataclass(frozen=True)
class Notation:
    """How the links in a file are written.

    Attributes:
        format: one of `seggrid.text.link_formats.FORMATS`; None: the one that the first lines have.
        base: the number of the first word and, if sentences are named by line numbers, of the first sentence;
            None: 0, or the number that the format says.
        swapped: whether links have the target word first.
        empty_lines: whether a line of gold without a link, in a format with a line for each sentence, is
            refused or skipped as a sentence without gold.
        above: of links with probabilities, those with a larger one are read.
        bad_links: whether gold links outside their sentences are refused or left out.
    """

    format: str | None = None
    base: int | None = None
    swapped: bool = False
    empty_lines: EmptyLines = "refuse"
    above: float = 0.5
    bad_links: BadLinks = "refuse"

    @property
    def skips_empty(self) -> bool:
        """Whether a line of gold without a link is skipped."""
        return self.empty_lines == "skip"

    @property
    def drops_bad(self) -> bool:
        """Whether gold links outside their sentences are left out."""
        return self.bad_links == "drop"

    @property
    def first(self) -> int:
        """The number of the first word, if the format is known."""
        own = FORMATS[self.format].base if self.format else None
        return (own or 0) if self.base is None else self.base


@dataclass(frozen=True)
class Known:
    """What is known of the text that links belong to; None for what is not.

    Attributes:
        sentences: the number of its sentences.
        ids: their ids.
        words: gives the words of both sides of a sentence.
        filled: whether each sentence has words on both sides, shape (S,).
        lengths: the numbers of words of both sides, shape (S, 2).
        numbered: whether sentences without ids are named by line numbers, since the text has no ids or the
            user says so.
    """

    sentences: int | None = None
    ids: Sequence[str] | None = None
    words: Callable[[int], WordsOfPair] | None = None
    filled: NDArray[np.bool_] | None = None
    lengths: NDArray[np.int64] | None = None
    numbered: bool = False

    @classmethod
    def of(
        cls,
        source: Words,
        target: Words,
        ids: Sequence[str] | None = None,
        malformed: Sequence[int] = (),
    ) -> Known:
        """All that is known of a text that was read, but for the words of `malformed` sentence pairs, whose
        links are not checked."""
        lengths = np.column_stack([source.lengths, target.lengths])
        filled = lengths.min(axis=1) > 0
        lengths[list(malformed)] = LONGEST
        return cls(
            len(source), ids, lambda s: (source[s], target[s]), filled, lengths, numbered=True
        )


PLAIN, UNKNOWN = Notation(), Known()


class GoldLink(NamedTuple):
    """A link as read.

    Attributes:
        source: zero-based position of its source word.
        target: zero-based position of its target word.
        sure: whether it is sure.
        line: its line in the file, from 1.
    """

    source: int
    target: int
    sure: bool
    line: int
