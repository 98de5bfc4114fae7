"""Byte-level BPE: its model, and how GPT-2 and RoBERTa split words and spell them as printable bytes.

Radford et al. 2019, and the `ByteLevel` pre-tokenizer of Hugging Face's `tokenizers`.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seggrid.base.compiled import njit

_SPACE, _LETTER, _NUMBER, _OTHER = range(4)
# Characters with Unicode's property White_Space that are not in the categories Zs, Zl and Zp.
_CONTROL_SPACES = "\t\n\v\f\r\x85"


@dataclass(frozen=True)
class ByteLevelModel:
    """A byte-level tokenizer from elsewhere, with GPT-2's pre-tokenization.

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


def byte_symbols() -> list[str]:
    """The printable character that stands for each of the 256 bytes (`Ġ` for the space).

    Bytes that are printable in Latin-1 are represented by themselves, the others, in order, by the characters
    from U+0100 on.
    """
    printable = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    symbols = []
    shifted = 0
    for byte in range(256):
        if byte in printable:
            symbols.append(chr(byte))
        else:
            symbols.append(chr(0x100 + shifted))
            shifted += 1
    return symbols


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


def character_classes(text: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """The class of each code point of a text (space, letter, number or other), shape (T,).

    Taken from the Unicode tables of the running Python.
    """
    used = np.unique(text)
    classes = np.empty(len(used), dtype=np.uint8)
    for i, code in enumerate(used.tolist()):
        character = chr(code)
        category = unicodedata.category(character)[0]
        if category == "Z" or character in _CONTROL_SPACES:
            classes[i] = _SPACE
        else:
            classes[i] = {"L": _LETTER, "N": _NUMBER}.get(category, _OTHER)
    return classes[np.searchsorted(used, text)]


@njit
def pretoken_starts(
    text: NDArray[np.uint32], classes: NDArray[np.uint8], offsets: NDArray[np.int64]
) -> NDArray[np.bool_]:
    r"""Whether each character begins a pretoken, shape (T,).

    The pattern of GPT-2:
    `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`.

    Args:
        text, offsets: code points of the words, shape (T,), and the first of each word, (E + 1,).
        classes: their `character_classes`.
    """
    starts = np.zeros(len(text), dtype=np.bool_)
    for e in range(len(offsets) - 1):
        i, end = offsets[e], offsets[e + 1]
        while i < end:
            starts[i] = True
            contraction = _contraction(text[i:end])
            if contraction:
                i += contraction
                continue
            run = i
            if text[i] == 32 and i + 1 < end and classes[i + 1] != _SPACE:
                run = i + 1
            kind = classes[run]
            stop = run + 1
            while stop < end and classes[stop] == kind:
                stop += 1
            # Of several spaces, the last one belongs to the pretoken that follows.
            if kind == _SPACE and stop < end and stop - i > 1:
                stop -= 1
            i = stop
    return starts


@njit
def _contraction(text: NDArray[np.uint32]) -> int:
    """The length of an English contraction ('s, 're, ...) at the beginning of a text, or 0."""
    if len(text) < 2 or text[0] != ord("'"):
        return 0
    if text[1] == ord("s") or text[1] == ord("t") or text[1] == ord("m") or text[1] == ord("d"):
        return 2
    if len(text) > 2 and (
        (text[2] == ord("e") and (text[1] == ord("r") or text[1] == ord("v")))
        or (text[1] == ord("l") and text[2] == ord("l"))
    ):
        return 3
    return 0
