"""`seggrid show`: links in a browser, sentence by sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from os.path import basename
from typing import Annotated, Unpack

from annotated_types import Interval

from seggrid.base.compressed import write_text
from seggrid.base.errors import InputError, note
from seggrid.base.parameters import Group, Help, Ids, InputFile, Output, checked
from seggrid.commands.options import (
    TEXTS,
    GoldFile,
    PairFiles,
    read_pair,
)
from seggrid.commands.scoring import AnyLinks, Pairs, gold_in, gold_name, known_in, links_in
from seggrid.commands.texts import Texts, words_in
from seggrid.grid.report import links as page
from seggrid.score.signature import signature
from seggrid.text.gold import Gold
from seggrid.text.parameters import (
    GoldOptions,
    GoldWritten,
    LinksOrdered,
    PairTreated,
    TreatedControls,
    notation_of,
)

Most = Annotated[
    int,
    Interval(ge=1, le=100_000),
    Help(
        "show at most N sentence pairs: those with most errors or, without gold, the first",
        metavar="N",
    ),
]


@checked
def show(
    links: AnyLinks | Mapping[str, AnyLinks],
    source: Texts,
    target: Texts,
    gold: Gold | str | PathLike[str] | Pairs | None = None,
    *,
    ids: Ids | None = None,
    sides: tuple[str, str] = ("source", "target"),
    most: Most = 5000,
    **written: Unpack[GoldWritten],
) -> str:
    """Links for a browser, sentence by sentence, as `seggrid show` writes them: one page of HTML, which loads
    nothing.

    Args:
        links: links of all S sentence pairs, as for `seggrid.score`, or by their names, to compare them.
        source, target: the texts, as for `seggrid.align`; words may be tokens, with `▁` in them.
        gold: gold links, as for `seggrid.score`; with gold, the sentences with most errors come first.
        ids, written: as for `seggrid.score`.
        sides: the names of both texts.
        most: of more sentence pairs, those with most errors are shown or, without gold, the first.

    >>> show(["0-0 1-1"], ["the house"], ["das haus"]).startswith("<!doctype html>")
    True
    """
    words = words_in(source, "source", tokens=True), words_in(target, "target", tokens=True)
    known = known_in(words, ids)
    named = links if isinstance(links, Mapping) else {"links": links}
    if not named:
        raise InputError("no links", hint="give some, as {NAME: links}")
    given = {name: links_in(own, known) for name, own in named.items()}
    note(remark for found in given.values() for remark in found.remarks)
    read, signed = None, ""
    if gold is not None:
        notation = notation_of(**written)
        read, remarks = gold_in(gold, None, notation, known)
        note(remarks)
        signed = signature(read, gold_name(gold), 0 if isinstance(gold, Gold) else notation.first)
    html = page.build_links_page(
        {name: found.links for name, found in given.items()},
        words,
        read,
        names=known.ids,
        sides=sides,
        most=most,
        signature=signed,
    )
    total = len(words[0])
    if total > most:
        which = "with most errors" if gold is not None else "from the first on"
        note([f"{most:,} of {total:,} sentence pairs are shown, those {which} (--most)"])
    return html


_GOLD = Group("gold", "With gold, the sentences with most errors come first.")


@dataclass(frozen=True)
class _Texts(PairTreated):
    """How the texts are written. Links are of a text that was aligned, perhaps without its control
    characters."""

    control_characters: TreatedControls = "drop"


def command(
    links: Annotated[InputFile, Help("the links, such as Pharaoh lines")],
    texts: PairFiles,
    /,
    *,
    written: LinksOrdered,
    treated: Annotated[_Texts, TEXTS],
    gold: Annotated[GoldFile | None, _GOLD] = None,
    gold_written: Annotated[GoldOptions, _GOLD],
    other: Annotated[InputFile | None, Help("further links, to compare with the first")] = None,
    most: Most = 5000,
    output: Annotated[Output, Help("the page, such as links.html")],
) -> None:
    """Read and write."""
    pair = read_pair(texts, treated, tokens=True)
    if links == other:
        raise InputError("the same links twice", file=other, hint="leave out --other")
    html = show(
        {file: written.read(file, pair.known) for file in (links, other) if file},
        pair.source,
        pair.target,
        gold,
        **gold_written,
        ids=pair.ids,
        sides=(basename(texts[0]), basename(texts[1])) if len(texts) == 2 else ("source", "target"),
        most=most,
    )
    with write_text(output) as file:
        file.write(html)
