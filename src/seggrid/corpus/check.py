"""Check a pair of texts and their gold before any job starts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, TypeVar, overload

import numpy as np

from seggrid.corpus.gold import (
    GoldFormat,
    GoldLink,
    empty_gold_lines,
    lines_of_gold,
    parse_gold_links,
)
from seggrid.corpus.ids import side_with_ids
from seggrid.corpus.selection import check_sentences
from seggrid.corpus.text import (
    EmptyLines,
    Read,
    Sentences,
    Text,
    TextFormat,
    read_sides,
    words_of,
)
from seggrid.data.sides import SIDES
from seggrid.data.words import filled_pairs
from seggrid.errors import InputError, refuse

_Read = TypeVar("_Read", bound=Read)

FEW = 10
"""With fewer gold sentences, resamples of them say little about other sentences."""


def check_pair(
    source: str | Path | Text,
    target: str | Path | Text,
    gold: str | Path | Sequence[str | Path] | None,
    *,
    source_format: TextFormat = "lines",
    target_format: TextFormat = "lines",
    gold_format: GoldFormat = "pharaoh",
    base: Literal[0, 1] = 0,
    swapped: bool = False,
    bad_links: Literal["refuse", "drop"] = "refuse",
    empty_gold: EmptyLines = "refuse",
    sentences_kept: Sequence[int] = (),
    training: int = 0,
    folds: Mapping[str, int] = MappingProxyType({}),
    development: int = 0,
) -> list[str]:
    """Check a language pair: each text, the texts against each other, and the gold against both.

    Only the words of sentences with gold are counted, so that the check takes hundredths of a second on a
    text of ten thousand lines and can be run each time the config is read.

    Args:
        source: text of the source language, or its file.
        target: text of the target language, or its file.
        gold: the file with the word alignment of some of the sentences, or None; for the format `column`, the
            files of the text.
        source_format, target_format: format of a file, see `seggrid.corpus.text.read_text`.
        gold_format: see `seggrid.corpus.gold`.
        base: the number of the first word in the gold.
        swapped: whether gold links have the target word first.
        bad_links: whether links outside their sentences are a mistake or are left out.
        empty_gold: whether a line of `pharaoh` gold without a link is a mistake or is skipped.
        sentences_kept: how many sentences of the text are used: the values of the axis `sentences`.
        training: number of training sentences, without empty ones.
        folds: by name of an ensemble, the number of parts into which it divides the sentences with gold.
        development: how many sentences with gold are used to choose settings, and are not scored in the
            verdict.

    Returns:
        Remarks on what is dropped or left out, and on gold with few sentences, one line each.

    Raises:
        InputError: a mistake, with file, line and hint; several mistakes in one file as `InputErrors`.
    """
    texts = Text.of(source, source_format), Text.of(target, target_format)
    sides, remarks = read_parallel(*texts)
    if gold is None:
        _check_kept(sentences_kept, 0, len(filled_pairs(*sides)) + training, texts[0].files[0])
        return remarks
    side = side_with_ids(texts[0].format, texts[1].format)
    lines = filled_pairs(*sides)
    files = [gold] if isinstance(gold, str | Path) else gold
    # If there are several gold files, each has the sentences of one file of the text.
    begins = [begin for begin, _, _ in sides[0].begins] if len(files) > 1 else [0]
    ends = [*begins[1:], len(sides[0])]
    count = 0
    for file, begin, end in zip(files, begins, ends, strict=True):
        links, more = read_links_of_text(
            file,
            gold_format,
            partial(_words_from, sides, begin),
            end - begin,
            (lines[(begin <= lines) & (lines < end)] - begin).tolist(),
            ids=sides[SIDES.index(side)].ids if side else None,
            base=base,
            swapped=swapped,
            bad_links=bad_links,
            empty_gold=empty_gold,
        )
        remarks += more
        count += len(links)
    refuse(_more_folds(files[0], count, folds))
    if development >= count:
        raise InputError(
            f"{_counted(count)} with gold, and `development` takes {development:,} of them",
            file=files[0],
            hint="give a smaller number: the other sentences score what these choose",
        )
    _check_kept(sentences_kept, count, len(lines) + training, texts[0].files[0])
    return remarks


def _words_from(sides: tuple[Sentences, Sentences], begin: int, sentence: int) -> WordsOfPair:
    """The words of both sides of a sentence, given by its number from sentence `begin` of the text on."""
    source, target = (side.sentences[begin + sentence] for side in sides)
    return words_of(source), words_of(target)


def read_links_of_text(
    gold: str | Path,
    format: GoldFormat,
    words: Callable[[int], WordsOfPair],
    sentences: int,
    filled: Collection[int],
    *,
    ids: list[str] | None,
    base: Literal[0, 1],
    swapped: bool,
    bad_links: Literal["refuse", "drop"],
    empty_gold: EmptyLines,
) -> tuple[dict[int, list[GoldLink]], list[str]]:
    """Read the gold of a text and check it against the text.

    Args:
        gold, format, base, swapped, bad_links, empty_gold: as for `check_pair`.
        words: gives the words of both sides of a sentence.
        sentences: number of sentences of the text.
        filled: the sentences with words on both sides.
        ids: the ids of the sentences; None if they have none.

    Returns:
        The links of each sentence that has words on both sides, including bad links, which the caller drops;
        and remarks on what is left out, and on gold with few sentences.

    Raises:
        InputError: as for `check_links`; or no sentence with words on both sides has a sure link.
    """
    text = lines_of_gold(gold)
    links = parse_gold_links(
        gold, format, base=base, ids=ids, swapped=swapped, empty_lines=empty_gold, lines=text
    )
    remarks = _skipped_gold(gold, text, format) if empty_gold == "skip" else []
    empty = {sentence for sentence in links if sentence < sentences}.difference(filled)
    if empty:
        remarks.append(f"{gold}: gold of {len(empty)} sentence pairs that are left out")
        links = {sentence: row for sentence, row in links.items() if sentence not in empty}
        if not any(link.sure for row in links.values() for link in row):
            raise InputError(
                "no sentence pair with words on both sides has a sure link",
                file=gold,
                hint="give the text that this gold is of",
            )
    own = {sentence: words(sentence) for sentence in links if sentence < sentences}
    return links, remarks + check_links(gold, links, sentences, own, base=base, bad_links=bad_links)


WordsOfPair = tuple[Sequence[str], Sequence[str]]
"""The words of the two sides of a sentence pair."""

Words = Mapping[int, WordsOfPair]
"""The words of several sentence pairs, by number of the sentence."""


def check_links(
    gold: str | Path,
    links: Mapping[int, list[GoldLink]],
    sentences: int,
    words: Words | None,
    *,
    base: Literal[0, 1] = 0,
    bad_links: Literal["refuse", "drop"] = "refuse",
) -> list[str]:
    """Check gold links against the text, for configs and commands alike.

    Args:
        gold: the file, for messages.
        links: the links of each sentence, as `seggrid.corpus.gold.parse_gold_links` returns them.
        sentences: number of sentences of the text.
        words: the words of the sentences that have gold; None if only the number of sentences is known.
        base: the number of the first word in the gold.
        bad_links: whether links outside their sentences are a mistake or are left out.

    Returns:
        Remarks on what is left out, and on gold with few sentences, one line each.

    Raises:
        InputError: links lie outside their sentences or the text, or the gold counts from 1 although `base`
            is 0.
    """
    outside = _outside(gold, links, words, sentences, base)
    remarks = []
    if bad_links == "refuse":
        refuse(outside)
    else:
        remarks = [f"{e.file}:{e.line}: left out: {e.message}" for e in outside]
        if not any(
            link.sure and _lies_inside(link, None if words is None else words[sentence])
            for sentence, row in links.items()
            if sentence < sentences
            for link in row
        ):
            raise InputError(
                "every sure link lies outside its sentence",
                file=gold,
                hint="give the text that this gold is of, or check base and swapped",
            )
    if base == 0:
        refuse_wrong_base(gold, {s: row for s, row in links.items() if s < sentences}, words)
    return remarks + remark_on_few(gold, len(links))


def remark_on_few(gold: str | Path, sentences: int) -> list[str]:
    """A remark if there is gold for fewer than `FEW` sentences.

    Returns:
        One line with the file, or none.
    """
    if sentences >= FEW:
        return []
    return [
        f"{gold}: gold of {_counted(sentences)}: intervals and p-values over so few mean little"
    ]


def _counted(sentences: int) -> str:
    return "1 sentence" if sentences == 1 else f"{sentences:,} sentences"


def _more_folds(gold: str | Path, sentences: int, folds: Mapping[str, int]) -> Iterator[InputError]:
    """A mistake for each ensemble with more folds than sentences with gold."""
    hint = f"set folds to {sentences} or less" if sentences > 1 else "give weights and threshold"
    for name, parts in folds.items():
        if sentences < parts:
            yield InputError(
                f"{_counted(sentences)} with gold, fewer than the {parts} folds of "
                f"ensemble.{name}.choose",
                file=gold,
                hint=f"{hint}, or give more gold",
            )


def _check_kept(kept: Sequence[int], gold: int, lines: int, file: str | Path) -> None:
    for sentences in kept:
        try:
            check_sentences(gold, lines, sentences)
        except InputError as error:
            raise InputError(error.message, file=file, hint=error.hint) from None


@overload
def read_parallel(source: Text, target: Text) -> tuple[tuple[Sentences, Sentences], list[str]]: ...
@overload
def read_parallel(
    source: Text, target: Text, kind: type[_Read]
) -> tuple[tuple[_Read, _Read], list[str]]: ...
def read_parallel(
    source: Text, target: Text, kind: type[Any] = Sentences
) -> tuple[tuple[Any, Any], list[str]]:
    """Read both sides of a pair. Returns them, and remarks on what was dropped from them.

    Args:
        source, target: the texts.
        kind: the class in which the sentences are stored.

    Raises:
        InputError: a side cannot be read, or they differ in ids or length.
    """
    one, other = read_sides((source, target), kind)
    refuse(_unlike_ids(source, one, other))
    if len(one) != len(other):
        raise _half_pair((source, target), (one, other))
    # Each side has its own remarks, even if both are in one file.
    remarks = [*one.remarks, *other.remarks]
    empty = np.flatnonzero(~(one.filled & other.filled))
    if len(empty):
        file, first = one.where(int(empty[0]))
        what = "sentence pairs with an empty side left out"
        remarks.append(f"{file}: {len(empty)} {what}, the first on line {first}")
    return (one, other), remarks


def _skipped_gold(gold: str | Path, lines: Sequence[str], format: GoldFormat) -> list[str]:
    """A remark on skipped lines of gold that have no link; none if there are no such lines."""
    skipped = empty_gold_lines(lines, format)
    what = "lines without a link, taken for sentences without gold"
    return [f"{gold}: {len(skipped)} {what}, the first line {skipped[0]}"] if skipped else []


def _unlike_ids(text: Text, source: Read, target: Read) -> Iterator[InputError]:
    """A mistake for each line on which the ids of two texts differ."""
    bad = {*source.bad, *target.bad}
    for k, (ours, theirs) in enumerate(zip(source.ids or [], target.ids or [], strict=False)):
        if ours != theirs and k not in bad:
            file, line = target.where(k)
            yield InputError(
                f"{_id(theirs)} where {text.name} has {_id(ours)}",
                file=file,
                line=line,
                hint="the two sides must hold the same ids in the same order",
            )


def _id(id: str) -> str:
    """An id in a message; it is empty in a plain text whose other side has tags."""
    return f"the id {id}" if id else "no id"


def _half_pair(texts: tuple[Text, Text], sides: tuple[Read, Read]) -> InputError:
    """The error for two sides of different lengths."""
    shorter = 0 if len(sides[0]) < len(sides[1]) else 1
    longer = 1 - shorter
    file, line = sides[longer].where(len(sides[shorter]))
    return InputError(
        f"a sentence without its other half: {len(sides[longer])} lines here, "
        f"{len(sides[shorter])} in {texts[shorter].name}",
        file=file,
        line=line,
        hint="line k of one side must translate line k of the other",
    )


def _lies_inside(link: GoldLink, words: WordsOfPair | None) -> bool:
    return words is None or (link.source < len(words[0]) and link.target < len(words[1]))


def _outside(
    gold: str | Path,
    links: Mapping[int, list[GoldLink]],
    words: Words | None,
    sentences: int,
    base: int,
) -> Iterator[InputError]:
    """A mistake for each link outside the text or its sentence, at most one for each line of the gold."""
    hint = _likely_base(links, base)
    for sentence, row in links.items():
        if sentence >= sentences:
            yield InputError(
                f"no sentence {sentence + base}, counted from {base}, in a text of "
                f"{sentences} lines",
                file=gold,
                line=row[0].line if row else None,
                hint="take its links away, or give the whole text",
            )
            continue
        if words is None:
            continue
        own = words[sentence]
        bad = (link for link in row if not _lies_inside(link, own))
        for _, line_links in groupby(bad, key=lambda link: link.line):
            first = next(line_links)
            yield InputError(
                f"a link from word {first.source + base} to word {first.target + base} in "
                f"sentence {sentence + base}, which has {len(own[0])} and {len(own[1])} words",
                file=gold,
                line=first.line,
                hint=hint,
            )


def _likely_base(links: Mapping[int, list[GoldLink]], base: int) -> str:
    """A hint on the likely cause of a link outside its sentence."""
    read = [link for row in links.values() for link in row]
    if base == 0 and all(link.source > 0 and link.target > 0 for link in read):
        return "no link uses position 0: set base: 1 if the gold counts from 1"
    if base == 0 and not any(link.source == link.target == 0 for link in read):
        return (
            "no link joins the first words: set base: 1 if the gold counts from 1, with position 0 "
            "for the empty word"
        )
    return f"words are counted from {base}, the source first: check base, swapped and the texts"


ENOUGH = 20
"""With so many sentences, one can tell whether gold counts from 0. If it does, the first words of both sides
have no link in only about one of fifty sentences (measured on gold of English with German, Hindi and
Japanese)."""

VARIED = 10
"""With so many distinct first words, at least one of them would have a link if the gold counted from 0."""


def refuse_wrong_base(
    gold: str | Path, links: Mapping[int, Sequence[GoldLink]], words: Words | None
) -> None:
    """Refuse gold that is declared to count from 0 but never links the first word of a sentence, on one
    side or on both.

    Gold is not refused if all sentences begin with the same word, which may be a marker without links; nor,
    on evidence from only one side, if there are fewer than `VARIED` distinct first words. Words that are not
    known count as distinct.

    Args:
        gold: the file.
        links: the links of each sentence.
        words: the words of these sentences; None if they are not known.

    Raises:
        InputError: the gold has at least `ENOUGH` sentences with links, and no link at position 0.
    """
    linked = {sentence: row for sentence, row in links.items() if row}
    if len(linked) < ENOUGH:
        return
    pairs = [(link.source, link.target) for row in linked.values() for link in row]
    unused = [side for side in (0, 1) if not any(pair[side] == 0 for pair in pairs)]
    least = VARIED if len(unused) == 1 else 2
    if not unused or (
        words is not None
        and any(len({words[sentence][side][0] for sentence in linked}) < least for side in unused)
    ):
        return
    where = "either side" if len(unused) == 2 else f"the {SIDES[unused[0]]} side"
    hint = (
        "it counts from 1: set base: 1 (--base 1)"
        if len(unused) == 2
        else "that side seems to count from 1, the other from 0: write both from 0"
    )
    if words is None:
        hint += "; if all sentences begin with a word without links, give the texts with --text"
    raise InputError(
        f"no link of {len(linked)} sentences uses position 0, on {where}", file=gold, hint=hint
    )
