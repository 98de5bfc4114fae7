"""The training progress of a language model: two files of its folder, read and written without torch."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

from seggrid.data.json_file import read_json
from seggrid.data.lines import read_lines, write_lines
from seggrid.errors import InputError

_LOSSES = "step,loss,validation_loss"


@dataclass
class Progress:
    """How far a model is trained.

    Attributes:
        steps: all that it has had, those of the models that it was continued from counted.
        tokens: of their batches, padding and special tokens left out.
        key: digest of all that the training depends on.
        takes_text: whether its tokenizer takes text as it is; see `make_tokenizer`.
        validation_loss: of held-out sentences, as the model and its tokenizer are now.
        losses: (step, loss, loss of held-out sentences or None).
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
    """How far the model of a folder is trained.

    Raises:
        InputError: there is no such folder, or it was altered.
    """
    file = Path(path, "training.json")
    values = read_json(file)
    rows = [row.split(",") for row in read_lines(Path(path, "losses.csv"))[1:]]
    try:
        losses = [
            (int(step), float(loss), float(held) if held else None) for step, loss, held in rows
        ]
        return Progress(**values, losses=losses)
    except (TypeError, ValueError):
        raise InputError(
            "not what training wrote", file=file, hint="delete the folder and run again"
        ) from None
