"""`seggrid remap`: turn links of one tokenization into those of another."""

from __future__ import annotations

from os import PathLike, fspath
from typing import Annotated

from seggrid.base.errors import InputError, note
from seggrid.base.parameters import COMPRESSED, Help, InputFile, Output, checked
from seggrid.commands.options import write_output_lines
from seggrid.commands.scoring import AnyLinks, links_in
from seggrid.commands.texts import Texts, two, words_in
from seggrid.text.link_notation import Known
from seggrid.text.links import Links
from seggrid.text.parameters import LinksOrdered
from seggrid.text.remap import remap_links as map_links
from seggrid.text.sides import SIDES
from seggrid.text.words import Words

OldAndNew = Annotated[tuple[Texts, Texts], two("the text twice, (old words, new words)")]


@checked
def remap(links: AnyLinks, source: OldAndNew, target: OldAndNew) -> Links:
    """Turn links between the words of one tokenization into links between those of another, as
    `seggrid remap` does. How many links are lost, and how many sentences differ, are notes.

    Args:
        links: links of S sentence pairs, as for `seggrid.score`.
        source, target: each side of the text twice: in the words that are linked now, and in the new words.

    >>> remap(["0-0 1-0"], (["do n't"], ["don't"]), (["nicht"], ["nicht"])).lines()
    ['0-0']
    """
    sides = _read(source, target)
    found = links_in(links, _known(sides))
    note(found.remarks)
    mapped = map_links(found.links, *sides)
    if mapped.unlike:
        what = (
            "sentences that differ in more than spaces, case and escapes, compared by their longest "
            "common parts"
        )
        note([f"{what}: {mapped.unlike:,}"])
    if mapped.lost:
        what = "links lost, whose words are in no new one"
        note([f"{what}: {mapped.lost:,} of {len(found.links.pairs):,}"])
    return mapped.links


Sides = Annotated[tuple[InputFile, InputFile], Help(metavar=("OLD", "NEW"))]
_HELP = "the {} text in the words that are linked now, and in the new words"


def command(
    links: Annotated[InputFile, Help("the links, such as Pharaoh lines, `i-j i-j ...` from 0")],
    /,
    *,
    written: LinksOrdered,
    source: Annotated[Sides, Help(_HELP.format("source"))],
    target: Annotated[Sides, Help(_HELP.format("target"))],
    output: Annotated[
        Output | None,
        Help(
            "the links of the new words; links that cannot be mapped are counted on standard error"
            f"{COMPRESSED}"
        ),
    ] = None,
) -> None:
    """Read, map and write."""
    sides = _read(source, target)
    found = written.read(links, _known(sides))
    write_output_lines(output, remap(found, *sides).each_line())


def _read(source: tuple[Texts, Texts], target: tuple[Texts, Texts]) -> list[tuple[Words, Words]]:
    """The words of each side, in both tokenizations, all of as many sentences."""
    sides = []
    for (old, new), side in ((source, SIDES[0]), (target, SIDES[1])):
        words, others = (words_in(text, side, tokens=True) for text in (old, new))
        _check_same_length(new, others, old, words, side)
        sides.append((words, others))
    _check_same_length(target[0], sides[1][0], source[0], sides[0][0], SIDES[1])
    return sides


def _known(sides: list[tuple[Words, Words]]) -> Known:
    return Known.of(sides[0][0], sides[1][0])


def _check_same_length(text: Texts, words: Words, other: Texts, others: Words, side: str) -> None:
    """Refuse two texts that should be the same and differ in their number of lines."""
    if len(words) != len(others):
        file, beside = (
            fspath(own) if isinstance(own, str | PathLike) else side for own in (text, other)
        )
        raise InputError(
            f"{len(words):,} lines, but {beside} has {len(others):,}",
            file=file,
            hint="line k of both must be the same sentence",
        )
