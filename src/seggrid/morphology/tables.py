"""Tables in which others publish segmented words, recognized by their first line.

A line of each is turned into a word and its analyses, morphemes separated by spaces. Morphemes may be spelled
otherwise than in the word (canonical morphemes, `intense @@ive`); such a line has no boundaries in the word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from seggrid.base.errors import InputError

Analyses = tuple[str, list[str]]
"""A word and its analyses."""


class Table(NamedTuple):
    """A kind of table.

    Attributes:
        name: its name in messages.
        has: whether a line is one of it, from the first field and the others.
        read: reads a line.
    """

    name: str
    has: Callable[[str, list[str]], bool]
    read: Callable[[str], Analyses]


def table_of(line: str) -> Table | None:
    """The table that begins with a line; None for lines of a word, a tab and morphemes."""
    word, *fields = line.split("\t")
    if fields and all(field.replace(" ", "") == word for field in fields):
        return None
    for table in _TABLES:
        if table.has(word, fields):
            return table
    if re.search(r"\S/(PRE|STM|SUF|ZZZ)( |,|$)", line):
        raise InputError("morphs with their categories, as FlatCat writes them", hint=_WRITE)
    if len(fields) == 5 and fields[-1] in ("prefix", "suffix"):
        raise InputError("derivations with one affix each, as MorphyNet has them", hint=_WRITE)
    if len(fields) > 1 and _of_compound(word.lower(), [field.lower() for field in fields]):
        message = "compounds with their parts in columns, such as GermaNet's"
        raise InputError(message, hint=f"{_WRITE}, as the word spells them")
    if not fields and line.count(",") > 1:
        raise InputError(
            "a table with commas, such as MorphScore's",
            hint=_WRITE,
        )
    return None


PROCESSES = re.compile("[01]{3}")
"""Which of inflection, derivation and compounding formed a word, in tables of SIGMORPHON 2022."""
_FEATURES = re.compile(r"[A-Z][A-Z0-9.]*|.*[;|].*")
_WRITE = "write the word, a tab and its morphemes, separated by spaces, on each line"


def _of_compound(word: str, parts: Sequence[str]) -> bool:
    """Whether a word begins with the first part, which may be one of several (`a|b`), and ends with the
    last."""
    begins = parts[0].split("|")
    return all((*begins, parts[-1])) and word.endswith(parts[-1]) and word.startswith(tuple(begins))


def _sigmorphon(line: str) -> Analyses:
    """`intensive<TAB>intense @@ive<TAB>010`: morphemes, then which processes formed the word, or nothing."""
    word, morphemes, *_ = line.split("\t")
    return word, [morphemes.replace("@@", "")]


def _unimorph(line: str) -> Analyses:
    """`walk<TAB>walked<TAB>V;PST<TAB>walk|ed`: lemma, word, features (in MorphyNet `V|PST`), morphemes; a
    word may have `-`."""
    _, word, _, morphemes = line.split("\t")
    return word, [] if morphemes == "-" else [morphemes.replace("|", " ")]


def _unisegments(line: str) -> Analyses:
    """`walked<TAB>walk<TAB>VERB<TAB>walk + ed<TAB>{…}`: word, lemma, tag, morphemes, annotation."""
    word, _, _, morphemes, _ = line.split("\t")
    return word, [morphemes.replace(" + ", " ")]


def _morpho_challenge(line: str) -> Analyses:
    """`walked<TAB>walk:walk_V ed:+PAST, …`: each morpheme as the word spells it, `~` if it does not, and its
    label."""
    word, analyses = line.split("\t")
    surfaces = ([part.partition(":")[0] for part in one.split()] for one in analyses.split(","))
    return word, [" ".join(part for part in parts if part != "~") for parts in surfaces]


def _morfessor(line: str) -> Analyses:
    """`walked walk ed, walked`: the word, and its analyses."""
    word, _, analyses = line.partition(" ")
    return word, [" ".join(one.split()) for one in analyses.split(",")]


_TABLES = [
    Table(
        "SIGMORPHON 2022",
        lambda word, rest: (
            PROCESSES.fullmatch(rest[1]) is not None
            if len(rest) == 2
            else len(rest) == 1 and " @@" in rest[0]
        ),
        _sigmorphon,
    ),
    Table(
        "UniMorph",
        lambda word, rest: (
            len(rest) == 3 and rest[0] != "" and _FEATURES.fullmatch(rest[1]) is not None
        ),
        _unimorph,
    ),
    Table(
        "UniSegments", lambda word, rest: len(rest) == 4 and rest[3].startswith("{"), _unisegments
    ),
    Table(
        "Morpho Challenge",
        lambda word, rest: len(rest) == 1 and all(":" in part for part in rest[0].split()),
        _morpho_challenge,
    ),
    Table(
        "Morfessor",
        lambda word, rest: (
            not rest
            and any(
                "".join(one.split()) == word.split(" ")[0]
                for one in word.partition(" ")[2].split(",")
            )
        ),
        _morfessor,
    ),
]
