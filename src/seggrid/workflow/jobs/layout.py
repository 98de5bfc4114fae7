"""Find the lines of a pair's texts that are aligned sentence pairs, from the arguments of a script."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from seggrid.corpus.pair import kept_lines
from seggrid.corpus.text import Text


def add_layout_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that name the texts; they are left out if every line is a sentence pair."""
    for name in ("text", "training"):
        parser.add_argument(f"--{name}", type=Text.from_json, help="one side")
        help = "the other side, if empty sentence pairs are left out"
        parser.add_argument(f"--other-{name}", type=Text.from_json, help=help)


def given_texts(arguments: argparse.Namespace) -> list[tuple[Text, Text | None]]:
    """The text and the training text of the side, as far as given, each with that of the other side."""
    both = (
        (arguments.text, arguments.other_text),
        (arguments.training, arguments.other_training),
    )
    return [(text, other) for text, other in both if text is not None]


def layout(arguments: argparse.Namespace) -> NDArray[np.bool_] | None:
    """Whether each line of the texts is an aligned sentence pair, shape (L,); None if all lines are."""
    kept = [kept_lines(text, other) for text, other in given_texts(arguments)]
    return np.concatenate(kept) if kept else None


def read_layout(arguments: Sequence[str]) -> NDArray[np.bool_] | None:
    """Like `layout`, from the text of the arguments."""
    parser = argparse.ArgumentParser()
    add_layout_arguments(parser)
    return layout(parser.parse_args(arguments))
