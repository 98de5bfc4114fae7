"""The learner of the segmenter `lexical`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seggrid.base.axis import required
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
    """Learn segments from the words of the part of speech `side.pos`, and `size` merges from all words.

    Args:
        sentences: words of S sentences.
        size: number of merges of the fallback tokenizer.
        side: the settings.
        tags: the part of speech of each word.
        lexicon: further words, each with its part of speech.
    """
    return lexical.learn(
        sentences,
        are_chosen(tags, required(side.pos)),
        size,
        lexicon=[word for word, part in lexicon or () if side.pos in (part, ANY)],
        fallback=required(side.fallback),
        threshold=float(required(side.zscore)),
        least_words=required(side.least_words),
        longest=side.longest_segment or None,
    )
