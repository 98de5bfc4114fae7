"""Morphological references: words with the boundaries between their morphemes."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from functools import cached_property, partial
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from seggrid.base.errors import InputError, note, one_line, raise_mistakes
from seggrid.base.lines import UNSEEN, parse_lines, read_lines
from seggrid.morphology.celex import Node, parse_analysis, parse_struclab, surface_cuts
from seggrid.morphology.cuts import Cuts
from seggrid.morphology.tables import Analyses, Table, table_of
from seggrid.morphology.word_forms import other_form
from seggrid.text.boundary import BOUNDARY
from seggrid.text.pos import CELEX_PARTS
from seggrid.text.ragged import offsets_of, ragged_rows

FORMATS = ("celex", "surface")
LONGEST = 1000
"""The most characters of a word."""
_REPLACEMENT = "\ufffd"
_UNWANTED = re.compile(rf"[{UNSEEN}{BOUNDARY}{_REPLACEMENT}]")
_UNWANTED_BECAUSE = {
    _REPLACEMENT: "which stands for a lost character",
    BOUNDARY: "which would be taken for a word boundary",
}


@dataclass(frozen=True)
class Reference:
    """Words with one or more morphological analyses each.

    Attributes:
        words: the entries, shape (E,). In CELEX, a word may have several entries, all of which count.
        morphemes: cuts between morphemes, one row for each of A analyses.
        whole_words: cuts between the free words of compounds, one row for each analysis; None if not known.
        analyses: first analysis of each entry, int64, shape (E + 1,).
        lines: line of each entry in the file from which it was read, from 1, shape (E,).
    """

    words: list[str]
    morphemes: Cuts
    whole_words: Cuts | None
    analyses: NDArray[np.int64]
    file: Path
    lines: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def offsets(self) -> NDArray[np.int64]:
        """The first character of each entry in the concatenation of all words, shape (E + 1,)."""
        return offsets_of(list(map(len, self.words)))

    @cached_property
    def entry_of(self) -> NDArray[np.int64]:
        """The entry of each analysis, shape (A,)."""
        return np.repeat(np.arange(len(self)), np.diff(self.analyses))

    @property
    def has_alternatives(self) -> bool:
        """Whether any entry has several analyses."""
        return len(self.morphemes) > len(self)

    @property
    def boundaries(self) -> dict[str, set[int]]:
        """By word, how many characters are before each boundary that any of its analyses has."""
        found: defaultdict[str, set[int]] = defaultdict(set)
        for analysis, entry in enumerate(self.entry_of.tolist()):
            found[self.words[entry]].update(self.morphemes.word(analysis))
        return dict(found)

    def take(self, entries: NDArray[np.integer]) -> Reference:
        """The reference with some entries (by index), in that order."""
        rows = ragged_rows(self.analyses, entries)
        return Reference(
            [self.words[e] for e in entries],
            self.morphemes.take(rows),
            self.whole_words.take(rows) if self.whole_words else None,
            offsets_of(np.diff(self.analyses)[entries]),
            self.file,
            self.lines[entries],
        )

    def weights(self, frequencies: Mapping[str, int] | None) -> NDArray[np.int64]:
        """Number of occurrences of each entry, shape (E,): 1 without frequencies, or for a word that has
        none."""
        if frequencies is None:
            return np.ones(len(self), dtype=np.int64)
        return np.array([frequencies.get(word, 1) for word in self.words], dtype=np.int64)

    def holdout(self, ratio: Fraction) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Split the entries at random: the indices of those for learning, and of those for evaluation.

        There is one draw for each entry, in file order, from `numpy.random.default_rng(0)`; if it is below
        `ratio`, the entry is for learning. Ratio 0.5 gives the split behind the published holdout
        rows.
        """
        learn = np.random.default_rng(0).random(len(self)) < float(ratio)
        return np.flatnonzero(learn), np.flatnonzero(~learn)


def read_reference(path: str | Path, format: str) -> Reference:
    """Read a morphological reference.

    `celex` is `lemma TAB StrucLab` (see `seggrid.morphology.celex`). Inflected entries (tag `[F]`) and lemmas
    with an apostrophe are skipped, duplicates are kept, as in the published evaluation of BPE-knockout.

    `surface` is `word TAB morphemes`; the morphemes are separated by spaces and concatenate to the word.
    Further analyses of a word follow after another tab or on another line; equal ones count once. A word is a
    single entry, at its first position. Or it is a table of SIGMORPHON 2022, UniMorph or MorphyNet (with
    morphemes), UniSegments, Morpho Challenge or Morfessor, recognized by its first line
    (`seggrid.morphology.tables`); lines whose morphemes do not spell the word are left out.
    """
    path = Path(path)
    if format == "celex":
        reference = _read_celex(path)
    elif format == "surface":
        reference = _read_surface(path)
    else:
        raise InputError(
            f"{format!r} is not a format of morphological references",
            file=path,
            hint=f"one of {', '.join(FORMATS)}",
        )
    if not reference.words:
        raise InputError("no entry", file=path, hint="a reference has at least one word")
    return reference


def celex_trees(path: str | Path, words: Collection[str]) -> dict[str, list[Node]]:
    """The trees of words in a file of CELEX, in the order of the file."""
    found: dict[str, list[Node]] = {word: [] for word in words}
    lemmas: list[str] = []
    for _, (lemma, trees) in read_entries(Path(path), partial(_celex_trees, words=found)):
        lemmas.append(lemma)
        if trees:
            found[lemma] += trees
    for word in words:
        if not found[word]:
            raise InputError(f"no analysis of {word!r}", file=path, hint=_known_form(word, lemmas))
    return found


def _known_form(word: str, lemmas: list[str]) -> str:
    """A hint that names the form in which CELEX has a word: in another case, or a similar lemma."""
    if form := other_form(word, set(lemmas)):
        return f"CELEX has it {form[0]}: {form[1]}"
    starts = [lemma for lemma in lemmas if lemma[:3].lower() == word[:3].lower()]
    close = get_close_matches(word, starts, n=3, cutoff=0.5)
    return f"CELEX has lemmas: {', '.join(close)}" if close else "CELEX has lemmas alone"


def entry_parts(reference: Reference, format: str) -> list[str | None]:
    """The part of speech of each entry of a reference; None if the format does not give it."""
    if format != "celex":
        return [None] * len(reference)
    lines = read_lines(reference.file)
    tags = (lines[n - 1].rstrip(" \t]").rpartition("[")[2] for n in reference.lines.tolist())
    return [CELEX_PARTS.get(tag, "other") for tag in tags]


def _read_celex(path: Path) -> Reference:
    read = ((number, entry) for number, entry in read_entries(path, _celex_analysis) if entry)
    entries = [(number, lemma, *analysis) for number, (lemma, analysis) in read]
    lines, lemmas, leaves, gaps = map(list, zip(*entries, strict=True)) if entries else ([],) * 4
    morphemes, whole_words = surface_cuts(lemmas, leaves, gaps)
    numbers = np.array(lines, dtype=np.int64)
    return Reference(lemmas, morphemes, whole_words, np.arange(len(lemmas) + 1), path, numbers)


def _celex_line(line: str) -> tuple[str, str]:
    """The lemma and the analysis."""
    lemma, tab, analysis = line.partition("\t")
    if not (lemma and tab and analysis):
        raise InputError(f"{line!r} is not a lemma, a tab and an analysis")
    return lemma, analysis


def _celex_analysis(line: str) -> tuple[str, tuple[list[str], list[bool]]] | None:
    """The lemma and its parsed analysis; None for a line that is skipped."""
    lemma, analysis = _celex_line(line)
    if "'" in lemma or "[F]" in analysis:
        return None
    _check_length(lemma)
    try:
        return lemma, parse_analysis(analysis)
    except ValueError as error:
        raise _malformed(lemma, error) from None


def _celex_trees(line: str, words: Collection[str]) -> tuple[str, list[Node]]:
    """The lemma, and its trees if it is among `words`."""
    lemma, analysis = _celex_line(line)
    try:
        return lemma, [parse_struclab(analysis)] if lemma in words else []
    except ValueError as error:
        raise _malformed(lemma, error) from None


def _malformed(lemma: str, error: ValueError) -> InputError:
    hint = "such as ((clear)[A],(ance)[N|A.])[N]"
    return InputError(f"analysis of {lemma!r}: {error}", hint=hint)


def _read_surface(path: Path) -> Reference:
    entries: dict[str, dict[str, None]] = {}
    lines: dict[str, int] = {}
    table, left_out = _Table(), 0
    for number, (word, analyses) in read_entries(path, table.read):
        left_out += not analyses
        if analyses:
            entries.setdefault(word, {}).update(dict.fromkeys(analyses))
            lines.setdefault(word, number)
    if left_out:
        note(
            [f"{path}: {left_out:,} lines left out whose morphemes are not spelled as in the word"]
        )
    flat = [
        [piece for piece in analysis.split(" ") if piece]
        for analyses in entries.values()
        for analysis in analyses
    ]
    return Reference(
        list(entries),
        Cuts.from_pieces(flat),
        None,
        offsets_of(list(map(len, entries.values()))),
        path,
        np.array(list(lines.values()), dtype=np.int64),
    )


def _surface_analyses(line: str) -> tuple[str, list[str]]:
    """The word and its analyses."""
    word, *analyses = line.split("\t")
    if not word or not analyses:
        raise InputError(f"{line!r} is not a word, a tab and its morphemes")
    _check_length(word)
    if " " in word:
        hint = "leave it out: words are cut one by one"
        raise InputError(f"{one_line(word, 40)!r} is more than one word", hint=hint)
    for analysis in analyses:
        if analysis.replace(" ", "") != word:
            if analysis.startswith("(") and "[" in analysis:
                hint = "say so: --morphemes-format celex (format: celex)"
                raise InputError(f"{one_line(analysis, 40)!r} looks like CELEX", hint=hint)
            message = f"the morphemes {analysis!r} do not concatenate to {word!r}"
            raise InputError(message, hint="separate them by spaces, analyses by tabs")
    return word, analyses


class _Table:
    """Reads the lines of a file as those of the table that its first lines show."""

    def __init__(self) -> None:
        self._parse: Callable[[str], Analyses] | None = None

    def read(self, line: str) -> Analyses:
        """The word and its analyses, without those that do not spell the word."""
        # Words of one morpheme may come before the first `@@` of SIGMORPHON.
        if self._parse is None or (self._parse is _surface_analyses and " @@" in line):
            table = table_of(line)
            self._parse = _surface_analyses if table is None else partial(_in_table, table=table)
        return self._parse(line)


def _in_table(line: str, table: Table) -> Analyses:
    try:
        word, analyses = table.read(line)
    except ValueError:
        message = f"{line!r} is no line of {table.name}, as which the file begins"
        raise InputError(message) from None
    _check_length(word)
    return word, [one for one in analyses if word and one.replace(" ", "") == word]


def _check_length(word: str) -> None:
    if len(word) > LONGEST:
        message = f"the word {one_line(word, 40)!r} has {len(word):,} characters"
        raise InputError(message, hint=f"at most {LONGEST:,} are allowed: leave the line out")


T = TypeVar("T")


def read_entries(path: Path, parse: Callable[[str], T]) -> Iterator[tuple[int, T]]:
    """Parse the lines that are not blank, see `parse_lines`."""
    return parse_lines(path, _lines(path), parse)


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a file that are not blank, with their numbers from 1.

    Spaces and tabs at the ends of a line are removed; any other white space is part of a word, as in texts.
    """
    lines = read_lines(path, hint="write one word per line")
    if _UNWANTED.search("\n".join(lines)):
        raise_mistakes(_unwanted(path, lines))
    for number, line in enumerate(lines, start=1):
        line = line.rstrip(" \t")
        if line:
            yield number, line


def _unwanted(path: Path, lines: list[str]) -> Iterator[InputError]:
    """A mistake for each line with a character that no word may have."""
    for number, line in enumerate(lines, start=1):
        if unwanted := _UNWANTED.search(line):
            found = unwanted.group()
            yield InputError(
                f"the character U+{ord(found):04X}, {_UNWANTED_BECAUSE.get(found, 'a control character')}",
                file=path,
                line=number,
                hint="restore the character that belongs there, or leave the word out",
            )
