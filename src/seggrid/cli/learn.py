"""`seggrid learn` and `tag`: learn a segmenter's model from a text; tag the words of one."""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from seggrid.api.segmenter import COUNTING, Segmenter, side_of
from seggrid.base.lines import utf8_blocks
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
from seggrid.corpus.pos import LANGUAGES, write_tags
from seggrid.corpus.tagger import tag
from seggrid.corpus.text import apply_case
from seggrid.data.words import WordCounts, Words
from seggrid.errors import InputError, either, note
from seggrid.segment import SEGMENTERS
from seggrid.segment.bpe.model import MARKINGS
from seggrid.segment.side import Side
from seggrid.segment.side_segmenter import learns_from_counts, model_size, types_to_learn

_LEFT_OUT = (
    *("knockout", "application", "joint"),
    *("dropout", "dropout_kind", "dropout_weight", "sampling"),
)
"""Axes that only matter when a model is applied, or that need both texts."""

_OF_RAW = {"least_count": 10, "longest": 60, "script": None}
"""The options for raw text, with their defaults."""


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
    group = parser.add_argument_group(
        "raw text, for byte_bpe",
        "As BPE-knockout prepares its text: punctuation is cut off words, and rare, long and foreign "
        "words are dropped. The text is read in blocks and may be larger than the memory.",
    )
    group.add_argument("--raw", action="store_true", help="the text is raw")
    group.add_argument(
        "--least-count",
        type=whole_number(1),
        metavar="N",
        help=f"smallest count of a word, by default {_OF_RAW['least_count']}",
    )
    group.add_argument(
        "--longest",
        type=whole_number(1),
        metavar="N",
        help=f"largest number of characters of a word, by default {_OF_RAW['longest']}",
    )
    group.add_argument(
        "--script",
        metavar="NAME",
        help="script of all letters, such as LATIN or GREEK; by default, any",
    )
    add_output(parser, "the model", required=True)


def run_learn(arguments: argparse.Namespace) -> None:
    """Learn and write."""
    axes = axes_given(arguments)
    name = axes.pop("segmenter", "bpe")
    side = side_of(name, axes)
    raw = {name: value for name in _OF_RAW if (value := getattr(arguments, name)) is not None}
    if raw and not arguments.raw:
        option = next(iter(raw)).replace("_", "-")
        raise InputError(f"--{option} is for raw text", hint="leave it out, or add --raw")
    if arguments.raw:
        _learn_from_raw(arguments, side, {**_OF_RAW, **raw})
        return
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


def _learn_from_raw(arguments: argparse.Namespace, side: Side, values: dict[str, Any]) -> None:
    """Learn a model of `byte_bpe` from a raw text."""
    from seggrid.segment.byte_bpe import ALPHABET, ByteBPE
    from seggrid.segment.raw_words import Preparation, count_words, is_script

    if side.segmenter != "byte_bpe":
        hint = "--segmenter byte_bpe reads raw text"
        raise InputError(f"--raw with {side.segmenter}", hint=hint)
    if arguments.marking:
        raise InputError("--marking with byte_bpe", hint="only bpe reads it")
    size = side.merges
    if side.vocabulary is not None:
        size = types_to_learn(side.vocabulary, ALPHABET)
    if size is None:
        raise InputError("--raw without a size", hint="give --vocabulary, such as 40000")
    if arguments.script is not None:
        values["script"] = arguments.script.upper()
        if not is_script(values["script"]):
            raise InputError(
                f"--script {arguments.script}: no letter is of it",
                hint="give the first word of its letters' names in Unicode, such as LATIN or GREEK",
            )
    preparation = Preparation(**values)
    words = count_words(map(bytes.decode, utf8_blocks(arguments.text)), preparation)
    if not words:
        raise InputError(
            f"no word occurs {preparation.least_count} times",
            file=arguments.text,
            hint="give more text, a smaller --least-count, or another --script",
        )
    note([f"{len(words):,} distinct words, {sum(words.values()):,} in all"])
    counts = WordCounts([*words], np.array([*words.values()], dtype=np.int64))
    ByteBPE.learn(counts, size, side, arguments.min_frequency or 2).write(arguments.output)


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
