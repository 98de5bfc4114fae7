"""Sides and models of segmenters."""

from pathlib import Path
from typing import Any

from seggrid.base.lines import read_lines
from seggrid.segment import SEGMENTERS
from seggrid.segment.axes import AXES
from seggrid.segment.bpe.model import BPEModel
from seggrid.segment.formats.merges import parse_merges
from seggrid.segment.side import Side

READING_TEXT = [
    name for name, entry in SEGMENTERS.items() if not (entry.annotation or entry.outside)
]
"""The segmenters that need nothing but a text."""
LEARNING = [name for name in READING_TEXT if SEGMENTERS[name].learns]
"""Those of them that learn a model."""


def side_of(segmenter: str = "bpe", **axes: Any) -> Side:
    """A side of a segmenter, from values as a config has them; all other axes have their defaults."""
    written = {"segmenter": segmenter, **axes}
    return Side.from_values(
        {
            name: axis.value(written[name]) if name in written else axis.default
            for name, axis in AXES.items()
        }
    )


def read_back(segmenter: str, model: Any, folder: Path) -> Any:
    """A learned model as its segmenter reads it from the file that its learner writes."""
    file = folder / f"{segmenter}.model"
    model.write(file)
    return SEGMENTERS[segmenter].read(file)


def read_merges(path: Path, marking: str = "end") -> BPEModel:
    """The merges in a file of another program, as `seggrid convert` reads them."""
    return parse_merges(read_lines(path), path, marking)
