"""The counts of links in the parts of a text, which let each part be aligned again with those of all others.

In "Distributed Algorithms for Topic Models" (Newman, Asuncion, Smyth and Welling 2009), the sampler of each
part repeatedly gets the counts of the other parts. Here it gets them once, before its first sweep: they are
added to the counts of its own links. Files hold the counts of each sampler as arrays of integers, so that
sums and differences are exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seggrid.align.gibbs._sampler import FERTILITIES
from seggrid.align.gibbs.link_counts import CountTable, LinkCounts, Types, added
from seggrid.base.arrays import HINT, pack_strings, read_arrays, unpack_strings, write_arrays
from seggrid.base.errors import InputError
from seggrid.text.ragged import narrow
from seggrid.text.sides import SIDES


class Others(NamedTuple):
    """The counts of all other parts of a text, as priors for one part.

    Attributes:
        every: file of the sum of all parts' counts, this one's included.
        own: file of this part's counts.
    """

    every: Path
    own: Path

    def of_types(self, types: Types) -> LinkCounts:
        """The counts for some types. The total of a type includes its links to types that are not among
        them."""
        # Keep only the pairs of these types in memory.
        every, own = (read_sampler_counts(file).of_types(types) for file in self)
        if every.samplers == own.samplers:
            found = added([every, own.changed(np.negative)], types)
            if all(table.counts.min(initial=0) >= 0 for table in found.tables()):
                return found
        raise InputError(f"not a part of {self.every}", file=self.own, hint=HINT)


def sum_sampler_counts(files: Sequence[Path], path: str | Path) -> None:
    """Write the sum of the counts in one or more files."""
    write_sampler_counts(_sum(files), path)


def _sum(files: Sequence[Path]) -> LinkCounts:
    """The sum of the counts in files. Both halves are summed first, so that each count is copied only about
    log2(number of files) times."""
    if len(files) == 1:
        return read_sampler_counts(files[0])
    middle = len(files) // 2
    return added([_sum(files[:middle]), _sum(files[middle:])])


def write_sampler_counts(counts: LinkCounts, path: str | Path) -> None:
    """Write counts as arrays. Fertilities of 7 and more are counted together, as the sampler does."""
    (source_of, target_of), links = counts.pairs
    arrays: dict[str, NDArray[np.integer]] = {
        side: pack_strings(types) for side, types in zip(SIDES, counts.types, strict=True)
    }
    arrays |= {"linked/source": narrow(source_of), "linked/target": narrow(target_of)}
    arrays |= {"links": narrow(links)}
    for way, (side, ((jumps,), times)) in enumerate(zip(SIDES, counts.jumps, strict=True)):
        arrays |= {f"{side}/jumps": narrow(jumps), f"{side}/times": narrow(times)}
        arrays[f"{side}/fertilities"] = narrow(counts.fertility_classes(way))
    write_arrays(path, arrays)


def read_sampler_counts(path: str | Path) -> LinkCounts:
    """Read a file that `write_sampler_counts` or `sum_sampler_counts` wrote."""
    arrays = read_arrays(path)
    source, target = (unpack_strings(arrays, side) for side in SIDES)
    pairs = CountTable([arrays["linked/source"], arrays["linked/target"]], arrays["links"])
    fertilities, jumps = [], []
    for side in SIDES:
        counts = arrays[f"{side}/fertilities"]
        rows = np.flatnonzero(counts.any(axis=1))
        fertilities.append(CountTable(np.divmod(rows, FERTILITIES), counts[rows]))
        jumps.append(CountTable([arrays[f"{side}/jumps"]], arrays[f"{side}/times"]))
    return LinkCounts.of((source, target), pairs, *fertilities, *jumps)
