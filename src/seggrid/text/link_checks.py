"""Whether links fit their text, and count from the number that they are said to count from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from pathlib import Path

import numpy as np

from seggrid.base.errors import InputError, raise_mistakes
from seggrid.text.link_notation import GoldLink, Known, Notation, WordsOfPair
from seggrid.text.links import Links
from seggrid.text.sides import SIDES

FEW = 10
"""With fewer gold sentences, resamples of them say little about other sentences."""


def check_inside(path: str | Path, links: Links, known: Known) -> None:
    """Refuse links that lie outside their sentences."""
    if known.lengths is None:
        return
    outside = (links.pairs >= known.lengths[links.sentence_of]).any(axis=1)
    if outside.any():
        first = int(outside.argmax())
        i, j = links.pairs[first]
        raise InputError(
            f"the link {i}-{j} lies outside its sentence",
            file=path,
            line=int(links.sentence_of[first]) + 1,
            hint="words are counted from 0, the source first: give the text that was aligned, or check base "
            "and swapped",
        )


def check_gold(
    path: str | Path,
    links: Mapping[int, list[GoldLink]],
    known: Known,
    notation: Notation,
    *,
    null: bool = False,
) -> tuple[dict[int, list[GoldLink]], list[str]]:
    """Check gold links, in a file with this notation, against the text. If `null`, a link with one
    position 0 may be to the empty word, and says nothing of the base. Result and errors are as for
    `read_gold_of_text`."""
    words, base, remarks = known.words, notation.base or 0, []
    if notation.drops_bad and words is None:
        raise InputError("--bad-links drop needs the texts", hint="give them with --text (text=)")
    outside = _outside(path, links, known, base)
    inside = {s: row for s, row in links.items() if known.sentences is None or s < known.sentences}
    kept = dict(inside)
    if base == 0:  # first, since with a wrong base most links to last words lie outside
        order = sorted(inside)
        every = Links.from_sets([[(x.source, x.target) for x in inside[s]] for s in order])
        of_gold = None if words is None else (lambda k: words(order[k]))
        refuse_wrong_base(path, every, of_gold, gold=True)
        if null:
            every = every.where((every.pairs == 0).sum(axis=1) != 1)
            refuse_wrong_base(path, every, of_gold, gold=True)
    if not notation.drops_bad:
        raise_mistakes(outside)
    else:
        remarks = [f"{e.file}:{e.line}: left out: {e.message}" for e in outside]
        kept = without_bad_links(links, known)
        if not any(link.sure for row in kept.values() for link in row):
            raise InputError(
                "every sure link lies outside its sentence",
                file=path,
                hint="give the text that this gold is of, or check base and swapped",
            )
    if len(kept) < FEW:
        few = f"gold of {counted(len(kept))}: intervals and p-values over so few mean little"
        remarks.append(f"{path}: {few}")
    return kept, remarks


def without_bad_links(
    links: Mapping[int, list[GoldLink]], known: Known
) -> dict[int, list[GoldLink]]:
    """The links that lie within their sentences, by sentence. Those of a sentence after the end of the text
    lie outside."""
    assert known.words is not None
    assert known.sentences is not None
    kept = {}
    for sentence, row in links.items():
        if sentence < known.sentences:
            own = known.words(sentence)
            kept[sentence] = [link for link in row if _lies_inside(link, own)]
    return kept


def counted(sentences: int) -> str:
    """A number of sentences in words."""
    return "1 sentence" if sentences == 1 else f"{sentences:,} sentences"


def _lies_inside(link: GoldLink, words: WordsOfPair) -> bool:
    return link.source < len(words[0]) and link.target < len(words[1])


def _outside(
    gold: str | Path, links: Mapping[int, list[GoldLink]], known: Known, base: int
) -> Iterator[InputError]:
    """A mistake for each link outside the text or its sentence, at most one for each line of the gold."""
    hint = f"words are counted from {base}, the source first: check base (--base), swapped and the texts"
    for sentence, row in links.items():
        if known.sentences is not None and sentence >= known.sentences:
            yield InputError(
                f"no sentence {sentence + base}, counted from {base}, in a text of "
                f"{known.sentences} lines",
                file=gold,
                line=row[0].line if row else None,
                hint="take its links away, or give the whole text",
            )
            continue
        if known.words is None:
            continue
        own = known.words(sentence)
        bad = (link for link in row if not _lies_inside(link, own))
        for line, of_line in groupby(bad, key=lambda link: link.line):
            first = next(of_line)
            yield InputError(
                f"a link from word {first.source + base} to word {first.target + base} in "
                f"sentence {sentence + base}, which has {len(own[0])} and {len(own[1])} words",
                file=gold,
                line=line,
                hint=hint,
            )


ENOUGH = 20
"""With so many sentences, one can tell whether gold counts from 0. If it does, the first words of both sides
have no link in only about one of fifty sentences (measured on gold of English with German, Hindi and
Japanese)."""


VARIED = 10
"""With so many distinct first words, at least one of them would have a link if the gold counted from 0."""


def refuse_wrong_base(
    path: str | Path,
    links: Links,
    words: Callable[[int], WordsOfPair] | None,
    *,
    gold: bool,
) -> None:
    """Refuse links of at least `ENOUGH` sentences that are said to count from 0 but never use the first word
    of a sentence, on both sides or, for gold, on one.

    They are not refused if all sentences begin with the same word, which may be a marker without links; nor,
    on evidence from only one side, if there are fewer than `VARIED` distinct first words. Words that are not
    known (`words` is None) count as distinct.
    """
    linked = np.flatnonzero(np.diff(links.offsets))
    if len(linked) < ENOUGH:
        return
    unused = [side for side in (0, 1) if links.pairs[:, side].min() > 0]
    if len(unused) < (1 if gold else 2):
        return
    if words is not None:
        least = VARIED if len(unused) == 1 else 2
        first = [words(s) for s in linked.tolist()]
        if any(len({pair[side][0] for pair in first if pair[side]}) < least for side in unused):
            return
    where = "either side" if len(unused) == 2 else f"the {SIDES[unused[0]]} side"
    hint = "that side seems to count from 1, the other from 0: write both from 0"
    if len(unused) == 2:
        option = "set base: 1 (--base 1)" if gold else "say so: --links-base 1 (base=1)"
        hint = f"it counts from 1: {option}"
    if words is None:
        hint += "; if all sentences begin with a word without links, give the texts with --text"
    raise InputError(
        f"no link of {len(linked)} sentences uses position 0, on {where}", file=path, hint=hint
    )
