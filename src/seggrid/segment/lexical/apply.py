"""Cut words of one part of speech into segments, and all others by the fallback tokenizer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from seggrid.data.boundary import BOUNDARY
from seggrid.data.segmentation import Segmentation
from seggrid.data.words import number_distinct
from seggrid.segment.bpe.apply import apply as apply_bpe
from seggrid.segment.bpe.units import check_words
from seggrid.segment.by_type import WordTypes
from seggrid.segment.lexical.model import LexicalModel
from seggrid.segment.vocabulary import apply as vocabulary
from seggrid.segment.wordmap.apply import find_cover


def apply(
    model: LexicalModel,
    sentences: Sequence[Sequence[str]],
    chosen: Sequence[Sequence[bool]],
    *,
    size: int | None = None,
) -> Segmentation:
    """Segment a text.

    Args:
        model: the model.
        sentences: words of S sentences.
        chosen: for each word of `sentences`, whether it is tagged with the part of speech.
        size: size of the joint vocabulary, see `LexicalModel.prefix`.
    """
    used = model.prefix(size)
    distinct, occurrences, offsets = number_distinct(
        [
            list(zip(words, map(bool, flags), strict=True))
            for words, flags in zip(sentences, chosen, strict=True)
        ]
    )
    words = [word for word, _ in distinct]
    check_words(words)
    types = WordTypes(words, occurrences, offsets)
    covers = covers_of(used, [word if flag else "" for word, flag in distinct])
    beneath = cut_beneath(
        used, [word for word, cover in zip(words, covers, strict=True) if not cover]
    )
    return types.segmentation_of_words(
        [BOUNDARY + cover[0], *cover[1:]] if cover else next(beneath) for cover in covers
    )


def covers_of(model: LexicalModel, words: Sequence[str]) -> list[list[str]]:
    """The segments that cover each word; none if segments do not cover it, or the word is empty."""
    segments = model.segments.segments
    longest = max(map(len, segments), default=1)
    return [find_cover(word, segments, longest) if word else [] for word in words]


def cut_beneath(model: LexicalModel, words: Sequence[str]) -> Iterator[list[str]]:
    """The tokens of each word by the fallback tokenizer."""
    if model.fallback == "wordpiece":
        types = {"".join(merge) for merge in model.merges.merges}
        texts, tokens, offsets = vocabulary.cut(words, types, "left", "start")
        for begin, end in pairwise(offsets.tolist()):
            yield [texts[token] for token in tokens[begin:end].tolist()]
    else:
        cut = apply_bpe(model.merges, [[word] for word in words])
        yield from map(cut.sentence, range(len(words)))
