"""The two shapes that every stage passes on: a segmented corpus, and sets of links.

Both are *ragged*: one flat array for all sentences, and `offsets`, of length S + 1, that say where
each sentence begins (sentence s owns rows `offsets[s]:offsets[s + 1]`).
"""

from __future__ import annotations

import io
import tokenize
import zipfile
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seggrid.errors import InputError
from seggrid.files import atomic_write


def offsets_of(lengths: Iterable[int]) -> NDArray[np.int64]:
    """Offsets, shape (S + 1,), of rows whose lengths are given, shape (S,)."""
    lengths = np.asarray(list(lengths) if not isinstance(lengths, np.ndarray) else lengths)
    offsets = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return offsets


@dataclass(frozen=True)
class Segmentation:
    """A corpus cut into tokens, each of which knows the words that it is made of.

    Attributes:
        types: the distinct tokens as text, shape (V,); `ids` index it.
        ids: type of each token, int32, shape (T,).
        offsets: where each sentence begins, int64, shape (S + 1,).
        first: index, within its sentence, of the first word that the token overlaps, int32, (T,).
        last: index of the last such word, inclusive, int32, shape (T,). A token inside one word has
            `first == last`; a token of nothing but a word boundary has `last < first`.
    """

    types: list[str]
    ids: NDArray[np.int32]
    offsets: NDArray[np.int64]
    first: NDArray[np.int32]
    last: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Tokens in each sentence, shape (S,)."""
        return np.diff(self.offsets)

    def sentence(self, index: int) -> list[str]:
        """The tokens of one sentence as text."""
        return [self.types[i] for i in self.ids[self.offsets[index] : self.offsets[index + 1]]]

    def lines(self) -> list[str]:
        """The corpus as text, one sentence a line, tokens separated by a space."""
        return [" ".join(self.sentence(s)) for s in range(len(self))]

    def take(self, sentences: Sequence[int] | NDArray[np.integer]) -> Segmentation:
        """The same segmentation of some sentences only (by index), types kept as they are."""
        rows = ragged_rows(self.offsets, sentences)
        return Segmentation(
            self.types,
            self.ids[rows],
            offsets_of(self.lengths[np.asarray(sentences, dtype=np.int64)]),
            self.first[rows],
            self.last[rows],
        )

    @classmethod
    def of_words(cls, sentences: Sequence[Sequence[str]]) -> Segmentation:
        """The trivial segmentation: every word is one token. Types in order of appearance."""
        index: dict[str, int] = {}
        ids = [index.setdefault(word, len(index)) for words in sentences for word in words]
        spans = [j for words in sentences for j in range(len(words))]
        positions = np.array(spans, dtype=np.int32)
        return cls(
            list(index),
            np.array(ids, dtype=np.int32),
            offsets_of([len(words) for words in sentences]),
            positions,
            positions,
        )


@dataclass(frozen=True)
class Links:
    """A set of links (i, j) for each sentence pair.

    Attributes:
        offsets: where each sentence begins, int64, shape (S + 1,).
        pairs: the links, int32, shape (L, 2): source index i, target index j, zero-based; within a
            sentence they are distinct and in ascending (i, j) order.
    """

    offsets: NDArray[np.int64]
    pairs: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @cached_property
    def sentence_of(self) -> NDArray[np.int64]:
        """Sentence index of each link, shape (L,)."""
        return np.repeat(np.arange(len(self)), np.diff(self.offsets))

    @property
    def keys(self) -> NDArray[np.int64]:
        """One number for each link, ascending, shape (L,): sentence, i and j, of 20 bits and more."""
        i, j = self.pairs[:, 0].astype(np.int64), self.pairs[:, 1].astype(np.int64)
        return (self.sentence_of << 40) | (i << 20) | j

    @classmethod
    def of_keys(cls, keys: NDArray[np.int64], sentences: int) -> Links:
        """The links that such numbers stand for; they are distinct and ascending."""
        mask = (1 << 20) - 1
        pairs = np.column_stack([(keys >> 20) & mask, keys & mask]).astype(np.int32)
        return cls(offsets_of(np.bincount(keys >> 40, minlength=sentences)), pairs)

    def sentence(self, index: int) -> list[tuple[int, int]]:
        """The links of one sentence pair, ascending."""
        rows = self.pairs[self.offsets[index] : self.offsets[index + 1]]
        return [(int(i), int(j)) for i, j in rows]

    def lines(self) -> list[str]:
        """Pharaoh lines: `i-j i-j ...`, one sentence pair a line."""
        return [" ".join(f"{i}-{j}" for i, j in self.sentence(s)) for s in range(len(self))]

    def take(self, sentences: Sequence[int] | NDArray[np.integer]) -> Links:
        """The links of some sentence pairs only (by index)."""
        rows = ragged_rows(self.offsets, sentences)
        lengths = np.diff(self.offsets)[np.asarray(sentences, dtype=np.int64)]
        return Links(offsets_of(lengths), self.pairs[rows])

    @classmethod
    def of_sets(cls, sentences: Iterable[Iterable[tuple[int, int]]]) -> Links:
        """From any sets of (i, j), which are sorted and freed of repeats."""
        rows = [sorted(set(links)) for links in sentences]
        flat = [link for links in rows for link in links]
        return cls(
            offsets_of([len(links) for links in rows]),
            np.array(flat, dtype=np.int32).reshape(-1, 2),
        )

    @classmethod
    def of_lines(cls, lines: Iterable[str]) -> Links:
        """From Pharaoh lines (`i-j i-j ...`)."""
        return cls.of_sets(
            ((int(i), int(j)) for i, _, j in (link.partition("-") for link in line.split()))
            for line in lines
        )


def ragged_rows(
    offsets: NDArray[np.int64], sentences: Sequence[int] | NDArray[np.integer]
) -> NDArray[np.int64]:
    """Indices of the flat rows that belong to some sentences, in the order of `sentences`."""
    sentences = np.asarray(sentences, dtype=np.int64)
    starts = offsets[sentences]
    lengths = offsets[sentences + 1] - starts
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    return np.arange(total) + np.repeat(starts - (ends - lengths), lengths)


def narrow(numbers: NDArray[np.integer]) -> NDArray[np.integer]:
    """The same numbers in the smallest type that holds them all."""
    if not numbers.size:
        return numbers.astype(np.int8)
    ends = np.min_scalar_type(int(numbers.min())), np.min_scalar_type(int(numbers.max()))
    return numbers.astype(np.result_type(*ends))


def pack_links(samples: Sequence[Links], prefix: str = "") -> dict[str, NDArray]:
    """Sets of links as named arrays of small numbers."""
    arrays = {}
    for k, links in enumerate(samples):
        arrays[f"{prefix}{k}/lengths"] = narrow(np.diff(links.offsets))
        arrays[f"{prefix}{k}/pairs"] = narrow(links.pairs)
    return arrays


def unpack_links(arrays: dict[str, NDArray], prefix: str = "") -> list[Links]:
    """The sets of links that `pack_links` packed under that prefix, in their order."""
    samples: list[Links] = []
    while (name := f"{prefix}{len(samples)}/") + "pairs" in arrays:
        pairs = arrays[name + "pairs"].astype(np.int32)
        samples.append(Links(offsets_of(arrays[name + "lengths"]), pairs))
    return samples


def save_arrays(path: str | Path, arrays: dict[str, NDArray]) -> None:
    """Write named arrays as an `.npz`, atomically, with the same bytes each time.

    They are compressed at the fastest level: numpy's own, the default, makes the largest files of a
    run a fifth smaller, in four times the time.
    """
    with atomic_write(path, "wb") as file, zipfile.ZipFile(file, "w") as archive:
        for name, array in arrays.items():
            content = io.BytesIO()
            np.lib.format.write_array(content, array, allow_pickle=False)
            # A member of no date.
            member = zipfile.ZipInfo(f"{name}.npy")
            archive.writestr(member, content.getvalue(), zipfile.ZIP_DEFLATED, compresslevel=1)


# What numpy, zipfile and zlib raise on an archive that is cut short or altered (its members carry
# checksums).
_DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    tokenize.TokenError,
    EOFError,
    RuntimeError,
    OSError,
    SyntaxError,
    ValueError,
)


def load_arrays(path: str | Path) -> dict[str, NDArray]:
    """Read back what `save_arrays` wrote.

    Raises:
        InputError: the file is damaged.
    """
    try:
        with np.load(path, allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    except FileNotFoundError:
        raise
    except _DAMAGED as error:
        raise InputError(f"damaged ({error})", file=path, mend="delete it and run again") from error
