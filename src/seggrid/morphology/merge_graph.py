"""Merges as a graph: remove merges, find types on which others are built, make the trees of words.

Bauwens and Delobelle (2024), sections 3.1 to 3.3 and Figures 1, 7, 8, 9 and 11, and alternatives to them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seggrid.base.errors import InputError
from seggrid.morphology.celex import Node
from seggrid.morphology.word_segmentation import AnyModel, cut_each_word

Merge = tuple[str, ...]
DEEPEST = 100
"""The largest height of a tree that is shown."""


def knock_out(merges: Sequence[Merge], removed: NDArray[np.bool_]) -> list[Merge]:
    """Remove merges and their products; merges that use such a product use its parts instead.

    This is Algorithm 1 for all removed merges at once: in the parts of each remaining merge, every removed
    type is expanded, recursively, into the parts of its own merge. Merges keep their order and so their
    priority. `removed` says whether each of M merges is removed, shape (M,).
    """
    surviving = {"".join(m) for m, gone in zip(merges, removed, strict=True) if not gone}
    gone = [m for m, is_gone in zip(merges, removed, strict=True) if is_gone]
    expansion: dict[str, Merge] = {}
    # From short to long products, so that the expansions of a merge's parts are known before it.
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
    # From short to long products, so that parts are decided before the products that contain them.
    for i in sorted(range(len(merges)), key=lambda i: sum(map(len, merges[i]))):
        if not removed[i] and all(p in present or p not in formed for p in merges[i]):
            present.add("".join(merges[i]))
            kept[i] = True
    return [merge for merge, is_kept in zip(merges, kept, strict=True) if is_kept]


def leaf_merges(merges: Sequence[Merge]) -> NDArray[np.bool_]:
    """Whether no other merge uses the product of each merge, shape (M,)."""
    used = {part for merge in merges for part in merge}
    return np.array(["".join(merge) not in used for merge in merges], dtype=np.bool_)


def final_shares(merges: Sequence[Merge], counts: Mapping[str, int]) -> NDArray[np.float64]:
    """How often the product of each merge is a token in the end rather than a part of a longer one, shape
    (M,): R = F1 / (F1 + F2), where F1 is how often it is a token of a segmented text, by `counts`, and F2 how
    often a merge of that text uses it (Sun et al. 2026, "LiteToken", the ratio of final to intermediate
    frequency). 1 for a type that does not occur. Of several merges with one product, the first counts.
    """
    merge_of: dict[str, Merge] = {}
    for merge in merges:
        merge_of.setdefault("".join(merge), merge)
    formed = {product: counts.get(product, 0) for product in merge_of}
    # From long to short products, so that all uses of a product are known before those of its parts.
    for product in sorted(merge_of, key=len, reverse=True):
        for part in merge_of[product]:
            if part in formed:
                formed[part] += formed[product]
    final = {
        product: counts.get(product, 0) / total if total else 1.0
        for product, total in formed.items()
    }
    return np.array([final["".join(merge)] for merge in merges])


def stepping_stones(merges: Sequence[Merge], tokens: Collection[str]) -> dict[str, list[str]]:
    """The types that exist only for one other type (section 8.2, "chain effect"; Figure 9): for each type
    that is built on stepping stones and is not one itself, these, the shortest first, then in alphabetical
    order.

    A stepping stone is the product of a merge that is part of only one other merge, and is not among the
    tokens of words.
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

    From left to right, adjacent parts whose product was never removed are joined: by an existing merge of
    these two before the tuple, if there is one; else, if no merge makes that product yet, by a new merge
    directly before the first tuple with the pair. This is repeated until no tuple changes. The paper proposes
    it between two rounds (section 8.2). `banned` are the products that were removed.
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


@dataclass(frozen=True)
class Tree:
    """A token with the parts from which it was merged; or a word with its morphemes. A single symbol has no
    parts."""

    text: str
    parts: tuple[Tree, ...] = ()

    @property
    def height(self) -> int:
        """The number of merges on the longest path down to a symbol."""
        return 1 + max(part.height for part in self.parts) if self.parts else 0

    @property
    def leaves(self) -> list[Tree]:
        """The single symbols, from left to right."""
        return [leaf for part in self.parts for leaf in part.leaves] if self.parts else [self]

    def __str__(self) -> str:
        """The tree in brackets, with a pair of brackets for each merge.

        >>> str(Tree("abc", (Tree("ab", (Tree("a"), Tree("b"))), Tree("c"))))
        '((a b) c)'
        """
        return f"({' '.join(map(str, self.parts))})" if self.parts else self.text


def merge_trees(model: AnyModel, words: Sequence[str]) -> list[list[Tree]]:
    """The tokens of each word as trees of merges. If several merges make the same type, which learning never
    produces, the first is shown."""
    merge_of: dict[str, tuple[str, ...]] = {}
    for merge in model.merges:
        merge_of.setdefault("".join(merge), merge)

    def tree(text: str, depth: int = 0) -> Tree:
        if depth > DEEPEST:
            raise InputError(
                f"a token that {DEEPEST} merges make one after another", hint="give other words"
            )
        return Tree(text, tuple(tree(part, depth + 1) for part in merge_of.get(text, ())))

    return [[tree(token) for token in tokens] for tokens in cut_each_word(model, words)]


def morpheme_tree(word: Node) -> Tree:
    """The tree of a word's hidden morphemes in CELEX (Figure 8). Nodes have their tags.

    >>> str(morpheme_tree(Node("N", children=[Node("A", "clear"), Node("N|A.", "ance")])))
    '(clear [A] ance [N|A.])'
    """
    tagged = f"{word.text} [{word.tag}]".lstrip()
    return Tree(tagged, tuple(map(morpheme_tree, word.children)))


Ranked = tuple[int, Merge]
"""A merge with its rank from 1 on."""


@dataclass(frozen=True)
class Neighbors:
    """A type in the graph of merges.

    Attributes:
        made_by: the merges that make it.
        used_by: the merges of which it is a part.
        spelled_in: merges in which several adjacent parts, but not all, spell it; if it was pruned, they used
            it before.
    """

    made_by: list[Ranked]
    used_by: list[Ranked]
    spelled_in: list[Ranked]


def neighbors(model: AnyModel, type_: str) -> Neighbors:
    """The merges that make a type, and those of which it is a part (Figures 1 and 11)."""
    ranked = list(enumerate(model.merges, start=1))
    found = Neighbors(
        [(rank, merge) for rank, merge in ranked if "".join(merge) == type_],
        [(rank, merge) for rank, merge in ranked if type_ in merge],
        [(rank, merge) for rank, merge in ranked if len(spelling(merge, type_)) > 1],
    )
    if not (found.made_by or found.used_by or found.spelled_in):
        raise InputError(
            f"no merge gives or uses {type_!r}",
            hint="types at the beginning of a word have its mark, such as ▁the or Ġthe",
        )
    return found


def spelling(merge: Merge, type_: str) -> Merge:
    """The first adjacent parts, but not all parts, that spell a type; empty if there are none.

    >>> spelling(("Ġbru", "id", "s"), "ids"), spelling(("id", "s"), "ids")
    (('id', 's'), ())
    """
    if len(merge) == 1 or not "".join(merge).count(type_):
        return ()
    for start in range(len(merge)):
        for end in range(start + 1, len(merge) + 1):
            if end - start < len(merge) and "".join(merge[start:end]) == type_:
                return merge[start:end]
    return ()
