"""Words as UTF-8 bytes, in compiled code: a hash table of those of a text, and lines of tokens."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from seggrid.base.compiled import int64, njit, uint64
from seggrid.base.lines import line_ends
from seggrid.base.random_bits import GOLDEN

Array = NDArray[Any]

WORD = np.dtype([("hash", np.uint64), ("end", np.int64)])
"""A distinct word: its hash, and where it ends in the text of all."""
_SPACE, _NEWLINE = ord(" "), ord("\n")
_LOWEST = np.uint64(0x0101010101010101)
AHEAD = b"\n" * 7
"""Bytes after the last line or token, since eight are read at a time."""


class WordTable:
    """The distinct words of a text, numbered in order of appearance."""

    def __init__(self) -> None:
        self._used = 0
        # The words, each with a newline after it; a record of each, after an empty one; and for each
        # slot, the number of a word from 1 on, or 0.
        self._text = np.empty(1 << 18, dtype=np.uint8)
        self._words = np.zeros(1 << 15, dtype=WORD)
        self._slots = np.zeros(1 << 16, dtype=np.int32)

    def __len__(self) -> int:
        return self._used

    def number(self, lines: bytes) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The numbers of the words of lines, shape (N,), and the number of words of each line, shape (S,);
        each line ends in a newline."""
        padded = np.frombuffer(lines + AHEAD, dtype=np.uint8)
        ids = np.empty(len(lines) // 2, dtype=np.int32)
        lengths = np.empty(len(line_ends(lines)), dtype=np.int64)
        at = np.array([0, self._used, 0, 0, 0])
        while True:
            number_words(padded, at, self._text, self._words, self._slots, ids, lengths)
            self._used = int(at[1])
            if at[0] == len(lines):
                break
            if self._used + 1 == len(self._words):
                self._words = np.resize(self._words, 2 * len(self._words))
                self._slots = slots_of(self._words, self._used, 2 * len(self._slots))
            else:
                self._text = np.resize(self._text, 2 * len(self._text) + len(lines))
        return ids[: at[2]].copy(), lengths

    def words(self) -> list[str]:
        """The words."""
        text = self._text[: self._words["end"][self._used]].tobytes()
        return text.decode("utf-8", "surrogatepass").split("\n")[:-1]


@njit
def number_words(
    lines: NDArray[np.uint8], at: NDArray[np.int64], text: NDArray[np.uint8], words: Array,
    slots: NDArray[np.int32], ids: NDArray[np.int32], lengths: NDArray[np.int64],
) -> None:  # fmt: skip
    """Number the words of lines until all lines are read, or the text or the records of the table are full.

    Growing these arrays here would take four times as long, since numba would count references to them.

    Args:
        lines: lines that end in a newline, and `AHEAD`.
        at: where to begin, and on return where it ended: the place in `lines`, the number of distinct words,
            of words, of lines, and of the words before this line.
        text, words, slots: the table.
        ids, lengths: output, see `WordTable.number`.
    """
    mask = uint64(len(slots) - 1)
    i, size = uint64(at[0]), uint64(len(lines) - 7)
    used, n, line, first = at[1], at[2], at[3], at[4]
    while i < size:
        if lines[i] <= _SPACE:
            if lines[i] == _NEWLINE:
                lengths[line] = n - first
                first = n
                line += 1
            i += uint64(1)
            continue
        begin = i
        key = uint64(0)
        inside = True
        while inside:
            eight = _eight(lines, i)
            # The highest bit of each byte that is at most a space; beyond the first, maybe of others too.
            ends = (eight - uint64(0x2121212121212121)) & ~eight & uint64(0x8080808080808080)
            inside = ends == 0
            if inside:
                key = (key ^ eight) * GOLDEN
                key ^= key >> uint64(29)
                i += uint64(8)
            else:
                before = ((ends & (~ends + uint64(1))) - uint64(1)) >> uint64(7)
                key = (key ^ (eight & before)) * GOLDEN
                i += ((before & _LOWEST) * _LOWEST) >> uint64(56)
        key ^= key >> uint64(32)
        slot = key & mask
        word = slots[slot]
        while word and not (
            words[word].hash == key and _is(text, words, word, lines, int64(begin), int64(i))
        ):
            slot = (slot + uint64(1)) & mask
            word = slots[slot]
        if not word:
            end, length = words[used].end, int64(i - begin)
            if used + 1 == len(words) or end + length >= len(text):
                i = begin
                break
            used += 1
            word = used
            slots[slot] = word
            for k in range(length):
                text[end + k] = lines[begin + uint64(k)]
            text[end + length] = _NEWLINE
            words[used].hash = key
            words[used].end = end + length + 1
        ids[n] = word - 1
        n += 1
    at[0], at[1], at[2], at[3], at[4] = i, used, n, line, first


@njit(forceinline=True)
def _eight(text: Array, i: int) -> int:
    """Eight bytes from a place on, the first lowest: one instruction."""
    return (
        uint64(text[i])
        | uint64(text[i + uint64(1)]) << uint64(8)
        | uint64(text[i + uint64(2)]) << uint64(16)
        | uint64(text[i + uint64(3)]) << uint64(24)
        | uint64(text[i + uint64(4)]) << uint64(32)
        | uint64(text[i + uint64(5)]) << uint64(40)
        | uint64(text[i + uint64(6)]) << uint64(48)
        | uint64(text[i + uint64(7)]) << uint64(56)
    )


@njit(forceinline=True)
def _is(text: Array, words: Array, word: int, lines: Array, begin: int, end: int) -> bool:
    """Whether a word with the same hash is the bytes of a line from `begin` to before `end`."""
    first = words[word - 1].end
    if words[word].end - 1 - first != end - begin:
        return False
    # Different words of fewer than eight bytes have different hashes.
    if end - begin >= 8:
        for k in range(end - begin):
            if text[first + k] != lines[begin + k]:
                return False
    return True


@njit
def slots_of(words: Array, used: int, size: int) -> Array:
    """The slots, `size` of them, of the first `used` words."""
    slots = np.zeros(size, dtype=np.int32)
    mask = uint64(size - 1)
    for word in range(1, used + 1):
        slot = words[word].hash & mask
        while slots[slot]:
            slot = (slot + uint64(1)) & mask
        slots[slot] = word
    return slots


@njit
def lines_of_tokens(
    text: NDArray[np.uint8],
    begins: NDArray[np.int64],
    ids: NDArray[np.int32],
    offsets: NDArray[np.int64],
) -> NDArray[np.uint8]:
    """Sentences as lines, with a space between tokens.

    Args:
        text: the distinct tokens, each with a space after it, and `AHEAD`.
        begins: the first byte of each, shape (V + 1,).
        ids: the index of each token, shape (T,).
        offsets: the first token of each sentence, shape (S + 1,).
    """
    size = len(offsets) + len(AHEAD)
    for token in ids:
        size += begins[token + 1] - begins[token]
    lines = np.empty(size, dtype=np.uint8)
    end = 0
    for sentence in range(len(offsets) - 1):
        for k in range(offsets[sentence], offsets[sentence + 1]):
            length = begins[ids[k] + 1] - begins[ids[k]]
            # Eight bytes at a time; what is too many is written over.
            for i in range(0, length, 8):
                eight = _eight(text, uint64(begins[ids[k]] + i))
                for byte in range(8):
                    lines[uint64(end + i + byte)] = eight >> uint64(8 * byte)
            end += length
        end += offsets[sentence] == offsets[sentence + 1]
        lines[end - 1] = _NEWLINE
    return lines[:end]
