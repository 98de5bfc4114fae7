"""Fine-tune a masked language model on labeled sequences, and predict labels with it.

Steps are those of `seggrid.base.torch_training`, so an interrupted fine-tuning that resumes also ends with
the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import RobertaForTokenClassification

from seggrid.base.torch_training import Schedule, run_steps
from seggrid.studies.language_model.model import read_language_model
from seggrid.studies.language_model.tasks import Labeled
from seggrid.studies.language_model.train import label_losses
from seggrid.studies.language_model.vocabulary import PAD


def make_classifier(folder: str | Path, labels: int, seed: int) -> RobertaForTokenClassification:
    """The model in a folder, with an untrained layer on top that classifies tokens; `seed` is of its
    weights."""
    trained, _ = read_language_model(folder)
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
    """Train a model on the device where it is; `steps` are from 0 unless an interrupted fine-tuning is
    resumed. After each step: the number of steps so far, and the mean loss of a label in the step."""

    def draw(chosen: NDArray[np.int64], seed: int) -> tuple[torch.Tensor, torch.Tensor]:
        torch.manual_seed(seed)
        return _tensor(data.ids[chosen]), torch.from_numpy(data.labels[chosen])

    def logits(ids: torch.Tensor, where: torch.Tensor) -> torch.Tensor:
        ids = _trimmed(ids)
        return _logits(model, ids)[where[:, : ids.shape[1]]]

    losses = label_losses(model, draw, logits, schedule)
    return run_steps(model, optimizer, len(data.ids), losses, schedule, steps)


@torch.inference_mode()
def predict(
    model: RobertaForTokenClassification, data: Labeled, words: int, device_batch: int
) -> NDArray[np.int64]:
    """The number of the most likely label of each word, -1 for a word without tokens, shape (W,)."""
    device = next(model.parameters()).device
    model.eval()
    found = np.full(words, -1, dtype=np.int64)
    # A batch has sequences of similar length, so that little is padded.
    order = np.argsort((data.ids != PAD).sum(axis=1), kind="stable")
    for first in range(0, len(order), device_batch):
        rows = order[first : first + device_batch]
        ids = _trimmed(_tensor(data.ids[rows]))
        best = _logits(model, ids.to(device)).argmax(dim=-1).cpu().numpy()
        numbers = data.words[rows][:, : ids.shape[1]]
        found[numbers[numbers >= 0]] = best[numbers >= 0]
    return found


def _tensor(ids: NDArray[np.int32]) -> torch.Tensor:
    return torch.from_numpy(ids.astype(np.int64))


def _trimmed(ids: torch.Tensor) -> torch.Tensor:
    """Remove the columns in which all sequences have padding."""
    return ids[:, : int((ids != PAD).sum(dim=1).max())]


def _logits(model: RobertaForTokenClassification, ids: torch.Tensor) -> torch.Tensor:
    logits: torch.Tensor = model(ids, attention_mask=(ids != PAD).long()).logits
    return logits
