"""Spell words in the symbols of a BPE, segment each by itself, and record the effect of each merge."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from seggrid.data.boundary import BOUNDARY
from seggrid.data.ragged import code_points, offsets_of
from seggrid.errors import InputError
from seggrid.morphology.cuts import Cuts
from seggrid.morphology.merging import apply_merges
from seggrid.morphology.references import Reference
from seggrid.segment.bpe.merge_table import MergeTable
from seggrid.segment.bpe.model import BPEModel
from seggrid.segment.bpe.units import unit_symbols
from seggrid.segment.bytelevel import (
    byte_symbols,
    character_classes,
    decoded_length,
    pretoken_starts,
)


@dataclass(frozen=True)
class ByteLevelModel:
    """A byte-level tokenizer from elsewhere.

    Attributes:
        merges: the parts that each merge joins, in order of priority.
        vocabulary: the id of each type, including special tokens.
        split: types that are split after segmentation into the parts of their merge, recursively.
        dropout: the rate at which occurrences of merges are skipped.
        content: the file that it was read from, parsed, whose other parts stay as they are; None if there is
            none.
    """

    merges: list[tuple[str, ...]]
    vocabulary: dict[str, int] = field(default_factory=dict)
    split: frozenset[str] = frozenset()
    dropout: float = 0.0
    content: dict[str, Any] | None = field(default=None, compare=False, repr=False)


AnyModel = BPEModel | ByteLevelModel
Model = TypeVar("Model", BPEModel, ByteLevelModel)


@dataclass(frozen=True)
class Units:
    """The tokens of units, which merges do not cross.

    Attributes:
        tokens: tokens of each unit.
        words: first unit of each word, shape (E + 1,).
    """

    tokens: list[list[str]]
    words: NDArray[np.int64]


@dataclass(frozen=True)
class Segmented:
    """E words after segmentation.

    Attributes:
        table: the merges, and the types that `tokens` index.
        spelling: the words before segmentation.
        merged_by: the merge that deleted the boundary before each initial symbol, -1 if none did, int32,
            shape (S,).
        tokens: the type of the token that begins at each initial symbol, -1 if none begins there, int32,
            shape (S,).
    """

    table: MergeTable
    spelling: Spelling
    merged_by: NDArray[np.int32]
    tokens: NDArray[np.int32]

    @property
    def counts(self) -> NDArray[np.int64]:
        """The number of tokens of each word, shape (E,)."""
        return np.add.reduceat(self.tokens >= 0, self.spelling.words[:-1], dtype=np.int64)

    def words(self) -> list[list[str]]:
        """The tokens of each word as text."""
        return self._texts(self.spelling.words)

    def units(self) -> Units:
        """The tokens of each unit as text."""
        spelling = self.spelling
        first_units = np.searchsorted(spelling.units, spelling.words)
        return Units(self._texts(spelling.units), first_units)

    def _texts(self, offsets: NDArray[np.int64]) -> list[list[str]]:
        """The tokens as text, divided before the symbols at these offsets."""
        flat = [self.table.types[t] for t in self.tokens[self.tokens >= 0].tolist()]
        before = np.concatenate([[0], np.cumsum(self.tokens >= 0)])
        return [flat[i:j] for i, j in pairwise(before[offsets].tolist())]

    def cuts(self) -> Cuts:
        """The cuts of each word by its tokens, in characters.

        A token of bytes is decoded by itself, so each part of a divided letter counts as a character. A token
        before the first character of a word or after its last (only `Ġ` or `▁`) makes no cut.
        """
        spelling = self.spelling
        starts = np.flatnonzero(self.tokens >= 0)
        lengths = np.add.reduceat(spelling.characters >= 0, starts, dtype=np.int64)
        if spelling.of_bytes:
            self._decode_parted_letters(starts, lengths)
        counts = self.counts
        last = np.cumsum(counts) - 1
        ends = np.cumsum(lengths)
        before_word = np.concatenate([[0], ends[last[:-1]]])
        positions = ends - np.repeat(before_word, counts)
        is_cut = positions > 0
        is_cut[last] = False
        is_cut[:-1] &= lengths[1:] > 0
        kept = np.concatenate([[0], np.cumsum(is_cut)])
        return Cuts(positions[is_cut], kept[np.concatenate([[0], last + 1])])

    def _decode_parted_letters(self, starts: NDArray[np.int64], lengths: NDArray[np.int64]) -> None:
        """Correct the lengths of tokens in words in which a token begins within a letter."""
        spelling = self.spelling
        is_marker = np.zeros(len(spelling.ids), dtype=np.bool_)
        is_marker[spelling.words[:-1]] = True
        parting = starts[(spelling.characters[starts] < 0) & ~is_marker[starts]]
        words = np.unique(np.searchsorted(spelling.words, parting, side="right") - 1)
        for word in words:
            first, end = np.searchsorted(starts, spelling.words[word : word + 2])
            for t in range(first, end):
                lengths[t] = decoded_length(self.table.types[self.tokens[starts[t]]])
            lengths[first] -= 1  # the marker


def spell_reference(model: AnyModel, reference: Reference) -> Spelling:
    """Spell the words of a reference, see `spell`; errors name the line of the reference."""
    return spell(model, reference.words, reference.file, reference.lines)


def spell(
    model: AnyModel,
    words: Sequence[str],
    file: Path | None = None,
    lines: Sequence[int] | NDArray[np.integer] | None = None,
) -> Spelling:
    """Spell words in the alphabet of a model.

    In a model of characters, characters that were not in its training text become symbols that no merge uses.

    Args:
        model: the model.
        words: E words, none empty.
        file, lines: the file, and the line of each word in it, shape (E,), for messages.

    Raises:
        InputError: the vocabulary of a byte-level model lacks a byte of these words.
    """
    if isinstance(model, BPEModel):
        return spell_characters(words, model.marking if model.spaces else None)
    spelling = spell_bytes(words)
    if model.vocabulary:
        known = np.array([symbol in model.vocabulary for symbol in spelling.alphabet])
        unknown = np.flatnonzero(~known[spelling.ids])
        if len(unknown):
            word = int(np.searchsorted(spelling.words, unknown[0], side="right")) - 1
            raise InputError(
                f"the tokenizer has no byte {spelling.ids[unknown[0]]:#04x}, of {words[word]!r}",
                file=file,
                line=None if lines is None else int(lines[word]),
                hint="use a vocabulary with all 256 bytes, or leave the word out",
            )
    return spelling


def segment(
    merges: Sequence[tuple[str, ...]],
    spelling: Spelling,
    *,
    split: Collection[str] = (),
    dropout: float = 0.0,
    seed: int = 0,
    table: MergeTable | None = None,
) -> Segmented:
    """Segment each word by itself.

    Args:
        merges: merges in order of priority.
        spelling: the words.
        split: types that are split after segmentation into the parts of their merge, recursively (Cognetta
            et al. 2024).
        dropout, seed: rate and seed of BPE-dropout; see `apply_merges`.
        table: the merges over the alphabet of the spelling, if they are already numbered.
    """
    table = table or MergeTable(merges, spelling.alphabet)
    merged_by, tokens = apply_merges(table, spelling.ids, spelling.units, dropout, seed)
    segmented = Segmented(table, spelling, merged_by, tokens)
    return split_types(segmented, split) if split else segmented


def split_types(segmented: Segmented, split: Collection[str]) -> Segmented:
    """Split each token whose type is in `split` into the parts of its merge, recursively."""
    table, spelling = segmented.table, segmented.spelling
    types, _ = table.split(segmented.tokens[segmented.tokens >= 0], split)
    starts = offsets_of(table.symbol_counts()[types])[:-1]
    merged_by, tokens = segmented.merged_by.copy(), np.full_like(segmented.tokens, -1)
    tokens[starts], merged_by[starts] = types, -1
    return Segmented(table, spelling, merged_by, tokens)


@dataclass(frozen=True)
class Spelling:
    """E words spelled in the alphabet of a tokenizer.

    Attributes:
        alphabet: the initial symbols, shape (A,).
        ids: the symbols of all words, int32, shape (S,).
        units: first symbol of each unit, which merges do not cross, int64, shape (U + 1,).
        words: first symbol of each word, int64, shape (E + 1,).
        characters: index, in the concatenation of all words, of the character that begins with each symbol;
            -1 if none begins there (a word marker, the second byte of a letter); int64, shape (S,).
        of_bytes: whether the symbols are bytes, with `Ġ` before each word, rather than characters.
    """

    alphabet: list[str]
    ids: NDArray[np.int32]
    units: NDArray[np.int64]
    words: NDArray[np.int64]
    characters: NDArray[np.int64]
    of_bytes: bool


def spell_bytes(words: Sequence[str]) -> Spelling:
    """Spell words in bytes: a space, then the word's UTF-8 bytes, split into pretokens as GPT-2 does.

    The space is a symbol of its own, `Ġ`.
    """
    joined = " " + " ".join(words)
    text = code_points(joined)
    offsets = offsets_of([len(word) + 1 for word in words])
    starts = pretoken_starts(text, character_classes(text), offsets)
    ids = np.frombuffer(joined.encode(), dtype=np.uint8).astype(np.int32)
    # The first byte of each character: all others are 10xxxxxx.
    begins = np.append(np.flatnonzero(ids & 0xC0 != 0x80), len(ids))
    characters = np.full(len(ids), -1, dtype=np.int64)
    marker = np.zeros(len(text), dtype=np.bool_)
    marker[offsets[:-1]] = True
    characters[begins[:-1][~marker]] = np.arange(len(text) - len(words))
    units = np.append(begins[:-1][starts], len(ids))
    return Spelling(byte_symbols(), ids, units, begins[offsets], characters, True)


def spell_characters(words: Sequence[str], marking: str | None) -> Spelling:
    """Spell words in characters and marks of words.

    Args:
        words: E words, none empty or with a line end in it.
        marking: how words are marked if they are units, see `BPEModel`. If None, units are sentences:
            `▁` is then a symbol of its own on both sides of the word, as in the middle of a sentence, so that
            merges across words can apply.
    """
    between = marking is None
    units = [BOUNDARY + word + BOUNDARY for word in words] if between else words
    ids, offsets, alphabet = unit_symbols(units, marking)
    is_character = np.ones(len(ids), dtype=np.bool_)
    is_character[offsets[:-1]] = not between and marking != "own"
    is_character[offsets[1:] - 1] &= not between
    characters = np.full(len(ids), -1, dtype=np.int64)
    characters[is_character] = np.arange(int(is_character.sum()))
    return Spelling(alphabet, ids, offsets, offsets, characters, False)
