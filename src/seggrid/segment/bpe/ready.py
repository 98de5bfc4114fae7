"""Merges given by the user, in place of a learned model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from seggrid.errors import InputError
from seggrid.segment.axes import AXES
from seggrid.segment.bpe.model import BPEModel

if TYPE_CHECKING:
    from seggrid.segment.side import Side


def ready_model(path: str | Path, side: Side) -> BPEModel:
    """Read merges for a side of the segmenter `bpe`.

    Raises:
        InputError: the file is not a model of merges; the side asks for another kind of learning than the
            header of the file says, or for more merges than the file has.
    """
    model = BPEModel.read(path)
    for axis in ("vocabulary", "joint"):
        if AXES[axis].has_effect(value := getattr(side, axis)):
            raise InputError(
                f"merges that are learned already, together with {axis}: {value}",
                file=path,
                hint=f"leave out {axis}, or the side's model",
            )
    for axis, has, wanted in (
        ("spaces", model.spaces, side.spaces is True),
        ("scoring", model.scoring, side.scoring or "frequency"),
    ):
        if has != wanted:
            raise InputError(
                f"merges with other {axis} than an experiment asks for",
                file=path,
                line=1,
                hint=f"give the experiments the {axis} of the file, or leave out the side's model",
            )
    if side.merges is not None and side.merges > len(model.merges):
        raise InputError(
            f"{len(model.merges):,} merges, and an experiment asks for {side.merges:,}",
            file=path,
            hint="ask for fewer",
        )
    return model
