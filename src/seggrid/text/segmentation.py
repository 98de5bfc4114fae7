"""A segmented corpus, in memory and in a file, which segmenters pass to aligners."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import compress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seggrid.base.arrays import Arrays, pack_strings, read_arrays, unpack_strings, write_arrays
from seggrid.base.compiled import worthwhile
from seggrid.text.ragged import narrow, offsets_of, ragged_rows
from seggrid.text.word_kernels import AHEAD, lines_of_tokens
from seggrid.text.words import Words, in_order, number_distinct, places_of

Sentences = Sequence[Sequence[str]]
"""A corpus: each sentence is a sequence of words."""

_MANY = 1 << 20
"""The tokens that Python takes as long to write as numba takes to be imported."""


@dataclass(frozen=True)
class Segmentation:
    """A corpus of S sentences cut into T tokens, each with the words that it overlaps.

    A token inside one word has `first == last`; a token that is only a word boundary has `last < first`.

    Attributes:
        types: the V distinct tokens as text.
        ids: type of each token, an index of `types`, int32, shape (T,).
        offsets: first token of each sentence, int64, shape (S + 1,).
        first: index, within its sentence, of the first word that each token overlaps, shape (T,), of a signed
            integer type at least as wide as that of `seggrid.text.words.places_of`.
        last: index of the last such word, like `first`.
    """

    types: list[str]
    ids: NDArray[np.int32]
    offsets: NDArray[np.int64]
    first: NDArray[np.signedinteger]
    last: NDArray[np.signedinteger]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Number of tokens of each sentence, shape (S,)."""
        return np.diff(self.offsets)

    def sentence(self, index: int) -> list[str]:
        """The tokens of one sentence as text."""
        return [self.types[i] for i in self.ids[self.offsets[index] : self.offsets[index + 1]]]

    def lines(self) -> list[str]:
        """The corpus as text, one sentence per line, tokens separated by a space."""
        return list(map(" ".join, Words(self.types, self.ids, self.offsets)))

    def text(self, present: NDArray[np.bool_]) -> bytes:
        """The corpus as text in UTF-8: a line for each sentence, where one is present, and otherwise an empty
        one.

        >>> Segmentation.from_words([["the", "house"], ["no"]]).text(np.array([True, False, True]))
        b'the house\\n\\nno\\n'
        """
        if not worthwhile(len(self.ids), _MANY):
            lines = iter(self.lines())
            return "".join(f"{next(lines) if one else ''}\n" for one in present.tolist()).encode()
        types = [f"{type_} ".encode() for type_ in self.types]
        lengths = np.zeros(len(present), dtype=np.int64)
        lengths[present] = self.lengths
        letters = np.frombuffer(b"".join([*types, AHEAD]), dtype=np.uint8)
        begins = offsets_of(list(map(len, types)))
        text: NDArray[np.uint8] = lines_of_tokens(letters, begins, self.ids, offsets_of(lengths))
        return text.tobytes()

    def take(self, sentences: Sequence[int] | NDArray[np.integer]) -> Segmentation:
        """The segmentation of some sentences (by index), with the same types."""
        rows = ragged_rows(self.offsets, sentences)
        return Segmentation(
            self.types,
            self.ids[rows],
            offsets_of(self.lengths[np.asarray(sentences, dtype=np.int64)]),
            self.first[rows],
            self.last[rows],
        )

    def block(self, begin: int, end: int) -> Segmentation:
        """The segmentation of sentences `begin:end`, with the same types, without a copy."""
        a, b = self.offsets[[begin, end]]
        offsets = self.offsets[begin : end + 1] - a
        return Segmentation(self.types, self.ids[a:b], offsets, self.first[a:b], self.last[a:b])

    def in_order(self) -> Segmentation:
        """The same segmentation with only the types that occur, in order of first occurrence."""
        types, ids = in_order(self.types, self.ids)
        return replace(self, types=types, ids=ids)

    def digest(self) -> str:
        """A digest of the tokens and the words that they overlap, 32 hexadecimal digits: equal for equal
        segmentations, however their types are numbered."""
        ordered = self.in_order()
        total = hashlib.sha256("\0".join(ordered.types).encode())
        for array in (ordered.ids, ordered.offsets):
            total.update(array.data)
        for array in (ordered.first, ordered.last):
            total.update(array.astype(np.int32).data)
        return total.hexdigest()[:32]

    @classmethod
    def from_words(cls, sentences: Sequence[Sequence[str]]) -> Segmentation:
        """The trivial segmentation: every word is one token. Types are in order of first occurrence."""
        types, ids, offsets = number_distinct(sentences)
        places = places_of(offsets)
        return cls(types, ids, offsets, places, places)


def pack_segmentations(
    samples: Sequence[Segmentation], prefix: str = ""
) -> dict[str, NDArray[Any]]:
    """Samples as named arrays of narrow integer types: texts of types, `steps` between the first words of
    successive tokens, `widths` from the first to the last word of each token."""
    arrays: dict[str, NDArray[Any]] = {}
    for k, sample in enumerate(samples):
        name = f"{prefix}{k}/"
        arrays[name + "types"] = pack_strings(sample.types)
        arrays[name + "ids"] = narrow(sample.ids)
        arrays[name + "lengths"] = narrow(sample.lengths)
        arrays[name + "steps"] = narrow(np.diff(sample.first, prepend=0))
        arrays[name + "widths"] = narrow(sample.last - sample.first)
    return arrays


def unpack_segmentations(arrays: Arrays, prefix: str = "") -> list[Segmentation]:
    """The samples that `pack_segmentations` packed with this prefix, in the same order."""
    samples: list[Segmentation] = []
    while (name := f"{prefix}{len(samples)}/") + "types" in arrays:
        ids = arrays[name + "ids"].astype(np.int32)
        first = np.cumsum(arrays[name + "steps"], dtype=np.int32)
        last = first + arrays[name + "widths"].astype(np.int32)
        types = unpack_strings(arrays, name + "types") or [""]
        samples.append(Segmentation(types, ids, offsets_of(arrays[name + "lengths"]), first, last))
    return samples


def read_first(path: Path | str) -> Segmentation:
    """Read the first sample, and no others, from a file of `write_segmentations`."""
    arrays = read_arrays(path, only=[f"0/{name}" for name in _NAMES])
    return unpack_segmentations(arrays)[0]


_NAMES = ("types", "ids", "lengths", "steps", "widths")
"""The names of the arrays of a sample."""


def compact(sample: Segmentation) -> Segmentation:
    """The same segmentation with only the types that occur, in the order of `sample.types`."""
    used = np.zeros(len(sample.types), dtype=np.bool_)
    used[sample.ids] = True
    ids = (np.cumsum(used, dtype=np.int32) - np.int32(1))[sample.ids]
    types = list(compress(sample.types, used.tolist()))
    return Segmentation(types, ids, sample.offsets, sample.first, sample.last)


def write_segmentations(path: Path | str, samples: Sequence[Segmentation]) -> None:
    """Write all samples to one file."""
    write_arrays(path, pack_segmentations(samples))
