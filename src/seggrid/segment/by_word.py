"""Cut each distinct word of a text once, for a tokenizer that cuts words without regard to each other.

Most of a text are its commonest words. A tokenizer is *local* if an ordinary word has the same tokens in
every line of such words, separated by single spaces, but for the start of the line: this follows from what
its file holds. An added token is an exception, since spaces beside it and the text after it may be treated in
another way; so a sentence with one, or with a word that is not ordinary, is tokenized as it is.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from itertools import compress, count
from math import inf

import numpy as np
from numpy.typing import NDArray

from seggrid.base.compiled import njit
from seggrid.base.errors import InputError
from seggrid.text.boundary import BOUNDARY
from seggrid.text.ragged import offsets_of, ragged_rows
from seggrid.text.words import Words

Ints = NDArray[np.integer]
Mapped = tuple[Ints, Ints, Ints, Ints]
"""The type of each of T tokens, the first and last word that it overlaps, and the number of tokens of each of
S sentences."""
Tokenize = Callable[[Sequence[Sequence[str]]], list[Mapped]]
"""Tokenizes sentences, and returns parts of them one after another."""

Cut = Callable[[Sequence[str], bool], tuple[Ints, Ints] | None]
"""Cuts ordinary words, as at the start of a sentence if so, into the types of their tokens and the number of
tokens of each; None if it cannot."""

_BESIDE = 64
"""Number of words in a line of distinct words."""
_RARER, _MOST = 20, 100
"""One sentence in this many, but no more than about so many, is tokenized as it is, to be compared."""
LEAST = 1 << 16
"""The words of a text that a library takes as long to cut as numba takes to be imported."""
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
        cut: cuts words by themselves; otherwise they are cut in lines of words.
        longest: the most characters of a sentence whose words are cut by themselves.
    """

    def __init__(
        self,
        tokenize: Tokenize,
        boundary: NDArray[np.bool_],
        added: Ints,
        cut: Cut | None = None,
        longest: float = inf,
    ) -> None:
        self._tokenize, self._boundary, self._added, self._cut = tokenize, boundary, added, cut
        self._longest = longest
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
        if self._longest < inf:
            letters = np.array([len(word) + 1 for word in text.types])[text.ids]
            odd |= np.add.reduceat(letters, text.offsets[:-1]) > self._longest
        whole = _joined(self._tokenize(text.take(np.flatnonzero(odd))))
        begins = offsets_of(self._counts)
        found = assemble(rows, text.offsets, odd, begins, self._ids, self._boundary, *whole)
        sample = np.flatnonzero(~odd)[:: max(_RARER, len(text) // _MOST)]
        if len(sample):
            tokens = ragged_rows(offsets_of(found[-1]), sample)
            ours = (*(array[tokens] for array in found[:-1]), found[-1][sample])
            if not all(map(np.array_equal, ours, _joined(self._tokenize(text.take(sample))))):
                return None
        return [found]

    def _learn(self, words: list[str], at_start: bool) -> bool:
        """Cut words as they are inside a sentence, or at its start, and keep their tokens. False if
        this is not possible."""
        odd = np.array([not is_ordinary(word) for word in words], dtype=np.bool_)
        found = self._cut and self._cut(list(compress(words, ~odd)), at_start)
        found = found or self._in_lines(words, odd, at_start)
        if found is None:
            return False
        counts = np.zeros(len(words), dtype=np.int64)
        ids, counts[~odd] = found
        owner = np.repeat(np.arange(len(words)), counts)
        # A word that has no text, or a space that is not before it.
        space = self._boundary[ids]
        odd |= np.bincount(owner[~space], minlength=len(words)) == 0
        odd[owner[space & (np.arange(len(ids)) > offsets_of(counts)[owner])]] = True
        self._rows[at_start].update(zip(words, count(len(self._odd))))
        self._ids = np.append(self._ids, ids.astype(np.int32))
        self._counts = np.append(self._counts, counts)
        self._odd = np.append(self._odd, odd)
        return True

    def _in_lines(
        self, words: list[str], odd: NDArray[np.bool_], at_start: bool
    ) -> tuple[Ints, Ints] | None:
        """Cut the words that are not odd, in lines of them. Words with added tokens become odd; None if a
        token overlaps two words, or a word cannot be cut."""
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
                return None
            ids, first, last, counts = _joined(parts)
            if np.any(last > first) or np.any(first >= np.repeat(sizes, counts)):
                return None
            owner = owners[np.repeat(lines.offsets[:-1], counts) + first]
            ids, owner = ids[owner >= 0], owner[owner >= 0]
            # Without those that have added tokens, the others are cut again.
            found = owner[np.isin(ids, self._added)]
            if not len(found):
                break
            odd[found] = True
        order = np.argsort(owner, kind="stable")
        return ids[order], np.bincount(owner, minlength=len(words))[~odd]


def _joined(parts: Sequence[Mapped]) -> Mapped:
    """The sentences of some parts, one after another."""
    none = (np.zeros(0, dtype=np.int32),) * 3 + (np.zeros(0, dtype=np.int64),)
    ids, first, last, counts = map(np.concatenate, zip(*parts, none, strict=True))
    return ids, first, last, counts


@njit
def assemble(
    rows: Ints, offsets: Ints, odd: NDArray[np.bool_], begins: Ints, types: Ints,
    boundary: NDArray[np.bool_], ids: Ints, first: Ints, last: Ints, counts: Ints,
) -> Mapped:  # fmt: skip
    """Put the tokens of words together to those of a text.

    Args:
        rows, offsets: the row of each word of the text, and the first word of each sentence.
        odd: whether the tokens of a sentence are given, shape (S,).
        begins, types: the first token of each row, and the types of their tokens.
        boundary: whether each type stands for a space alone.
        ids, first, last, counts: the tokens of the odd sentences.
    """
    size = len(ids)
    for sentence in range(len(odd)):
        if not odd[sentence]:
            for place in range(offsets[sentence], offsets[sentence + 1]):
                size += begins[rows[place] + 1] - begins[rows[place]]
    spans = np.empty((3, size), dtype=np.int32)
    numbers = np.empty(len(odd), dtype=np.int64)
    n = given = sentences = 0
    for sentence in range(len(odd)):
        begun = n
        if odd[sentence]:
            for _ in range(counts[sentences]):
                spans[0, n], spans[1, n], spans[2, n] = ids[given], first[given], last[given]
                n, given = n + 1, given + 1
            sentences += 1
        else:
            for place in range(offsets[sentence + 1] - offsets[sentence]):
                row = rows[offsets[sentence] + place]
                for k in range(begins[row], begins[row + 1]):
                    spans[0, n], spans[1, n] = types[k], place
                    spans[2, n] = place - boundary[types[k]]
                    n += 1
        numbers[sentence] = n - begun
    return spans[0], spans[1], spans[2], numbers
