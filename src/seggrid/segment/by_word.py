"""Cut each distinct word of a text once, for a tokenizer that cuts words without regard to each other.

Most of a text are its commonest words. A tokenizer is *local* if an ordinary word has the same tokens in
every line of such words, separated by single spaces, but for the start of the line: this follows from what
its file holds. An added token is an exception, since spaces beside it and the text after it may be treated in
another way; so a sentence with one, or with a word that is not ordinary, is tokenized as it is.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from itertools import count

import numpy as np
from numpy.typing import NDArray

from seggrid.base.errors import InputError
from seggrid.text.boundary import BOUNDARY
from seggrid.text.ragged import each_block, offsets_of, ragged_rows
from seggrid.text.words import Words, places_of

Ints = NDArray[np.integer]
Mapped = tuple[Ints, Ints, Ints, Ints]
"""The type of each of T tokens, the first and last word that it overlaps, and the number of tokens of each of
S sentences."""
Tokenize = Callable[[Sequence[Sequence[str]]], list[Mapped]]
"""Tokenizes sentences, and returns parts of them one after another."""

_BESIDE = 64
"""Number of words in a line of distinct words."""
_RARER, _MOST = 20, 100
"""One sentence in this many, but no more than about so many, is tokenized as it is, to be compared."""
_BLOCK = 10_000
"""Number of sentences that are put together at a time."""
_KEPT = 1 << 18
"""Number of words beyond which they are forgotten before the next text."""


def is_ordinary(word: str) -> bool:
    """Whether no normalization makes a space of a character of a word, or joins it to a space before it.

    >>> list(map(is_ordinary, ["naïve", "x\\u00a0y", "´", "\\u0301a", "a\\u200db", "▁a"]))
    [True, False, False, False, False, False]
    """
    if word.isascii():
        return word.isprintable() and " " not in word
    return (
        word.isprintable()
        and BOUNDARY not in word
        # Taken away by some.
        and "\ufffd" not in word
        and " " not in unicodedata.normalize("NFKC", word)
        and not unicodedata.category(word[0]).startswith("M")
    )


class WordCutter:
    """Cuts sentences for a local tokenizer, and keeps the tokens of the words that it has cut.

    Args:
        tokenize: tokenizes sentences; its result is in parts, one after another.
        boundary: whether each type stands for a space alone, shape (V,).
        added: the types of added tokens.
    """

    def __init__(self, tokenize: Tokenize, boundary: NDArray[np.bool_], added: Ints) -> None:
        self._tokenize, self._boundary, self._added = tokenize, boundary, added
        self._forget()

    def _forget(self) -> None:
        """Keep no words. Kept are the row of each word inside a sentence and of each at its start; the types
        of the tokens of all rows, shape (T,); the number of tokens of each row, and whether they may depend
        on other words, shape (K,)."""
        self._rows: tuple[dict[str, int], dict[str, int]] = ({}, {})
        self._ids = np.zeros(0, dtype=np.int32)
        self._counts = np.zeros(0, dtype=np.int64)
        self._odd = np.zeros(0, dtype=np.bool_)

    def segment(self, text: Words) -> list[Mapped] | None:
        """The tokens of a text; None if most of its words are new, so that nothing is saved, or if a sample
        of it has other tokens than those of its words."""
        if not text.filled.all():
            return None
        if len(self._odd) > _KEPT:
            self._forget()
        keys = 2 * text.ids
        keys[text.offsets[:-1]] += 1
        used = np.flatnonzero(np.bincount(keys))
        row_of = np.zeros(2 * len(text.types), dtype=np.int32)
        for at_start, known in enumerate(self._rows):
            own = used[used % 2 == at_start]
            words = [text.types[key // 2] for key in own.tolist()]
            new = [word for word in words if word not in known]
            if 2 * len(new) > len(keys) or not self._learn(new, bool(at_start)):
                return None
            row_of[own] = [known[word] for word in words]
        rows = row_of[keys]
        odd = np.logical_or.reduceat(self._odd[rows], text.offsets[:-1])
        sample = np.flatnonzero(~odd)[:: max(_RARER, len(text) // _MOST)]
        if len(sample):
            theirs = map(np.concatenate, zip(*self._tokenize(text.take(sample)), strict=True))
            ours = self._assembled(rows, text.offsets, sample)
            if not all(map(np.array_equal, ours, theirs)):
                return None
        parts = []
        for begin, end in each_block(len(text), _BLOCK):
            plain, other = (begin + np.flatnonzero(of) for of in (~odd[begin:end], odd[begin:end]))
            found = [self._assembled(rows, text.offsets, plain)]
            if len(other):
                found += self._tokenize(text.take(other))
                found = [_reordered(found, np.argsort(np.append(plain, other)))]
            parts += found
        return parts

    def _learn(self, words: list[str], at_start: bool) -> bool:
        """Cut words as they are inside a sentence, or at its start, and keep their tokens. False if a token
        overlaps two words, or a word cannot be cut."""
        odd = np.array([not is_ordinary(word) for word in words], dtype=np.bool_)
        while True:
            kept = np.flatnonzero(~odd)
            begins = np.arange(0, len(kept), 1 if at_start else _BESIDE)
            # Lines that begin with a copy of their first word; at the start, one is followed by its copy.
            shown = np.insert(kept, begins, kept[begins])
            owners = np.insert(kept, begins, -1)
            if at_start:
                owners = owners.reshape(-1, 2)[:, ::-1].ravel()
            sizes = np.diff(np.append(begins, len(kept))) + 1
            lines = Words(words, shown.astype(np.int32), offsets_of(sizes))
            try:
                parts = self._tokenize(lines) if len(kept) else []
            except InputError:  # which would name a line that is not in the text
                return False
            ids, first, last, counts = map(np.concatenate, zip(*parts, _NONE, strict=True))
            if np.any(last > first) or np.any(first >= np.repeat(sizes, counts)):
                return False
            owner = owners[np.repeat(lines.offsets[:-1], counts) + first]
            ids, owner = ids[owner >= 0], owner[owner >= 0]
            # Without those that have added tokens, the others are cut again.
            found = owner[np.isin(ids, self._added)]
            if not len(found):
                break
            odd[found] = True
        order = np.argsort(owner, kind="stable")
        ids, owner = ids[order], owner[order]
        counts = np.bincount(owner, minlength=len(words))
        # A word that has no text, or a space that is not before it.
        space = self._boundary[ids]
        odd |= np.bincount(owner[~space], minlength=len(words)) == 0
        odd[owner[space & (np.arange(len(ids)) > offsets_of(counts)[owner])]] = True
        self._rows[at_start].update(zip(words, count(len(self._odd))))
        self._ids = np.append(self._ids, ids.astype(np.int32))
        self._counts = np.append(self._counts, counts)
        self._odd = np.append(self._odd, odd)
        return True

    def _assembled(self, rows: Ints, offsets: NDArray[np.int64], sentences: Ints) -> Mapped:
        """The tokens of some sentences of a text, from the rows of its words."""
        own = rows[ragged_rows(offsets, sentences)]
        words = offsets_of(np.diff(offsets)[sentences])
        each = self._counts[own]
        ids = self._ids[ragged_rows(offsets_of(self._counts), own)]
        first = np.repeat(places_of(words), each).astype(np.int32)
        return ids, first, first - self._boundary[ids], np.diff(offsets_of(each)[words])


_NONE: Mapped = (np.zeros(0, dtype=np.int64),) * 4


def _reordered(parts: Sequence[Mapped], order: Ints) -> Mapped:
    """The sentences of some parts, in another order."""
    *tokens, counts = map(np.concatenate, zip(*parts, strict=True))
    rows = ragged_rows(offsets_of(counts), order)
    ids, first, last = (array[rows] for array in tokens)
    return ids, first, last, counts[order]
