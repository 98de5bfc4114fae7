"""Lists of merges: subword-nmt's codes, Hugging Face's `merges.txt`, fastBPE's codes.

How symbols are spelled depends on how words are marked (see `BPEModel.marking`): with `end` and `own` the
other programs spell them as this package does; with `start` they write `##` before every symbol that does not
begin a word, and nothing before symbols that do. Only merges of two parts can be written, since the other
programs have no longer ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from seggrid.base.errors import InputError
from seggrid.base.lines import write_lines
from seggrid.segment.bpe.model import BPEModel
from seggrid.segment.formats.merge_lines import CONTINUES, VERSION, parse_pairs, spelled_start
from seggrid.text.boundary import BOUNDARY


def write_merges(model: BPEModel, path: str | Path) -> None:
    """Write a `merges.txt`, or subword-nmt's codes if the model marks the ends of words."""
    lines = [VERSION, *map(" ".join, spelled_merges(model))]
    if model.dropout:
        raise InputError(
            f"the rate of dropout {model.dropout:g}, which a list of merges cannot store",
            hint="write a tokenizer, or keep it as a model of seggrid's own",
        )
    write_lines(path, lines)


def parse_merges(lines: Sequence[str], path: str | Path, marking: str = "end") -> BPEModel:
    """The model in the lines of a file, see `parse_pairs`."""
    return BPEModel(parse_pairs(lines, path, marking), marking=marking)


def marks(model: BPEModel, marking: str) -> bool:
    """Whether words are units of a model and are marked in this way."""
    return model.spaces and model.marking == marking


def spelled_merges(model: BPEModel) -> list[tuple[str, ...]]:
    """The merges as the other programs spell them."""
    longer = next((merge for merge in model.merges if len(merge) != 2), None)
    for what, is_there in (
        (f"the merge {' '.join(longer or ())!r}", longer),
        ("types that are split", model.split),
        ("weights of merges in dropout", model.weights),
    ):
        if is_there:
            hint = "keep it as a model of seggrid's own"
            raise InputError(f"other programs do not know {what}", hint=hint)
    if not marks(model, "start"):
        return model.merges
    if any(part.startswith(BOUNDARY + CONTINUES) for merge in model.merges for part in merge):
        raise InputError(
            f"a symbol that begins with {CONTINUES}", hint="learn the model with another marking"
        )
    return [tuple(map(spelled_start, merge)) for merge in model.merges]
