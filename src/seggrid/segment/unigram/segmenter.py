"""The segmenter `unigram`: a unigram language model applied."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from seggrid.data.segmentation import Segmentation, Sentences
from seggrid.errors import InputError
from seggrid.segment.by_type import WordTypes
from seggrid.segment.sampling import parse_sampling
from seggrid.segment.unigram.apply import apply, sample
from seggrid.segment.unigram.model import UnigramModel, read_model, symbol_count
from seggrid.segment.vocabulary import apply as vocabulary

if TYPE_CHECKING:
    from seggrid.segment.side import Side

__all__ = ["learned", "read_model", "segment", "types"]


def segment(
    model: UnigramModel, sentences: Sentences, side: Side, seeds: Sequence[int], threads: int
) -> list[Segmentation]:
    """Segment each word, or without spaces each sentence, in the most probable way; with sampling, draw once
    for each seed. With a rule of `seggrid.segment.vocabulary`, use the pieces without their probabilities.

    Raises:
        InputError: the rule needs merges, or is to be sampled; or a word is empty or has a `▁`, a `</w>`, a
            space or a line end in it.
    """
    sampling = parse_sampling(side.sampling)
    if side.application is not None:
        if sampling is not None:
            raise InputError(
                f"sampling with the application `{side.application}`, which has no probabilities",
                hint="leave one of the two out",
            )
        corpus = WordTypes.from_sentences(sentences, spaces=model.spaces)
        return [vocabulary.segment(corpus, types(model, side), side.application)]
    if sampling is None:
        return [apply(model, sentences)]
    return sample(model, sentences, temperature=1 / sampling.alpha, best=sampling.best, seeds=seeds)


def types(model: UnigramModel, side: Side) -> set[str]:
    """The pieces besides single characters."""
    return {piece for piece in model.pieces if symbol_count(piece, model.spaces) > 1}


def learned(model: UnigramModel) -> int:
    """The number of pieces besides single characters."""
    return sum(symbol_count(piece, model.spaces) > 1 for piece in model.pieces)
