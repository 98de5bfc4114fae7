"""Byte-level BPE, as GPT-2 and RoBERTa learn it (Radford et al. 2019; Liu et al. 2019), applied by Hugging
Face's `tokenizers`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seggrid.base.extras import import_installed, variable
from seggrid.base.files import atomic_write
from seggrid.segment.byte_level import THREADS, byte_symbols
from seggrid.segment.formats.tokenizer_writer import special_tokens, tokenizer_json
from seggrid.segment.segmenter import Library
from seggrid.text.segmentation import Sentences
from seggrid.text.words import Spool, WordCounts

if TYPE_CHECKING:
    from seggrid.segment.external.huggingface import HuggingFace
    from seggrid.segment.side import Side

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

    def __init__(self, data: bytes, content: Mapping[str, Any]) -> None:
        """The model in a file's bytes, and their content; `tokenizers` is only imported when it cuts text."""
        self._data, self._content = data, content

    @cached_property
    def tokenizer(self) -> HuggingFace:
        from seggrid.segment.external.huggingface import HuggingFace

        return HuggingFace(self._data.decode(), self._content)

    @classmethod
    def learn(
        cls, sentences: Sentences | WordCounts, size: int, side: Side, min_frequency: int = 2
    ) -> ByteBPE:
        """Learn `size` merges of bytes, or fewer if no pair is left that occurs `min_frequency` times.

        Each word gets a space before it and is cut into pretokens by the pattern of GPT-2; their UTF-8 bytes
        are the initial symbols. Of equally frequent pairs the library merges that of the lowest ids first.
        """
        spool = Spool.with_words(sentences)  # whose file exists as long as it
        merges = _learned(spool.name, 256 + size, max(min_frequency, 1))[:size]
        content = _tokenizer(merges)
        return cls(f"{json.dumps(content, ensure_ascii=False)}\n".encode(), content)

    @classmethod
    def read(cls, path: str | Path) -> ByteBPE:
        from seggrid.segment.external.tokenizer_file import read_tokenizer

        read = read_tokenizer(path)
        model = cls(read.data, json.loads(read.data))
        model.tokenizer = read
        return model

    @classmethod
    def alphabet_size(cls, sentences: Sentences | WordCounts, side: Side) -> int:
        return ALPHABET

    @property
    def learned(self) -> int:
        return sum(len(text) > 1 for text in self._content["model"]["vocab"]) - len(SPECIAL)

    def types(self, side: Side) -> set[str]:
        """The products of merges, and the single bytes, since these are not characters of the text."""
        return self.tokenizer.vocabulary.difference(SPECIAL)

    def write(self, path: str | Path) -> None:
        with atomic_write(path, "wb") as file:
            file.write(self._data)


def _tokenizer(merges: Sequence[Sequence[str]]) -> dict[str, Any]:
    """The content of a `tokenizer.json`: its ids are those of `SPECIAL`, then the bytes in the order of the
    characters that stand for them, then the products."""
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
        "merges": merges,
    }
    content = tokenizer_json(cutter, cutter, merging)
    special = {text: id for id, text in enumerate(SPECIAL)}
    return content | {"added_tokens": special_tokens(special)}


def _learned(file: str, types: int, min_frequency: int) -> list[Sequence[str]]:
    """The merges that the trainer of `tokenizers` learns of a file; by gigabpe, which gives the same ones, if
    it is installed."""
    merges: list[Sequence[str]]
    options: dict[str, Any] = {"vocab_size": types, "min_frequency": min_frequency}
    if find_spec("gigabpe"):
        how = {"pretokenizer": "bytelevel", "special_tokens": [], "threads": 1}
        _, merges = import_module("gigabpe").train_bpe([file], **options, **how)
        return merges
    library = import_installed("tokenizers", "tokenizers", user="the segmenter byte_bpe")
    tokenizer = library.Tokenizer(library.models.BPE())
    tokenizer.pre_tokenizer = library.pre_tokenizers.ByteLevel(add_prefix_space=False)
    with variable(THREADS, "false"):
        tokenizer.train([file], library.trainers.BpeTrainer(**options, show_progress=False))
    merges = json.loads(tokenizer.to_str())["model"]["merges"]
    return merges
