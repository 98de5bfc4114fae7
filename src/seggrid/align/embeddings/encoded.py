"""Encoded sentences: their pieces, the token that each piece belongs to, and the vectors of the pieces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seggrid.align.embeddings import TEMPERATURE
from seggrid.align.embeddings.extraction import decided, extract, probabilities, similarities
from seggrid.align.project import project
from seggrid.base.arrays import read_arrays, write_arrays
from seggrid.data.links import Links, Posteriors
from seggrid.data.ragged import narrow, offsets_of, place_kind
from seggrid.data.segmentation import (
    Segmentation,
    compact,
    pack_segmentations,
    unpack_segmentations,
)
from seggrid.errors import InputError


@dataclass(frozen=True)
class Encoded:
    """The sentences of one side: their tokens; the first piece of each sentence, shape (S + 1,); the index,
    within its sentence, of each piece's token, shape (P,); and for each saved layer, of which 0 is the input
    embeddings, the vectors of the pieces, shape (P, d)."""

    tokens: Segmentation
    offsets: NDArray[np.int64]
    token: NDArray[np.int32]
    layers: Mapping[int, NDArray[np.floating]]

    def sentences(self, layer: int) -> Iterator[tuple[NDArray[np.floating], NDArray[np.int32]]]:
        """The vectors of a layer, float32, and the tokens of the pieces of each sentence."""
        if layer not in self.layers:
            layers = ", ".join(map(str, sorted(self.layers)))
            raise InputError(f"no vectors of layer {layer}", hint=f"use one of {layers}")
        for begin, end in pairwise(self.offsets.tolist()):
            yield self.layers[layer][begin:end].astype(np.float32), self.token[begin:end]

    def pieces(self) -> Segmentation:
        """The pieces as a segmentation whose words are the tokens."""
        nothing = np.zeros(len(self.token), dtype=np.int32)
        return Segmentation([""], nothing, self.offsets, self.token, self.token)


FLOOR = 0.01
"""Links that are less probable are left out of the probabilities, as with gibbs."""


def link(
    blocks: Iterable[tuple[Encoded, Encoded]],
    layer: int,
    extraction: str = "argmax",
    null_threshold: Fraction | float = 1,
    temperature: Fraction | float = TEMPERATURE,
) -> tuple[Links, Posteriors]:
    """The links between the tokens of two sides, and the probabilities of links.

    Tokens are linked if any of their pieces are, and have the largest probability of their pieces.
    """
    found: list[NDArray[np.intp]] = []
    undecided: list[NDArray[np.float64]] = []
    sides, probable = [], []
    for source, target in blocks:
        likely = []
        for (one, own), (other, its) in zip(
            source.sentences(layer), target.sentences(layer), strict=True
        ):
            similarity = similarities(one, other)
            links, entropy = extract(similarity, extraction, null_threshold)
            found.append(links)
            undecided.append(entropy)
            likely.append(_of_tokens(probabilities(similarity, float(temperature)), own, its))
        values = np.concatenate([np.empty(0, dtype=np.float32), *(values for _, values in likely)])
        probable.append(Posteriors(_gathered([pairs for pairs, _ in likely]), values))
        sides.append((source.pieces(), target.pieces()))
    kept = iter(decided(found, undecided, float(null_threshold)))
    blocks_kept = (_gathered([*islice(kept, len(one))]) for one, _ in sides)
    longest = max((int(side.last.max(initial=0)) for both in sides for side in both), default=0)
    projected = (project(links, *both) for links, both in zip(blocks_kept, sides, strict=True))
    kind = place_kind(longest + 1)
    return Links.joined(projected, kind), Posteriors.joined(probable, kind)


def _gathered(pairs: Sequence[NDArray[np.integer]]) -> Links:
    """The links of some sentence pairs, shape (L, 2) each."""
    every = np.concatenate([np.empty((0, 2), dtype=np.int32), *pairs])
    return Links(offsets_of(list(map(len, pairs))), every.astype(np.int32))


def _of_tokens(
    values: NDArray[np.floating], *tokens: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.floating]]:
    """The links of tokens that are probable enough, shape (L, 2), and their probabilities: the largest of
    those of their pieces, shape (n, m), of which the token of each source and of each target piece is given,
    ascending."""
    firsts = [np.flatnonzero(np.diff(token, prepend=-1)) for token in tokens]
    for axis, first in enumerate(firsts):
        values = np.maximum.reduceat(values, first, axis=axis)
    places = np.nonzero(values >= FLOOR)
    named = [token[first[own]] for token, first, own in zip(tokens, firsts, places, strict=True)]
    return np.column_stack(named), values[places]


def write_encoded(path: str | Path, samples: Sequence[Encoded]) -> None:
    """Write all samples of a side to one file, for `read_encoded`."""
    arrays = pack_segmentations([compact(sample.tokens) for sample in samples], "tokens/")
    for k, sample in enumerate(samples):
        arrays[f"{k}/lengths"] = narrow(np.diff(sample.offsets))
        arrays[f"{k}/token"] = narrow(sample.token)
        arrays |= {f"{k}/layer{n}": vectors for n, vectors in sample.layers.items()}
    write_arrays(path, arrays)


def read_encoded(path: str | Path, layer: int) -> list[Encoded]:
    """Read one layer of all samples from a file of `write_encoded`."""
    arrays = read_arrays(path)
    return [
        Encoded(
            tokens,
            offsets_of(arrays[f"{k}/lengths"]),
            arrays[f"{k}/token"].astype(np.int32),
            {layer: arrays[f"{k}/layer{layer}"]},
        )
        for k, tokens in enumerate(unpack_segmentations(arrays, "tokens/"))
    ]
