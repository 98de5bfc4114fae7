"""The registry of segmenters.

A segmenter is a class in one module (`seggrid.segment.segmenter.Segmenter`) and one line here: config, paths,
stages, tables, figures and the page follow, and from its `own_axes` the axes of the grid.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from seggrid.base.registry import Registry

if TYPE_CHECKING:
    from seggrid.segment.segmenter import Segmenter


HIDDEN = "hidden"
"""The value of `spaces` with which the segmenter gets a text without word boundaries."""

SEGMENTERS: Registry[Segmenter] = Registry(
    {
        "words": "seggrid.segment.baselines:UncutWords",
        "characters": "seggrid.segment.baselines:Characters",
        "bpe": "seggrid.segment.bpe.model:BPEModel",
        "wordpiece": "seggrid.segment.wordpiece:WordPiece",
        "picky": "seggrid.segment.picky:Picky",
        "superbpe": "seggrid.segment.superbpe:SuperBPE",
        "boundless": "seggrid.segment.superbpe:Boundless",
        "parity": "seggrid.segment.parity:Parity",
        "unigram": "seggrid.segment.unigram:Unigram",
        "greedtok": "seggrid.segment.greedtok:GreedTok",
        "mingram": "seggrid.segment.mingram:MinGram",
        "bilingual": "seggrid.segment.bilingual:Bilingual",
        "wordmap": "seggrid.segment.wordmap:Wordmap",
        "lexical": "seggrid.segment.lexical:Lexical",
        "sentencepiece_bpe": "seggrid.segment.external.sentencepiece:SentencePieceBPE",
        "sentencepiece_unigram": "seggrid.segment.external.sentencepiece:SentencePieceUnigram",
        "byte_bpe": "seggrid.segment.byte_bpe:ByteBPE",
        "morfessor": "seggrid.segment.morfessor:Morfessor",
        "external": "seggrid.segment.external:External",
    }
)
"""The classes of segmenters by name."""
