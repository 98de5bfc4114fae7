"""The training progress of a language model: two files in its folder, which are read without torch."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

from seggrid.base.json_file import read_json
from seggrid.base.lines import read_lines, write_lines

_LOSSES = "step,loss,validation_loss"


@dataclass
class Progress:
    """The training of a model so far.

    Attributes:
        steps, tokens: number of steps, including those of the models that it continues, and of tokens in
            their batches, without padding and special tokens.
        key: digest of everything that the training depends on.
        takes_text: whether the tokenizer takes raw text; see `make_tokenizer`.
        validation_loss: loss of the trained model on held-out sentences.
        losses: for each step, its number, its loss, and the loss on held-out sentences or None.
    """

    steps: int = 0
    tokens: int = 0
    key: str = ""
    takes_text: bool = False
    validation_loss: float | None = None
    losses: list[tuple[int, float, float | None]] = field(default_factory=list)


def write_progress(folder: str | Path, progress: Progress) -> None:
    """Write `training.json` and `losses.csv` into a folder."""
    values = asdict(progress)
    losses = values.pop("losses")
    write_lines(Path(folder, "training.json"), json.dumps(values, indent=1).split("\n"))
    rows = [f"{step},{loss!r},{'' if held is None else repr(held)}" for step, loss, held in losses]
    write_lines(Path(folder, "losses.csv"), [_LOSSES, *rows])


def read_progress(path: str | Path) -> Progress:
    """Read the training progress in a folder."""
    values = read_json(Path(path, "training.json"))
    rows = (row.split(",") for row in read_lines(Path(path, "losses.csv"))[1:])
    losses = [(int(step), float(loss), float(held) if held else None) for step, loss, held in rows]
    return Progress(**values, losses=losses)
