"""Types that no token can have; their number is known for the published models."""

from itertools import chain

import numpy as np

from seggrid.data.ragged import offsets_of
from seggrid.morphology.word_segmentation import apply_merges
from seggrid.segment.bpe.merge_table import MergeTable


def unreachable_types(model):
    """The results of merges whose own string is not segmented as one token.

    They are in the vocabulary, but no token has such a type.
    """
    spelled = {}
    # From short to long, so that the parts of a merge come before its result.
    for merge in sorted(model.merges, key=lambda merge: sum(map(len, merge))):
        symbols = tuple(symbol for part in merge for symbol in spelled.get(part, (part,)))
        spelled["".join(merge)] = symbols
    table = MergeTable(model.merges, chain.from_iterable(spelled.values()))
    index = {type_: i for i, type_ in enumerate(table.types)}
    flat = np.array([index[s] for symbols in spelled.values() for s in symbols], dtype=np.int32)
    offsets = offsets_of(list(map(len, spelled.values())))
    _, tokens = apply_merges(table, flat, offsets)
    is_parted = np.add.reduceat(tokens >= 0, offsets[:-1]) > 1 if len(flat) else []
    return [type_ for type_, parted in zip(spelled, is_parted, strict=True) if parted]
