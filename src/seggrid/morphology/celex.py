"""CELEX morphology: parse its notation StrucLab, and find the morpheme boundaries on the surface of a word.

CELEX gives each lemma a tree of *hidden* morphemes, `((clear)[A],(ance)[N|A.])[N]`, which need not
concatenate to the lemma. This module parses the tree, aligns its leaves to the lemma with a Viterbi
algorithm, and reads off two sets of cuts: between morphemes, and between the free words of a
compound (Bauwens and Delobelle, BPE-knockout, NAACL 2024, section 4.1).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from seggrid.base.compiled import njit
from seggrid.morphology.cuts import Cuts
from seggrid.text.ragged import code_points, offsets_of

DEEPEST = 100
"""The most levels of a tree; CELEX has 7."""
_TOKEN = re.compile(r"\(([^()\[\],]*)\)\[([^()\[\]]*)\]|\(|,|\)\[([^()\[\]]*)\]")


@dataclass(frozen=True, slots=True)
class Node:
    """A node of a morphological tree: a leaf has a text, any other node has children."""

    tag: str
    text: str = ""
    children: list[Node] = field(default_factory=list)

    def leaves(self) -> list[str]:
        """The hidden morphemes, left to right."""
        if not self.children:
            return [self.text]
        return [leaf for child in self.children for leaf in child.leaves()]


def parse_struclab(text: str) -> Node:
    """Read one analysis: `node := '(' (text | node (',' node)*) ')' '[' tag ']'`. A `ValueError` says at
    which character, from 1, it is malformed or too deep."""
    open_nodes: list[list[Node]] = [[]]
    expects_node = True
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise ValueError(f"cannot read {text[position:][:10]!r} at character {position + 1}")
        token = match.group()
        if expects_node != (token[0] == "("):
            wanted = "a node '('" if expects_node else "',' or ')['"
            raise ValueError(f"{token!r} instead of {wanted} at character {position + 1}")
        if token == "(":
            open_nodes.append([])
            if len(open_nodes) > DEEPEST:
                raise ValueError(f"more than {DEEPEST} levels at character {position + 1}")
        elif token == ",":
            if len(open_nodes) == 1:
                raise ValueError(f"a second tree at character {position + 1}")
            expects_node = True
        elif token[0] == "(":
            open_nodes[-1].append(Node(match[2], text=match[1]))
            expects_node = False
        else:
            if len(open_nodes) == 1:
                raise ValueError(f"')' without '(' at character {position + 1}")
            children = open_nodes.pop()
            open_nodes[-1].append(Node(match[3], children=children))
        position = match.end()
    if len(open_nodes) > 1 or expects_node:
        raise ValueError("the analysis ends before its tree is closed")
    return open_nodes[0][0]


@cache
def affix_kind(tag: str) -> tuple[bool, bool, bool]:
    """Whether a tag marks a prefix, a suffix, an interfix (the first two may both hold)."""
    prefix = "|." in tag or tag == "P"
    suffix = tag.endswith(".")
    return prefix, suffix, "." in tag and not prefix and not suffix


def word_gaps(node: Node) -> list[bool]:
    """Whether each gap between two adjacent leaves is between two whole words, shape (leaves - 1,).

    An affix belongs to the sibling to which it attaches; gaps inside that sibling are then not between whole
    words. An interfix between free stems is a word of its own; before a suffix it counts as a suffix.
    """
    kinds = [affix_kind(child.tag) for child in node.children]
    prefix = [kind[0] for kind in kinds] + [False]
    suffix = [kind[1] for kind in kinds] + [False]
    is_suffix = [suffix[i] or (kind[2] and suffix[i + 1]) for i, kind in enumerate(kinds)] + [False]
    gaps: list[bool] = []
    left_neighbor_parts = False
    for i, child in enumerate(node.children):
        inner = word_gaps(child) if child.children else []
        sealed = (i > 0 and prefix[i - 1]) or is_suffix[i + 1]
        if i:
            gaps.append(left_neighbor_parts or not (sealed or is_suffix[i]))
        gaps += [False] * len(inner) if sealed else inner
        left_neighbor_parts = not (sealed or prefix[i])
    return gaps


def parse_analysis(analysis: str) -> tuple[list[str], list[bool]]:
    """The hidden morphemes of an analysis, and the `word_gaps` between them."""
    tree = parse_struclab(analysis)
    return tree.leaves(), word_gaps(tree)


@cache
def _folded(character: str) -> str:
    decomposed = unicodedata.normalize("NFD", character)
    bare = "".join(c for c in decomposed if not unicodedata.combining(c))
    return unicodedata.normalize("NFKC", bare).lower()


def fold(texts: Sequence[str]) -> tuple[NDArray[np.uint32], NDArray[np.int64], NDArray[np.int32]]:
    """Normalize texts: without accents, compatibility forms and case, each character by itself (NFD,
    combining marks dropped, NFKC, lower case). Returns the code points, shape (T,); the first one of each
    text, shape (len(texts) + 1,); and the index in its text of the character that each comes from, (T,)."""
    pieces = [[_folded(c) for c in text] for text in texts]
    offsets = offsets_of([sum(map(len, piece)) for piece in pieces])
    characters = [i for piece in pieces for i, part in enumerate(piece) for _ in part]
    flat = "".join(chain.from_iterable(pieces))
    return code_points(flat), offsets, np.array(characters, dtype=np.int32)


def surface_cuts(
    lemmas: Sequence[str], leaves: Sequence[list[str]], gaps: Sequence[Sequence[bool]]
) -> tuple[Cuts, Cuts]:
    """Cuts of each of E lemmas between its morphemes, and between its whole words, from its hidden morphemes
    and whether each gap between these is between two whole words.

    The cut before a morpheme is where its aligned characters begin. Characters that are aligned with no
    morpheme belong to the piece before them; at the start of the word they are a piece of their own. A hyphen
    at the end of a piece becomes a piece of its own, as in `high - mind ed ness`, but not between whole
    words. A boundary between whole words is where the next aligned leaf begins.
    """
    word_leaves = offsets_of(list(map(len, leaves)))
    gap_after = np.zeros(int(word_leaves[-1]), dtype=np.bool_)
    has_gap = np.ones_like(gap_after)
    has_gap[word_leaves[1:] - 1] = False
    gap_after[has_gap] = list(chain.from_iterable(gaps))
    text, text_offsets, sources = fold(lemmas)
    leaf_text, leaf_offsets, _ = fold(list(chain.from_iterable(leaves)))
    starts = align_leaves(text, text_offsets, leaf_text, leaf_offsets, word_leaves)

    offsets = offsets_of(list(map(len, lemmas)))
    owner = np.repeat(np.arange(len(lemmas)), np.diff(word_leaves))
    aligned = np.flatnonzero(starts >= 0)
    at = offsets[owner[aligned]] + sources[text_offsets[owner[aligned]] + starts[aligned]]
    initial = at == offsets[owner[aligned]]
    mask = np.zeros(int(offsets[-1]), dtype=np.bool_)
    mask[at[~initial]] = True
    # Whether there is a gap between whole words before each aligned leaf, after the aligned leaf before it.
    gaps_before: NDArray[np.int64] = np.cumsum(gap_after) - gap_after
    parts = np.diff(owner[aligned]) == 0
    parts &= np.diff(gaps_before[aligned]) > 0
    whole_mask = np.zeros_like(mask)
    whole_mask[at[1:][parts]] = True

    after_hyphen = np.flatnonzero(mask[1:] & (code_points("".join(lemmas))[:-1] == ord("-"))) + 1
    mask[np.setdiff1d(after_hyphen - 1, offsets)] = True
    return Cuts.from_mask(mask, offsets), Cuts.from_mask(whole_mask, offsets)


@njit
def align_leaves(
    text: NDArray[np.uint32],
    text_offsets: NDArray[np.int64],
    leaf_text: NDArray[np.uint32],
    leaf_offsets: NDArray[np.int64],
    word_leaves: NDArray[np.int64],
) -> NDArray[np.int32]:
    """Align the leaves of each word, in order, to spans of its characters.

    The score of an alignment is the number of characters that it matches. In state (x, y), x characters and
    y leaves have been consumed. A move consumes a leaf together with a prefix of it (possibly empty) that
    the word has at x, or skips characters; after the last leaf, characters are skipped to the end of the
    word. Leaves at the start may be dropped without a penalty, leaves at the end may not: among the best
    end states the one with the most leaves is taken. Among equally good moves into a state the longest is
    taken, and a leaf rather than a skip.

    Words and leaves are as `fold` returns them; `word_leaves` is the first leaf of each word, shape (E + 1,).
    Returns the index in its word of the first character matched by each leaf, -1 if none, shape (L,).
    """
    starts = np.full(len(leaf_offsets) - 1, -1, dtype=np.int32)
    for e in range(len(text_offsets) - 1):
        word = text[text_offsets[e] : text_offsets[e + 1]]
        n, first_leaf = len(word), word_leaves[e]
        m = word_leaves[e + 1] - first_leaf
        score = np.full((n + 1, m + 1), -1, dtype=np.int32)
        score[0] = 0
        # For each state, the state from which the best move comes, and whether that move consumes a leaf.
        source = np.full((n + 1, m + 1), -1, dtype=np.int32)
        by_leaf = np.zeros((n + 1, m + 1), dtype=np.bool_)
        # For each y, the best state at which a skip may begin, the leftmost among equal ones.
        skip_from = np.full(m + 1, -1, dtype=np.int32)
        for x in range(n + 1):
            for y in range(m + 1):
                # Among equally good moves, keep the leftmost, which is the longest; prefer a leaf to a skip.
                begin = skip_from[y]
                if begin >= 0 and (y < m or x == n):
                    gain = score[begin, y] - score[x, y]
                    if gain > 0 or (gain == 0 and 0 <= begin < source[x, y]):
                        score[x, y] = score[begin, y]
                        source[x, y] = begin
                        by_leaf[x, y] = False
                if x == n or score[x, y] < 0:
                    continue
                if begin < 0 or score[x, y] > score[begin, y]:
                    skip_from[y] = x
                if y < m:
                    leaf = leaf_text[
                        leaf_offsets[first_leaf + y] : leaf_offsets[first_leaf + y + 1]
                    ]
                    matched = 0
                    while True:
                        if score[x, y] + matched > score[x + matched, y + 1]:
                            score[x + matched, y + 1] = score[x, y] + matched
                            source[x + matched, y + 1] = x
                            by_leaf[x + matched, y + 1] = True
                        if (
                            matched == len(leaf)
                            or x + matched == n
                            or leaf[matched] != word[x + matched]
                        ):
                            break
                        matched += 1
        x, y = n, m
        for other in range(m, -1, -1):
            if score[n, other] > score[n, y]:
                y = other
        while source[x, y] >= 0:
            previous = source[x, y]
            if by_leaf[x, y]:
                y -= 1
                if previous < x:
                    starts[first_leaf + y] = previous
            x = previous
    return starts
