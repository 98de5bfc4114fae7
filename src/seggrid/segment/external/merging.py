"""BPE of a `tokenizer.json` with merges that its library does not know, as pruning makes them: the library
cuts and spells the text, and the merges are applied here."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seggrid.base.errors import InputError
from seggrid.segment.bpe import apply_kernels as kernels
from seggrid.segment.bpe.apply import MergeTable
from seggrid.segment.external.huggingface import HuggingFace
from seggrid.segment.formats.merge_lines import unspelled
from seggrid.segment.formats.tokenizer_json import parse_merging
from seggrid.segment.token_offsets import Encoding
from seggrid.text.ragged import offsets_of

_BEGINS = "\0"


class Symbols(HuggingFace):
    """A BPE without its merges. A token is an initial symbol; its type has a mark if it begins a pretoken, a
    part of the text that merges do not cross."""

    def __init__(self, content: Mapping[str, Any], file: str | Path = "") -> None:
        model = {**content["model"], "merges": [], "dropout": None, "ignore_merges": False}
        bare = {**content, "model": model}
        bare.pop("split", None)
        try:
            super().__init__(json.dumps(bare), bare, file)
        except InputError:
            raise
        except Exception as error:  # the library has no class of its own for them
            raise InputError(f"not a tokenizer.json: {error}", file=file) from None
        self.symbols, self.local = self.types, False
        self.types = [mark + text for text in self.types for mark in ("", _BEGINS)]
        self.boundary = np.repeat(self.boundary, 2)

    def encode(self, lines: list[str], threads: int = 1) -> Encoding:
        encodings = self._encoded(lines, threads)
        ids, counts, begin, end = self._tokens_of(encodings)
        pretokens = np.fromiter(chain.from_iterable(e.word_ids for e in encodings), dtype=np.int64)
        begins = np.append(True, np.diff(pretokens) != 0)[: len(ids)]
        begins[offsets_of(counts)[:-1][counts > 0]] = True
        return ids * 2 + begins, counts, begin, end


class Merging(HuggingFace):
    """A BPE with merges of several parts, or types that are split after merging."""

    def __init__(self, text: str, content: Mapping[str, Any], file: str | Path = "") -> None:
        own = Symbols(content, file)
        self.__dict__.update(own.__dict__, types=own.symbols, data=text.encode(), local=False)
        self.boundary = own.boundary[::2].copy()
        merging = parse_merging(content, file)
        spelled = [unspelled(text, merging.prefix) for text in self.types]
        self._own, self._table = own, MergeTable(merging.merges, spelled)
        self._trie, self._split = self._table.trie(), merging.split
        # A product that is always split again has no id.
        number = {text: k for k, text in enumerate(spelled)}
        self._type_of = np.array([number.get(text, -1) for text in self._table.types])

    def encode(self, lines: list[str], threads: int = 1) -> Encoding:
        ids, counts, begin, end = self._own.encode(lines, threads)
        if not len(ids):
            return ids, counts, begin, end
        begins = np.append(np.flatnonzero(ids & 1), len(ids))
        merged_by = np.full(len(ids), -1, dtype=np.int32)
        tokens, _ = kernels.segment_units(ids >> 1, begins, self._trie, merged_by)
        starts = np.flatnonzero(merged_by < 0)
        if self._split:
            tokens, _ = self._table.split(tokens, np.array([len(tokens)]), self._split)
            starts = offsets_of(self._table.symbol_counts()[tokens])[:-1]
        line = np.repeat(np.arange(len(lines)), counts)[starts]
        own = np.bincount(line, minlength=len(lines))
        return (
            self._type_of[tokens].astype(np.int32),
            own.astype(np.int64),
            begin[starts],
            np.maximum.reduceat(end, starts),
        )


class Spelled(NamedTuple):
    """The S initial symbols of E words.

    Attributes:
        symbols: their texts, shape (S,).
        begins: whether each begins a pretoken, shape (S,).
        counts: number of symbols of each word, shape (E,).
        characters: the first character of its word that each symbol overlaps, -1 for none, shape (S,).
    """

    symbols: list[str]
    begins: NDArray[np.bool_]
    counts: NDArray[np.int64]
    characters: NDArray[np.int64]


def spell_symbols(content: Mapping[str, Any], prefix: str, words: Sequence[str]) -> Spelled:
    """Spell words as the library spells them within a text."""
    cut = Symbols(content).segment_words(words)
    if not cut.lengths.all():
        word = words[int(np.flatnonzero(cut.lengths == 0)[0])]
        raise InputError(f"the tokenizer makes no token of {word!r}", hint="leave the word out")
    begins = np.array([text.startswith(_BEGINS) for text in cut.types], dtype=np.bool_)
    texts = [unspelled(text.removeprefix(_BEGINS), prefix) for text in cut.types]
    characters = np.where(cut.last >= cut.first, cut.first, -1).astype(np.int64)
    return Spelled([texts[k] for k in cut.ids.tolist()], begins[cut.ids], cut.lengths, characters)
