"""Token alignability: how many tokens of a parallel text are linked one to one (Hämmerl et al. 2025, "Beyond
Literal Token Overlap: Token Alignability for Multilinguality", NAACL 2025, short paper 63)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seggrid.base.errors import InputError
from seggrid.text.links import Links, key_bits
from seggrid.text.segmentation import Segmentation
from seggrid.text.sides import SIDES

COLUMNS = tuple(f"alignability_{side}" for side in SIDES)
"""The columns of tables that have the measure of both sides."""


def one_to_one(
    forward: Links, reverse: Links, source: Segmentation, target: Segmentation
) -> NDArray[np.int64]:
    """The number of pairs of tokens that are linked one to one, of source tokens and of target tokens, shape
    (3,). The first number divided by the second, or by the third, is the alignability of that language.

    Two tokens are linked one to one if both directions link them, and neither direction links one of them to
    another token. The paper aligns by eflomal, likewise in two directions, and takes the share of tokens that
    are linked one to one in the joined links.
    """
    bits = key_bits([forward, reverse])
    ahead, back = forward.keys(bits), reverse.keys(bits)
    either = np.union1d(ahead, back)
    mask = (1 << bits) - 1
    alone = np.isin(either, np.intersect1d(ahead, back, assume_unique=True), assume_unique=True)
    for token in (either >> bits, (either >> 2 * bits << bits) | (either & mask)):
        _, place, links = np.unique(token, return_inverse=True, return_counts=True)
        alone &= links[place] == 1
    return np.array([alone.sum(), len(source.ids), len(target.ids)], dtype=np.int64)


def alignability(
    source: Segmentation, target: Segmentation, *, seed: int = 0, threads: int = 1
) -> tuple[float, float]:
    """The share of the tokens of each language that are linked one to one, see `one_to_one`, by `gibbs` with
    its default options; nan for texts without sentences.

    Raises:
        InputError: the sides differ in length, or a sentence has no token.
    """
    from seggrid.align.gibbs import Gibbs

    if len(source) != len(target):
        raise InputError(
            f"{len(source):,} sentences, and {len(target):,} of the other language",
            hint="give two texts whose lines are translations of each other",
        )
    if not len(source):
        return float("nan"), float("nan")
    links = Gibbs().align(source, target, seed=seed, threads=threads)
    pairs, *tokens = one_to_one(*links, source, target).tolist()
    return pairs / tokens[0], pairs / tokens[1]
