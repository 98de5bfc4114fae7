"""Words as initial symbols of a tokenizer, with the symbol at which each character begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seggrid.base.compiled import njit
from seggrid.data.boundary import BOUNDARY
from seggrid.data.ragged import offsets_of
from seggrid.segment.bpe.units import unit_symbols
from seggrid.segment.bytelevel import (
    byte_symbols,
    character_classes,
    pretoken_starts,
)


@dataclass(frozen=True)
class Spelling:
    """E words spelled in the alphabet of a tokenizer.

    Attributes:
        alphabet: the initial symbols, shape (A,).
        ids: the symbols of all words, int32, shape (S,).
        units: first symbol of each unit, which merges do not cross, int64, shape (U + 1,).
        words: first symbol of each word, int64, shape (E + 1,).
        characters: index, in the concatenation of all words, of the character that begins with each symbol;
            -1 where none does (a word marker, the second byte of a letter); int64, shape (S,).
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
    """The UTF-8 bytes of code points, and the first byte of each code point, shape (T + 1,)."""
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
    """Spell words in characters and marks of words.

    Args:
        words: E words, none empty or with a line end in it.
        marking: how words are marked if they are units, see `BPEModel`. If it is None, units are sentences:
            `▁` is then a symbol of its own on both sides of a word, as in the middle of a sentence, so that
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
