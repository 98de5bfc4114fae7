"""BPE over bytes and other BPE from elsewhere as data: how GPT-2 splits text, and spells it as printable
bytes (`ByteLevel` of Hugging Face's `tokenizers`)."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seggrid.text.words import number_distinct

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


def pretokens(text: str, pattern: str = GPT2) -> list[str]:
    """The pieces into which a pattern divides a text, which merges do not cross."""
    import regex

    found: list[str] = regex.findall(pattern, text)
    return found


def divide_words(
    words: Sequence[str], pattern: str, before: str
) -> tuple[list[str], NDArray[np.int32], NDArray[np.int64]]:
    """The distinct pretokens of W words without spaces, each with a space or nothing `before` it; the index
    among them of each pretoken, shape (N,); and the first pretoken of each word, shape (W + 1,).

    >>> divide_words(["it's", "it"], GPT2, " ")[0]
    [' it', "'s"]
    """
    if not before:
        return number_distinct([pretokens(word, pattern) for word in words])
    # A word begins where a pretoken begins with a space.
    parts, places, _ = number_distinct([pretokens("".join(f" {word}" for word in words), pattern)])
    begins = np.array([part.startswith(" ") for part in parts], dtype=np.bool_)
    return parts, places, np.append(np.flatnonzero(begins[places]), len(places))
