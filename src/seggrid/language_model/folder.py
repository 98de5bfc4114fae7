"""The folder of a language model: files for transformers and `tokenizers`, and the state of training.

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

import torch
from safetensors.torch import load_file, save_file
from transformers import PreTrainedTokenizerFast, RobertaForMaskedLM

from seggrid.base.files import fresh_folder
from seggrid.errors import InputError
from seggrid.language_model.progress import Progress, write_progress
from seggrid.language_model.tokenizers_file import make_tokenizer
from seggrid.language_model.vocabulary import (
    SPECIAL,
    Vocabulary,
    read_vocabulary,
    write_vocabulary,
)

_NAMES = ("bos_token", "pad_token", "eos_token", "unk_token", "mask_token")


def fast_tokenizer(
    vocabulary: Vocabulary, segmenter_model: Any, sequence: int, lower: bool = False
) -> tuple[PreTrainedTokenizerFast, bool]:
    """The tokenizer for transformers, and whether it takes raw text; see `make_tokenizer`."""
    tokenizer, takes_text = make_tokenizer(vocabulary, segmenter_model, lower)
    special = dict(zip(_NAMES, SPECIAL, strict=True))
    wrapped = PreTrainedTokenizerFast(
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
    progress: Progress,
) -> None:
    """Write the folder atomically; equal models give equal bytes."""
    with fresh_folder(path) as folder:
        model.save_pretrained(folder)
        tokenizer.save_pretrained(folder)
        write_vocabulary(folder / "types.txt", vocabulary)
        write_optimizer(folder, optimizer)
        write_progress(folder, progress)
        # safetensors makes files that only their owner may read.
        for file in folder.iterdir():
            file.chmod((folder / "types.txt").stat().st_mode)


def read_model(path: str | Path) -> tuple[RobertaForMaskedLM, Vocabulary]:
    """Read the model of a folder, and its vocabulary.

    Raises:
        InputError: a file is missing, or vocabulary and model have different sizes.
    """
    vocabulary = read_vocabulary(Path(path, "types.txt"))
    try:
        model = RobertaForMaskedLM.from_pretrained(path, local_files_only=True)
    except Exception as error:
        raise InputError(
            f"not a model that transformers reads: {error}",
            file=path,
            hint="delete it and run again",
        ) from error
    if model.config.vocab_size != len(vocabulary):
        raise InputError(
            f"{len(vocabulary):,} types, but the model has {model.config.vocab_size:,}",
            file=Path(path, "types.txt"),
            hint="delete the folder and run again",
        )
    return model, vocabulary


def write_optimizer(folder: str | Path, optimizer: torch.optim.Optimizer) -> None:
    """Write the state of an optimizer into a folder."""
    flat = {
        f"{number}.{name}": value.detach().cpu().contiguous()
        for number, state in optimizer.state_dict()["state"].items()
        for name, value in state.items()
    }
    save_file(flat, Path(folder, "optimizer.safetensors"))


def read_optimizer(path: str | Path, optimizer: torch.optim.Optimizer) -> None:
    """Load the state of the optimizer in a folder into an optimizer of the same model."""
    state: dict[int, dict[str, torch.Tensor]] = {}
    for name, value in load_file(Path(path, "optimizer.safetensors")).items():
        number, _, key = name.partition(".")
        state.setdefault(int(number), {})[key] = value
    groups = optimizer.state_dict()["param_groups"]
    optimizer.load_state_dict({"state": state, "param_groups": groups})
