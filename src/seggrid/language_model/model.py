"""Make a RoBERTa of transformers, and predict single tokens with it."""

from __future__ import annotations

import os

import numpy as np
import torch
import transformers
from numpy.typing import NDArray
from transformers import RobertaConfig, RobertaForMaskedLM

from seggrid.language_model.presets import Preset
from seggrid.language_model.pseudo_likelihood import Predict
from seggrid.language_model.vocabulary import BEGIN, END, PAD

transformers.utils.logging.set_verbosity_error()
transformers.utils.logging.disable_progress_bar()

# RoBERTa's numbers of positions begin after the id of padding.
_UNUSED_POSITIONS = PAD + 1


def prepare(threads: int) -> torch.device:
    """Choose the device, a GPU if there is one, and make computation deterministic.

    Args:
        threads: number of threads of the processor; results depend on it in the last bits.
    """
    torch.set_num_threads(threads)
    # CUDA's matrix products need this setting to be deterministic.
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    torch.use_deterministic_algorithms(True, warn_only=True)
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def make_model(preset: Preset, vocabulary: int, sequence: int, seed: int) -> RobertaForMaskedLM:
    """An untrained model.

    Args:
        preset: size of the model.
        vocabulary: number of types.
        sequence: the most tokens of a sequence.
        seed: seed of the initial weights.
    """
    config = RobertaConfig(
        vocab_size=vocabulary,
        hidden_size=preset.hidden,
        num_hidden_layers=preset.layers,
        num_attention_heads=preset.heads,
        intermediate_size=preset.inner,
        max_position_embeddings=sequence + _UNUSED_POSITIONS,
        type_vocab_size=1,
        layer_norm_eps=1e-5,
        bos_token_id=BEGIN,
        eos_token_id=END,
        pad_token_id=PAD,
    )
    torch.manual_seed(seed)
    return RobertaForMaskedLM(config)


def sequence_length(model: RobertaForMaskedLM) -> int:
    """The most tokens of a sequence, including special tokens."""
    return model.config.max_position_embeddings - _UNUSED_POSITIONS


def logits_at(model: RobertaForMaskedLM, ids: torch.Tensor, where: torch.Tensor) -> torch.Tensor:
    """The logits of some tokens, shape (M, V). In a small model the output layer takes longer than all
    others, and training and scoring need only few of its rows.

    Args:
        model: the model.
        ids: ids of the tokens, shape (B, L).
        where: whether the logits of each token are computed, shape (B, L).
    """
    padding = ids == PAD
    attention = ~padding if bool(padding.any()) else None
    return model.lm_head(model.roberta(ids, attention_mask=attention)[0][where])


def predictor(model: RobertaForMaskedLM, device: torch.device) -> Predict:
    """The model as a `Predict` of `seggrid.language_model.pseudo_likelihood`."""
    model = model.to(device).eval()

    @torch.inference_mode()
    def predict(
        sequences: NDArray[np.int32], masked: NDArray[np.int64], targets: NDArray[np.int32]
    ) -> NDArray[np.float64]:
        ids = torch.from_numpy(sequences.astype(np.int64)).to(device)
        where = torch.zeros(ids.shape, dtype=torch.bool)
        where[torch.arange(len(masked)), torch.from_numpy(masked)] = True
        logits = logits_at(model, ids, where.to(device)).double()
        wanted = torch.from_numpy(targets.astype(np.int64)).to(device)
        return -torch.nn.functional.cross_entropy(logits, wanted, reduction="none").cpu().numpy()

    return predict
