"""The file of a learned model, and what a file is whose format is not known yet.

The file is UTF-8 text: a header with the name of the segmenter, the version of the format, settings, and how
many rows of each kind follow; the rows, their fields separated by spaces; and a digest of all that, so that a
file that was cut short or edited is not taken for what was learned:

    #seggrid bpe 2 spaces=yes scoring=frequency merges:2
    ▁t h
    ▁th e
    #digest 5d0f6bd1e5a0c8aa
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from seggrid.base.errors import InputError
from seggrid.base.lines import read_utf8, split_lines, write_lines

_VERSION = "2"
_DIGEST = "#digest "
RANK = re.compile(r"[A-Za-z0-9+/]+={0,2} \d+")
"""A line of ranks of tiktoken: a type in base64, and its id."""

_SENTENCEPIECE = re.compile(r"\n.\n.[^\x15]{1,200}\x15", re.DOTALL)
"""How a model of sentencepiece begins: with a type (field 1), its text and its score."""

_OF_BYTES = re.compile(r"^(Ġ\S* \S+|\S+ Ġ\S*)$", re.MULTILINE)
"""A merge of the bytes of a space and others, as byte-level tokenizers spell them."""

OUTSIDE = {
    **{"json": "huggingface", "sentencepiece": "sentencepiece"},
    **{"ranks": "tiktoken", "byte_merges": "merges"},
}
"""The format of the tokenizer from elsewhere that a file of each kind is."""

_CONVERTED = ("bpe", "wordpiece", "superbpe", "boundless", "mingram")
"""The segmenters of whose models `seggrid convert` can make a tokenizer.json."""


class Content(NamedTuple):
    """What is in the file of a model: settings, which have no spaces, and tables of rows of fields, which are
    not empty and have no spaces or line ends in them."""

    settings: Mapping[str, str]
    tables: Mapping[str, Sequence[Sequence[str]]]


def write_content(path: str | Path, name: str, content: Content) -> None:
    """Write a model of the segmenter `name`, atomically."""
    settings = [f"{key}={value}" for key, value in content.settings.items()]
    counts = [f"{key}:{len(rows)}" for key, rows in content.tables.items()]
    lines = [" ".join(["#seggrid", name, _VERSION, *settings, *counts])]
    lines += [" ".join(row) for rows in content.tables.values() for row in rows]
    write_lines(path, [*lines, _DIGEST + _digest(lines)])


def parse_content(text: str, path: str | Path, name: str) -> Content:
    """Read what `write_content` wrote, from the text of the file."""
    kind = kind_of(text)
    if kind != name:
        raise unread_kind(kind, path, name)
    *lines, last = split_lines(text, path)
    header = lines[0] if lines else ""
    if last != _DIGEST + _digest(lines) or not header.startswith(f"#seggrid {name} {_VERSION}"):
        raise unlike_learned(path)
    settings: dict[str, str] = {}
    tables: dict[str, list[list[str]]] = {}
    begin = 1
    for field in header.split(" ")[3:]:
        found = re.fullmatch("(.+?)(?:=(.*)|:([0-9]{1,9}))", field)
        if found is None:
            raise unlike_learned(path)
        key, value, count = found.groups()
        if count is None:
            settings[key] = value
        else:
            tables[key] = [line.split(" ") for line in lines[begin : begin + int(count)]]
            begin += int(count)
    if begin != len(lines) or any("" in row for rows in tables.values() for row in rows):
        raise unlike_learned(path)
    return Content(settings, tables)


def unlike_learned(path: str | Path) -> InputError:
    """The error for a model that was edited."""
    hint = "learn it again; merges are edited as codes, see seggrid convert"
    return InputError("not as it was learned", file=path, hint=hint)


def spell_spaces(spaces: bool, hidden: bool) -> str:
    """The setting that says whether units are words, or text without its spaces.

    >>> spell_spaces(False, True), read_spaces("hidden")
    ('hidden', (False, True))
    """
    return "yes" if spaces else "hidden" if hidden else "no"


def read_spaces(text: str) -> tuple[bool, bool]:
    """Read what `spell_spaces` spelled."""
    return text == "yes", text == "hidden"


def _digest(lines: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def unread_kind(kind: str, path: str | Path, name: str = "") -> InputError:
    """The error for a file of a kind that is not read here, in place of what a parser says of it."""
    others = {
        "json": (
            "JSON",
            "if it is a tokenizer.json, leave --segmenter and formats out: it is known by its content",
        ),
        "ranks": (
            "ranks of tiktoken",
            "leave --segmenter and formats out, or make a tokenizer.json by seggrid convert --to tokenizer "
            "--pattern …",
        ),
        "sentencepiece": (
            "a model of sentencepiece",
            "its types, not merges, are in it: leave --segmenter and formats out where text is cut",
        ),
        "byte_merges": (
            "merges over bytes",
            "give merges of characters, or the tokenizer.json that belongs to them",
        ),
        "merges": (
            f"not a model of {name}",
            "give what seggrid learn wrote; seggrid convert --to model reads the codes of other programs",
        ),
    }
    model = f"a model of {kind}" + (f", not of {name}" if name else " that seggrid learn wrote")
    hint = f"it is cut by --segmenter {kind}"
    if kind in _CONVERTED:
        hint += "; seggrid convert --to tokenizer may make a tokenizer.json of it"
    message, hint = others.get(kind, (model, hint))
    return InputError(message, file=path, hint=hint)


def read_model_text(path: str | Path) -> str:
    """The text of a model's file."""
    if kind_of_file(path) == "sentencepiece":
        raise unread_kind("sentencepiece", path)
    return read_utf8(path)


def kind_of(text: str) -> str:
    """What a text is: `json`; `ranks` of tiktoken; `sentencepiece`; a model, by the name of its segmenter;
    `byte_merges`, if it shows that its merges are over bytes; or `merges`, for anything else."""
    if text.lstrip().startswith("{"):
        return "json"
    if _SENTENCEPIECE.match(text):
        return "sentencepiece"
    own = re.match(r"#seggrid (\w+) ", text)
    first = text[: text.find("\n")].rstrip("\r")
    if own or RANK.fullmatch(first):
        return own[1] if own else "ranks"
    return "byte_merges" if "</w>" not in text and _OF_BYTES.search(text) else "merges"


def kind_of_file(path: str | Path) -> str:
    """What a file is by its first bytes, as `kind_of`; `merges` for a pipe, of which nothing is read."""
    if not Path(path).is_file():
        return "merges"
    with open(path, "rb") as file:
        return kind_of(file.read(10_000).decode("utf-8", errors="replace"))


def segmenter_of_file(path: str | Path) -> str:
    """The segmenter that applies a file: that which learned it, `bpe` for merges of characters, or `external`
    for a tokenizer from elsewhere."""
    kind = kind_of_file(path)
    return "external" if kind in OUTSIDE else "bpe" if kind == "merges" else kind


def check_kind(path: str | Path, expected: str = "") -> None:
    """Refuse a tokenizer of another program that begins as one of another kind than `expected` does."""
    if (kind := kind_of_file(path)) not in ("merges", expected):
        raise unread_kind(kind, path)
