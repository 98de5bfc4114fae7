"""The learner of the segmenter `morfessor`: morphs by Morfessor Baseline."""

from __future__ import annotations

import logging
import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

from seggrid.base.extras import import_installed
from seggrid.errors import InputError
from seggrid.segment import SEGMENTERS
from seggrid.segment.by_type import WordTypes
from seggrid.segment.morfessor.model import MorfessorModel, write_model

if TYPE_CHECKING:
    from seggrid.segment.side import Side

__all__ = ["learn", "write_model"]

SEED = 1
"""Seed of the order in which words are visited."""
EPOCHS = 30
"""The most passes over the words; with few words, no weight may give the requested number of morphs."""


def learn(
    sentences: Sequence[Sequence[str]], size: int, side: Side | None = None
) -> MorfessorModel:
    """Learn about `size` morphs from the words of a corpus.

    Args:
        sentences: the corpus, each sentence as a list of words.
        size: number of distinct morphs, to which the corpus weight is adjusted; a weight of 1 may give fewer.
        side: not used.

    Raises:
        InputError: the size is not above 0, Morfessor is not installed, or a word is empty or has a `▁`,
            a `</w>`, a space or a line end in it.
    """
    library = import_installed("tokenizers", "morfessor", user="the segmenter morfessor")
    registered = SEGMENTERS["morfessor"]
    if size < registered.least_size:
        raise InputError(f"{size} morphs", hint=f"give a number from {registered.least_size} on")
    types = WordTypes.from_sentences(sentences)
    counts = dict(zip(types.words, types.counts.tolist(), strict=True))
    logging.getLogger("morfessor").setLevel(logging.ERROR)
    library.utils.show_progress_bar = False
    state = random.getstate()
    try:
        model = library.BaselineModel()
        if size < len(counts):
            weight = library.baseline.NumMorphCorpusWeight(size, registered.tolerance)
            model.set_corpus_weight_updater(weight)
        model.load_data([(count, word) for word, count in counts.items()])
        random.seed(SEED)
        model.train_batch(max_epochs=EPOCHS)
    finally:
        random.setstate(state)
    return MorfessorModel(
        {word: (count, tuple(model.segment(word))) for word, count in counts.items()}
    )
