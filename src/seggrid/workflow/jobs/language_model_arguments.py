"""Arguments of the scripts of language models: the text, and the progress of an interrupted job."""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from seggrid.base.npz import read_arrays
from seggrid.corpus.text import apply_case
from seggrid.data.segmentation import unpack_segmentations
from seggrid.language_model.text import EncodedText, read_training_text
from seggrid.language_model.vocabulary import Vocabulary
from seggrid.segment import HIDDEN
from seggrid.segment.bpe.model import BPEModel
from seggrid.segment.side import Side
from seggrid.segment.side_segmenter import SideSegmenter
from seggrid.workflow.jobs.side_arguments import SideInputs, add_side_arguments, read_side


def add_text_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the text, its segmentation, and its held-out sentences."""
    add_side_arguments(parser)
    parser.add_argument("--format", choices=["lines", "tsv"], default="lines")
    parser.add_argument(
        "--tokens",
        type=Path,
        help="a segmentation; by default, the corpus is segmented by the model",
    )
    parser.add_argument("--test", type=int, required=True, help="number of sentences to hold out")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--progress", type=Path, required=True, help="file for saved progress")
    parser.add_argument(
        "--every", type=float, default=60, help="seconds after which progress is saved"
    )
    parser.add_argument("--output", type=Path, required=True)


def read_text_side(arguments: argparse.Namespace) -> SideInputs:
    """Read the inputs that the arguments of `add_text_arguments` name."""
    return read_side(arguments, partial(read_training_text, format=arguments.format))


def read_encoded(
    arguments: argparse.Namespace, vocabulary: Vocabulary | None
) -> tuple[EncodedText, Any]:
    """Read and encode the text.

    Also returns the model of merges if merging by rank gives the tokens of a plain text, which is in lower
    case where the side says so.

    Args:
        arguments: the script's arguments.
        vocabulary: vocabulary of an earlier model; None to make one.
    """
    side, segmenter, model, sentences = read_text_side(arguments)
    sentences = apply_case(sentences, side.case)
    if arguments.tokens:
        tokens, *_ = unpack_segmentations(read_arrays(arguments.tokens))
    else:
        tokens, *_ = SideSegmenter(side).segment(model, sentences, [0], arguments.threads)
    # The words of a glossary are types of the text alone.
    glossary = side.glossary not in (None, "none")
    types = segmenter.types(model, side) if side.learns and not glossary else None
    text = EncodedText.from_segmentation(sentences, tokens, arguments.test, vocabulary, types)
    return text, _merging(model, side)


def _merging(model: Any, side: Side) -> Any:
    plain = (
        side.glossary in (None, "none")
        and side.spaces != HIDDEN
        and side.case != "first"
        and isinstance(model, BPEModel)
    )
    if side.segmenter != "bpe" or side.application != "rank" or not plain:
        return None
    return model if side.pruned else model.prefix(side.merges)


def digest(values: Sequence[object], files: Sequence[Path | None]) -> str:
    """A digest of settings and of the content of files. Progress with another digest is not resumed."""
    total = hashlib.sha256(repr(values).encode())
    for file in files:
        content = b"" if file is None else hashlib.sha256(file.read_bytes()).digest()
        total.update(b"\0" + content)
    return total.hexdigest()
