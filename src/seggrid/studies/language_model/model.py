"""The language model, a RoBERTa of transformers: make it, predict single tokens, write and read its folder.

| file | content |
| --- | --- |
| `config.json`, `model.safetensors` | the model, for `AutoModel.from_pretrained` |
| `tokenizer.json`, `tokenizer_config.json` | the tokenizer, for `tokenizers` and `AutoTokenizer` |
| `types.txt` | the type of each id, as this package spells it |
| `optimizer.safetensors` | the state of AdamW |
| `training.json` | steps so far, tokens of their batches, whether the tokenizer takes raw text |
| `losses.csv` | the loss of each step, and at some steps that of held-out sentences |
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers
from numpy.typing import NDArray
from transformers import PreTrainedTokenizerFast, RobertaConfig, RobertaForMaskedLM

from seggrid.base.folders import fresh_folder
from seggrid.base.lines import write_lines
from seggrid.base.torch_training import write_optimizer
from seggrid.studies.language_model.presets import Preset
from seggrid.studies.language_model.pseudo_likelihood import Predict
from seggrid.studies.language_model.scores import TrainingProgress, write_progress
from seggrid.studies.language_model.tokenizers_file import make_tokenizer
from seggrid.studies.language_model.vocabulary import (
    BEGIN,
    END,
    PAD,
    SPECIAL,
    Vocabulary,
    read_vocabulary,
)

transformers.utils.logging.set_verbosity_error()
transformers.utils.logging.disable_progress_bar()

# RoBERTa numbers positions from PAD + 1.
_UNUSED_POSITIONS = PAD + 1

_NAMES = ("bos_token", "pad_token", "eos_token", "unk_token", "mask_token")


def make_model(preset: Preset, vocabulary: int, sequence: int, seed: int) -> RobertaForMaskedLM:
    """An untrained model for sequences of at most `sequence` tokens; `vocabulary` is the number of types."""
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
    return int(model.config.max_position_embeddings) - _UNUSED_POSITIONS


def logits_at(model: RobertaForMaskedLM, ids: torch.Tensor, where: torch.Tensor) -> torch.Tensor:
    """The logits of the M tokens that `where` marks, shape (M, V); `ids` and `where` have the shape (B, L).

    In a small model the output layer takes longer than all others together, and training and scoring need it
    only for few tokens.
    """
    padding = ids == PAD
    attention = ~padding if bool(padding.any()) else None
    hidden = model.roberta(ids, attention_mask=attention)[0]
    logits: torch.Tensor = model.lm_head(hidden[where])
    return logits


def predictor(model: RobertaForMaskedLM, device: torch.device) -> Predict:
    """A function that predicts with the model, see `pseudo_likelihood.Predict`."""
    model = model.to(device).eval()

    def predict(
        sequences: NDArray[np.int32], masked: NDArray[np.int64], targets: NDArray[np.int32]
    ) -> NDArray[np.float64]:
        ids = torch.from_numpy(sequences.astype(np.int64)).to(device)
        where = torch.zeros(ids.shape, dtype=torch.bool)
        where[torch.arange(len(masked)), torch.from_numpy(masked)] = True
        wanted = torch.from_numpy(targets.astype(np.int64)).to(device)
        with torch.inference_mode():
            logits = logits_at(model, ids, where.to(device)).double()
            losses = torch.nn.functional.cross_entropy(logits, wanted, reduction="none")
        probabilities: NDArray[np.float64] = -losses.cpu().numpy()
        return probabilities

    return predict


def fast_tokenizer(
    vocabulary: Vocabulary, segmenter_model: Any, sequence: int, lower: bool = False
) -> tuple[PreTrainedTokenizerFast, bool]:
    """The tokenizer for transformers, and whether it takes raw text; see `make_tokenizer`."""
    tokenizer, takes_text = make_tokenizer(vocabulary, segmenter_model, lower)
    special = dict(zip(_NAMES, SPECIAL, strict=True))
    wrapped: Any = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        model_max_length=sequence,
        cls_token=SPECIAL[0],
        sep_token=SPECIAL[2],
        **special,
    )
    return wrapped, takes_text


def write_model(
    path: str | Path,
    model: RobertaForMaskedLM,
    optimizer: torch.optim.Optimizer,
    tokenizer: PreTrainedTokenizerFast,
    vocabulary: Vocabulary,
    progress: TrainingProgress,
) -> None:
    """Write the folder atomically; equal models give equal bytes."""
    with fresh_folder(path, digests=True) as folder:
        model.save_pretrained(folder)
        tokenizer.save_pretrained(folder)
        write_lines(folder / "types.txt", vocabulary.types)
        write_optimizer(folder, optimizer)
        write_progress(folder, progress)
        # safetensors creates files that only their owner may read.
        for file in folder.iterdir():
            file.chmod((folder / "types.txt").stat().st_mode)


def read_language_model(path: str | Path) -> tuple[RobertaForMaskedLM, Vocabulary]:
    """Read the model of a folder, and its vocabulary."""
    model = RobertaForMaskedLM.from_pretrained(path, local_files_only=True)
    return model, read_vocabulary(Path(path, "types.txt"))
