"""Apply merges within words, then across them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from seggrid.data.ragged import offsets_of, ragged_rows
from seggrid.data.segmentation import Segmentation
from seggrid.segment.bpe import apply_kernels as kernels
from seggrid.segment.bpe.apply import Encoder
from seggrid.segment.bpe.merge_table import MergeTable
from seggrid.segment.bpe.model import BPEModel
from seggrid.segment.by_type import WordTypes
from seggrid.segment.superbpe.model import SuperModel


def apply(model: SuperModel, sentences: Sequence[Sequence[str]]) -> Segmentation:
    """Segment a corpus: words by the merges within words, then sentences by the merges across words, both by
    rank.

    A token overlaps every word from which it has a character. If the model is boundless, only words that are
    single tokens are joined.

    Raises:
        InputError: a word is empty or has a `▁`, a `</w>`, a space or a line end in it.
    """
    corpus = WordTypes.from_sentences(sentences)
    encoder = Encoder(BPEModel(model.within))
    word_tokens, bounds = encoder.encode(corpus.words)
    sizes = np.diff(bounds)
    tokens = word_tokens[ragged_rows(bounds, corpus.occurrences)]
    counts = sizes[corpus.occurrences]
    table = MergeTable(model.across, encoder.table.types)
    symbols = tokens
    if model.boundless:
        # Parts of words are replaced by a type that no merge has.
        part = table.number("")
        symbols = np.where(np.repeat(counts, counts) == 1, tokens, np.int32(part))
    units = offsets_of(counts)[corpus.offsets]
    joined, offsets = kernels.segment_units(
        symbols, units, table.trie(), np.empty(0, dtype=np.int32)
    )
    spans = table.symbol_counts()[joined]
    begins = offsets_of(spans)[:-1]
    word_in_sentence = np.arange(len(counts)) - np.repeat(
        corpus.offsets[:-1], np.diff(corpus.offsets)
    )
    words = np.repeat(word_in_sentence.astype(np.int32), counts)
    ids = np.where(spans == 1, tokens[begins], joined)
    return Segmentation(
        table.types, ids, offsets, words[begins], words[begins + spans - 1]
    ).in_order()
