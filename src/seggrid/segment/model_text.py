"""Read the file of a model whose format is not known yet."""

from __future__ import annotations

from pathlib import Path

from seggrid.base.lines import read_utf8
from seggrid.errors import InputError


def read_model_text(path: str | Path) -> str:
    """The text of a model's file.

    Raises:
        InputError: the file is not text, such as a model of sentencepiece, or cannot be read.
    """
    try:
        return read_utf8(path)
    except InputError:
        if not _is_sentencepiece(path):
            raise
    raise InputError(
        "a model of sentencepiece, which is only cut with",
        file=path,
        hint="--segmenter external --model-format sentencepiece",
    )


def _is_sentencepiece(path: str | Path) -> bool:
    """Whether a file begins as a model of sentencepiece: with a type (field 1), its text and its score."""
    if not Path(path).is_file():
        return False
    with open(path, "rb") as file:
        begin = file.read(200)
    return begin[:1] == begin[2:3] == b"\n" and begin[4 + begin[3] : 5 + begin[3]] == b"\x15"
