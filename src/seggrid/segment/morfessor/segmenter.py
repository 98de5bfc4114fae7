"""The segmenter `morfessor`: a model of Morfessor applied."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from seggrid.base.extras import import_installed
from seggrid.data.boundary import BOUNDARY
from seggrid.data.segmentation import Segmentation, Sentences
from seggrid.segment.by_type import WordTypes
from seggrid.segment.morfessor.model import MorfessorModel, read_model

if TYPE_CHECKING:
    from seggrid.segment.side import Side

__all__ = ["learned", "read_model", "segment", "types"]


def segment(
    model: MorfessorModel, sentences: Sentences, side: Side, seeds: Sequence[int], threads: int
) -> list[Segmentation]:
    """Cut words of the training text as they were learned, others by the library's Viterbi search."""
    types = WordTypes.from_sentences(sentences)
    unknown = [word for word in types.words if word not in model.words]
    found = {word: morphs for word, (_, morphs) in model.words.items()}
    if unknown:
        package = import_installed("tokenizers", "morfessor", user="the segmenter morfessor")
        library = package.BaselineModel()
        rows = [(count, word, list(morphs)) for word, (count, morphs) in model.words.items()]
        library.load_segmentations(rows)
        found |= {word: tuple(library.viterbi_segment(word)[0]) for word in unknown}
    morphs = (found[word] for word in types.words)
    return [types.segmentation_of_words([BOUNDARY + row[0], *row[1:]] for row in morphs)]


def types(model: MorfessorModel, side: Side) -> set[str]:
    """The morphs of two or more characters, with `▁` before those that begin a word."""
    return {
        (BOUNDARY if not place else "") + morph
        for _, morphs in model.words.values()
        for place, morph in enumerate(morphs)
        if len(morph) > 1
    }


def learned(model: MorfessorModel) -> int:
    """The number of morphs."""
    return len(model.morphs)
