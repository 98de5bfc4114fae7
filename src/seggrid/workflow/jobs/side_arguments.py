"""Arguments of the scripts that process one side with its model."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from seggrid.corpus.tags import read_tags
from seggrid.corpus.text import read_text
from seggrid.data.segmentation import Sentences
from seggrid.segment import SEGMENTERS
from seggrid.segment.side import Side, parse_spec


class SideInputs(NamedTuple):
    """The inputs of a script for one side.

    Attributes:
        side: how the text is segmented.
        segmenter: the module of the segmenter.
        model: the learned model, or a tokenizer from elsewhere, or None.
        sentences: words of the text.
    """

    side: Side
    segmenter: ModuleType
    model: Any
    sentences: list[list[str]]


def add_side_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the corpus, the model and the segmentation."""
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--model", type=Path, help="a learned model, or the file of a tokenizer")
    parser.add_argument("--model-format", help="format of the file of a tokenizer")
    parser.add_argument("--spec", required=True, help="the segmentation, as in the output's path")


def read_side(
    arguments: argparse.Namespace, read: Callable[[Path], list[list[str]]] | None = None
) -> SideInputs:
    """Read the inputs that the arguments of `add_side_arguments` name.

    Args:
        arguments: the parsed arguments.
        read: reads the text, if it is not a text that the workflow wrote.
    """
    side = parse_spec(arguments.spec)
    segmenter = SEGMENTERS[side.segmenter].load()
    how = [arguments.model_format] if arguments.model_format else []
    model = segmenter.read_model(arguments.model, *how) if arguments.model else None
    sentences = read(arguments.corpus) if read else read_text(arguments.corpus, "lines")[0]
    return SideInputs(side, segmenter, model, sentences)


def add_learned_from_argument(parser: argparse.ArgumentParser) -> None:
    """Add the argument of the texts from which a joint model was learned."""
    parser.add_argument(
        "--learned-from", type=Path, action="append", default=[], help="a text of a joint model"
    )


def read_learned_from(arguments: argparse.Namespace, sentences: Sentences) -> Sentences:
    """The text from which a model was learned: the texts that the argument names, or else the side's own."""
    texts = [read_text(file, "lines")[0] for file in arguments.learned_from]
    return [words for text in texts for words in text] or sentences


def add_tags_argument(parser: argparse.ArgumentParser) -> None:
    """Add the argument of the tagged text."""
    parser.add_argument("--tags", type=Path, help="tagged text, if the segmenter reads it")


def read_tagged(arguments: argparse.Namespace, sentences: Sentences) -> dict[str, Any]:
    """The argument `tags` for a segmenter or learner that reads parts of speech; empty for others."""
    return {"tags": read_tags(arguments.tags, sentences)} if arguments.tags else {}
