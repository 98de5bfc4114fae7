"""Byte-level BPE, as GPT-2 and RoBERTa learn it (Radford et al. 2019; Liu et al. 2019), applied by Hugging
Face's `tokenizers`; how they split words, and spell them as printable bytes (the library's `ByteLevel`)."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seggrid.base.extras import import_installed, variable
from seggrid.segment.segmenter import Library
from seggrid.text.segmentation import Sentences
from seggrid.text.words import Spool, WordCounts

if TYPE_CHECKING:
    from seggrid.segment.side import Side

THREADS = "TOKENIZERS_PARALLELISM"
"""The variable that says whether the library runs on several threads."""
GPT2 = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
"""The regular expression by which GPT-2 cuts text."""


@dataclass(frozen=True)
class TokenizerModel:
    """A BPE from elsewhere, whose library cuts and spells the text.

    Attributes:
        merges: its merges.
        vocabulary: id of each type, special tokens among them.
        split: types that are split after segmentation into the parts of their merge, recursively.
        dropout: rate of BPE-dropout.
        content: content of the file, if it was read from one, whose other parts stay as they are.
        prefix: how the library marks parts inside words, such as `##`: these are spelled here without it, and
            other parts with `▁`; empty if it has none.
    """

    merges: list[tuple[str, ...]]
    vocabulary: dict[str, int] = field(default_factory=dict)
    split: frozenset[str] = frozenset()
    dropout: float = 0.0
    content: dict[str, Any] | None = field(default=None, compare=False, repr=False)
    prefix: str = ""

    @property
    def of_bytes(self) -> bool:
        """Whether types are spelled in the symbols of bytes."""
        return '"ByteLevel"' in json.dumps((self.content or {}).get("pre_tokenizer"))


class ByteLevelModel(TokenizerModel):
    """One over bytes with GPT-2's pre-tokenization, which is done here."""

    of_bytes = True


def byte_symbols() -> list[str]:
    """The printable character that stands for each of the 256 bytes (`Ġ` for the space): for those that are
    printable in Latin-1 themselves, for the others, in order, the characters from U+0100 on."""
    printable = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    others = count(0x100)
    return [chr(byte if byte in printable else next(others)) for byte in range(256)]


_BYTE_OF = {symbol: byte for byte, symbol in enumerate(byte_symbols())}
_BYTE_NAME = re.compile(r"<0x([0-9A-Fa-f]{2})>")


def bytes_of(token: str) -> bytes:
    """The bytes of a token of byte symbols."""
    return bytes(_BYTE_OF[symbol] for symbol in token)


def named_byte(token: str) -> bytes | None:
    """The byte that a token such as `<0xE2>` stands for, a byte of an unknown character; None for other
    tokens."""
    found = _BYTE_NAME.fullmatch(token)
    return bytes([int(found[1], 16)]) if found else None


def pretokens(text: str) -> list[str]:
    """The pieces into which GPT-2 divides a text, which merges do not cross."""
    import regex

    found: list[str] = regex.findall(GPT2, text)
    return found


SPECIAL = ("<s>", "</s>", "<unk>", "<pad>", "<mask>")
"""The special types of RoBERTa, in the order of their ids."""

ALPHABET = 256 + len(SPECIAL)
"""The number of types of each model besides the products of merges."""


class ByteBPE(Library):
    """A `tokenizer.json`."""

    name = "byte_bpe"
    label = "byte-level BPE"
    axes = ("vocabulary", "merges")
    learns = True
    nested = False
    size_unit = "merges"
    from_counts = True
    from_file = True
    requires = ("tokenizers",)

    @classmethod
    def learn(
        cls,
        sentences: Sentences | WordCounts,
        size: int,
        side: Side,
        min_frequency: int = 2,
    ) -> ByteBPE:
        """Learn `size` merges of bytes, or fewer if no pair is left that occurs `min_frequency` times.

        Each word gets a space before it and is cut into pretokens by the pattern of GPT-2; their UTF-8 bytes
        are the initial symbols. Of equally frequent pairs the library merges that of the lowest ids first.
        """
        from seggrid.segment.external.huggingface import HuggingFace

        spool = Spool.with_words(sentences)  # whose file exists as long as it
        merges = _learned(spool.name, 256 + size, max(min_frequency, 1))[:size]
        content = _tokenizer(merges)
        return cls(HuggingFace(json.dumps(content, ensure_ascii=False) + "\n", content))

    @classmethod
    def read(cls, path: str | Path) -> ByteBPE:
        from seggrid.segment.external.huggingface import HuggingFace

        return cls(HuggingFace.read(path))

    @classmethod
    def alphabet_size(cls, sentences: Sentences | WordCounts, side: Side) -> int:
        return ALPHABET

    @property
    def learned(self) -> int:
        return sum(len(text) > 1 for text in self.tokenizer.vocabulary) - len(SPECIAL)

    def types(self, side: Side) -> set[str]:
        """The products of merges, and the single bytes, since these are not characters of the text."""
        types: set[str] = self.tokenizer.vocabulary
        return types.difference(SPECIAL)


def _tokenizer(merges: Sequence[Sequence[str]]) -> dict[str, Any]:
    """The content of a `tokenizer.json`: its ids are those of `SPECIAL`, then the bytes in the order of the
    characters that stand for them, then the products."""
    from seggrid.segment.formats.tokenizer_json import special_tokens, tokenizer_json

    types = [*SPECIAL, *sorted(byte_symbols()), *dict.fromkeys(map("".join, merges))]
    cutter = {
        "type": "ByteLevel",
        "add_prefix_space": True,
        "trim_offsets": True,
        "use_regex": True,
    }
    absent = ("dropout", "unk_token", "continuing_subword_prefix", "end_of_word_suffix")
    merging = {
        **dict.fromkeys(absent),
        **dict.fromkeys(("fuse_unk", "byte_fallback", "ignore_merges"), False),
        "vocab": {type_: id for id, type_ in enumerate(types)},
        "merges": [list(merge) for merge in merges],
    }
    content = tokenizer_json(cutter, cutter, merging)
    special = {text: id for id, text in enumerate(SPECIAL)}
    return content | {"added_tokens": special_tokens(special)}


def _learned(file: str, types: int, min_frequency: int) -> list[Sequence[str]]:
    """The merges that the trainer of `tokenizers` learns of a file; by gigabpe, which gives the same ones, if
    it is installed."""
    options: dict[str, Any] = {"vocab_size": types, "min_frequency": min_frequency}
    if find_spec("gigabpe"):
        how = {"pretokenizer": "bytelevel", "special_tokens": [], "threads": 1}
        merges: list[Sequence[str]] = import_module("gigabpe").train_bpe([file], **options, **how)[
            1
        ]
        return merges
    library = import_installed("tokenizers", "tokenizers", user="the segmenter byte_bpe")
    tokenizer = library.Tokenizer(library.models.BPE())
    tokenizer.pre_tokenizer = library.pre_tokenizers.ByteLevel(add_prefix_space=False)
    with variable(THREADS, "false"):
        tokenizer.train([file], library.trainers.BpeTrainer(**options, show_progress=False))
    merges = json.loads(tokenizer.to_str())["model"]["merges"]
    return merges
