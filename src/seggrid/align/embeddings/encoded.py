"""Encoded sentences: their pieces, the token that each piece belongs to, and the vectors of the pieces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seggrid.align.embeddings.extraction import extract
from seggrid.align.project import project
from seggrid.base.npz import Arrays, read_arrays, write_arrays
from seggrid.data.links import Links
from seggrid.data.ragged import narrow, offsets_of
from seggrid.data.segmentation import (
    Segmentation,
    compact,
    pack_segmentations,
    unpack_segmentations,
)
from seggrid.errors import InputError


@dataclass(frozen=True)
class Encoded:
    """The sentences of one side.

    Attributes:
        tokens: the encoded tokens of S sentences.
        offsets: first piece of each sentence, int64, shape (S + 1,).
        token: the index, within its sentence, of each piece's token, int32, shape (P,).
        layers: for each saved layer, the vectors of the pieces, shape (P, d); layer 0 is the input
            embeddings.
    """

    tokens: Segmentation
    offsets: NDArray[np.int64]
    token: NDArray[np.int32]
    layers: Mapping[int, NDArray[np.floating]]

    def pieces(self) -> Segmentation:
        """The pieces as a segmentation whose words are the tokens."""
        nothing = np.zeros(len(self.token), dtype=np.int32)
        return Segmentation([""], nothing, self.offsets, self.token, self.token)


def link(
    source: Encoded,
    target: Encoded,
    layer: int,
    extraction: str = "argmax",
    null_threshold: Fraction | float = 1,
) -> Links:
    """The links between the tokens of two sides: tokens are linked if any of their pieces are.

    Args:
        source, target: the same S sentence pairs.
        layer: the layer whose vectors are compared.
        extraction, null_threshold: see `seggrid.align.embeddings.extraction.extract`.

    Raises:
        InputError: a side lacks the layer, or the sides differ in their number of sentences.
    """
    for side in (source, target):
        if layer not in side.layers:
            layers = ", ".join(map(str, sorted(side.layers)))
            raise InputError(f"no vectors of layer {layer}", hint=f"use one of {layers}")

    def pairs() -> Iterator[tuple[NDArray[np.floating], NDArray[np.floating]]]:
        for s in range(len(source.tokens)):
            one, other = (
                side.layers[layer][side.offsets[s] : side.offsets[s + 1]].astype(np.float32)
                for side in (source, target)
            )
            yield one, other

    if len(source.tokens) != len(target.tokens):
        raise InputError(f"{len(source.tokens)} sentences and {len(target.tokens)}")
    links = extract(pairs(), extraction, null_threshold)
    return project(links, source.pieces(), target.pieces())


def write_encoded(path: str | Path, samples: Sequence[Encoded]) -> None:
    """Write all samples of a side to one file, for `read_encoded`."""
    arrays = pack_segmentations([compact(sample.tokens) for sample in samples], "tokens/")
    for k, sample in enumerate(samples):
        arrays[f"{k}/lengths"] = narrow(np.diff(sample.offsets))
        arrays[f"{k}/token"] = narrow(sample.token)
        arrays |= {f"{k}/layer{n}": vectors for n, vectors in sample.layers.items()}
    write_arrays(path, arrays)


def read_encoded(path: str | Path, layer: int) -> list[Encoded]:
    """Read one layer of all samples from a file of `write_encoded`.

    Raises:
        InputError: the file is damaged, or lacks the layer.
    """
    arrays = read_arrays(path)
    tokens = unpack_segmentations(arrays, "tokens/")
    if not tokens:
        raise arrays.damaged("no tokens")
    return [_read_sample(arrays, k, sample, layer) for k, sample in enumerate(tokens)]


def _read_sample(arrays: Arrays, k: int, tokens: Segmentation, layer: int) -> Encoded:
    vectors = arrays.floats(f"{k}/layer{layer}", (None, None))
    offsets = offsets_of(arrays.lengths(f"{k}/lengths", len(vectors)))
    token = arrays.integers(f"{k}/token", (len(vectors),)).astype(np.int32)
    if len(offsets) != len(tokens) + 1:
        raise arrays.damaged("tokens and pieces differ in their number of sentences")
    most = np.repeat(tokens.lengths, np.diff(offsets))
    if (token < 0).any() or (token >= most).any():
        raise arrays.damaged(f"{k}/token leads out of the sentences")
    return Encoded(tokens, offsets, token, {layer: vectors})
