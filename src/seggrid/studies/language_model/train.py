"""Train a masked language model, from the first step or from any later step.

Steps are those of `seggrid.base.torch_training`; the masked tokens, too, depend only on the seed and the
number of the step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import (
    DataCollatorForLanguageModeling,
    PreTrainedModel,
    PreTrainedTokenizerBase,
    RobertaForMaskedLM,
)

from seggrid.base.torch_training import Losses, Schedule, run_steps
from seggrid.studies.language_model.model import logits_at
from seggrid.studies.language_model.vocabulary import SPECIAL

VALIDATION_SEED = 0
"""Seed of the masks in held-out sentences, so that models with the same vocabulary have the same masks."""


Draw = Callable[[NDArray[np.int64], int], tuple[torch.Tensor, torch.Tensor]]
"""A function from the indices of a step's sequences (B,) and the seed of the step to ids (B, L) and labels
(B, L). Labels of tokens that are not predicted are negative. The function also seeds torch, and so
dropout."""

Logits = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
"""A function from ids (B, L), and whether each one is predicted (B, L), to the logits of the M predicted
tokens (M, V)."""


class Masking:
    """Mask tokens as transformers' collator does: of 15% of the tokens, four fifths are masked, a tenth is
    replaced, and a tenth is kept."""

    def __init__(self, tokenizer: PreTrainedTokenizerBase) -> None:
        self.collator = DataCollatorForLanguageModeling(tokenizer, mlm_probability=0.15)

    def __call__(
        self, sequences: NDArray[np.int32], seed: int
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """The sequences with masks, and the ids to predict, -100 for tokens that are not predicted."""
        torch.manual_seed(seed)
        ids = torch.from_numpy(sequences.astype(np.int64))
        special = ids < len(SPECIAL)
        masked, labels = self.collator.torch_mask_tokens(ids, special_tokens_mask=special)
        return masked, labels


def train_language_model(
    model: RobertaForMaskedLM,
    optimizer: torch.optim.Optimizer,
    sequences: NDArray[np.int32],
    masking: Masking,
    schedule: Schedule,
    steps: range,
    begin: int = 0,
) -> Iterator[tuple[int, float]]:
    """Train a model on sequences of shape (N, L), as `run_steps` does; the first step of an untrained model
    is 0."""
    losses = label_losses(
        model,
        lambda chosen, seed: masking(sequences[chosen], seed),
        lambda ids, where: logits_at(model, ids, where),
        schedule,
    )
    return run_steps(model, optimizer, len(sequences), losses, schedule, steps, begin)


def label_losses(model: PreTrainedModel, draw: Draw, logits: Logits, schedule: Schedule) -> Losses:
    """The mean loss of the labels that `draw` returns, predicted by a model on the device where it is."""
    device = next(model.parameters()).device
    half = schedule.precision == "bfloat16"

    def losses(chosen: NDArray[np.int64], seed: int) -> Iterator[torch.Tensor]:
        ids, labels = draw(chosen, seed)
        predicted = max(1, int((labels >= 0).sum()))
        for first in range(0, len(ids), schedule.device_batch):
            part = slice(first, first + schedule.device_batch)
            own = labels[part].to(device)
            with torch.autocast(device.type, torch.bfloat16, enabled=half):
                found = logits(ids[part].to(device), own >= 0)
            yield _summed_loss(found, own) / predicted

    return losses


def validation_due(done: int, steps: int) -> bool:
    """Whether the loss on held-out sentences is computed after step `done` of `steps`: twenty times at equal
    distances, and after 1, 2, 4, 8, … steps, while it changes most.

    >>> [done for done in range(1, 101) if validation_due(done, 100)][:9]
    [1, 2, 4, 5, 8, 10, 15, 16, 20]
    """
    return done % max(1, steps // 20) == 0 or done & (done - 1) == 0


@torch.inference_mode()
def validation_loss(
    model: RobertaForMaskedLM, sequences: NDArray[np.int32], masking: Masking, device_batch: int
) -> float:
    """The mean loss of a masked token in held-out sequences, shape (N, L), with the same masks each time."""
    device = next(model.parameters()).device
    model.eval()
    ids, labels = masking(sequences, VALIDATION_SEED)
    total = 0.0
    for first in range(0, len(ids), device_batch):
        part = slice(first, first + device_batch)
        own = labels[part].to(device)
        total += float(_summed_loss(logits_at(model, ids[part].to(device), own >= 0), own))
    model.train()
    return total / max(1, int((labels >= 0).sum()))


def _summed_loss(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.cross_entropy(logits.float(), labels[labels >= 0], reduction="sum")
