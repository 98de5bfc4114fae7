"""A pair: find its two sides, which are in separate files or together in one, read them, and check them and
their gold against each other before any job starts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from seggrid.base.compressed import SUFFIXES
from seggrid.base.errors import InputError, raise_mistakes
from seggrid.text.gold import Gold, gold_from_links, gold_of_nothing, parse_gold_files
from seggrid.text.link_checks import counted, without_bad_links
from seggrid.text.link_files import read_gold_of_text
from seggrid.text.link_notation import PLAIN, Known, Notation, WordsOfPair
from seggrid.text.selection import check_sentences
from seggrid.text.sides import SIDES, SideName
from seggrid.text.text_files import Read, Sentences, Text, read_sides, words_of
from seggrid.text.text_formats import WITH_IDS
from seggrid.text.words import filled_pairs

PairFormat = Literal["bars", "columns", "tmx", "moses"]
"""Formats with both sides together: some of `seggrid.text.text_formats`, and `moses`: two files of lines
whose names differ only in the language code at the end, such as `corpus.de` and `corpus.en.gz`."""

_BY_ENDING: dict[str, PairFormat] = {".tmx": "tmx", ".tsv": "columns"}
_Read = TypeVar("_Read", bound=Read)


def pair_format(name: str | Path) -> PairFormat:
    """The format of a file with both sides, by the ending of its name; `bars` by default.

    >>> pair_format("a.tmx.gz"), pair_format("a.tsv"), pair_format("a.txt")
    ('tmx', 'columns', 'bars')
    """
    path = Path(name)
    plain = path.with_suffix("") if path.suffix in SUFFIXES else path
    return _BY_ENDING.get(plain.suffix, "bars")


def texts_in(
    files: Sequence[str | Path],
    format: PairFormat,
    codes: Sequence[str | None] = (None, None),
    **treatment: Any,
) -> tuple[Text, Text]:
    """The two sides of files that contain both and are joined; for Moses, given by the common part of the two
    names. TMX and Moses need the language codes of both sides; `treatment` are further attributes of `Text`.
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
            own = tuple(_find_moses(file, str(code)) for file in files)
            texts.append(Text(own, "lines", **treatment))
        else:
            part = str(code) if format == "tmx" else side
            texts.append(Text(tuple(files), format, part, **treatment))
    return texts[0], texts[1]


def _find_moses(stem: str | Path, code: str) -> Path:
    """The file of one language of a Moses pair, compressed or not."""
    named = Path(f"{Path(stem).expanduser()}.{code}")
    for file in (named, *(Path(f"{named}{suffix}") for suffix in SUFFIXES)):
        if file.is_file():
            return file
    hint = "give what the two files' names have in common, and their endings as codes"
    raise InputError("no such file, nor one compressed", file=named, hint=hint)


def side_with_ids(source: Text, target: Text) -> SideName | None:
    """The side whose ids are those of the pair; None if neither side has any."""
    formats = source.format, target.format
    return next((side for side, own in zip(SIDES, formats, strict=True) if own in WITH_IDS), None)


def read_parallel(
    source: Text, target: Text, kind: type[_Read]
) -> tuple[tuple[_Read, _Read], list[str]]:
    """Read both sides of a pair, which must agree in ids and length, into sentences of some kind, and remark
    on what was dropped from them."""
    one, other = read_sides((source, target), kind)
    raise_mistakes(_unlike_ids(source, one, other))
    if len(one) != len(other):
        texts, sides = (source, target), (one, other)
        shorter = 0 if len(one) < len(other) else 1
        longer = 1 - shorter
        file, line = sides[longer].where(len(sides[shorter]))
        raise InputError(
            f"a sentence without its other half: {len(sides[longer])} lines here, "
            f"{len(sides[shorter])} in {texts[shorter].name}",
            file=file,
            line=line,
            hint="line k of one side must translate line k of the other",
        )
    # Each side has its own remarks, even if both are in one file.
    remarks = [*one.remarks, *other.remarks]
    is_empty = ~(one.filled & other.filled)
    is_empty[[*one.bad, *other.bad]] = False  # about which there is a remark already
    empty = np.flatnonzero(is_empty)
    if len(empty):
        file, first = one.where(int(empty[0]))
        what = "sentence pairs with an empty side left out"
        remarks.append(f"{file}: {len(empty)} {what}, the first on line {first}")
    return (one, other), remarks


def _unlike_ids(text: Text, source: Read, target: Read) -> Iterator[InputError]:
    """A mistake for each line on which the ids of two texts differ. An id is empty in a plain text whose
    other side has tags."""
    bad = {*source.bad, *target.bad}
    for k, (ours, theirs) in enumerate(zip(source.ids or [], target.ids or [], strict=False)):
        if ours != theirs and k not in bad:
            file, line = target.where(k)
            here, there = (f"the id {name}" if name else "no id" for name in (theirs, ours))
            message = f"{here} where {text.name} has {there}"
            hint = "the two sides must hold the same ids in the same order"
            yield InputError(message, file=file, line=line, hint=hint)


def kept_lines(text: Text, other: Text | None) -> NDArray[np.bool_]:
    """Whether each sentence of a text is kept, bool, shape (S,): all are; but if empty sentence pairs are
    skipped and so `other` is given, only those that are empty on neither side."""
    read = text.read()
    if other is None:
        return np.ones(len(read), dtype=np.bool_)
    kept: NDArray[np.bool_] = read.filled & other.read().filled
    return kept


def lines_kept_of(texts: Sequence[Text], others: Sequence[Text]) -> NDArray[np.bool_] | None:
    """Which lines of some texts, one after the other, are kept (`kept_lines`), shape (L,); None without
    texts. The texts of the other side are given if empty sentence pairs are skipped."""
    kept = [kept_lines(*both) for both in zip_longest(texts, others)]
    return np.concatenate(kept) if kept else None


def check_pair(
    source: Text,
    target: Text,
    gold: Sequence[str | Path],
    notation: Notation = PLAIN,
    *,
    sentences_kept: Sequence[int] = (),
    training: int = 0,
    development: int = 0,
) -> list[str]:
    """Check a language pair: each text, the texts against each other, and the gold against both; remarks on
    what is dropped or left out, and on gold with few sentences.

    Only the words of sentences with gold are counted, so that the check takes hundredths of a second on a
    text of ten thousand lines and can be run each time the config is read.

    Args:
        gold: the file with the word alignment of some of the sentences, or none; for the format `column`, the
            files of the text.
        sentences_kept: how many sentences of the text are used: the values of the axis `sentences`.
        training: number of training sentences, without empty ones.
        development: how many sentences with gold are used to choose settings, and are not scored in the
            verdict.
    """
    sides, remarks = read_parallel(source, target, Sentences)
    filled = sides[0].filled & sides[1].filled
    with_ids = side_with_ids(source, target)
    # If there are several gold files, each has the sentences of one file of the text.
    begins = [begin for begin, _, _ in sides[0].begins] if len(gold) > 1 else [0]
    ends = [*begins[1:], len(sides[0])]
    count = 0
    for file, begin, end in zip(gold, begins, ends, strict=False):
        known = Known(
            end - begin,
            sides[SIDES.index(with_ids)].ids if with_ids else None,
            partial(_words_from, sides, begin),
            filled[begin:end],
            numbered=True,
        )
        links, more = read_gold_of_text(file, notation, known)
        remarks += more
        count += len(links)
    if gold and development >= count:
        raise InputError(
            f"{counted(count)} with gold, and `development` takes {development:,} of them",
            file=gold[0],
            hint="give a smaller number: the other sentences score what these choose",
        )
    for sentences in sentences_kept:
        try:
            check_sentences(count, int(filled.sum()) + training, sentences)
        except InputError as error:
            raise error.at(source.files[0]) from None
    return remarks


def _words_from(sides: tuple[Sentences, Sentences], begin: int, sentence: int) -> WordsOfPair:
    """The words of both sides of a sentence, given by its number from sentence `begin` of the text on."""
    source, target = (side.sentences[begin + sentence] for side in sides)
    return words_of(source), words_of(target)


def read_pair_gold(
    texts: Sequence[Text], files: Sequence[str | Path], notation: Notation
) -> tuple[Gold, list[str]]:
    """The gold of a pair as the workflow uses it, and remarks on what was left out, one line each.

    The texts are both if there is no gold, or if links outside their sentences or the gold of empty sentences
    are left out; otherwise the one whose ids the gold uses, if there is one. Without files of gold
    (`seggrid.text.gold.parse_gold_files`), sentences are chosen in its place, without links.
    """
    read = [text.read() for text in texts]
    ids = next((text.ids for text in read if text.ids is not None), None)
    if not files:
        return gold_of_nothing(filled_pairs(*read), ids), []
    remarks = []
    links = parse_gold_files(files, notation, ids)
    if notation.drops_bad:
        known = Known(len(read[0]), words=partial(_words_from, (read[0], read[1]), 0))
        inside = without_bad_links(links, known)
        bad = sum(map(len, links.values())) - sum(map(len, inside.values()))
        remarks.append(f"left out: {bad} links outside their sentences")
        links = inside
    gold = gold_from_links(links, ids)
    if any(text.skips_empty for text in texts):
        left = gold.among(filled_pairs(*read))
        remarks.append(f"left out: gold of {len(gold) - len(left)} empty sentence pairs")
        gold = left
    return gold, remarks
