"""What the scripts that work on one side with its model share."""

from __future__ import annotations

import argparse
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from seggrid.corpus.tags import read_tags
from seggrid.corpus.text import TextFormat, read_text
from seggrid.data.segmentation import Sentences
from seggrid.segment import SEGMENTERS
from seggrid.segment.side import Side, parse_spec


class SideInputs(NamedTuple):
    """One side as a script finds it.

    Attributes:
        side: how it is segmented.
        segmenter: the module that does so.
        model: what was learned for it, a tokenizer from elsewhere, or None.
        sentences: its words.
    """

    side: Side
    segmenter: ModuleType
    model: Any
    sentences: list[list[str]]


def add_side_arguments(parser: argparse.ArgumentParser) -> None:
    """The corpus, the model and the segmentation."""
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--model", type=Path, help="a learned one, or a tokenizer's file")
    parser.add_argument("--model-format", help="of a tokenizer's file")
    parser.add_argument("--spec", required=True, help="the segmentation, as in the output's path")


def read_side(arguments: argparse.Namespace, format: TextFormat = "lines") -> SideInputs:
    """What those arguments name; `format` is that of the corpus."""
    side = parse_spec(arguments.spec)
    segmenter = SEGMENTERS[side.segmenter].load()
    how = [arguments.model_format] if arguments.model_format else []
    model = segmenter.read_model(arguments.model, *how) if arguments.model else None
    sentences, _ = read_text(arguments.corpus, format)
    return SideInputs(side, segmenter, model, sentences)


def add_learned_from_argument(parser: argparse.ArgumentParser) -> None:
    """The texts of a joint model."""
    parser.add_argument(
        "--learned-from", type=Path, action="append", default=[], help="a text of a joint model"
    )


def read_learned_from(arguments: argparse.Namespace, sentences: Sentences) -> Sentences:
    """The text that a model was learned from: the side's own, or those that are named."""
    texts = [read_text(file, "lines")[0] for file in arguments.learned_from]
    return [words for text in texts for words in text] or sentences


def add_tags_argument(parser: argparse.ArgumentParser) -> None:
    """The tagged text."""
    parser.add_argument("--tags", type=Path, help="where the segmenter looks at parts of speech")


def read_tagged(arguments: argparse.Namespace, sentences: Sentences) -> dict[str, Any]:
    """What a segmenter or learner that looks at parts of speech takes beside the others."""
    return {"tags": read_tags(arguments.tags, sentences)} if arguments.tags else {}
