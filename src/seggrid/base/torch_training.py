"""Training with torch that can be interrupted: its schedule, its steps, and the state from which it resumes.

All random choices of a step depend only on the seed and the number of the step. So training that was
interrupted and resumed, or continued for more steps, gives the same weights as a single run. Language models
are trained so, and encoders that are tuned.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file
from transformers import PreTrainedModel

from seggrid.base.folders import fresh_folder

WEIGHT_DECAY = 0.1
"""As in Bauwens and Delobelle (2024), table 9, who leave the other settings of AdamW at their defaults
too."""


@dataclass(frozen=True)
class Schedule:
    """The settings of training with AdamW.

    Attributes:
        batch: sequences of a step.
        device_batch: sequences of a forward pass; gradients are summed over those of a step.
        learning_rate: constant after the warmup.
        seed: seed of all random choices.
        warmup: steps in which the learning rate rises from 0.
        precision: number format of matrix products.
    """

    batch: int
    device_batch: int
    learning_rate: float
    seed: int
    warmup: int = 0
    precision: Literal["float32", "bfloat16"] = "float32"
    weight_decay: float = WEIGHT_DECAY


Losses = Callable[[NDArray[np.int64], int], Iterator[torch.Tensor]]
"""A function from the indices of a step's examples (B,) and the seed of the step to the parts of its loss,
whose gradients are summed. The function also seeds torch, and so dropout."""


def prepare_torch(threads: int) -> torch.device:
    """Choose the device, a GPU if there is one, and make computation deterministic; with other numbers of CPU
    threads, results differ in the last bits."""
    torch.set_num_threads(threads)
    # CUDA's matrix products need this setting to be deterministic.
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    torch.use_deterministic_algorithms(True, warn_only=True)
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def make_optimizer(model: PreTrainedModel, schedule: Schedule) -> torch.optim.AdamW:
    """Make an AdamW optimizer; biases and layer norms have no weight decay, as in transformers' Trainer."""
    weights = [p for p in model.parameters() if p.ndim > 1]
    others = [p for p in model.parameters() if p.ndim <= 1]
    groups = [
        {"params": weights, "weight_decay": schedule.weight_decay},
        {"params": others, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=schedule.learning_rate)


def run_steps(
    model: PreTrainedModel,
    optimizer: torch.optim.Optimizer,
    size: int,
    losses: Losses,
    schedule: Schedule,
    steps: range,
    begin: int = 0,
) -> Iterator[tuple[int, float]]:
    """Train a model, on the device where it is, on `size` examples.

    The schedule begins at the step `begin`, the number of steps of the model that is continued. After each
    step: the number of steps so far, and the loss of the step.
    """
    model.train()
    for step in steps:
        rate = schedule.learning_rate * min(1.0, (step - begin + 1) / max(1, schedule.warmup))
        for group in optimizer.param_groups:
            group["lr"] = rate
        chosen = batch(size, schedule.batch, step, schedule.seed)
        (drawn,) = np.random.SeedSequence([schedule.seed, step]).generate_state(1)
        total = 0.0
        for loss in losses(chosen, int(drawn)):
            loss.backward()
            total += float(loss.detach())
        optimizer.step()
        optimizer.zero_grad()
        yield step + 1, total


def batch(sequences: int, size: int, step: int, seed: int) -> NDArray[np.int64]:
    """The sequences in the batch of a step, as indices, shape (size,).

    Each epoch is a permutation of all sequences; a batch may span two epochs. The batch depends only on step
    and seed, so that training can resume from any step.
    """
    wanted = np.arange(step * size, (step + 1) * size)
    chosen = np.empty(size, dtype=np.int64)
    for epoch in np.unique(wanted // sequences):
        here = wanted // sequences == epoch
        chosen[here] = _order(sequences, int(epoch), seed)[wanted[here] % sequences]
    return chosen


# A cache of two, since a batch may span two epochs. Without it, every step would shuffle all sequences, which
# takes half a second for ten million.
@lru_cache(maxsize=2)
def _order(sequences: int, epoch: int, seed: int) -> NDArray[np.int64]:
    order = np.random.default_rng([seed, epoch]).permutation(sequences)
    order.flags.writeable = False
    return order


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


def write_state(
    path: str | Path, model: PreTrainedModel, optimizer: torch.optim.Optimizer, step: int, key: str
) -> None:
    """Write the state from which an interrupted training resumes, atomically: of weights those that are
    trained."""
    with fresh_folder(path, digests=True) as folder:
        trained = [(name, own) for name, own in model.named_parameters() if own.requires_grad]
        weights = {name: own.detach().cpu().contiguous() for name, own in trained}
        save_file(weights, folder / "model.safetensors")
        write_optimizer(folder, optimizer)
        (folder / "step.txt").write_text(f"{step} {key}\n", encoding="utf-8")


def read_state(
    path: str | Path, model: PreTrainedModel, optimizer: torch.optim.Optimizer, key: str
) -> int:
    """Load what `write_state` wrote into a model and its optimizer; return the number of steps done, 0 if
    there is no state, or its key is another."""
    file = Path(path, "step.txt")
    if not file.is_file():
        return 0
    step, _, found = file.read_text("utf-8").strip().partition(" ")
    if found != key:
        return 0
    model.load_state_dict(load_file(Path(path, "model.safetensors")), strict=False)
    read_optimizer(path, optimizer)
    return int(step)
