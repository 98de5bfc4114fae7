"""The formats of text files with one sentence per line; TMX has a module of its own.

`lines`
    One sentence per line.
`tsv`
    `id<TAB>sentence`.
`wpt`
    `<s snum=1> sentence </s>`, as in the shared tasks of word alignment of NAACL 2003 and ACL 2005;
    the number is the sentence's id.
`bars`
    Both sides in one file: `source ||| target`.
`columns`
    Both sides in one file: `source<TAB>target`, perhaps with a third column of links (`3-4 5p6`), which are
    used as gold only with the gold format `column` (`seggrid.text.gold`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple

from seggrid.base.errors import InputError, one_line
from seggrid.text.sides import SIDES

Format = Literal["lines", "tsv", "wpt", "bars", "columns", "tmx"]
WITH_IDS = ("tsv", "wpt")
"""The formats whose sentences have ids."""

SEPARATOR = "|||"

SKIP = "skip such pairs (empty_lines: skip for the pair, --empty-lines skip)"

Split = Callable[[str, int], tuple[str | None, str]]
"""A function from a line, and the index in `SIDES` of the wanted side, to the id and the sentence."""

_LINKS = re.compile(r" *([0-9]+[-p?][0-9]+( +[0-9]+[-p?][0-9]+)* *)?")
_WPT = re.compile(r"""\s*<(s|seg)\s+(?:snum|id)=["']?([^\s"'<>]+)["']?\s*>(.*)</\1>\s*""")
TAGGED = re.compile(r"\s*<(s|seg)\b[^>]*>.*</\1>\s*")
"""A sentence in tags, as in `wpt` or similar to it."""


_MARKUP = re.compile(r"\s*<([?!][^>]*|/?[A-Za-z][\w.:-]*(\s+[\w.:-]+\s*=[^<>]*)?)/?>?\s*")
_TIMES = re.compile(r"\s*(\d+:)?\d+:\d\d[.,]\d{3}\s+-->\s")
_NUMBER = re.compile(r"\s*[-+]?[\d.,]*\d([eE][-+]?\d+)?%?\s*")


def refuse_other(lines: Sequence[str], format: str, side: int) -> None:
    """Refuse a file whose first lines show that they are not the sentences of any format."""
    first = [line for line in lines[:_FIRST] if line.strip(" ")]
    if not first:
        return
    if _MARKUP.fullmatch(first[0]):
        message, hint = f"markup, such as {one_line(first[0], 40)}, is no sentence", _OF_SGML
    elif _TIMES.match(first[1] if len(first) > 1 and first[0].isdecimal() else first[0]):
        message, hint = "subtitles with their times", _OF_OTHERS
    elif first[0].startswith("WEBVTT"):
        message, hint = "subtitles with their times (WebVTT)", _OF_OTHERS
    elif _is_json(first):
        message, hint = "JSON, not sentences", _OF_OTHERS
    elif format in _OF_PAIRS and (number := _numbers(first, format, side)):
        message = f"numbers in place of the {SIDES[side]} sentences, such as {number}"
        hint = _keep_columns(first[0])
    else:
        return
    raise InputError(message, hint=hint)


_FIRST = 10
"""The number of lines that show what a file is."""
_OF_OTHERS = "write one sentence per line, or for both sides `source<TAB>target`"
_OF_SGML = r"""take the sentences out: sed -n 's|.*<seg[^>]*>\(.*\)</seg>.*|\1|p' FILE"""
_OF_PAIRS = {"columns": "\t", "bars": SEPARATOR}


def _is_json(lines: Sequence[str]) -> bool:
    """Whether lines begin a file of JSON, or are JSON each."""
    begin = lines[0].strip()
    if begin in ("{", "["):
        return len(lines) > 1 and lines[1].lstrip().startswith(('"', "{", "["))
    if not begin.startswith(('{"', "[{", '["', '[["')):
        return False
    try:
        return isinstance(json.loads(begin), dict | list)
    except ValueError:
        return begin.endswith((",", "{", "["))


def _numbers(lines: Sequence[str], format: str, side: int) -> str:
    """The first text of one side, if all are numbers; otherwise empty."""
    rows = [line.split(_OF_PAIRS[format]) for line in lines]
    if len(rows) > 2 and all(len(row) > 1 and _NUMBER.fullmatch(row[side]) for row in rows):
        return rows[0][side].strip()
    return ""


class HalfEmpty(InputError):
    """A line or unit for both sides has a side without words, or is empty."""


class SentenceRow(NamedTuple):
    """A sentence, or a mistake in its place.

    Attributes:
        line: its line in the file, from 1.
        name: its id.
        sentence: its text.
        wrong: the mistake in the line; None if there is none.
    """

    line: int
    name: str | None
    sentence: str
    wrong: InputError | None = None


def _split_lines(line: str, _: int) -> tuple[str | None, str]:
    if "\t" in line:
        raise InputError(
            "a tab in a text of plain lines",
            hint="set format: tsv (--format tsv) if it is `id<TAB>sentence`, or take the ids away "
            f"(`cut -f {_first_text(line)} FILE`); a tab between two words may become a space",
        )
    return None, line


def _first_text(line: str) -> int:
    """The first column of a table with a sentence, from 1; 2 if none is."""
    return next((k for k, part in enumerate(line.split("\t"), 1) if _is_text(part)), 2)


def _split_tsv(line: str, _: int) -> tuple[str | None, str]:
    name, tab, sentence = line.partition("\t")
    if not tab:
        raise InputError(
            "no tab, where `id<TAB>sentence` has one",
            hint="set format: lines (--format lines) if it has no ids",
        )
    if "\t" in sentence:
        raise InputError(
            f"{line.count(tab)} tabs, where `id<TAB>sentence` has one",
            hint=f"{_keep_id(line)}; a tab between two words may become a space",
        )
    return name.strip(" "), sentence


def _keep_id(line: str) -> str:
    """The hint if a table has more columns than an id and a sentence, of which the longest is one."""
    parts = line.split("\t")
    longest = max(range(1, len(parts)), key=lambda k: len(parts[k]))
    return f"keep the columns of id and sentence, such as by `cut -f 1,{longest + 1} FILE`"


def _split_wpt(line: str, _: int) -> tuple[str | None, str]:
    found = _WPT.fullmatch(line)
    if found is None:
        raise InputError("not a sentence in tags", hint="`<s snum=1> sentence </s>`, one a line")
    _refuse_tab(found[3])
    return found[2], found[3]


def _refuse_tab(sentence: str) -> None:
    if "\t" in sentence:
        hint = "a tab between two words may become a space"
        raise InputError("a tab inside a sentence", hint=hint)


def _split_bars(line: str, side: int) -> tuple[str | None, str]:
    parts = line.split(SEPARATOR)
    _refuse_uneven(
        parts, "|||", "`source ||| target`", "format: columns (--format columns) if a tab"
    )
    _refuse_tab(line)
    return None, parts[side]


def _split_columns(line: str, side: int) -> tuple[str | None, str]:
    parts = line.split("\t")
    if len(parts) == 3 and _LINKS.fullmatch(parts[2]):
        parts.pop()
    if len(parts) > 2:
        hint = f"{_keep_columns(line)}; a third one may hold links, such as 0-0 1-2"
        raise InputError(f"{len(parts) - 1} tabs, where `source<TAB>target` has one", hint=hint)
    _refuse_uneven(parts, "tab", "`source<TAB>target`", "format: bars (--format bars) if |||")
    return None, parts[side]


def _keep_columns(line: str) -> str:
    """The hint if a table has more columns than the format: those that have words."""
    texts = [k for k, part in enumerate(line.split("\t"), 1) if _is_text(part)]
    if len(texts) < 2:
        return "keep the columns of source and target by cut"
    return f"keep the columns of source and target, such as by `cut -f {texts[0]},{texts[1]} FILE`"


def _is_text(part: str) -> bool:
    """Whether the field of a table may be a sentence: no number, id or code of a language."""
    letters, is_code = any(map(str.isalpha, part)), re.fullmatch(r"[a-z]{2,3}([-_]\w+)?", part)
    return letters and not is_code and (" " in part.strip() or not any(map(str.isdigit, part)))


def _refuse_uneven(parts: list[str], separator: str, form: str, other: str) -> None:
    """Refuse a line whose parts between separators are not a sentence and its translation; it should have a
    `form`, or may have an `other` format."""
    if len(parts) == 1 and not parts[0].strip(" "):
        raise HalfEmpty(
            "an empty line", hint=f"take the line away, which moves later ones up, or {SKIP}"
        )
    if len(parts) != 2:
        raise InputError(
            f"{len(parts) - 1 or 'no'} {separator}, where {form} has one",
            hint="give each line both sides, name the text of the other side as well, or set "
            f"{other} separates the two",
        )
    for side, part in zip(SIDES, parts, strict=True):
        if not part.strip(" "):
            raise HalfEmpty(
                f"no {side} sentence for its translation",
                hint=f"write a word there that no gold links, such as -, or {SKIP}; without the line, later "
                "lines would move up against the gold",
            )


SPLITS: dict[str, Split] = {
    "lines": _split_lines,
    "tsv": _split_tsv,
    "wpt": _split_wpt,
    "bars": _split_bars,
    "columns": _split_columns,
}


def sentence_rows(
    lines: Sequence[str], first: int, format: str, side: int
) -> Iterator[SentenceRow]:
    """The sentences of one side in lines, of which the first has the number `first`."""
    split = SPLITS[format]
    for number, line in enumerate(lines, first):
        try:
            yield SentenceRow(number, *split(line, side))
        except HalfEmpty as error:
            yield SentenceRow(number, None, "", error)
        except InputError as error:
            yield SentenceRow(number, None, line, error)
