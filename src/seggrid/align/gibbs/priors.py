"""Priors: the counts of links in a file, so that new text is aligned with few sweeps.

The file has the format of eflomal's `--priors`, which `eflomal-makepriors` writes, except that a line may end
with several counts, one for each sampler. Fields are separated by tabs:

    LEX   source type  target type  counts     of forward links
    HMMF  jump  counts                         of forward links; HMMR: of reverse ones
    FERF  source type  fertility  counts       of forward links; FERR, target type: of reverse ones

Tokens without links are counted too, with fertility 0. `eflomal-makepriors` leaves these out, but eflomal
reads them.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import repeat
from pathlib import Path

import numpy as np

from seggrid.align.gibbs.link_counts import MOST, LinkCounts, added, count_table
from seggrid.base.errors import InputError
from seggrid.base.lines import LARGEST_TEXT, read_lines, write_lines

NULL = "<NULL>"
"""eflomal's name for what is not aligned, which has no counts here."""
TAB = "\t"
KEYS: dict[str, tuple[int, tuple[int, ...]]] = {
    "LEX": (2, (0, 1)), "FERF": (2, (0,)), "FERR": (2, (1,)), "HMMF": (1, ()), "HMMR": (1, ())
}  # fmt: skip
"""How many fields say what a line counts, and the sides of those that are types, which come first. These are
the tables of `LinkCounts` but the totals, in the order of a file."""


def write_priors(model: LinkCounts, path: str | Path) -> None:
    """Write the counts of all samplers, sorted by types."""
    write_lines(path, list(_lines(model)))


def _lines(model: LinkCounts) -> Iterator[str]:
    types = sorted(model.types[0]), sorted(model.types[1])
    pairs, _, _, *others = model.of_types(types).tables()
    for (name, (_, sides)), (keys, counts) in zip(KEYS.items(), [pairs, *others], strict=True):
        fields = [
            map(types[side].__getitem__, key.tolist())
            for side, key in zip(sides, keys, strict=False)
        ]
        numbers = (map(str, column.tolist()) for column in (*keys[len(sides) :], *counts.T))
        yield from map(TAB.join, zip(repeat(name), *fields, *numbers, strict=False))


def read_priors(path: str | Path) -> LinkCounts:
    """Read a file that `write_priors` or `eflomal-makepriors` wrote; counts of lines with the same fields are
    added."""
    types: tuple[dict[str, int], dict[str, int]] = {}, {}
    rows = {name: array("q") for name in KEYS}
    samplers = total = 0
    for number, line in enumerate(
        read_lines(path, "seggrid align --keep writes one", LARGEST_TEXT), 1
    ):
        try:
            name, own, key, values = _parsed(line)
            # The first line says how many samplers there are.
            samplers = samplers or len(values)
            if len(values) != samplers:
                first = f"the first line has as many counts as samplers, {samplers}"
                raise _malformed(f"{line.count(TAB)} fields after {name}; {first}")
        except InputError as error:
            raise error.at(path, number) from None
        if NULL in own:
            continue
        total += max(values)
        if total > MOST:
            raise InputError(f"the sum of all counts is more than {MOST:,}", file=path, line=number)
        for text, side in zip(own, KEYS[name][1], strict=True):
            rows[name].append(types[side].setdefault(text, len(types[side])))
        rows[name].extend(key + values)
    tables = []
    for name, (width, _) in KEYS.items():
        columns = np.frombuffer(rows[name], dtype=np.int64).reshape(-1, width + samplers)
        tables.append(count_table([*columns[:, :width].T], columns[:, width:]))
    return LinkCounts.of((list(types[0]), list(types[1])), *tables)


def joined_priors(models: Sequence[LinkCounts]) -> LinkCounts:
    """The sums of the counts of several files. If they have unlike numbers of samplers, the counts of a file
    with fewer serve several samplers."""
    if len(models) == 1:
        return models[0]
    samplers = range(max(model.samplers for model in models))
    joined = added([model.of_samplers(samplers) for model in models])
    if joined.pairs.counts.sum(axis=0).max() > MOST:
        raise InputError(f"the sum of all priors is more than {MOST:,}", hint="give fewer")
    return joined


def remark_on_use(
    model: LinkCounts, source: Sequence[str], target: Sequence[str], lowercase: bool
) -> str:
    """A line that says how many pairs of types of priors the text has, whose types are given."""
    spelled = str.lower if lowercase else str
    model = model.lowercased() if lowercase else model
    e, f = (list(dict.fromkeys(map(spelled, types))) for types in (source, target))
    used, exchanged = (len(model.of_types(types).pairs.counts) for types in ((e, f), (f, e)))
    remark = (
        f"{used:,} of {len(model.pairs.counts):,} pairs of tokens in the priors occur in the text"
    )
    if exchanged > used:
        return f"{remark}, but {exchanged:,} with source and target exchanged"
    return remark


def _parsed(line: str) -> tuple[str, list[str], list[int], list[int]]:
    """The name of a line of priors; the types and the number that it counts; the counts of the samplers."""
    name, *fields = line.split(TAB)
    if name not in KEYS:
        raise _malformed("it begins with none of LEX, HMMF, HMMR, FERF and FERR")
    width, sides = KEYS[name]
    if len(fields) <= width:
        raise _malformed(f"{len(fields)} fields after {name}")
    texts = len(sides)
    key = [_whole(field, 0 if texts else -MOST) for field in fields[texts:width]]
    return name, fields[:texts], key, [_whole(count, 0) for count in fields[width:]]


def _malformed(reason: str) -> InputError:
    hint = "write `LEX`, source type, target type and a whole count, between tabs"
    return InputError(f"not a line of priors: {reason}", hint=hint)


@lru_cache(1 << 12)  # few counts are large
def _whole(text: str, least: int) -> int:
    # eflomal-makepriors writes six digits: 1.001e+06.
    if re.fullmatch(r"[0-9](\.[0-9]{1,5})?e\+[0-9]{2}", text) and float(text).is_integer():
        text = str(int(float(text)))
    if not re.fullmatch(r"-?[0-9]{1,10}", text) or not least <= int(text) <= MOST:
        raise _malformed(f"{text[:20]!r} is not a whole number from {least} to {MOST}")
    return int(text)
