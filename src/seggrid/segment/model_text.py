"""Read the file of a model whose format is not known yet; name one of another format than is asked for."""

from __future__ import annotations

import re
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


RANK = re.compile(r"[A-Za-z0-9+/]+={0,2} \d+")
"""A line of ranks of tiktoken: a type in base64, and its id."""


def kind_of(content: str) -> str:
    """The format of a model's file: `json`; `ranks` of tiktoken; the segmenter of seggrid that learned it; or
    `merges`, for anything else."""
    if content.startswith("{"):
        return "json"
    own = re.match(r"#seggrid-(\w+)", content)
    first = content[: content.find("\n")].rstrip("\r")
    return own[1] if own else "ranks" if RANK.fullmatch(first) else "merges"


def check_kind(path: str | Path, expected: str = "") -> None:
    """Refuse a tokenizer of another program by its name, in place of what a parser says of it.

    Args:
        path: the file. Nothing is read of a pipe.
        expected: the kind that it may be; by default, one that begins like none.

    Raises:
        InputError: the file begins as one of another kind does.
    """
    if not Path(path).is_file():
        return
    with open(path, "rb") as file:
        kind = kind_of(file.read(10_000).decode("utf-8", errors="replace"))
    if kind == "ranks":
        raise refuse_ranks(path)
    if kind == "json" != expected:
        hint = "its format is huggingface, if it is a tokenizer.json"
        raise InputError("JSON", file=path, hint=hint)
    if kind not in ("json", "merges"):
        raise InputError(
            f"a model of {kind} that seggrid learn wrote",
            file=path,
            hint=f"it is cut with by --segmenter {kind}; as a tokenizer, make a tokenizer.json of it by "
            "seggrid convert --to tokenizer",
        )


def refuse_ranks(path: str | Path) -> InputError:
    """An error that says how ranks of tiktoken become a tokenizer."""
    return InputError(
        "ranks of tiktoken",
        file=path,
        hint="give the tokenizer.json beside it, or make one by seggrid convert --to tokenizer --pattern …",
    )


def _is_sentencepiece(path: str | Path) -> bool:
    """Whether a file begins as a model of sentencepiece: with a type (field 1), its text and its score."""
    if not Path(path).is_file():
        return False
    with open(path, "rb") as file:
        begin = file.read(200)
    return begin[:1] == begin[2:3] == b"\n" and begin[4 + begin[3] : 5 + begin[3]] == b"\x15"
