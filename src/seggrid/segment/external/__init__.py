"""Tokenizers from elsewhere: read from their files and applied by their own libraries.

`huggingface`: a `tokenizer.json` of Hugging Face's `tokenizers`. `tiktoken` and `merges`: ranks of
tiktoken, and a `merges.txt` over bytes beside its `vocab.json`, applied by the same library.
`sentencepiece`: a `.model` of sentencepiece. `tokens`: a text that is already tokenized, one sentence per
line. A token keeps the text that it has in the tokenizer's vocabulary; `seggrid.segment.token_offsets`
finds the words that it overlaps.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seggrid.base.errors import InputError, suggestion
from seggrid.base.lines import file_pieces
from seggrid.segment.external.huggingface import HuggingFace
from seggrid.segment.external.sentencepiece import SentencePiece
from seggrid.segment.external.tokenizer_file import read_tokenizer
from seggrid.segment.formats.contents import content_of_encoding, is_encoding
from seggrid.segment.marks import MARKINGS, MarkedText
from seggrid.segment.model_file import OUTSIDE, check_kind, kind_of_file
from seggrid.segment.own import OwnModel
from seggrid.segment.segmenter import Library

if TYPE_CHECKING:
    from seggrid.segment.side import Side

FORMATS = (*OUTSIDE.values(), *(f"tokens-{marking}" for marking in MARKINGS))


class External(Library):
    """A tokenizer that the user names."""

    name = "external"
    label = "tokenizer"
    axes = ("tokenizer", "dropout", "sampling")
    outside = True

    @classmethod
    def read(cls, path: str | Path, format: str | None = None) -> External:
        """Read a tokenizer whose format is one of `FORMATS`; by default, the file shows it."""
        if format is None:
            format = OUTSIDE.get(kind := kind_of_file(path))
            if format is None and kind == "merges":
                next(file_pieces(path), b"")  # which says so if there is no file
                hint = "a tokenizer.json, a .model of sentencepiece or ranks of tiktoken; of a text that is "
                hint += f"tokenized, say the format, {' or '.join(FORMATS[len(OUTSIDE) :])}"
                raise InputError("no tokenizer that is known by its content", file=path, hint=hint)
            if format is None:
                return cls(OwnModel.read(path, kind))
        if format not in FORMATS:
            raise InputError(f"no format {format!r}", hint=suggestion(format, FORMATS))
        if format.startswith("tokens-"):
            return cls(MarkedText.read(path, format.removeprefix("tokens-")))
        check_kind(path, next(kind for kind, own in OUTSIDE.items() if own == format))
        return cls(SentencePiece.read(path) if format == "sentencepiece" else read_tokenizer(path))

    @classmethod
    def of(cls, tokenizer: Any) -> External:
        """An object of another library: a `tokenizers.Tokenizer` (or what holds one, such as a fast tokenizer
        of transformers), a `sentencepiece.SentencePieceProcessor` or a `tiktoken.Encoding`."""
        own = getattr(tokenizer, "backend_tokenizer", tokenizer)
        if callable(to_text := getattr(own, "to_str", None)):
            return cls(HuggingFace(text := to_text(), json.loads(text), "the tokenizer"))
        if callable(to_bytes := getattr(own, "serialized_model_proto", None)):
            return cls(SentencePiece(to_bytes(), "the tokenizer"))
        if is_encoding(own):
            content = content_of_encoding(own)
            return cls(HuggingFace(json.dumps(content), content, "the tokenizer"))
        raise InputError(
            f"an object of {type(tokenizer).__name__}, where a tokenizer is expected",
            hint="give a file, or a Tokenizer of tokenizers, a SentencePieceProcessor or an Encoding of "
            "tiktoken",
        )

    def check(self, side: Side) -> None:
        for axis, is_able, of in (
            ("dropout", self.tokenizer.bpe, "a BPE of sentencepiece"),
            ("sampling", self.tokenizer.unigram, "a unigram language model of sentencepiece"),
        ):
            if getattr(side, axis) not in (None, "none", 0) and not is_able:
                named = side.tokenizer not in (None, "none", "own")
                raise InputError(
                    f"the tokenizer {side.tokenizer if named else self.tokenizer.file} cannot be sampled by "
                    f"{axis}",
                    hint=f"leave {axis} out for it; {of} can",
                )
