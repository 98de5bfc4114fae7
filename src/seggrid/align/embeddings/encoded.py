"""Encoded sentences: their pieces, the token that each piece belongs to, and the vectors of the pieces."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seggrid.align.embeddings.extraction import (
    decided,
    diagonal_prior,
    extract,
    probabilities,
    similarities,
)
from seggrid.align.embeddings.options import NO_PRIOR, TEMPERATURE
from seggrid.align.embeddings.sentences import LONG, match_passages, sentence_edges
from seggrid.align.project import project
from seggrid.base.arrays import read_arrays, write_arrays
from seggrid.base.errors import InputError, note
from seggrid.text.links import Links, Posteriors
from seggrid.text.ragged import narrow, offsets_of, place_kind
from seggrid.text.segmentation import (
    Segmentation,
    compact,
    pack_segmentations,
    unpack_segmentations,
)


@dataclass(frozen=True)
class Encoded:
    """The sentences of one side, S sentences of P pieces in all, as vectors.

    Attributes:
        tokens: the tokens of the sentences.
        offsets: first piece of each sentence, int64, shape (S + 1,).
        token: index, within its sentence, of each piece's token, int32, shape (P,).
        layers: vectors of the pieces in each saved layer, shape (P, d); layer 0 is the input embeddings.
    """

    tokens: Segmentation
    offsets: NDArray[np.int64]
    token: NDArray[np.int32]
    layers: Mapping[int, NDArray[np.floating]]

    def vectors(self, layer: int, begin: int, end: int) -> NDArray[np.floating]:
        """The vectors of a layer, float32, of pieces `begin:end`."""
        if layer not in self.layers:
            layers = ", ".join(map(str, sorted(self.layers)))
            raise InputError(f"no vectors of layer {layer}", hint=f"use one of {layers}")
        return self.layers[layer][begin:end].astype(np.float32)

    def edges(self) -> NDArray[np.int64]:
        """Where sentences and lines begin and end, see `sentence_edges`."""
        return sentence_edges(self.tokens, self.offsets, self.token)

    def pieces(self, offsets: NDArray[np.int64]) -> Segmentation:
        """The pieces as a segmentation whose words are the tokens, in passages with these first pieces."""
        nothing = np.zeros(len(self.token), dtype=np.int32)
        return Segmentation([""], nothing, offsets, self.token, self.token)


def passages(
    source: Encoded, target: Encoded, layer: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The first pieces of the passages of two sides that translate each other, and where the last ends, shape
    (2, P + 1): whole lines, unless both have several sentences. And the first passage of each line, and where
    the last ends, shape (L + 1,)."""
    found, lines = [[0, 0]], [0]
    edges = [side.edges() for side in (source, target)]
    for ends in zip(
        pairwise(source.offsets.tolist()), pairwise(target.offsets.tolist()), strict=True
    ):
        own = [
            every[slice(*np.searchsorted(every, (a, b)))]
            for every, (a, b) in zip(edges, ends, strict=True)
        ]
        last = [b for _, b in ends]
        if min(map(len, own)) > 1:
            sums = [
                np.add.reduceat(side.vectors(layer, a, b), begins - a)
                for side, begins, (a, b) in zip((source, target), own, ends, strict=True)
            ]
            found += [[int(own[0][i]), int(own[1][j])] for i, j in match_passages(*sums)[:-1]]
        found.append(last)
        lines.append(len(found) - 1)
    return np.array(found).T, np.array(lines)


FLOOR = 0.01
"""Links that are less probable are left out of the probabilities, as with gibbs."""


def link(
    blocks: Iterable[tuple[Encoded, Encoded]],
    layer: int,
    extraction: str = "argmax",
    null_threshold: Fraction | float = 1,
    temperature: Fraction | float = TEMPERATURE,
    diagonal: str = NO_PRIOR,
) -> tuple[Links, Posteriors]:
    """The links between the tokens of two sides, and the probabilities of links.

    Tokens are linked if any of their pieces are, and have the largest probability of their pieces. The prior
    (`diagonal_prior`), times the temperature, is added to the cosines of which links and probabilities are
    made.
    """
    found: list[NDArray[np.intp]] = []
    undecided: list[NDArray[np.float64]] = []
    sides, lines, probable, long = [], [], [], 0
    for both in blocks:
        likely = []
        edges, firsts = passages(*both, layer)
        long += int((np.diff(edges) > LONG).all(axis=0).sum())
        for ends in zip(*map(pairwise, edges.tolist()), strict=True):
            own, its = (side.token[a:b] for side, (a, b) in zip(both, ends, strict=True))
            similarity = similarities(
                *(side.vectors(layer, *place) for side, place in zip(both, ends, strict=True))
            )
            if diagonal != NO_PRIOR:
                # A cosine is 2 · similarity - 1.
                prior = diagonal_prior(len(own), len(its), diagonal)
                similarity = similarity + np.float32(temperature / 2) * prior
            links, entropy = extract(similarity, extraction, null_threshold)
            found.append(links)
            undecided.append(entropy)
            likely.append(_of_tokens(probabilities(similarity, float(temperature)), own, its))
        values = np.concatenate([np.empty(0, dtype=np.float32), *(values for _, values in likely)])
        probable.append(Posteriors(_gathered([pairs for pairs, _ in likely], firsts), values))
        sides.append([side.pieces(own) for side, own in zip(both, edges, strict=True)])
        lines.append(firsts)
    if long:
        what = f"{long:,} lines or parts of lines have no sentences that match and more than {LONG} pieces"
        note([f"{what}: fewer of their words are linked, so write one sentence a line"])
    kept = iter(decided(found, undecided, float(null_threshold)))
    longest = max((int(side.last.max(initial=0)) for both in sides for side in both), default=0)
    linked = (project(_gathered([*islice(kept, len(both[0]))]), *both) for both in sides)
    whole = (
        Links(own.offsets[firsts], own.pairs) for own, firsts in zip(linked, lines, strict=True)
    )
    kind = place_kind(longest + 1)
    return Links.joined(whole, kind), Posteriors.joined(probable, kind)


def _gathered(
    pairs: Sequence[NDArray[np.integer]], firsts: NDArray[np.int64] | None = None
) -> Links:
    """The links of some passages, shape (L, 2) each; or of lines, of which the first passages are given."""
    every = np.concatenate([np.empty((0, 2), dtype=np.int32), *pairs])
    offsets = offsets_of(list(map(len, pairs)))
    return Links(offsets if firsts is None else offsets[firsts], every.astype(np.int32))


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
