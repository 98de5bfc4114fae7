"""Segment single words with a BPE model, and record the effect of each merge."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from seggrid.data.ragged import offsets_of
from seggrid.errors import InputError
from seggrid.morphology.cuts import Cuts
from seggrid.morphology.merging import apply_merges
from seggrid.morphology.references import Reference
from seggrid.morphology.spelling import Spelling, spell_bytes, spell_characters
from seggrid.segment.bpe.merge_table import MergeTable
from seggrid.segment.bpe.model import BPEModel
from seggrid.segment.bytelevel import decoded_length


@dataclass(frozen=True)
class ByteLevelModel:
    """A byte-level tokenizer from elsewhere.

    Attributes:
        merges: the parts that each merge joins, in order of priority.
        vocabulary: the id of each type, including special tokens.
        split: types that are split after segmentation into the parts of their merge, recursively.
        dropout: the rate at which occurrences of merges are skipped.
    """

    merges: list[tuple[str, ...]]
    vocabulary: dict[str, int] = field(default_factory=dict)
    split: frozenset[str] = frozenset()
    dropout: float = 0.0


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
        merged_by: the merge that deleted the boundary before each initial symbol, -1 where none did, int32,
            shape (S,).
        tokens: the type of the token that begins at each initial symbol, -1 where none does, int32, shape
            (S,).
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
        flat = [self.table.types[t] for t in self.tokens[self.tokens >= 0].tolist()]
        ends = np.cumsum(self.counts).tolist()
        return [flat[i:j] for i, j in zip([0, *ends], ends, strict=False)]

    def units(self) -> Units:
        """The tokens of each unit as text."""
        spelling = self.spelling
        flat = [self.table.types[t] for t in self.tokens[self.tokens >= 0].tolist()]
        before = np.concatenate([[0], np.cumsum(self.tokens >= 0)])
        ends = before[spelling.units].tolist()
        rows = [flat[i:j] for i, j in pairwise(ends)]
        return Units(rows, np.searchsorted(spelling.units, spelling.words))

    def cuts(self) -> Cuts:
        """The cuts of each word by its tokens, in characters.

        A token of bytes is decoded by itself, so that each part of a letter that is cut counts as a
        character. A token before the word's first character or after its last (only `Ġ` or `▁`) makes no cut.
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

    Characters that are not in the training text of a model of characters are symbols that no merge uses.

    Args:
        model: the model.
        words: E words, none empty.
        file, lines: file and lines that the words were read from, for messages; lines of shape (E,).

    Raises:
        InputError: a byte-level model whose vocabulary lacks a byte of these words.
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
