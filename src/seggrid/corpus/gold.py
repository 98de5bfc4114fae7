"""Gold word alignments, in the formats that they are published in.

`pharaoh`
    Line k holds the links of sentence k as `i-j` (sure) or `ipj`, `i?j` (possible). If there are fewer
    lines than sentences, the others have no gold. A line without a link is refused, since it could mean a
    sentence without gold or without links, which `pharaoh-ids` distinguishes. With `empty_lines="skip"`, it
    is a sentence without gold.
`pharaoh-ids`
    `id<TAB>links`, in any order. The id is the text's id of the sentence or, if the text has no
    ids, its line number; these ascend. An id without links is a sentence in which no word is aligned; a
    sentence that is not listed has no gold.
`naacl`
    `sentence i j [S|P] [confidence]`, one link per line, as in the shared task of NAACL 2003 (Mihalcea
    and Pedersen, "An Evaluation Exercise for Word Alignment", 2003). Without a letter, a link is sure; the
    confidence is not used. If words are counted from one, position 0 is the empty word, whose links are left
    out. `sentence` is the id of a sentence; if no id has this spelling, the one id is meant that is the same
    number with more or fewer leading zeros.
`column`
    `source<TAB>target<TAB>links`: text and gold in one file (text format `columns`), with links as in
    `pharaoh`.

A link that is given twice counts once; if it is given as sure and as possible, it is sure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seggrid.base.lines import read_lines
from seggrid.base.npz import Arrays, pack_strings, read_arrays, unpack_strings, write_arrays
from seggrid.corpus.ids import SentenceIds
from seggrid.corpus.text import EmptyLines
from seggrid.data.links import Links, pack_links, unpack_links
from seggrid.errors import InputError, refuse

Sentences = Sequence[Sequence[str]]
GoldFormat = Literal["pharaoh", "pharaoh-ids", "naacl", "column"]

NAMED = ("pharaoh-ids", "naacl")
"""The formats in which gold names its sentences."""

_LINK = re.compile(r"([0-9]+)([-p?])([0-9]+)")
_NUMBER = re.compile(r"[0-9]+")
_DIGITS = 9  # the most digits of a position, which is stored in 32 bits


@dataclass(frozen=True)
class Gold:
    """Word alignments of some sentence pairs of a corpus.

    Attributes:
        sentences: zero-based line number of each sentence that has gold, ascending, int64, (G,).
        sure: the sure links of these G sentences.
        possible: their possible links, including the sure ones.
        names: the id of each sentence or, if the text has no ids, its line number from 1; empty if not known.
    """

    sentences: NDArray[np.int64]
    sure: Links
    possible: Links
    names: Sequence[str] = ()

    def __len__(self) -> int:
        return len(self.sentences)

    def among(self, lines: NDArray[np.int64]) -> Gold:
        """The gold of some lines, with sentences numbered as in a text of only these lines.

        Args:
            lines: zero-based numbers of the lines, ascending, shape (L,).
        """
        kept = np.flatnonzero(np.isin(self.sentences, lines))
        return Gold(
            np.searchsorted(lines, self.sentences[kept]).astype(np.int64),
            self.sure.take(kept),
            self.possible.take(kept),
            [self.names[k] for k in kept.tolist()] if self.names else self.names,
        )


class GoldLink(NamedTuple):
    """A link as read: zero-based source and target, whether it is sure, and its line in the file."""

    source: int
    target: int
    sure: bool
    line: int


def parse_gold(
    path: str | Path,
    format: GoldFormat,
    *,
    base: Literal[0, 1] = 0,
    ids: list[str] | None = None,
    swapped: bool = False,
    empty_lines: EmptyLines = "refuse",
) -> Gold:
    """Read a gold alignment.

    Args:
        path: the file.
        format: see the module.
        base: the number of the first word and, if the text has no ids, of the first sentence.
        ids: the ids of the pair's sentences, if they have any (see `seggrid.corpus.ids`).
        swapped: whether links have the target word first.
        empty_lines: whether a line of `pharaoh` gold without a link is refused, or skipped as a sentence
            without gold.

    Raises:
        InputError: the file cannot be read; lines are malformed, ids unknown, ambiguous or given
            twice, indices below `base`; or there is no sure link. `seggrid.corpus.check.check_pair` checks
            whether the links lie inside their sentences.
    """
    links = parse_gold_links(
        path, format, base=base, ids=ids, swapped=swapped, empty_lines=empty_lines
    )
    return gold_from_links(links, ids)


def gold_from_links(links: Mapping[int, list[GoldLink]], ids: list[str] | None = None) -> Gold:
    """The gold with these links, which are given by zero-based line number; `ids` as for `parse_gold`."""
    sentences = sorted(links)
    rows = [links[sentence] for sentence in sentences]
    return Gold(
        np.array(sentences, dtype=np.int64),
        Links.from_sets(
            [[(link.source, link.target) for link in row if link.sure] for row in rows]
        ),
        Links.from_sets([[(link.source, link.target) for link in row] for row in rows]),
        [str(sentence + 1) if ids is None else ids[sentence] for sentence in sentences],
    )


UNGUIDED = 500
"""Number of sentences that are chosen in place of gold sentences for a pair without gold."""


def gold_of_nothing(lines: NDArray[np.int64], ids: list[str] | None = None) -> Gold:
    """A stand-in for the gold of a pair that has none: evenly spaced sentences without links.

    Args:
        lines: zero-based numbers of the lines with words on both sides.
        ids: as for `parse_gold`.
    """
    count = min(len(lines), UNGUIDED)
    kept = np.arange(count, dtype=np.int64) * len(lines) // max(count, 1)
    names = [str(line + 1) if ids is None else ids[line] for line in lines[kept].tolist()]
    none = Links.from_sets([[]] * count)
    return Gold(kept, none, none, names)


def without_bad_links(
    links: Mapping[int, list[GoldLink]], texts: tuple[Sentences, Sentences]
) -> tuple[dict[int, list[GoldLink]], list[GoldLink]]:
    """Separate the links that lie within their sentences, by sentence, from those that do not.

    Args:
        links: as `parse_gold_links` returns them; links of a sentence after the end of the text lie outside.
        texts: the words of both sides.
    """
    kept, bad = {}, []
    for sentence, row in links.items():
        in_text = sentence < len(texts[0])
        n, m = (len(side[sentence]) for side in texts) if in_text else (0, 0)
        bad += [link for link in row if link.source >= n or link.target >= m]
        if in_text:
            kept[sentence] = [link for link in row if link.source < n and link.target < m]
    return kept, bad


def parse_gold_links(
    path: str | Path,
    format: GoldFormat,
    *,
    base: Literal[0, 1] = 0,
    ids: list[str] | None = None,
    swapped: bool = False,
    empty_lines: EmptyLines = "refuse",
    lines: Sequence[str] | None = None,
) -> dict[int, list[GoldLink]]:
    """Like `parse_gold`, but returns the links of each sentence as they are in the file, in its order.

    Args:
        path, format, base, ids, swapped, empty_lines: as for `parse_gold`.
        lines: the lines of the file, if it was already read: it may be a pipe.
    """
    if format not in _READERS:
        raise InputError(
            f"unknown gold format {format!r}", file=path, hint=f"one of {', '.join(_READERS)}"
        )
    if lines is None:
        lines = lines_of_gold(path)
    skipped = empty_gold_lines(lines, format) if empty_lines == "skip" else []
    names = SentenceIds(ids, base, padded=format == "naacl")
    gold: dict[int, list[GoldLink]] = {}
    refuse(_mistakes(path, format, lines, names, base, gold, set(skipped)))
    if not any(link.sure for row in gold.values() for link in row):
        raise InputError(
            "not one sure link, so recall is undefined", file=path, hint="write sure links as i-j"
        )
    if swapped:
        return {
            sentence: [GoldLink(link.target, link.source, link.sure, link.line) for link in row]
            for sentence, row in gold.items()
        }
    return gold


def parse_gold_files(
    paths: Sequence[str | Path], format: GoldFormat, **options: Any
) -> dict[int, list[GoldLink]]:
    """Like `parse_gold_links`, for several files that are joined, like those of a text.

    Args:
        paths: the files; several are possible only with the format `column`, which has a line for each
            sentence.
        format, options: as for `parse_gold_links`.
    """
    gold: dict[int, list[GoldLink]] = {}
    begin = 0
    for path in paths:
        lines = lines_of_gold(path)
        links = parse_gold_links(path, format, lines=lines, **options)
        gold |= {begin + sentence: row for sentence, row in links.items()}
        begin += len(lines)
    return gold


def lines_of_gold(path: str | Path) -> list[str]:
    """The lines of a file with gold.

    Raises:
        InputError: it cannot be read.
    """
    return read_lines(path, hint="give a file with links")


def empty_gold_lines(lines: Sequence[str], format: GoldFormat) -> list[int]:
    """The numbers, from 1, of the lines that `empty_lines="skip"` takes for sentences without gold."""
    if format not in ("pharaoh", "column"):
        return []
    rows = map(_third_column, lines) if format == "column" else lines
    return [number for number, row in enumerate(rows, 1) if not row.strip()]


def write_gold(path: str | Path, gold: Gold) -> None:
    """Write a gold alignment in the workflow's own format, which is fast to read."""
    arrays = pack_links([gold.sure, gold.possible], "links/")
    arrays |= {"sentences": gold.sentences, "names": pack_strings(gold.names)}
    write_arrays(path, arrays)


def read_gold(path: str | Path) -> Gold:
    """Read back what `write_gold` wrote.

    Raises:
        InputError: the file is not what `write_gold` writes.
    """
    arrays = read_arrays(path)
    sentences = _sentences(arrays)
    links = unpack_links(arrays, "links/")
    if len(links) != 2 or any(len(some) != len(sentences) for some in links):
        raise arrays.damaged("gold of another number of sentences")
    sure, possible = links
    return Gold(sentences, sure, possible, unpack_strings(arrays, "names"))


def write_gold_lines(path: str | Path, gold: Gold) -> None:
    """Write only which sentences have gold, which is all that stages before scoring need."""
    write_arrays(path, {"sentences": gold.sentences})


def read_gold_lines(path: str | Path) -> NDArray[np.int64]:
    """Read back what `write_gold_lines` wrote: zero-based line numbers, ascending, shape (G,).

    Raises:
        InputError: the file is not what `write_gold_lines` writes.
    """
    return _sentences(read_arrays(path))


def _sentences(arrays: Arrays) -> NDArray[np.int64]:
    sentences = arrays.integers("sentences", (None,))
    if len(sentences) and (sentences.min() < 0 or (np.diff(sentences.astype(np.int64)) <= 0).any()):
        raise arrays.damaged("sentences are not in ascending order from 0 on")
    return sentences.astype(np.int64)


def _mistakes(
    path: str | Path,
    format: GoldFormat,
    lines: Sequence[str],
    names: SentenceIds,
    base: int,
    gold: dict[int, list[GoldLink]],
    skipped: set[int],
) -> Iterator[InputError]:
    """Read all lines into `gold`, and yield the mistakes in them."""
    read = _READERS[format]
    first_line: dict[int, int] = {}
    for number, line in enumerate(lines, 1):
        if number in skipped:
            continue
        try:
            sentence, row = read(number, line, names, base)
            if format == "naacl":
                gold.setdefault(sentence, []).extend(row)
                continue
            if first_line.setdefault(sentence, number) != number:
                raise InputError(
                    f"the id {line.partition(_TAB)[0]} again, after line {first_line[sentence]}",
                    hint="keep one of the two",
                )
            gold[sentence] = row
        except LookupError as error:
            message, hint = error.args
            yield InputError(message, file=path, line=number, hint=hint)
        except InputError as error:
            looks = guess_format(lines)
            if looks is not None and looks != format:
                message = f"this looks like {looks}, not {format}"
                hint = f"give the format {looks}" if looks in _READERS else "convert it"
                raise InputError(message, file=path, line=number, hint=hint) from None
            yield InputError(error.message, file=path, line=number, hint=error.hint)


def _read_pharaoh(
    number: int, line: str, names: SentenceIds, base: int
) -> tuple[int, list[GoldLink]]:
    row = _links(number, line, base)
    if not row:
        raise InputError(
            "no link, which could mean a sentence without gold or one without links",
            hint="skip empty lines (gold.empty_lines: skip, --empty-gold-lines skip) for no gold, or use "
            "pharaoh-ids, which can say both",
        )
    return number - 1, row


def _read_pharaoh_ids(
    number: int, line: str, names: SentenceIds, base: int
) -> tuple[int, list[GoldLink]]:
    name, tab, rest = line.partition(_TAB)
    if not tab:
        raise InputError(
            "no tab between an id and its links",
            hint="`id<TAB>i-j ...`, or say that the gold is pharaoh if it has no ids",
        )
    return names.find(name.strip(" ")), _links(number, rest, base)


def _read_column(
    number: int, line: str, names: SentenceIds, base: int
) -> tuple[int, list[GoldLink]]:
    return _read_pharaoh(number, _third_column(line), names, base)


def _third_column(line: str) -> str:
    """The links in a line with a sentence pair; empty if there are none."""
    return _TAB.join(line.split(_TAB)[2:])


def _read_naacl(
    number: int, line: str, names: SentenceIds, base: int
) -> tuple[int, list[GoldLink]]:
    fields = line.split()
    if not (3 <= len(fields) <= 5 and all(map(_NUMBER.fullmatch, fields[1:3]))):
        raise InputError(f"malformed link {line!r}", hint="`sentence i j [S|P]`")
    kind = fields[3] if len(fields) > 3 else "S"
    if kind not in ("S", "P"):
        try:
            float(kind)
        except ValueError:
            raise InputError(f"{kind!r} is neither S nor P", hint="S or P") from None
        kind = "S"
    i, j = _position(fields[1]), _position(fields[2])
    sentence = names.find(fields[0])
    if base == 1 and (i == 0) != (j == 0):
        return sentence, []  # the empty word
    return sentence, [_link(number, i, j, kind == "S", base)]


_READERS: dict[str, Callable[[int, str, SentenceIds, int], tuple[int, list[GoldLink]]]] = {
    "pharaoh": _read_pharaoh,
    "pharaoh-ids": _read_pharaoh_ids,
    "naacl": _read_naacl,
    "column": _read_column,
}
_TAB = "\t"


def _links(number: int, text: str, base: int) -> list[GoldLink]:
    row = []
    for word in text.split():
        link = _LINK.fullmatch(word)
        if link is None:
            raise InputError(
                f"malformed link {word!r}", hint="i-j for a sure link, ipj for a possible one"
            )
        i, kind, j = link.groups()
        row.append(_link(number, _position(i), _position(j), kind == "-", base))
    return row


def _position(digits: str) -> int:
    digits = digits.lstrip("0") or "0"
    if len(digits) > _DIGITS:
        raise InputError(f"position {digits} is in no sentence", hint="correct the link")
    return int(digits)


def _link(number: int, i: int, j: int, sure: bool, base: int) -> GoldLink:
    if i < base or j < base:
        raise InputError(
            f"position 0 in link ({i}, {j}) of a gold that counts from 1",
            hint="set base: 0 if it counts from 0",
        )
    return GoldLink(i - base, j - base, sure, number)


_LOOKS = {
    "naacl": rf"\S+\s+{_NUMBER.pattern}\s+{_NUMBER.pattern}(\s+[SP])?(\s+[0-9.]+)?\s*",
    "pharaoh": rf"{_LINK.pattern}( +{_LINK.pattern})* *",
    "column": rf"[^\t]+\t[^\t]+\t *({_LINK.pattern}( +{_LINK.pattern})* *)?",
    "pharaoh-ids": rf"[^\t]+\t *({_LINK.pattern}( +{_LINK.pattern})* *)?",
    "links of the form i:j": r"[0-9]+:[0-9]+( +[0-9]+:[0-9]+)* *",
    "links of the form i/j": r"[0-9]+/[0-9]+( +[0-9]+/[0-9]+)* *",
    "links of the form i,j": r"\(?[0-9]+, ?[0-9]+\)?( +\(?[0-9]+, ?[0-9]+\)?)* *",
    "links with weights (i-j:w)": r"[0-9]+-[0-9]+[:/][0-9.]+( +[0-9]+-[0-9]+[:/][0-9.]+)* *",
    "sentences with tags (`<s snum=1> … </s>`)": r"\s*<s(eg)?\b[^>]*>.*</s(eg)?>\s*",
    "a parallel text (`… ||| …`)": r".* \|\|\| .*",
}
_STARTS: dict[str, str | tuple[str, ...]] = {
    "alignments of GIZA++ (`# Sentence pair (1) …`)": "# Sentence pair",
    "JSON": ("{", "["),
    "XML": "<",
}
_READ = 20
"""Number of lines from which `guess_format` guesses."""


def guess_format(lines: Sequence[str]) -> str | None:
    """The format that the first lines of a gold alignment seem to have, which may be an unsupported one: all
    of them have it or, in a file with mistakes, nine of ten.

    >>> guess_format(["1 1 1 S", "1 2 3 P"]), guess_format(["0:0 1:1"]), guess_format(["the house"])
    ('naacl', 'links of the form i:j', None)
    """
    seen = [line for line in lines[:_READ] if line.strip()]
    if not seen:
        return None
    fitting = {
        name: sum(len(line) < 100_000 and bool(re.fullmatch(pattern, line)) for line in seen)
        for name, pattern in _LOOKS.items()
    }
    for least in (len(seen), 0.9 * len(seen)):
        for name, lines_fitting in fitting.items():
            if lines_fitting >= least:
                return name
    first = seen[0].lstrip()
    return next((name for name, start in _STARTS.items() if first.startswith(start)), None)
