"""Priors: counts of an alignment's links, kept in a file, so that new text is aligned with few sweeps.

Links are counted as the sampler counts them: by pairs of types, by jumps, and by fertilities. The counts are
added to those of the links of new text, as if the old text were part of it. The file has the format of
eflomal's `--priors`, which `eflomal-makepriors` writes, except that a line may end with several counts, one
for each sampler. Fields are separated by tabs:

    LEX   source type  target type  counts     of forward links
    HMMF  jump  counts                         of forward links; HMMR: of reverse ones
    FERF  source type  fertility  counts       of forward links; FERR, target type: of reverse ones

Tokens without links are counted too, with fertility 0. `eflomal-makepriors` leaves these out, but eflomal
reads them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from seggrid.base.errors import InputError
from seggrid.base.lines import LARGEST_TEXT, read_lines, write_lines
from seggrid.text.links import Links
from seggrid.text.segmentation import Segmentation

MOST = 1 << 30
"""The largest sum of all counts that a file may have."""

NULL = "<NULL>"
"""eflomal's name for what is not aligned, which has no counts here."""
TAB = "\t"
_KEYS = {"LEX": 2, "HMMF": 1, "HMMR": 1, "FERF": 2, "FERR": 2}
"""How many fields say what a line counts."""


@dataclass(frozen=True)
class DirectionPriors:
    """Counts of one direction's links.

    Attributes:
        jumps: occurrences of each distance between the links of consecutive linked tokens.
        fertilities: for each conditioning type and number of links, how many tokens have so many links.
    """

    jumps: dict[int, int] = field(default_factory=dict)
    fertilities: dict[tuple[str, int], int] = field(default_factory=dict)

    @cached_property
    def by_type(self) -> dict[str, dict[int, int]]:
        """`fertilities` of each conditioning type."""
        found: dict[str, dict[int, int]] = {}
        for (e, k), count in self.fertilities.items():
            found.setdefault(e, {})[k] = count
        return found


@dataclass(frozen=True)
class Priors:
    """Counts of an alignment's links.

    Attributes:
        lexical: number of links of each pair of source type and target type.
        forward, reverse: the counts of each direction.
    """

    lexical: dict[tuple[str, str], int] = field(default_factory=dict)
    forward: DirectionPriors = field(default_factory=DirectionPriors)
    reverse: DirectionPriors = field(default_factory=DirectionPriors)

    @cached_property
    def partners(self) -> dict[str, dict[str, int]]:
        """`lexical` of each source type."""
        found: dict[str, dict[str, int]] = {}
        for (e, f), count in self.lexical.items():
            found.setdefault(e, {})[f] = count
        return found

    @cached_property
    def totals(self) -> tuple[dict[str, int], dict[str, int]]:
        """The sums of `lexical` for each source type, and for each target type."""
        found: tuple[dict[str, int], dict[str, int]] = {}, {}
        for pair, count in self.lexical.items():
            for table, text in zip(found, pair, strict=True):
                table[text] = table.get(text, 0) + count
        return found

    @classmethod
    def from_links(
        cls, source: Segmentation, target: Segmentation, forward: Links, reverse: Links
    ) -> Priors:
        """Count the links of `seggrid.align.gibbs.sampling.align_by_gibbs`.

        Pairs of types are counted in the forward links alone, as in eflomal, since the file has one table of
        them for both directions.
        """
        e = source.ids[source.offsets[forward.sentence_of] + forward.pairs[:, 0]]
        f = target.ids[target.offsets[forward.sentence_of] + forward.pairs[:, 1]]
        pairs, counts = np.unique(np.column_stack([e, f]), axis=0, return_counts=True)
        lexical = {
            (source.types[e], target.types[f]): count
            for (e, f), count in zip(pairs.tolist(), counts.tolist(), strict=True)
        }
        return cls(lexical, _count(forward, source, 0), _count(reverse, target, 1))


def _count(links: Links, given: Segmentation, column: int) -> DirectionPriors:
    """The jumps and fertilities of one direction; `column` is that of conditioning tokens in the links."""
    places, generated = links.pairs[:, column], links.pairs[:, 1 - column]
    order = np.lexsort((generated, links.sentence_of))
    # In each sentence, -1 stands before the places of the links, and the sentence's length after them.
    rows = np.arange(len(links))
    sentence = np.concatenate([rows, links.sentence_of[order], rows])
    part = np.repeat([0, 1, 2], [len(rows), len(order), len(rows)])
    place = np.concatenate([np.full(len(rows), -1), places[order], given.lengths])
    by_sentence = np.lexsort((part, sentence))
    steps = np.diff(place[by_sentence])
    within = np.diff(sentence[by_sentence]) == 0
    jumps, counts = np.unique(steps[within], return_counts=True)
    linked = given.offsets[links.sentence_of] + places
    fertility = np.bincount(linked, minlength=len(given.ids))
    pairs, counts_of_pairs = np.unique(
        np.column_stack([given.ids, fertility]), axis=0, return_counts=True
    )
    return DirectionPriors(
        dict(zip(jumps.tolist(), counts.tolist(), strict=True)),
        {
            (given.types[e], k): count
            for (e, k), count in zip(pairs.tolist(), counts_of_pairs.tolist(), strict=True)
        },
    )


def write_priors(priors: Sequence[Priors], path: str | Path) -> None:
    """Write the priors of all samplers, sorted by types."""
    write_lines(path, list(_lines(priors)))


def _lines(priors: Sequence[Priors]) -> Iterator[str]:
    def counts(name: str, tables: Sequence[Mapping[Any, int]]) -> Iterator[str]:
        for key in sorted(set().union(*tables)):
            fields = key if isinstance(key, tuple) else (key,)
            yield "\t".join(map(str, (name, *fields, *(table.get(key, 0) for table in tables))))

    yield from counts("LEX", [one.lexical for one in priors])
    directions = ("F", [one.forward for one in priors]), ("R", [one.reverse for one in priors])
    for name, ways in directions:
        yield from counts(f"FER{name}", [way.fertilities for way in ways])
    for name, ways in directions:
        yield from counts(f"HMM{name}", [way.jumps for way in ways])


def read_priors(path: str | Path) -> list[Priors]:
    """Read a file that `write_priors` or `eflomal-makepriors` wrote; counts of lines with the same fields are
    added."""
    found: list[Priors] = []
    total = 0
    for number, line in enumerate(
        read_lines(path, "seggrid align --keep writes one", LARGEST_TEXT), 1
    ):
        try:
            name, key, values = _parsed(line)
            # The first line says how many samplers there are.
            found = found or [Priors() for _ in values]
            if len(values) != len(found):
                first = f"the first line has as many counts as samplers, {len(found)}"
                raise _malformed(f"{line.count(TAB)} fields after {name}; {first}")
        except InputError as error:
            raise error.at(path, number) from None
        if NULL in (key if isinstance(key, tuple) else ()):
            continue
        total += max(values)
        if total > MOST:
            raise InputError(f"the sum of all counts is more than {MOST:,}", file=path, line=number)
        for priors, value in zip(found, values, strict=True):
            # With several samplers, most counts are 0, as most samplers have no links of most pairs.
            if value or len(found) == 1:
                table = _table(priors, name)
                table[key] = table.get(key, 0) + value
    return found


def joined_priors(files: Sequence[Sequence[Priors]]) -> list[Priors]:
    """The sums of the counts of several files, each with the priors of its samplers. If they have unlike
    numbers of samplers, the priors of a file with fewer serve several samplers."""
    if len(files) == 1:
        return list(files[0])
    found = []
    for sampler in range(max(map(len, files))):
        found.append(_sum([priors[sampler % len(priors)] for priors in files]))
        if sum(found[-1].lexical.values()) > MOST:
            raise InputError(f"the sum of all priors is more than {MOST:,}", hint="give fewer")
    return found


def lowercased(priors: Priors, source: bool = True, target: bool = True) -> Priors:
    """The counts with types of one side or both in lower case: counts of types that differ only in case are
    added."""
    return _sum([priors], *(str.lower if lower else str for lower in (source, target)))


def _sum(
    every: Sequence[Priors],
    source: Callable[[str], str] = str,
    target: Callable[[str], str] = str,
) -> Priors:
    """The sum of priors, in which types of source and target are spelled in another way."""
    lexical: dict[tuple[str, str], int] = defaultdict(int)
    ways: list[DirectionPriors] = [
        DirectionPriors(defaultdict(int), defaultdict(int)) for _ in "FR"
    ]
    for one in every:
        for (e, f), count in one.lexical.items():
            lexical[source(e), target(f)] += count
        own = zip(ways, (one.forward, one.reverse), (source, target), strict=True)
        for total, way, spelled in own:
            for jump, count in way.jumps.items():
                total.jumps[jump] += count
            for (e, k), count in way.fertilities.items():
                total.fertilities[spelled(e), k] += count
    return Priors(lexical, *ways)


def remark_on_use(
    priors: Sequence[Priors], source: Sequence[str], target: Sequence[str], lowercase: bool
) -> str:
    """A line that says how many pairs of types of priors the text has, whose types are given."""
    pairs = set().union(*(one.lexical for one in priors))
    types = {*source}, {*target}
    if lowercase:
        pairs = {(e.lower(), f.lower()) for e, f in pairs}
        types = {e.lower() for e in source}, {f.lower() for f in target}
    used, exchanged = (
        sum(pair[k] in types[0] and pair[1 - k] in types[1] for pair in pairs) for k in (0, 1)
    )
    remark = f"{used:,} of {len(pairs):,} pairs of tokens in the priors occur in the text"
    if exchanged > used:
        return f"{remark}, but {exchanged:,} with source and target exchanged"
    return remark


def _table(priors: Priors, name: str) -> dict[Any, int]:
    """The table of counts for lines that begin with this name."""
    if name == "LEX":
        return priors.lexical
    direction = priors.reverse if name.endswith("R") else priors.forward
    return direction.jumps if name.startswith("HMM") else direction.fertilities


def _parsed(line: str) -> tuple[str, Any, list[int]]:
    """The name of a line of priors, what it counts, and the counts of the samplers."""
    name, *fields = line.split(TAB)
    if name not in _KEYS:
        raise _malformed("it begins with none of LEX, HMMF, HMMR, FERF and FERR")
    if len(fields) <= _KEYS[name]:
        raise _malformed(f"{len(fields)} fields after {name}")
    key: Any
    if name == "LEX":
        key = fields[0], fields[1]
    elif name.startswith("HMM"):
        key = _whole(fields[0], -MOST)
    else:
        key = fields[0], _whole(fields[1], 0)
    return name, key, [_whole(count, 0) for count in fields[_KEYS[name] :]]


def _malformed(reason: str) -> InputError:
    hint = "write `LEX`, source type, target type and a whole count, between tabs"
    return InputError(f"not a line of priors: {reason}", hint=hint)


def _whole(text: str, least: int) -> int:
    # eflomal-makepriors writes six digits: 1.001e+06.
    if re.fullmatch(r"[0-9](\.[0-9]{1,5})?e\+[0-9]{2}", text) and float(text).is_integer():
        text = str(int(float(text)))
    if not re.fullmatch(r"-?[0-9]{1,10}", text) or not least <= int(text) <= MOST:
        raise _malformed(f"{text[:20]!r} is not a whole number from {least} to {MOST}")
    return int(text)
