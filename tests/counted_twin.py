"""The counts of links one by one, in a `Counter` for each sampler: the oracle for `LinkCounts`.

What is counted is named as in a file of priors: `("LEX", "a", "x")`, `("FERF", "a", 1)`, `("HMMR", -1)`.
"""

from collections import Counter

import numpy as np

from seggrid.align.gibbs.link_counts import LinkCounts, count_table
from seggrid.align.gibbs.priors import KEYS


def model_of(*samplers: dict) -> LinkCounts:
    """The model with the counts of these samplers."""
    types: tuple[dict, dict] = {}, {}
    tables = []
    for name, (width, sides) in KEYS.items():
        rows = [
            [
                *(
                    types[k].setdefault(text, len(types[k]))
                    for k, text in zip(sides, key[1:], strict=False)
                ),
                *key[1 + len(sides) :],
                *(one.get(key, 0) for one in samplers),
            ]
            for key in {key for one in samplers for key in one if key[0] == name}
        ]
        columns = np.array(rows, dtype=np.int64).reshape(-1, width + len(samplers))
        tables.append(count_table([*columns[:, :width].T], columns[:, width:]))
    return LinkCounts.of([list(own) for own in types], *tables)


def counted_in(model: LinkCounts) -> list[Counter]:
    """The counts of each sampler in a model."""
    found: list[Counter] = [Counter() for _ in range(model.samplers)]
    pairs, _, _, *others = model.tables()
    for (name, (_, sides)), (keys, counts) in zip(KEYS.items(), [pairs, *others], strict=True):
        for *key, row in zip(*(column.tolist() for column in keys), counts.tolist(), strict=True):
            texts = [model.types[side][number] for side, number in zip(sides, key, strict=False)]
            for one, count in zip(found, row, strict=True):
                one.update({(name, *texts, *key[len(sides) :]): count} if count else {})
    return found


def counted_together(*models: LinkCounts) -> LinkCounts:
    """The model that a text of several parts has, from those of the parts."""
    return model_of(*(sum(own, Counter()) for own in zip(*map(counted_in, models), strict=True)))
