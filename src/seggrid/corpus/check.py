"""Check a pair of texts and their gold before any job starts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, TypeVar, overload

import numpy as np

from seggrid.corpus.ids import side_with_ids
from seggrid.corpus.link_formats import GoldFormat
from seggrid.corpus.links import Known, Notation, WordsOfPair, counted, read_gold_of_text
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


def check_pair(
    source: str | Path | Text,
    target: str | Path | Text,
    gold: str | Path | Sequence[str | Path] | None,
    *,
    source_format: TextFormat = "lines",
    target_format: TextFormat = "lines",
    gold_format: GoldFormat = "pharaoh",
    base: Literal[0, 1] | None = None,
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
        gold_format, base, swapped, empty_gold: see `seggrid.corpus.links.Notation`.
        bad_links: whether links outside their sentences are a mistake or are left out.
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
    filled = sides[0].filled & sides[1].filled
    notation = Notation(gold_format, base, swapped, empty_gold)
    files = [gold] if isinstance(gold, str | Path) else gold
    # If there are several gold files, each has the sentences of one file of the text.
    begins = [begin for begin, _, _ in sides[0].begins] if len(files) > 1 else [0]
    ends = [*begins[1:], len(sides[0])]
    count = 0
    for file, begin, end in zip(files, begins, ends, strict=True):
        known = Known(
            end - begin,
            sides[SIDES.index(side)].ids if side else None,
            partial(_words_from, sides, begin),
            filled[begin:end],
            numbered=True,
        )
        links, more = read_gold_of_text(file, notation, known, bad_links=bad_links)
        remarks += more
        count += len(links)
    refuse(_more_folds(files[0], count, folds))
    if development >= count:
        raise InputError(
            f"{counted(count)} with gold, and `development` takes {development:,} of them",
            file=files[0],
            hint="give a smaller number: the other sentences score what these choose",
        )
    _check_kept(sentences_kept, count, int(filled.sum()) + training, texts[0].files[0])
    return remarks


def _words_from(sides: tuple[Sentences, Sentences], begin: int, sentence: int) -> WordsOfPair:
    """The words of both sides of a sentence, given by its number from sentence `begin` of the text on."""
    source, target = (side.sentences[begin + sentence] for side in sides)
    return words_of(source), words_of(target)


def _more_folds(gold: str | Path, sentences: int, folds: Mapping[str, int]) -> Iterator[InputError]:
    """A mistake for each ensemble with more folds than sentences with gold."""
    hint = f"set folds to {sentences} or less" if sentences > 1 else "give weights and threshold"
    for name, parts in folds.items():
        if sentences < parts:
            yield InputError(
                f"{counted(sentences)} with gold, fewer than the {parts} folds of "
                f"ensemble.{name}.choose",
                file=gold,
                hint=f"{hint}, or give more gold",
            )


def _check_kept(kept: Sequence[int], gold: int, lines: int, file: str | Path) -> None:
    for sentences in kept:
        try:
            check_sentences(gold, lines, sentences)
        except InputError as error:
            raise error.at(file) from None


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
