"""Read links of gold and of aligners from a file, and check them against their text.

Commands, the Python API and configs all read links here, so that base, numbering and format are decided by
one rule (`_Reading`), and refused for the same reasons.

Sentences are named by ids: those of the source text, or of the target text if only that has ids (`tsv` and
`wpt` texts do; if both have, they must be the same). If the texts have none, sentences are named by line
numbers in ascending order, counted from the `base`: numbers in another order are probably the ids of a text
that was given without them.
"""

from __future__ import annotations

import re
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from seggrid.base.errors import SHOWN, InputError, raise_mistakes
from seggrid.base.lines import LARGEST_TEXT, read_lines
from seggrid.text.link_checks import check_gold, check_inside, refuse_wrong_base
from seggrid.text.link_formats import CONVERT, FORMATS, LinkRow, guess_format, may_be_ids
from seggrid.text.link_notation import PLAIN, UNKNOWN, GoldLink, Known, Notation
from seggrid.text.links import Links
from seggrid.text.text_files import LONGEST


class FoundLinks(NamedTuple):
    """The links of an aligner.

    Attributes:
        links: links of S sentence pairs.
        complete: whether the file says how many sentence pairs there are; else more may follow that have no
            links.
        remarks: what was left out, one line each.
        file: name of the file, or of what the links are.
    """

    links: Links
    complete: bool
    remarks: list[str]
    file: str


class _Reading:
    """A file of links that is being read; `base` is the number of the first word in it, `weak` the number of
    links that were left out since their probability is too small, `skipped` the lines of gold without a link
    that were skipped."""

    def __init__(
        self, path: str | Path, lines: Sequence[str], notation: Notation, known: Known, gold: bool
    ) -> None:
        self.path, self._lines, self._notation, self._gold = path, lines, notation, gold
        allowed = [name for name, form in FORMATS.items() if form.gold or not gold]
        self.name = notation.format or self._guessed(allowed)
        if self.name not in allowed:
            what = f"unknown {'gold' if gold else 'links'} format {self.name!r}"
            raise InputError(what, file=path, hint=f"one of {', '.join(allowed)}")
        self.form = FORMATS[self.name]
        self.base = (self.form.base or 0) if notation.base is None else notation.base
        if self.form.base not in (None, self.base):
            message = f"{self.name} counts from {self.form.base}"
            raise InputError(message, file=path, hint="leave base out")
        if not gold and self.name == "naacl" and notation.base is None:
            hint = "from 1 in the shared task: say --links-base 1 (base=1), or 0"
            raise InputError("naacl counts words from 0 or 1", file=path, hint=hint)
        self.weak = 0
        self.skipped: list[int] = []
        self._named: dict[str, None] = {}
        self._known = known
        self._find = _finder(known.ids, self.base, padded=self.name == "naacl")

    def _guessed(self, allowed: Sequence[str]) -> str:
        """The format that the lines seem to have; `pharaoh` if they seem to have none."""
        looks = guess_format(self._lines) or "pharaoh"
        if looks == "pharaoh" and may_be_ids(self._lines):
            raise InputError(
                "each line may be two links, or an id and a link",
                file=self.path,
                hint="say which it is: --links-format pharaoh or pharaoh-ids (format=)",
            )
        if looks not in allowed:
            hint = CONVERT.get(looks, "convert it")
            raise InputError(f"this looks like {looks}", file=self.path, line=1, hint=hint)
        return looks

    def rows(self) -> Iterator[tuple[int, list[GoldLink]]]:
        """The zero-based number of a sentence and links of it, in the order of the file; the first mistakes
        are raised together."""
        first_line: dict[int, int] = {}
        mistakes: list[InputError] = []
        for row in self.form.read(self._lines):
            if isinstance(row, InputError):
                self._refuse_other_format(row.line)
                mistakes.append(row.at(self.path))
            elif self._gold and self.form.is_ordered and not row.links:
                if not self._notation.skips_empty:
                    self._refuse_other_format(row.line)
                    mistakes.append(_NO_LINK.at(self.path, row.line))
                self.skipped.append(row.line)
            else:
                try:
                    sentence = self._sentence(row)
                    before = first_line.setdefault(sentence, row.line)
                    if before != row.line and not self.form.several:
                        what = (
                            f"id {row.sentence}" if self.form.named else f"sentence {sentence + 1}"
                        )
                        hint = "keep one of the two"
                        raise InputError(f"the {what} again, after line {before}", hint=hint)
                    links = self._links(row)
                except InputError as error:
                    mistakes.append(error.at(self.path, row.line))
                else:
                    yield sentence, links
            if len(mistakes) > SHOWN:
                break
        raise_mistakes(mistakes)

    def _sentence(self, row: LinkRow) -> int:
        if isinstance(row.sentence, int):
            return row.sentence
        self._named[row.sentence] = None
        return self._find(row.sentence)

    def _links(self, row: LinkRow) -> list[GoldLink]:
        """The links of a row, without those to the empty word and those that are too improbable."""
        if self._gold and row.tab:
            raise _TAB
        base, last, swapped = self.base, LONGEST + self.base, self._notation.swapped
        weighted, line, found = self.name == "weighted", row.line, []
        for i, j, sure, weight in row.links:
            if i < base or j < base:
                if self.form.null and (i == 0) != (j == 0):
                    continue
                raise InputError(
                    f"position 0 in link ({i}, {j}) of {'a gold' if self._gold else 'links'} that "
                    f"{'counts' if self._gold else 'count'} from 1",
                    hint="correct it" if self.form.base else "set base: 0 if it counts from 0",
                )
            if i >= last or j >= last:
                raise InputError(
                    f"the link {i}-{j}: position {max(i, j)} is in no sentence",
                    hint=f"sentences have fewer than {LONGEST:,} words",
                )
            if not sure and not self._gold:
                raise InputError(
                    f"the possible link {i}p{j}, where only gold has possible links",
                    hint="write the links to be read as i-j, and leave the others out; seggrid.read_gold "
                    "reads gold",
                )
            if weighted and weight <= self._notation.above:
                self.weak += 1
                continue
            if swapped:
                i, j = j, i
            found.append(GoldLink(i - base, j - base, sure, line))
        return found

    def _refuse_other_format(self, line: int | None) -> None:
        """At a mistake in a line, refuse the whole file if it has another format."""
        looks = guess_format(self._lines)
        if looks is not None and looks != self.name:
            known = looks in FORMATS and (FORMATS[looks].gold or not self._gold)
            said = f"gold.format: {looks}, --gold" if self._gold else "--links"
            hint = (
                f"say so: {said}-format {looks} (format={looks!r})"
                if known
                else CONVERT.get(looks, "convert it")
            )
            message = f"this looks like {looks}, not {self.name}"
            raise InputError(message, file=self.path, line=line, hint=hint)

    def check_names(self) -> None:
        """Refuse names of sentences that may be ids of a text that is not given."""
        if not self.form.named or self._known.numbered or self._known.ids is not None:
            return
        in_order = list(self._named) == [str(self.base + k) for k in range(len(self._named))]
        if self._gold or not in_order:
            raise InputError(
                f"{self.name} names sentences, but the text is not given",
                file=self.path,
                hint="give the texts with --text, the ids with --ids, or --numbered if they are line numbers "
                "(text=, ids=, numbered=True)",
            )

    def check_numbers(self, links: Mapping[int, Sequence[tuple[int, int]]]) -> None:
        """Refuse line numbers that may count from 1 although words count from 0."""
        if not self.form.named or self._known.ids is not None or self.base or not links:
            return
        if min(links) > 0 and all(self._fit_before(s, row) for s, row in links.items()):
            raise InputError(
                f"the first sentence is {min(links)}: line numbers may count from 0, as words do, or from 1",
                file=self.path,
                hint="give ids, in which the first line has its number (--ids FILE, ids=, or a text in tsv); "
                "or base 1 if words count from 1, too",
            )

    def _fit_before(self, sentence: int, links: Sequence[tuple[int, int]]) -> bool:
        """Whether links of a sentence could be those of the sentence before."""
        if self._known.words is None or self._known.sentences is None:
            return True
        if sentence > self._known.sentences:
            return False
        n, m = map(len, self._known.words(sentence - 1))
        return all(i < n and j < m for i, j in links)


_NO_LINK = InputError(
    "no link, which could mean a sentence without gold or one without links",
    hint="skip empty lines (gold.empty_lines: skip, --empty-gold-lines skip) for no gold, or use "
    "pharaoh-ids, which can say both",
)
_TAB = InputError(
    "a tab among the links: those after it may be possible ones",
    hint="write possible links as ipj, sure ones as i-j, with spaces between them",
)
# A number, perhaps with leading zeros, of at most as many digits as Python converts.
_NUMBER = re.compile(r"[0-9]{1,100}")


def _finder(ids: Sequence[str] | None, base: int, *, padded: bool) -> Callable[[str], int]:
    """A function that finds the zero-based line of the sentence that a name means.

    Without ids, which are distinct, a name is a line number from `base` on. If `padded`, numbers may have
    more or fewer leading zeros than in the text, as in the shared tasks of NAACL 2003. An id with the same
    spelling goes before one with only the same number.
    """
    last = 0
    place = {name: k for k, name in enumerate(ids or ())}
    alike: dict[str, list[str]] = defaultdict(list)
    for name in place if padded else ():
        alike[name.lstrip("0")].append(name)

    def of_number(name: str) -> int:
        nonlocal last
        if not _NUMBER.fullmatch(name) or int(name) < base:
            raise InputError(
                f"{name!r} is not a line number of the text, whose lines count from {base}",
                hint="give line numbers, or a text with ids (tsv)",
            )
        if int(name) < last:
            raise InputError(
                f"the sentence {name} after {last}, so these may be ids, not line numbers",
                hint="give the text with these ids (tsv), or sort the gold if they are line numbers",
            )
        last = int(name)
        return last - base

    def of_id(name: str) -> int:
        same = [name] if name in place else alike.get(name.lstrip("0"), [])
        if len(same) > 1:
            raise InputError(
                f"the sentence {name!r} could be {' or '.join(map(repr, same[:3]))} of the text",
                hint="write the id as the text has it",
            )
        if not same:
            hint = "remove its links, or give the text that has this sentence"
            raise InputError(f"the id {name!r} is not in the text", hint=hint)
        return place[same[0]]

    return of_number if ids is None else of_id


def read_gold_links(
    path: str | Path,
    notation: Notation,
    ids: Sequence[str] | None = None,
    *,
    lines: Sequence[str] | None = None,
) -> dict[int, list[GoldLink]]:
    """The gold links of each sentence, in the order of the file, by its zero-based number. They are not
    checked against the text, see `read_gold_of_text`; `ids` are those of its sentences, `lines` those of the
    file if it was already read, since it may be a pipe."""
    if lines is None:
        lines = lines_of_gold(path)
    return _gold_links(_Reading(path, lines, notation, Known(ids=ids), gold=True))


def _gold_links(reading: _Reading) -> dict[int, list[GoldLink]]:
    gold: dict[int, list[GoldLink]] = {}
    for sentence, links in reading.rows():
        gold.setdefault(sentence, []).extend(links)
    if not any(link.sure for row in gold.values() for link in row):
        hint = "write sure links as i-j"
        raise InputError("not one sure link, so recall is undefined", file=reading.path, hint=hint)
    return gold


def lines_of_gold(path: str | Path) -> list[str]:
    """The lines of a file with gold."""
    return read_lines(path, hint="give a file with links")


_BITS = 14  # of a position, which is below LONGEST


def read_link_file(
    path: str | Path,
    notation: Notation = PLAIN,
    known: Known = UNKNOWN,
    *,
    lines: Sequence[str] | None = None,
) -> FoundLinks:
    """The links of an aligner, of which `lines` may be read already; those that do not fit the text are
    refused."""
    if lines is None:
        lines = read_lines(path, limit=LARGEST_TEXT)
    reading = _Reading(path, lines, notation, known, gold=False)
    # As `Links.keys`, in arrays: a text may have a hundred million links.
    keys, sentences = array("q"), array("q")
    for sentence, found in reading.rows():
        sentences.append(sentence)
        place = sentence << 2 * _BITS
        keys.extend([place | (i << _BITS) | j for i, j, _, _ in found])
    reading.check_names()
    listed = np.unique(np.asarray(sentences, dtype=np.int64))
    lasts = int(listed[-1]) + 1 if len(listed) else 0
    total = lasts if known.sentences is None else known.sentences
    if reading.form.complete and lasts > len(listed):
        missing = int(np.setdiff1d(np.arange(lasts), listed)[0])
        hint = "give the links of every sentence, of all parts of the text"
        if reading.form.named and not missing:
            hint += "; if they are numbered from 1, take the numbers away (`cut -f 2 FILE`)"
        raise InputError(f"no links of sentence {missing + 1:,}", file=path, hint=hint)
    if lasts > total or (reading.form.complete and lasts < total):
        given = "the text has" if known.ids is None or known.words else "the ids are"
        message = f"{lasts:,} lines of links, but {given} {total:,}"
        raise InputError(message, file=path, hint="give the text that was aligned")
    links = Links.from_keys(np.unique(np.asarray(keys, dtype=np.int64)), _BITS, total)
    if reading.form.named:
        reading.check_numbers({s: links.sentence(s) for s in listed.tolist()})
    check_inside(path, links, known)
    refuse_wrong_base(path, links, known.words, gold=False)
    weak = (
        f"{path}: {reading.weak:,} links left out, of a probability of {notation.above:g} or less"
    )
    complete = reading.form.complete or known.sentences is not None
    return FoundLinks(links, complete, [weak] if reading.weak else [], str(path))


def read_gold_of_text(
    path: str | Path, notation: Notation, known: Known, *, lines: Sequence[str] | None = None
) -> tuple[dict[int, list[GoldLink]], list[str]]:
    """Read gold links, of which `lines` may be read already, and check them against the text: the links of
    each sentence that has words on both sides; and remarks on what is left out, and on gold with few
    sentences.

    Refused are links outside their sentences or the text, gold that counts from 1 although its base is 0, and
    gold without a sure link in a sentence with words on both sides.
    """
    lines = lines_of_gold(path) if lines is None else lines
    reading = _Reading(path, lines, notation, known, gold=True)
    reading.check_names()
    links = _gold_links(reading)
    reading.check_numbers({s: [(x.source, x.target) for x in row] for s, row in links.items()})
    remarks = []
    if skipped := reading.skipped:
        what = "lines without a link, taken for sentences without gold"
        remarks.append(f"{path}: {len(skipped)} {what}, the first line {skipped[0]}")
    if (filled := known.filled) is not None:
        empty = {s for s in links if s < len(filled) and not filled[s]}
        if empty:
            remarks.append(f"{path}: gold of {len(empty)} sentence pairs that are left out")
            links = {s: row for s, row in links.items() if s not in empty}
            if not any(link.sure for row in links.values() for link in row):
                raise InputError(
                    "no sentence pair with words on both sides has a sure link",
                    file=path,
                    hint="give the text that this gold is of",
                )
    null = reading.form.null and notation.base is None
    links, more = check_gold(path, links, known, replace(notation, base=reading.base), null=null)
    return links, remarks + more
