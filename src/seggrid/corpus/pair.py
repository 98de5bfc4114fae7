"""Find the two sides of a pair, which are in separate files or together in one.

The workflow and the commands use it; the sides are read by `seggrid.corpus.text.Text`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seggrid.base.compressed import SUFFIXES
from seggrid.corpus.gold import (
    Gold,
    gold_from_links,
    gold_of_nothing,
    parse_gold_files,
    without_bad_links,
)
from seggrid.corpus.link_formats import GoldFormat
from seggrid.corpus.links import Notation
from seggrid.corpus.text import Text
from seggrid.data.sides import SIDES
from seggrid.data.words import filled_pairs
from seggrid.errors import InputError

PairFormat = Literal["bars", "columns", "tmx", "moses"]
"""Formats with both sides together: some of `seggrid.corpus.text_formats`, and `moses`: two files of lines
whose names differ only in the language code at the end, such as `corpus.de` and `corpus.en.gz`."""

_BY_ENDING: dict[str, PairFormat] = {".tmx": "tmx", ".tsv": "columns"}


def pair_format(name: str | Path) -> PairFormat:
    """The format of a file with both sides, by the ending of its name; `bars` by default.

    >>> pair_format("a.tmx.gz"), pair_format("a.tsv"), pair_format("a.txt")
    ('tmx', 'columns', 'bars')
    """
    path = Path(name)
    return _BY_ENDING.get(
        (path.with_suffix("") if path.suffix in SUFFIXES else path).suffix, "bars"
    )


def texts_in(
    files: Sequence[str | Path],
    format: PairFormat,
    codes: Sequence[str | None] = (None, None),
    **treatment: Any,
) -> tuple[Text, Text]:
    """The two sides of files that contain both.

    Args:
        files: the files, which are joined; for Moses, the common part of the two names.
        format: format of all files.
        codes: the languages of source and target, which TMX and Moses need.
        treatment: further attributes of `seggrid.corpus.text.Text`, such as `empty_lines`.

    Raises:
        InputError: a language code is missing, or has no file.
    """
    texts = []
    for side, code in zip(SIDES, codes, strict=True):
        if format in ("tmx", "moses") and not code:
            raise InputError(
                f"no language code of the {side}, by which {format} tells the two sides apart",
                file=files[0],
                hint="give the codes of both languages, such as en and de (source.code and target.code, "
                "--codes en de)",
            )
        if format == "moses":
            own = tuple(find_moses(file, str(code)) for file in files)
            texts.append(Text(own, "lines", **treatment))
        else:
            part = str(code) if format == "tmx" else side
            texts.append(Text(tuple(files), format, part, **treatment))
    return texts[0], texts[1]


def find_moses(stem: str | Path, code: str) -> Path:
    """The file of one language of a Moses pair, compressed or not.

    Raises:
        InputError: there is none.
    """
    named = Path(f"{Path(stem).expanduser()}.{code}")
    for file in (named, *(Path(f"{named}{suffix}") for suffix in SUFFIXES)):
        if file.is_file():
            return file
    raise InputError(
        "no such file, nor one compressed",
        file=named,
        hint="give what the two files' names have in common, and their endings as codes",
    )


def kept_lines(text: Text, other: Text | None) -> NDArray[np.bool_]:
    """Whether each sentence of a text is kept, bool, shape (S,). If empty sentence pairs are skipped, it is
    kept if neither side is empty; otherwise, always.

    Args:
        text: one side.
        other: the other side, if empty sentence pairs are skipped; otherwise None.
    """
    read = text.read()
    if other is None:
        return np.ones(len(read), dtype=np.bool_)
    kept: NDArray[np.bool_] = read.filled & other.read().filled
    return kept


class PairGold(NamedTuple):
    """The gold of a pair.

    Attributes:
        gold: the gold; for a pair without gold, sentences that are chosen in its place, without links.
        remarks: what was left out, one line each.
    """

    gold: Gold
    remarks: list[str]


def read_pair_gold(
    texts: Sequence[Text],
    files: Sequence[str | Path],
    format: GoldFormat = "pharaoh",
    *,
    bad_links: Literal["refuse", "drop"] = "refuse",
    **options: Any,
) -> PairGold:
    """Read the gold of a pair as the workflow uses it.

    Args:
        texts: both texts, if there is no gold or if links outside their sentences or the gold of empty
            sentences are left out; otherwise the text whose ids the gold uses, if there is one.
        files: the files of the gold, see `seggrid.corpus.gold.parse_gold_files`; empty if there is no gold.
        format: format of the gold.
        bad_links: whether links outside their sentences are a mistake or left out.
        options: `base`, `swapped` and `empty_lines` of `seggrid.corpus.links.Notation`.
    """
    read = [text.read() for text in texts]
    ids = next((text.ids for text in read if text.ids is not None), None)
    if not files:
        return PairGold(gold_of_nothing(filled_pairs(*read), ids), [])
    remarks = []
    links = parse_gold_files(files, Notation(format, **options), ids)
    if bad_links == "drop":
        source, target = read
        links, bad = without_bad_links(links, (source.words(), target.words()))
        remarks += [f"left out: a link outside its sentence, line {link.line}" for link in bad]
    gold = gold_from_links(links, ids)
    if any(text.empty_lines == "skip" for text in texts):
        left = gold.among(filled_pairs(*read))
        remarks.append(f"left out: gold of {len(gold) - len(left)} empty sentence pairs")
        gold = left
    return PairGold(gold, remarks)
