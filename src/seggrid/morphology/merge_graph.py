"""Remove merges from a list of merges (BPE-knockout, sections 3.1 to 3.3, and alternatives to it)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

Merge = tuple[str, ...]


def knock_out(merges: Sequence[Merge], removed: NDArray[np.bool_]) -> list[Merge]:
    """Remove merges and their products; merges that use such a product use its parts instead.

    This is Algorithm 1 for all removed merges at once: in the parts of each remaining merge, every removed
    type is expanded, recursively, into the parts of its own merge. Merges keep their order and so their
    priority.

    Args:
        merges: M merges in order of priority.
        removed: whether each merge is removed, shape (M,).
    """
    surviving = {"".join(m) for m, gone in zip(merges, removed, strict=True) if not gone}
    gone = [m for m, is_gone in zip(merges, removed, strict=True) if is_gone]
    expansion: dict[str, Merge] = {}
    # From short to long: a part is shorter than its product, so its expansion is known by then.
    for merge in sorted(gone, key=lambda m: sum(map(len, m))):
        product = "".join(merge)
        if product not in surviving:
            expansion.setdefault(product, _expand(merge, expansion))
    return [
        merge if expansion.keys().isdisjoint(merge) else _expand(merge, expansion)
        for merge, is_gone in zip(merges, removed, strict=True)
        if not is_gone
    ]


def _expand(merge: Merge, expansion: dict[str, Merge]) -> Merge:
    return tuple(symbol for part in merge for symbol in expansion.get(part, (part,)))


def cascade(merges: Sequence[Merge], removed: NDArray[np.bool_]) -> list[Merge]:
    """Remove merges, and all merges that directly or indirectly use their products."""
    formed = {"".join(merge) for merge in merges}
    present: set[str] = set()
    kept = np.zeros(len(merges), dtype=np.bool_)
    # From short to long, so that each part is decided before the products that contain it.
    for i in sorted(range(len(merges)), key=lambda i: sum(map(len, merges[i]))):
        if not removed[i] and all(p in present or p not in formed for p in merges[i]):
            present.add("".join(merges[i]))
            kept[i] = True
    return [merge for merge, is_kept in zip(merges, kept, strict=True) if is_kept]


def leaf_merges(merges: Sequence[Merge]) -> NDArray[np.bool_]:
    """Whether no other merge uses the product of each merge, shape (M,)."""
    used = {part for merge in merges for part in merge}
    return np.array(["".join(merge) not in used for merge in merges], dtype=np.bool_)


def stepping_stones(merges: Sequence[Merge], tokens: Collection[str]) -> dict[str, list[str]]:
    """The types that exist for one other type alone (section 8.2, "chain effect"; Figure 9).

    A stepping stone is the product of a merge and part of one merge only, and no word is segmented
    into it.

    Args:
        merges: merges in order of priority.
        tokens: the types that words are segmented into.

    Returns:
        For each type that is built on stepping stones and is none itself: these, shortest first,
        those of equal length in alphabetical order.
    """
    formed = {"".join(merge) for merge in merges}
    uses = Counter(part for merge in merges for part in set(merge))
    stones = {type_ for type_ in formed if uses[type_] == 1} - set(tokens)
    below: dict[str, set[str]] = {}
    for merge in sorted(merges, key=lambda merge: sum(map(len, merge))):
        found = below.setdefault("".join(merge), set())
        for part in stones.intersection(merge):
            found |= below[part] | {part}
    return {
        type_: sorted(found, key=lambda stone: (len(stone), stone))
        for type_, found in below.items()
        if found and type_ not in stones
    }


def reify(merges: Sequence[Merge], banned: Collection[str]) -> list[Merge]:
    """Turn adjacent pairs inside tuple merges into merges of their own.

    From left to right, a pair of adjacent parts whose product was never removed is joined: by the merge of
    these two before the tuple, if there is one; else, if no merge makes that product yet, by a new merge
    directly before the first tuple with the pair. This is repeated until no tuple changes. The paper proposes
    it between two rounds (section 8.2).

    Args:
        merges: merges in order of priority.
        banned: products that were removed.
    """
    merges = list(merges)
    while True:
        formed = {"".join(merge): merge for merge in merges}
        result: list[Merge] = []
        placed: set[Merge] = set()
        changed = False
        for merge in merges:
            parts: list[str] = []
            waiting = list(merge)
            while waiting:
                pair = tuple(waiting[:2])
                product = "".join(pair)
                usable = len(pair) == 2 and len(merge) > 2 and product not in banned
                if usable and (pair in placed or product not in formed):
                    if pair not in placed:
                        result.append(pair)
                        placed.add(pair)
                        formed[product] = pair
                    parts.append(product)
                    waiting = waiting[2:]
                    changed = True
                else:
                    parts.append(waiting.pop(0))
            result.append(tuple(parts))
            placed.add(tuple(parts))
        merges = result
        if not changed:
            return merges
