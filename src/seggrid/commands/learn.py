"""`seggrid learn`: learn a segmenter's model on a text. Its function is `seggrid.Segmenter.learn`."""

from __future__ import annotations

from typing import Annotated, Any

from seggrid.base.axis import Axis
from seggrid.base.errors import note
from seggrid.base.options import AxisOptions
from seggrid.base.parameters import FormatOfMorphemes, Help, InputFile, Output
from seggrid.commands.options import (
    SEGMENTATION,
    Plugins,
    TextFile,
    read_sentences,
    read_word_counts,
    side_axes,
)
from seggrid.commands.segmenter import Marking, MinFrequency, Segmenter, side_of
from seggrid.segment import SEGMENTERS
from seggrid.segment.side_segmenter import learns_from_counts, model_size
from seggrid.text.parameters import TextTreated
from seggrid.text.text_files import apply_case
from seggrid.text.words import WordCounts, Words

_LEFT_OUT = (
    *("knockout", "application", "joint"),
    *("dropout", "dropout_kind", "dropout_weight", "sampling"),
)
"""Axes that only matter when a model is applied, or that need both texts."""


def _axes() -> list[tuple[Axis[Any], Any]]:
    learners = [name for name, entry in SEGMENTERS.items() if entry.learns]
    return side_axes(*_LEFT_OUT, segmenters=learners)


def command(
    text: TextFile,
    /,
    *,
    treated: TextTreated,
    plugin: Plugins = (),
    min_frequency: MinFrequency | None = None,
    marking: Marking | None = None,
    morphemes: Annotated[
        InputFile | None,
        Help("for bpe: a morphological reference; no merge crosses its boundaries (MorphBPE)"),
    ] = None,
    morphemes_format: FormatOfMorphemes = "surface",
    after: Annotated[
        InputFile | None,
        Help(
            "for bpe: a model from which learning goes on; --merges counts its merges too",
            ("--from",),
        ),
    ] = None,
    output: Annotated[Output, Help("the model")],
    **axes: Annotated[Any, AxisOptions(_axes, SEGMENTATION)],
) -> None:
    """Learn and write."""
    name = axes.pop("segmenter", "bpe")
    side = side_of(name, axes)
    words: Words | WordCounts
    if learns_from_counts(side):
        spooled = SEGMENTERS[side.segmenter].from_file
        words = read_word_counts(text, treated, spooled=spooled)
    else:
        words = read_sentences(text, treated)
    learned = Segmenter.learn(
        words,
        name,
        marking=marking,
        min_frequency=min_frequency,
        morphemes=morphemes,
        format=morphemes_format,
        after=Segmenter.load(after, spaces=axes.get("spaces", True)) if after else None,
        **axes,
    )
    if side.merges is not None or side.vocabulary is not None:
        sizes = model_size(side, learned.model, apply_case(words, side.case))
        note(filter(None, [side.remark_on_size(sizes)]))
    learned.save(output)
