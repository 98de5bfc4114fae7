"""Which lines of a pair's texts the sentence pairs are that are aligned, as scripts are told it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from seggrid.corpus.pair import kept_lines
from seggrid.corpus.text import Text


def add_layout_arguments(parser: argparse.ArgumentParser) -> None:
    """The texts that say it; none where every line is a sentence pair."""
    for name in ("text", "training"):
        parser.add_argument(f"--{name}", type=Text.from_json, help="one side")
        help = "the other side, if what is empty on either is left out"
        parser.add_argument(f"--other-{name}", type=Text.from_json, help=help)


def layout(arguments: argparse.Namespace) -> NDArray[np.bool_] | None:
    """Of each line of the texts, whether it is a sentence pair, bool, shape (L,); None where all are."""
    both = (
        (arguments.text, arguments.other_text),
        (arguments.training, arguments.other_training),
    )
    kept = [kept_lines(text, other) for text, other in both if text is not None]
    return np.concatenate(kept) if kept else None


def read_layout(arguments: Sequence[str]) -> NDArray[np.bool_] | None:
    """`layout` of arguments that are not a script's own."""
    parser = argparse.ArgumentParser()
    add_layout_arguments(parser)
    return layout(parser.parse_args(arguments))
