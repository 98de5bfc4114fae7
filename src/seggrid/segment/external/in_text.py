"""Cut the words of a list as a tokenizer cuts them in a text.

Many tokenizers cut a word in another way after a space than at the start of a text, and no setting tells
which of them do. So each word is given to the library between two copies of itself, and the tokens of the
middle one count. If a token joins it with a copy, its neighbours are a character that no text has.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seggrid.data.ragged import offsets_of, ragged_rows
from seggrid.data.segmentation import Segmentation
from seggrid.segment.token_offsets import CodePoints, MappedTokens, join_parts, overlapped_words

Spans = tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]
"""Of S lines with T tokens: type of each token, shape (T,); tokens of each line, shape (S,); offsets of the
first character of each token in its line, and of the one after its last, shape (T,)."""

_STRANGE = "\ue000"
"""A character from Unicode's private use area."""
_WORDS = 10_000
"""Number of words in one call of the library."""


def cut_in_text(
    words: Sequence[str],
    encode: Callable[[list[str]], Spans],
    types: Sequence[str],
    boundary: NDArray[np.bool_],
    file: str | Path,
) -> Segmentation:
    """The tokens of each word between two others, mapped to its characters.

    Args:
        types: texts of the types, shape (V,).
        boundary: whether each type stands for a space alone, shape (V,).

    Returns:
        A segmentation whose sentences are the words, and whose words are their characters.
    """
    parts = [_cut(words[k : k + _WORDS], encode, boundary) for k in range(0, len(words), _WORDS)]
    return join_parts(types, parts, file)


def _cut(
    words: Sequence[str], encode: Callable[[list[str]], Spans], boundary: NDArray[np.bool_]
) -> MappedTokens:
    found, joined = _middle(words, words, encode, boundary)
    if not joined.any():
        return found
    again = np.flatnonzero(joined)
    own = [words[e] for e in again.tolist()]
    parted, _ = _middle(own, [_STRANGE] * len(own), encode, boundary)
    counts = np.concatenate([found.counts, parted.counts])
    taken = np.arange(len(words))
    taken[again] = len(words) + np.arange(len(own))
    rows = ragged_rows(offsets_of(counts), taken)
    ids, first, last = (
        np.concatenate(arrays)[rows]
        for arrays in (
            (found.ids, parted.ids),
            (found.first, parted.first),
            (found.last, parted.last),
        )
    )
    return MappedTokens(ids, counts[taken], first, last)


def _middle(
    words: Sequence[str],
    neighbours: Sequence[str],
    encode: Callable[[list[str]], Spans],
    boundary: NDArray[np.bool_],
) -> tuple[MappedTokens, NDArray[np.bool_]]:
    """The tokens of each word between two copies of its neighbour; and whether one has parts of both."""
    lines = [f"{one} {word} {one}" for word, one in zip(words, neighbours, strict=True)]
    ids, counts, begin, end = encode(lines)
    word_of = np.repeat(np.arange(len(words)), counts)
    start = np.array([len(one) + 1 for one in neighbours])[word_of]
    stop = start + np.array(list(map(len, words)))[word_of]
    is_mark = boundary[ids] & (begin >= start - 1) & (begin <= start)
    # A token without characters (the first byte of a letter) belongs to the character at its offset.
    place = np.where(end > begin, begin, np.maximum(begin, np.minimum(begin + 1, start)))
    kept = is_mark | ((np.maximum(end, place + 1) > start) & (place < stop))
    crosses = kept & ~is_mark & ((begin < start - 1) | (end > stop + 1))
    joined = np.bincount(word_of[crosses], minlength=len(words)) > 0
    own = np.bincount(word_of[kept], minlength=len(words))
    first, last = (np.clip(at[kept] - start[kept], 0, (stop - start)[kept]) for at in (begin, end))
    text = CodePoints.from_lines(words, "")
    spans = overlapped_words(text, own, first, last, boundary[ids[kept]])
    return MappedTokens(ids[kept], own, *spans), joined
