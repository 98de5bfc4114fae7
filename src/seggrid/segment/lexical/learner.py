"""The lexical tokenizer's learner for the grid: the axes of a side, turned into a call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seggrid.corpus.pos import ANY, are_chosen
from seggrid.corpus.tags import Tags
from seggrid.data.segmentation import Sentences
from seggrid.segment.lexical import learn as lexical
from seggrid.segment.lexical.model import LexicalModel, write_model

if TYPE_CHECKING:
    from seggrid.segment.side import Side

__all__ = ["learn", "write_model"]


def learn(
    sentences: Sentences,
    size: int,
    side: Side,
    tags: Tags,
    lexicon: list[tuple[str, str]] | None = None,
) -> LexicalModel:
    """Learn segments from the words of `side.pos`, and `size` merges from all.

    Args:
        sentences: the text.
        size: merges of the tokenizer beneath.
        side: the axes.
        tags: the part of speech of each word.
        lexicon: further words, each with its part of speech.
    """
    return lexical.learn(
        sentences,
        are_chosen(tags, side.pos),
        size,
        lexicon=[word for word, part in lexicon or () if side.pos in (part, ANY)],
        fallback=side.fallback,
        threshold=float(side.zscore),
        least_words=side.least_words,
        longest=side.longest_segment or None,
    )
