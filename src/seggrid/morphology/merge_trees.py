"""How merges build a word's tokens, which merges give and use a type, and how morphemes build a word.

Bauwens and Delobelle 2024, Figures 1, 7, 8, 9 and 11.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from seggrid.errors import InputError
from seggrid.morphology.celex import Node
from seggrid.morphology.tokenizer import Tokenizer
from seggrid.morphology.word_segmentation import Model


@dataclass(frozen=True)
class Tree:
    """A token, and what it was merged from; or a word, and its morphemes.

    Attributes:
        text: the token.
        parts: those of its merge, from left to right; none for a single symbol.
    """

    text: str
    parts: tuple[Tree, ...] = ()

    @property
    def height(self) -> int:
        """Merges on the longest way down to a symbol."""
        return 1 + max(part.height for part in self.parts) if self.parts else 0

    @property
    def leaves(self) -> list[Tree]:
        """The single symbols, from left to right."""
        return [leaf for part in self.parts for leaf in part.leaves] if self.parts else [self]

    def __str__(self) -> str:
        """In brackets, a pair of them for each merge.

        >>> str(Tree("abc", (Tree("ab", (Tree("a"), Tree("b"))), Tree("c"))))
        '((a b) c)'
        """
        return f"({' '.join(map(str, self.parts))})" if self.parts else self.text


def merge_trees(model: Model, words: Sequence[str]) -> list[list[Tree]]:
    """The tokens of each word as trees of merges.

    Of several merges that give the same type, which learning does not make, the first is shown.
    """
    merge_of: dict[str, tuple[str, ...]] = {}
    for merge in model.merges:
        merge_of.setdefault("".join(merge), merge)

    def tree(text: str) -> Tree:
        return Tree(text, tuple(map(tree, merge_of.get(text, ()))))

    return [[tree(token) for token in tokens] for tokens in Tokenizer(model).tokenize(words)]


def morpheme_tree(word: Node) -> Tree:
    """The tree of a word's hidden morphemes in CELEX (Figure 8). Nodes have their tags.

    >>> str(morpheme_tree(Node("N", children=[Node("A", "clear"), Node("N|A.", "ance")])))
    '(clear [A] ance [N|A.])'
    """
    tagged = f"{word.text} [{word.tag}]".lstrip()
    return Tree(tagged, tuple(map(morpheme_tree, word.children)))


@dataclass(frozen=True)
class Neighbors:
    """A type in the graph of merges.

    Attributes:
        made_by: the merges that give it, each with its rank from 1 on.
        used_by: the merges that it is part of, likewise.
    """

    made_by: list[tuple[int, tuple[str, ...]]]
    used_by: list[tuple[int, tuple[str, ...]]]


def neighbors(model: Model, type_: str) -> Neighbors:
    """The merges that give a type, and those that it is part of (Figure 1).

    Raises:
        InputError: no merge has to do with it.
    """
    ranked = list(enumerate(model.merges, start=1))
    made_by = [(rank, merge) for rank, merge in ranked if "".join(merge) == type_]
    used_by = [(rank, merge) for rank, merge in ranked if type_ in merge]
    if not made_by and not used_by:
        raise InputError(
            f"no merge gives or uses {type_!r}",
            hint="types at the beginning of a word have its mark, such as ▁the or Ġthe",
        )
    return Neighbors(made_by, used_by)
