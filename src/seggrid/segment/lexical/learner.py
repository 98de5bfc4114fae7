"""The learner of the segmenter `lexical`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from seggrid.base.axis import required
from seggrid.corpus.pos import ANY, Tags, are_chosen
from seggrid.data.segmentation import Sentences
from seggrid.segment.bpe import learn as bpe
from seggrid.segment.lexical.model import LexicalModel, scoring_of, write_model
from seggrid.segment.wordmap import learn as wordmap
from seggrid.segment.wordmap.model import WordmapModel

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
    return learn_chosen(
        sentences,
        are_chosen(tags, required(side.pos)),
        size,
        lexicon=[word for word, part in lexicon or () if side.pos in (part, ANY)],
        fallback=required(side.fallback),
        threshold=float(required(side.zscore)),
        least_words=required(side.least_words),
        longest=side.longest_segment or None,
    )


def learn_chosen(
    sentences: Sequence[Sequence[str]],
    chosen: Sequence[Sequence[bool]],
    size: int,
    *,
    lexicon: Collection[str] = (),
    fallback: str = "wordpiece",
    threshold: float = wordmap.THRESHOLD,
    least_words: int = 1,
    longest: int | None = None,
) -> LexicalModel:
    """Learn segments from some of a text's words, and a tokenizer from all of them.

    Args:
        sentences: words of S sentences.
        chosen: for each word of `sentences`, whether it has the part of speech.
        size: number of merges of the fallback tokenizer.
        lexicon: further words of that part of speech.
        fallback: `wordpiece` or `bpe`.
        threshold: the z-score above which characters are selected.
        least_words: the smallest number of distinct words in which a segment must be found.
        longest: the most characters of a segment; no limit by default.
    """
    words = {
        word: None
        for own, flags in zip(sentences, chosen, strict=True)
        for word, flag in zip(own, flags, strict=True)
        if flag
    }
    words.update(dict.fromkeys(lexicon))
    found = wordmap.learn([list(words)], threshold=threshold).segments
    kept = {
        segment: count
        for segment, count in found.items()
        if count >= least_words and (longest is None or len(segment) <= longest)
    }
    merges = bpe.learn(sentences, size, scoring=scoring_of(fallback))
    return LexicalModel(WordmapModel(kept), merges, fallback)
