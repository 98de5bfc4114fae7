"""Fine-tune a masked language model on labeled sequences, and predict labels with it.

The steps are those of `seggrid.language_model.train`, so an interrupted fine-tuning resumes and ends with the
same bytes, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file
from transformers import RobertaForTokenClassification

from seggrid.base.files import fresh_folder
from seggrid.language_model.folder import read_model, read_optimizer, write_optimizer
from seggrid.language_model.labeled import Labeled
from seggrid.language_model.train import Schedule, run_steps
from seggrid.language_model.vocabulary import PAD


def make_classifier(folder: str | Path, labels: int, seed: int) -> RobertaForTokenClassification:
    """The model of a folder with an untrained layer that classifies tokens.

    Args:
        folder: of a language model.
        labels: number of classes.
        seed: of the initial weights of that layer.
    """
    trained, _ = read_model(folder)
    config = trained.config
    config.num_labels = labels
    torch.manual_seed(seed)
    model = RobertaForTokenClassification(config)
    model.roberta.load_state_dict(trained.roberta.state_dict())
    return model


def fine_tune(
    model: RobertaForTokenClassification,
    optimizer: torch.optim.Optimizer,
    data: Labeled,
    schedule: Schedule,
    steps: range,
) -> Iterator[tuple[int, float]]:
    """Train step by step.

    Args:
        model: on the device where it is to be trained.
        optimizer: of `seggrid.language_model.train.make_optimizer`.
        data: what is trained on.
        schedule: how.
        steps: numbers of the steps, from 0 where nothing was fine-tuned.

    Yields:
        After each step: how many steps there were, and the step's mean loss a label.
    """

    def draw(chosen: NDArray[np.int64], seed: int) -> tuple[torch.Tensor, torch.Tensor]:
        torch.manual_seed(seed)
        return _tensor(data.ids[chosen]), torch.from_numpy(data.labels[chosen])

    def logits(ids: torch.Tensor, where: torch.Tensor) -> torch.Tensor:
        ids = _trimmed(ids)
        return _logits(model, ids)[where[:, : ids.shape[1]]]

    return run_steps(model, optimizer, len(data.ids), draw, logits, schedule, steps)


@torch.inference_mode()
def predict(
    model: RobertaForTokenClassification, data: Labeled, words: int, device_batch: int
) -> NDArray[np.int64]:
    """The most likely label of each word, -1 of a word without tokens, shape (W,)."""
    device = next(model.parameters()).device
    model.eval()
    found = np.full(words, -1, dtype=np.int64)
    # Sequences of like length together, so that little is padded.
    order = np.argsort((data.ids != PAD).sum(axis=1), kind="stable")
    for first in range(0, len(order), device_batch):
        rows = order[first : first + device_batch]
        ids = _trimmed(_tensor(data.ids[rows]))
        best = _logits(model, ids.to(device)).argmax(dim=-1).cpu().numpy()
        numbers = data.words[rows][:, : ids.shape[1]]
        found[numbers[numbers >= 0]] = best[numbers >= 0]
    return found


def write_state(
    path: str | Path,
    model: RobertaForTokenClassification,
    optimizer: torch.optim.Optimizer,
    step: int,
    key: str,
) -> None:
    """Write what an interrupted fine-tuning goes on from, atomically."""
    with fresh_folder(path) as folder:
        weights = {name: value.cpu().contiguous() for name, value in model.state_dict().items()}
        save_file(weights, folder / "model.safetensors")
        write_optimizer(folder, optimizer)
        (folder / "step.txt").write_text(f"{step} {key}\n", encoding="utf-8")


def read_state(
    path: str | Path,
    model: RobertaForTokenClassification,
    optimizer: torch.optim.Optimizer,
    key: str,
) -> int:
    """Put what `write_state` wrote into a model and its optimizer; return the steps that were done, 0
    where there is nothing of that key."""
    file = Path(path, "step.txt")
    if not file.is_file():
        return 0
    step, _, found = file.read_text("utf-8").strip().partition(" ")
    if found != key:
        return 0
    model.load_state_dict(load_file(Path(path, "model.safetensors")))
    read_optimizer(path, optimizer)
    return int(step)


def _tensor(ids: NDArray[np.int32]) -> torch.Tensor:
    return torch.from_numpy(ids.astype(np.int64))


def _trimmed(ids: torch.Tensor) -> torch.Tensor:
    """Rows without the columns in which all are padded."""
    return ids[:, : int((ids != PAD).sum(dim=1).max())]


def _logits(model: RobertaForTokenClassification, ids: torch.Tensor) -> torch.Tensor:
    return model(ids, attention_mask=(ids != PAD).long()).logits
