"""`seggrid learn` and `tag`: learn a segmenter's model from a text; tag the words of one."""

from __future__ import annotations

import argparse

from seggrid.api.segmenter import COUNTING, Segmenter, side_of
from seggrid.cli.arguments import (
    add_empty_lines,
    add_input,
    add_output,
    add_plugin,
    add_side,
    add_tags,
    add_text,
    axes_given,
    progress,
    read_counts,
    read_sentences,
    read_tags_of,
    whole_number,
)
from seggrid.corpus.pos import LANGUAGES, tag, write_tags
from seggrid.corpus.text import apply_case
from seggrid.data.words import WordCounts, Words
from seggrid.errors import either, note
from seggrid.segment import SEGMENTERS
from seggrid.segment.bpe.model import MARKINGS
from seggrid.segment.side_segmenter import learns_from_counts, model_size

_LEFT_OUT = (
    *("knockout", "application", "joint"),
    *("dropout", "dropout_kind", "dropout_weight", "sampling"),
)
"""Axes that only matter when a model is applied, or that need both texts."""


def add_learn(parser: argparse.ArgumentParser) -> None:
    """Add the options: text, segmentation, model."""
    add_text(parser)
    learners = [name for name, entry in SEGMENTERS.items() if entry.learns]
    add_side(parser, *_LEFT_OUT, segmenters=learners)
    add_tags(parser)
    add_plugin(parser)
    parser.add_argument(
        "--min-frequency",
        type=whole_number(1),
        metavar="N",
        help=f"for {either(COUNTING)}: learning ends when no pair occurs this often; by default 2",
    )
    parser.add_argument(
        "--marking",
        choices=MARKINGS,
        help="for bpe: how words are marked: by ▁ at their starts (start, the default), by </w> at their "
        "ends (end: seggrid convert --to merges then writes codes of subword-nmt), or by ▁ as a symbol of "
        "its own (own)",
    )
    add_output(parser, "the model", required=True)


def run_learn(arguments: argparse.Namespace) -> None:
    """Learn and write."""
    axes = axes_given(arguments)
    name = axes.pop("segmenter", "bpe")
    side = side_of(name, axes)
    read = read_counts if learns_from_counts(side) else read_sentences
    text: Words | WordCounts = read(arguments.text, arguments)
    learned = Segmenter.learn(
        text,
        name,
        tags=None if isinstance(text, WordCounts) else read_tags_of(arguments, text),
        marking=arguments.marking,
        min_frequency=arguments.min_frequency,
        **axes,
    )
    if side.merges is not None or side.vocabulary is not None:
        sizes = model_size(side, learned.model, apply_case(text, side.case))
        note(filter(None, [side.remark_on_size(sizes)]))
    learned.save(arguments.output)


def add_tag(parser: argparse.ArgumentParser) -> None:
    """Add the options: text, language, output."""
    add_input(parser, "text", help="a text; - is standard input")
    parser.add_argument("--language", choices=LANGUAGES, required=True)
    add_empty_lines(parser, "an empty line is refused, or skipped: it gets no tags")
    add_output(parser, "the tagged text", required=True)


def run_tag(arguments: argparse.Namespace) -> None:
    """Tag and write."""
    sentences = read_sentences(arguments.text, arguments)
    progress(f"tagging {len(sentences):,} sentences")
    tags = tag(sentences, arguments.language)
    write_tags(arguments.output, sentences, tags, arguments.language)
