"""Spell words in the symbols of a BPE, segment each by itself, and record the effect of each merge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from seggrid.base.compiled import njit
from seggrid.base.errors import InputError
from seggrid.base.json_file import parse_json
from seggrid.morphology.cuts import Cuts
from seggrid.morphology.references import Reference
from seggrid.segment.bpe import apply_kernels as kernels
from seggrid.segment.bpe.apply import MergeTable
from seggrid.segment.bpe.model import BPEModel
from seggrid.segment.byte_level import ByteLevelModel, TokenizerModel, byte_symbols, pretokens
from seggrid.segment.formats.tokenizer_json import parse_merging, read_byte_level
from seggrid.segment.model_file import kind_of, kind_of_file, read_model_text
from seggrid.segment.trie import NONE, Trie
from seggrid.segment.units import unit_symbols
from seggrid.text.boundary import BOUNDARY
from seggrid.text.ragged import offsets_of

AnyModel = BPEModel | TokenizerModel
Model = TypeVar("Model", BPEModel, TokenizerModel)

QUEUE = "queue"
"""The name in tables for the kind of dropout of `apply_merges`."""


READ = "a tokenizer.json or a sentencepiece model of BPE, or a merges.txt over bytes"
"""What `read_model` reads besides models of seggrid, for users."""


def read_word_model(path: str | Path, vocabulary: str | Path | None = None) -> AnyModel:
    """Read the merges of a tokenizer: a `tokenizer.json`, the `.model` of a sentencepiece BPE, or a model of
    seggrid; with its `vocab.json`, a `merges.txt` over bytes."""
    if vocabulary is not None:
        return read_byte_level(path, vocabulary)
    if kind_of_file(path) == "sentencepiece":
        from seggrid.segment.external.sentencepiece_merges import merging_of_sentencepiece

        return parse_merging(merging_of_sentencepiece(path), path)
    # Recognized by its content too, since a pipe has no file ending; read only once.
    content = read_model_text(path)
    if Path(path).suffix == ".json" or kind_of(content.lstrip()) == "json":
        return parse_merging(parse_json(content, path), path)
    return BPEModel.parse(content, path)


def cut_each_word(model: AnyModel, words: Sequence[str]) -> list[list[str]]:
    """The tokens of each word, segmented by itself, without the dropout of the model, which is a setting of
    its training; none of an empty word."""
    rows = [i for i, word in enumerate(words) if word]
    tokens: list[list[str]] = [[] for _ in words]
    if rows:
        spelling = spell(model, [words[i] for i in rows])
        segmented = segment_entries(model.merges, spelling, split=model.split)
        for i, row in zip(rows, segmented.words(), strict=True):
            tokens[i] = row
    return tokens


def count_types(model: AnyModel, occurrences: Mapping[str, int]) -> Counter[str]:
    """Occurrences of each type in words, by the occurrences of the words."""
    counts: Counter[str] = Counter()
    for tokens, n in zip(
        cut_each_word(model, list(occurrences)), occurrences.values(), strict=True
    ):
        for token in tokens:
            counts[token] += n
    return counts


@dataclass(frozen=True)
class SegmentedWords:
    """E words after segmentation, of S symbols.

    Attributes:
        table: the merges.
        spelling: the words as symbols.
        merged_by, tokens: as `apply_merges` returns them, shape (S,).
    """

    table: MergeTable
    spelling: Spelling
    merged_by: NDArray[np.int32]
    tokens: NDArray[np.int32]

    @property
    def types(self) -> NDArray[np.int32]:
        """The type of each token, word by word, shape (T,)."""
        return self.tokens[self.tokens >= 0]

    @property
    def counts(self) -> NDArray[np.int64]:
        """The number of tokens of each word, shape (E,)."""
        return np.add.reduceat(self.tokens >= 0, self.spelling.words[:-1], dtype=np.int64)

    def words(self) -> list[list[str]]:
        """The tokens of each word as text."""
        flat = [self.table.types[t] for t in self.types.tolist()]
        return [flat[i:j] for i, j in pairwise(offsets_of(self.counts).tolist())]

    def cuts(self) -> Cuts:
        """The cuts of each word by its tokens, in characters: a token that begins within a character makes
        none, nor does the first token with a character of the word."""
        first = self.spelling.characters[self.tokens >= 0]
        offsets = self.spelling.offsets
        mask = np.zeros(int(offsets[-1]), dtype=np.bool_)
        mask[first[first >= 0]] = True
        mask[offsets[:-1]] = False
        return Cuts.from_mask(mask, offsets)


def spell_reference(model: AnyModel, reference: Reference) -> Spelling:
    """Spell the words of a reference, see `spell`; errors name the line of the reference."""
    return spell(model, reference.words, reference.file, reference.lines)


def spell(
    model: AnyModel,
    words: Sequence[str],
    file: Path | None = None,
    lines: Sequence[int] | NDArray[np.integer] | None = None,
) -> Spelling:
    """Spell words, none empty, in the alphabet of a model; `lines` are their lines in `file`, for messages.

    In a model of characters, characters that were not in its training text become symbols that no merge uses.
    """
    if isinstance(model, BPEModel):
        return spell_characters(words, model.marking if model.spaces else None)
    if not isinstance(model, ByteLevelModel):
        return spell_by_library(model, words)
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


def segment_entries(
    merges: Sequence[tuple[str, ...]],
    spelling: Spelling,
    *,
    split: Collection[str] = (),
    dropout: float = 0.0,
    seed: int = 0,
) -> SegmentedWords:
    """Segment each word by itself. Types in `split` are split after segmentation into the parts of their
    merge, recursively (Cognetta et al. 2024); `dropout` and `seed` are as in `apply_merges`."""
    table = MergeTable(merges, spelling.alphabet)
    merged_by, tokens = apply_merges(table, spelling.ids, spelling.units, dropout, seed)
    if split:
        own = tokens[tokens >= 0]
        types, _ = table.split(own, np.array([len(own)]), split)
        starts = offsets_of(table.symbol_counts()[types])[:-1]
        tokens = np.full_like(tokens, -1)
        tokens[starts], merged_by[starts] = types, -1
    return SegmentedWords(table, spelling, merged_by, tokens)


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
        offsets: first character of each word in that concatenation, int64, shape (E + 1,).
        of_bytes: whether the symbols are bytes, with `Ġ` before each word, rather than characters.
    """

    alphabet: list[str]
    ids: NDArray[np.int32]
    units: NDArray[np.int64]
    words: NDArray[np.int64]
    characters: NDArray[np.int64]
    offsets: NDArray[np.int64]
    of_bytes: bool


def spell_bytes(words: Sequence[str]) -> Spelling:
    """Spell words in bytes: a space, then the word's UTF-8 bytes, split into pretokens as GPT-2 does.

    The space is a symbol of its own, `Ġ`.
    """
    joined = " " + " ".join(words)
    offsets = offsets_of([len(word) + 1 for word in words])
    pieces = offsets_of([len(piece) for word in words for piece in pretokens(f" {word}")])
    ids = np.frombuffer(joined.encode(), dtype=np.uint8).astype(np.int32)
    # The first byte of each character: all others are 10xxxxxx.
    begins = np.append(np.flatnonzero(ids & 0xC0 != 0x80), len(ids))
    characters = np.full(len(ids), -1, dtype=np.int64)
    own = offsets - np.arange(len(offsets))
    characters[np.delete(begins[:-1], offsets[:-1])] = np.arange(own[-1])
    return Spelling(byte_symbols(), ids, begins[pieces], begins[offsets], characters, own, True)


def spell_by_library(model: TokenizerModel, words: Sequence[str]) -> Spelling:
    """Spell words as the library of a tokenizer spells them within a text, in pretokens of its own."""
    from seggrid.segment.external.merging import spell_symbols

    symbols, begins, counts, characters = spell_symbols(model.content or {}, model.prefix, words)
    numbers = {symbol: k for k, symbol in enumerate(dict.fromkeys(symbols))}
    ids = np.array([numbers[symbol] for symbol in symbols], dtype=np.int32)
    starts, own = offsets_of(counts), offsets_of(list(map(len, words)))
    begins[starts[:-1]] = True
    units = np.append(np.flatnonzero(begins), len(ids))
    at = np.where(characters >= 0, characters + np.repeat(own[:-1], counts), -1)
    # Only the first of several symbols of a character begins with it.
    before = np.append(-1, np.maximum.accumulate(at)[:-1])
    return Spelling(
        list(numbers), ids, units, starts, np.where(at > before, at, -1), own, model.of_bytes
    )


def spell_characters(words: Sequence[str], marking: str | None) -> Spelling:
    """Spell words in characters and marks of words (see `BPEModel.marking`).

    Without a marking, units are sentences: `▁` is then a symbol of its own on both sides of the word, as in
    the middle of a sentence, so that merges across words can apply.
    """
    between = marking is None
    units = [BOUNDARY + word + BOUNDARY for word in words] if between else words
    ids, offsets, alphabet = unit_symbols(units, marking)
    is_character = np.ones(len(ids), dtype=np.bool_)
    is_character[offsets[:-1]] = not between and marking != "own"
    is_character[offsets[1:] - 1] &= not between
    characters = np.full(len(ids), -1, dtype=np.int64)
    characters[is_character] = np.arange(int(is_character.sum()))
    own = offsets_of(list(map(len, words)))
    return Spelling(alphabet, ids, offsets, offsets, characters, own, False)


def apply_merges(
    table: MergeTable,
    symbols: NDArray[np.int32],
    offsets: NDArray[np.int64],
    dropout: float = 0.0,
    seed: int = 0,
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Segment units by byte-tuple encoding (BPE-knockout, section 3.2).

    In each unit the applicable merge of highest priority is applied, from left to right, until none is left.
    With dropout, the next occurrence may be skipped instead. This is the dropout of Hugging Face's
    tokenizers, on which the paper's figures are based, not that of the axis `dropout`: skipped occurrences
    return to the queue as soon as a later one is not skipped, even if that one no longer exists. So fewer
    occurrences are dropped for good than in Provilkov et al. (2020), where the first step without a merge is
    the last.

    Args:
        symbols: initial types of all units, shape (S,).
        offsets: first symbol of each unit, shape (U + 1,).
        dropout: the probability of skipping an occurrence in the queue.
        seed: the draws for a unit depend on it and on the number of the unit.

    Returns:
        The merge that deleted the boundary before each initial symbol, -1 if a token begins there; and the
        type of the token that begins there, -1 if none does; both of shape (S,).
    """
    merged_by = np.full(len(symbols), -1, dtype=np.int32)
    if dropout:
        flat = _segment_with_queue(
            symbols, offsets, table.trie(), dropout, np.uint64(seed % 2**64), merged_by
        )
    else:
        flat, _ = kernels.segment_units(symbols, offsets, table.trie(), merged_by)
    tokens = np.full(len(symbols), -1, dtype=np.int32)
    tokens[merged_by < 0] = flat
    return merged_by, tokens


@njit
def _segment_with_queue(
    symbols: NDArray[np.int32],
    offsets: NDArray[np.int64],
    trie: Trie,
    dropout: float,
    seed: np.uint64,
    merged_by: NDArray[np.int32],
) -> NDArray[np.int32]:
    """The tokens of all units, with dropout as in `apply_merges`; fills `merged_by`."""
    tokens = np.empty(len(symbols), dtype=np.int32)
    end = 0
    for u in range(len(offsets) - 1):
        length = offsets[u + 1] - offsets[u]
        unit = symbols[offsets[u] : offsets[u + 1]].copy()
        begins = np.arange(offsets[u], offsets[u + 1])
        best = np.array([kernels.best_merge(unit, i, length, trie.table) for i in range(length)])
        # Occurrences: of the merge of highest priority the leftmost comes first.
        queue = [(best[i], begins[i]) for i in range(length) if best[i] != NONE]
        skipped = queue[:0]
        heapify(queue)
        draws = 0
        while queue:
            merge, begin = heappop(queue)
            draws += 1
            if kernels.uniform(seed, draws, u, 0) < dropout:
                skipped.append((merge, begin))
                continue
            while skipped:
                heappush(queue, skipped.pop())
            at = np.searchsorted(begins[:length], begin)
            if at == length or begins[at] != begin or best[at] != merge:
                continue
            length = _join(at, unit, begins, best, length, trie, merged_by)
            for i in range(max(0, at - trie.longest + 1), at + 1):
                before, best[i] = best[i], kernels.best_merge(unit, i, length, trie.table)
                if best[i] != NONE and (i == at or best[i] != before):
                    heappush(queue, (best[i], begins[i]))
        tokens[end : end + length] = unit[:length]
        end += length
    return tokens[:end].copy()


@njit
def _join(
    at: int,
    unit: NDArray[np.int32],
    begins: NDArray[np.int64],
    best: NDArray[np.int32],
    length: int,
    trie: Trie,
    merged_by: NDArray[np.int32],
) -> int:
    """Apply the best merge at a position of a unit, and return the unit's new length."""
    merge = best[at]
    parts = trie.merges[merge].parts
    for i in range(at + 1, at + parts):
        merged_by[begins[i]] = merge
    unit[at] = trie.merges[merge].product
    length -= parts - 1
    for i in range(at + 1, length):
        unit[i] = unit[i + parts - 1]
        begins[i] = begins[i + parts - 1]
        best[i] = best[i + parts - 1]
    return length
