"""Learn further merges from segmented words (BPE-knockout, section 8.2)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from heapq import heapify, heappop, heappush
from itertools import pairwise

Pair = tuple[str, str]


def learn_on(
    units: Sequence[Sequence[str]],
    counts: Sequence[int],
    merges: int,
    banned: Collection[str] = (),
) -> list[Pair]:
    """Learn merges of pairs by BPE, starting from units that other merges have segmented.

    Args:
        units: tokens of each unit.
        counts: occurrences of each unit.
        merges: the largest number of merges to learn; fewer if no pair occurs twice.
        banned: products that must not be made.

    Returns:
        the pairs, the most frequent first; among equally frequent ones, the lexicographically larger first.
    """
    tokens = [list(unit) for unit in units]
    total: Counter[Pair] = Counter()
    places: dict[Pair, set[int]] = defaultdict(set)
    for number, unit in enumerate(tokens):
        for pair in pairwise(unit):
            if "".join(pair) not in banned:
                total[pair] += counts[number]
                places[pair].add(number)
    queue = [_entry(pair, n) for pair, n in total.items()]
    heapify(queue)
    learned: list[Pair] = []
    while len(learned) < merges and queue:
        negative, _, best = heappop(queue)
        if total[best] != -negative:
            continue  # the entry has an outdated count; the pair has another entry
        if total[best] < 2:
            break
        learned.append(best)
        changed: set[Pair] = set()
        for number in sorted(places.pop(best)):
            unit = tokens[number]
            for step, after in ((-1, unit), (1, _joined(unit, best))):
                for pair in pairwise(after):
                    if "".join(pair) not in banned:
                        total[pair] += step * counts[number]
                        changed.add(pair)
                        places[pair].add(number)
                tokens[number] = after
        total[best] = 0
        places.pop(best, None)
        for pair in changed - {best}:
            heappush(queue, _entry(pair, total[pair]))
    return learned


def _entry(pair: Pair, count: int) -> tuple[int, tuple[tuple[int, ...], ...], Pair]:
    """An entry of the queue, which orders by frequency, then lexicographically, the larger first."""
    order = tuple((*(-ord(character) for character in part), 1) for part in pair)
    return -count, order, pair


def _joined(unit: list[str], pair: Pair) -> list[str]:
    joined: list[str] = []
    at = 0
    while at < len(unit):
        if tuple(unit[at : at + 2]) == pair:
            joined.append("".join(pair))
            at += 2
        else:
            joined.append(unit[at])
            at += 1
    return joined
