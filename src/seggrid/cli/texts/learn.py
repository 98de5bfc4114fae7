"""`seggrid learn`: learn a segmenter's model from a text."""

from __future__ import annotations

import argparse
import sys

from seggrid.api.segmenter import refuse_ignored
from seggrid.base.lines import utf8_blocks
from seggrid.cli.arguments import (
    add_plugin,
    add_side,
    add_tags,
    add_text,
    read_counts,
    read_option,
    read_sentences,
    read_tags_of,
    remark,
    side,
    whole_number,
)
from seggrid.cli.files import input_file, output_file
from seggrid.cli.texts.segment import given_axes
from seggrid.corpus.text import apply_case
from seggrid.data.words import WordCounts, Words
from seggrid.errors import InputError, either
from seggrid.segment import SEGMENTERS
from seggrid.segment.axes import AXES
from seggrid.segment.bpe.model import MARKINGS
from seggrid.segment.byte_bpe.learn import ALPHABET
from seggrid.segment.byte_bpe.learn import learn as learn_byte_bpe
from seggrid.segment.byte_bpe.word_counts import Preparation, count_words, is_script
from seggrid.segment.measures import remark_on_size
from seggrid.segment.side import Side
from seggrid.segment.side_segmenter import (
    SideSegmenter,
    learn_model,
    learns_from_counts,
    types_to_learn,
)

_LEFT_OUT = (
    *("knockout", "application", "joint"),
    *("dropout", "dropout_kind", "dropout_weight", "sampling"),
)
"""Axes that only matter when a model is applied, or that need both texts."""

_COUNTING = ("bpe", "byte_bpe", "picky", "superbpe", "boundless")
"""The segmenters for which pairs that are too rare are not merged."""

_OF_RAW = {"least_count": 10, "longest": 60, "script": None}
"""The options for raw text, with their defaults."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options: text, segmentation, model."""
    parser.add_argument("text", type=input_file, help="a text; - is standard input")
    add_text(parser)
    learners = [
        name for name, entry in SEGMENTERS.items() if entry.learns and not entry.always_joint
    ]
    add_side(parser, *_LEFT_OUT, segmenters=learners)
    add_tags(parser)
    add_plugin(parser)
    parser.add_argument(
        "--min-frequency",
        type=whole_number(1),
        metavar="N",
        help=f"for {either(_COUNTING)}: learning ends when no pair occurs this often; by default 2",
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
    parser.add_argument(
        "-o", "--output", type=output_file, metavar="FILE", required=True, help="the model"
    )


def run(arguments: argparse.Namespace) -> None:
    """Learn and write."""
    wanted = side(arguments)
    given = given_axes(arguments, *_LEFT_OUT)
    refuse_ignored(wanted, {name: read_option(AXES[name], arguments) for name in given})
    if not wanted.learns:
        raise InputError(
            f"{wanted.segmenter} learns no model", hint="seggrid segment needs none for it"
        )
    if arguments.min_frequency and wanted.segmenter not in _COUNTING:
        raise InputError(
            f"--min-frequency with {wanted.segmenter}", hint=f"only {either(_COUNTING)} read it"
        )
    if arguments.marking and wanted.segmenter != "bpe":
        raise InputError(f"--marking with {wanted.segmenter}", hint="only bpe reads it")
    raw = {name: value for name in _OF_RAW if (value := getattr(arguments, name)) is not None}
    if raw and not arguments.raw:
        raise InputError(
            f"--{next(iter(raw)).replace('_', '-')} is for raw text",
            hint="leave it out, or add --raw",
        )
    text: Words | WordCounts | None = None
    if arguments.raw:
        model = learn_from_raw(arguments, wanted)
    elif learns_from_counts(wanted):
        text = read_counts(arguments.text, arguments)
        model = learn_model(text, wanted, None, arguments.min_frequency, arguments.marking)
    else:
        text = read_sentences(arguments.text, arguments)
        tags = read_tags_of(arguments, text)
        model = learn_model(text, wanted, tags, arguments.min_frequency, arguments.marking)
    if text is not None and (wanted.merges is not None or wanted.vocabulary is not None):
        cased = apply_case(text, wanted.case)
        sizes = SideSegmenter(wanted).model_size(model, cased)
        fewer = remark_on_size(wanted, sizes)
        remark([fewer] if fewer else [])
    SEGMENTERS[wanted.segmenter].load_learner().write_model(model, arguments.output)


def learn_from_raw(arguments: argparse.Namespace, wanted: Side) -> str:
    """The model of `byte_bpe` from a raw text.

    Raises:
        InputError: the segmenter is another, no size is given, the text cannot be read, or no word of it is
            left.
    """
    if wanted.segmenter != "byte_bpe":
        raise InputError(
            f"--raw with {wanted.segmenter}", hint="--segmenter byte_bpe reads raw text"
        )
    size = wanted.merges
    if wanted.vocabulary is not None:
        size = types_to_learn(wanted.vocabulary, ALPHABET)
    if size is None:
        raise InputError("--raw without a size", hint="give --vocabulary, such as 40000")
    values = {name: getattr(arguments, name) for name in _OF_RAW}
    values = {name: _OF_RAW[name] if value is None else value for name, value in values.items()}
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
    print(f"{len(words):,} distinct words, {sum(words.values()):,} in all", file=sys.stderr)
    return learn_byte_bpe(words, size, min_frequency=arguments.min_frequency or 2)
