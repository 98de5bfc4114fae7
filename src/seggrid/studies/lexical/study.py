"""The study `lexical`: made if an experiment has the segmenter of that name."""

from __future__ import annotations

from typing import ClassVar

from seggrid.grid.axes import Stage
from seggrid.grid.grid import Grid, Segmented
from seggrid.grid.study import Study
from seggrid.segment.side import CORPUS


class LexicalWords(Study):
    """The lexical segmentation beside others, on words of its part of speech."""

    part = "an experiment with the segmenter `lexical`"
    stages: ClassVar = {"lexical": Stage(("pair", "side", "spec"), ".csv")}

    @classmethod
    def parts(cls, grid: Grid) -> list[str]:
        """No key of a config asks for it."""
        return [cls.part] if peers(grid) else []


def peers(grid: Grid) -> dict[Segmented, list[Segmented]]:
    """The segmentations that read parts of speech (lexical ones), each with the segmentations of the same
    text and size with which it is compared."""
    tagged = [own for own in grid.sides if own.registered.annotation]
    if not tagged:
        return {}
    plain = [
        own
        for own in grid.sides
        if own.model and own not in tagged and not (own.spec.sampled or own.spec.pruned)
    ]

    def text_and_size(own: Segmented) -> tuple[object, ...]:
        return own.pair, own.side, *(getattr(own.spec, axis) for axis in (*CORPUS, "merges"))

    return {
        own: [other for other in plain if text_and_size(own) == text_and_size(other)]
        for own in tagged
    }
