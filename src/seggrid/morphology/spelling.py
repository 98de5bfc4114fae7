"""Words as the initial symbols of a tokenizer, and where each of their characters begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seggrid.data.boundary import BOUNDARY
from seggrid.data.compiled import njit
from seggrid.data.ragged import offsets_of
from seggrid.segment.bpe.units import WORD_END
from seggrid.segment.bytelevel import (
    byte_symbols,
    character_classes,
    pretoken_starts,
)

# Symbols of their own before and after a word.
_MARKERS = {"start": ("", ""), "end": ("", ""), "own": (BOUNDARY, ""), None: (BOUNDARY, BOUNDARY)}


@dataclass(frozen=True)
class Spelling:
    """E words spelled in the alphabet of a tokenizer.

    Attributes:
        alphabet: the initial symbols, shape (A,).
        ids: the symbols of all words, int32, shape (S,).
        units: where each unit that merges do not leave begins, int64, shape (U + 1,).
        words: where each word's symbols begin, int64, shape (E + 1,).
        characters: which character of the words laid end to end begins with the symbol, -1 for one
            that begins none (a word marker, the second byte of a letter), int64, shape (S,).
        of_bytes: whether the symbols are bytes, `Ġ` before each word, rather than characters.
    """

    alphabet: list[str]
    ids: NDArray[np.int32]
    units: NDArray[np.int64]
    words: NDArray[np.int64]
    characters: NDArray[np.int64]
    of_bytes: bool


def spell_bytes(words: Sequence[str]) -> Spelling:
    """Byte-level: a space, then the word's UTF-8 bytes, parted into pretokens as GPT-2 does.

    The space is a symbol of its own, `Ġ`, glued to nothing.
    """
    text = np.frombuffer((" " + " ".join(words)).encode("utf-32-le"), dtype=np.uint32)
    offsets = offsets_of([len(word) + 1 for word in words])
    starts = pretoken_starts(text, character_classes(text), offsets)
    ids, begins = _utf8(text)
    characters = np.full(len(ids), -1, dtype=np.int64)
    marker = np.zeros(len(text), dtype=np.bool_)
    marker[offsets[:-1]] = True
    characters[begins[:-1][~marker]] = np.arange(len(text) - len(words))
    units = np.append(begins[:-1][starts], len(ids))
    return Spelling(byte_symbols(), ids, units, begins[offsets], characters, True)


@njit
def _utf8(text: NDArray[np.uint32]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """The UTF-8 bytes of code points, and where each begins, shape (T + 1,)."""
    begins = np.zeros(len(text) + 1, dtype=np.int64)
    for i in range(len(text)):
        code = text[i]
        begins[i + 1] = begins[i] + 1 + (code >= 0x80) + (code >= 0x800) + (code >= 0x10000)
    data = np.empty(begins[-1], dtype=np.int32)
    for i in range(len(text)):
        code = np.int64(text[i])
        at = begins[i]
        count = begins[i + 1] - at
        if count == 1:
            data[at] = code
        else:
            for k in range(count - 1, 0, -1):
                data[at + k] = 0x80 | (code & 0x3F)
                code >>= 6
            data[at] = (0xF00 >> count) & 0xFF | code
    return data, begins


def spell_characters(words: Sequence[str], marking: str | None) -> Spelling:
    """Characters and what marks words.

    Args:
        words: E words, none empty.
        marking: of words that are units, see `BPEModel`. If it is None, sentences are units: then
            `▁` is a symbol of its own on both sides of the word, as in the middle of a sentence, so
            that merges across words find their part.
    """
    before, after = _MARKERS[marking]
    index: dict[str, int] = {}
    ids: list[int] = []
    for word in words:
        symbols = [*before, *word, *after]
        if marking == "start":
            symbols[0] = BOUNDARY + symbols[0]
        elif marking == "end":
            symbols[-1] += WORD_END
        ids += [index.setdefault(symbol, len(index)) for symbol in symbols]
    offsets = offsets_of([len(before) + len(word) + len(after) for word in words])
    is_character = np.ones(len(ids), dtype=np.bool_)
    is_character[offsets[:-1]] = not before
    is_character[offsets[1:] - 1] &= not after
    characters = np.full(len(ids), -1, dtype=np.int64)
    characters[is_character] = np.arange(int(is_character.sum()))
    return Spelling(list(index), np.array(ids, dtype=np.int32), offsets, offsets, characters, False)
