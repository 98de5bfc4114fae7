"""Tokenizers from elsewhere: read from their files and applied by their own libraries.

`huggingface`: a `tokenizer.json` of Hugging Face's `tokenizers`. `sentencepiece`: a `.model` of
sentencepiece. `tokens`: a text that is already tokenized, one sentence per line. A token keeps the text that
it has in the tokenizer's vocabulary; `seggrid.segment.token_offsets` finds the words that it overlaps.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from seggrid.errors import InputError
from seggrid.segment.external.huggingface import HuggingFace
from seggrid.segment.external.sentencepiece import SentencePiece
from seggrid.segment.marks import MARKINGS, MarkedText
from seggrid.segment.model_file import check_kind
from seggrid.segment.segmenter import Library

if TYPE_CHECKING:
    from seggrid.segment.side import Side

FORMATS = ("huggingface", "sentencepiece", *(f"tokens-{marking}" for marking in MARKINGS))


class External(Library):
    """A tokenizer that the user names."""

    name = "external"
    label = "tokenizer"
    axes = ("glossary", "tokenizer", "dropout", "sampling")
    outside = True

    @classmethod
    def read(cls, path: str | Path, format: str = "huggingface") -> External:
        """Read a tokenizer whose format is one of `FORMATS`."""
        if format == "huggingface":
            check_kind(path, "json")
            return cls(HuggingFace.read(path))
        if format == "sentencepiece":
            check_kind(path, "sentencepiece")
            return cls(SentencePiece.read(path))
        return cls(MarkedText.read(path, format.removeprefix("tokens-")))

    def check(self, side: Side) -> None:
        for axis, is_able, of in (
            ("dropout", self.tokenizer.bpe, "a BPE of sentencepiece"),
            ("sampling", self.tokenizer.unigram, "a unigram language model of sentencepiece"),
        ):
            if getattr(side, axis) not in (None, "none", 0) and not is_able:
                raise InputError(
                    f"the tokenizer {side.tokenizer} cannot be sampled by {axis}",
                    hint=f"leave {axis} out for it; {of} can",
                )
