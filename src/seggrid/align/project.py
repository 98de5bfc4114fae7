"""Projection: from links between subwords to links between words.

Two words are linked if any of their tokens are (thesis, sections 4.2.3 and 5.2.3). A token that
spans several words links each of them (section 5.5).

Probabilities are projected likewise (`project_posteriors`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seggrid.base.arrays import Int32
from seggrid.base.compiled import int64, njit
from seggrid.base.errors import InputError
from seggrid.text.links import Links, Posteriors
from seggrid.text.ragged import each_block, offsets_of, place_kind
from seggrid.text.segmentation import Segmentation

Ranges = tuple[Int32, Int32, Int32, Int32]
"""The first and last words of the tokens of one side, then those of the other, for the kernels."""


def project(links: Links, source: Segmentation, target: Segmentation) -> Links:
    """Word links from token links.

    A link between a token of the words `first..last` and one of the words `first'..last'` gives
    every (i, j) of the two ranges; a token that belongs to no word (`last < first`) gives none.
    """
    if not len(links) == len(source) == len(target):
        raise InputError(
            f"links of {len(links)} sentence pairs, segmentations of {len(source)} and "
            f"{len(target)} sentences"
        )
    linked = np.zeros(_words(source, target), dtype=np.bool_)
    blocks = (
        _project_links(links.block(*ends), source.block(*ends), target.block(*ends), linked)
        for ends in each_block(len(links))
    )
    return Links.joined(blocks, place_kind(max(linked.shape)))


def _words(source: Segmentation, target: Segmentation) -> tuple[int, int]:
    """The number of words of the longest sentence of each side."""
    return int(source.last.max(initial=0)) + 1, int(target.last.max(initial=0)) + 1


def _project_links(
    links: Links, source: Segmentation, target: Segmentation, linked: NDArray[np.bool_]
) -> Links:
    """Project the links of one block; `linked` has an element, False, for each pair of words."""
    i = source.offsets[links.sentence_of] + links.pairs[:, 0]
    j = target.offsets[links.sentence_of] + links.pairs[:, 1]
    ranges, room = _ranges(source, i, target, j)
    pairs = np.empty((room, 2), dtype=np.int32)
    offsets = np.zeros(len(links) + 1, dtype=np.int64)
    _project(links.offsets, ranges, linked, offsets[1:], pairs)
    return Links(offsets, pairs[: offsets[-1]])


def _ranges(
    one: Segmentation, i: NDArray[np.integer], other: Segmentation, j: NDArray[np.integer]
) -> tuple[Ranges, int]:
    """The first and last words of tokens i of `one` and j of `other`, and how many pairs of words they have
    at most."""
    found = [array[k] for side, k in ((one, i), (other, j)) for array in (side.first, side.last)]
    a, b, c, d = (words.astype(np.int32, copy=False) for words in found)
    rows, columns = (
        np.maximum(last - first + 1, 0, dtype=np.int64) for first, last in ((a, b), (c, d))
    )
    return (a, b, c, d), int(rows @ columns)


@njit
def _project(
    link_offsets: NDArray[np.int64],
    ranges: Ranges,
    linked: NDArray[np.bool_],
    ends: NDArray[np.int64],
    pairs: NDArray[np.int32],
) -> None:
    """Fill `pairs` with word links, and `ends` with where the links of each sentence pair end."""
    source_first, source_last, target_first, target_last = ranges
    end = 0
    for s in range(len(ends)):
        begin = end
        for k in range(link_offsets[s], link_offsets[s + 1]):
            for i in range(source_first[k], source_last[k] + 1):
                for j in range(target_first[k], target_last[k] + 1):
                    if not linked[i, j]:
                        linked[i, j] = True
                        _insert(i, j, begin, end, pairs)
                        end += 1
        for k in range(begin, end):
            linked[pairs[k, 0], pairs[k, 1]] = False
        ends[s] = end


@njit
def _insert(i: int, j: int, begin: int, end: int, pairs: NDArray[np.int32]) -> None:
    """Insert (i, j) into the ascending `pairs[begin:end]`, near the end, since token links ascend as well."""
    k = end
    while k > begin and (pairs[k - 1, 0] > i or (pairs[k - 1, 0] == i and pairs[k - 1, 1] > j)):
        pairs[k, 0] = pairs[k - 1, 0]
        pairs[k, 1] = pairs[k - 1, 1]
        k -= 1
    pairs[k, 0] = i
    pairs[k, 1] = j


BLOCK = 1 << 12
"""Number of sentence pairs projected at a time: projecting probabilities takes many times their memory."""


def project_posteriors(
    forward: Posteriors, reverse: Posteriors, source: Segmentation, target: Segmentation
) -> Posteriors:
    """The probability of each word link, from those of token links in both directions.

    In one direction, each generated token links to at most one token of the other side. So the probability
    that it links to a word is the sum of the probabilities of the word's tokens. Two words are linked if
    any token of the generated word links to the other word; tokens are taken as independent:

        p(a, b) = 1 - product over tokens j of b of (1 - sum over tokens i of a of p(j links to i))

    The result is the mean of both directions, of which `forward` generates the target's tokens; links are
    (i in source, j in target) in both.
    """
    if not len(forward) == len(reverse) == len(source) == len(target):
        raise InputError(
            f"probabilities of {len(forward)} and {len(reverse)} sentence pairs, segmentations of "
            f"{len(source)} and {len(target)} sentences"
        )
    blocks = (
        _project_block(
            forward.block(*ends), reverse.block(*ends), source.block(*ends), target.block(*ends)
        )
        for ends in each_block(len(source), BLOCK)
    )
    return Posteriors.joined(blocks, place_kind(max(_words(source, target))))


def _project_block(
    forward: Posteriors, reverse: Posteriors, source: Segmentation, target: Segmentation
) -> Posteriors:
    ahead = _project_direction(forward, source, target, 0)
    back = _project_direction(reverse, target, source, 1)
    both = np.hstack([ahead, back[[0, 2, 1, 3]]])
    places = both[:3].astype(np.int64)
    shape = len(source), source.last.max(initial=0) + 1, target.last.max(initial=0) + 1
    keys, row = np.unique(np.ravel_multi_index(places, shape), return_inverse=True)
    sentence, i, j = np.unravel_index(keys, shape)
    links = Links(
        offsets_of(np.bincount(sentence, minlength=len(source))),
        np.column_stack([i, j]),
    )
    return Posteriors(links, (np.bincount(row, both[3], len(keys)) / 2).astype(np.float32))


def _project_direction(
    posteriors: Posteriors, conditioning: Segmentation, generated: Segmentation, column: int
) -> NDArray[np.float64]:
    """The probabilities of word links in one direction, shape (4, word links): the sentence, the conditioning
    word, the generated word, and the probability. `column` is that of link pairs with the conditioning
    tokens."""
    links = posteriors.links
    i = conditioning.offsets[links.sentence_of] + links.pairs[:, column]
    j = generated.offsets[links.sentence_of] + links.pairs[:, 1 - column]
    order = np.lexsort((i, j))
    i, j = i[order], j[order]
    ranges, room = _ranges(conditioning, i, generated, j)
    found = np.empty((4, room))
    words = conditioning.last.max(initial=0) + 1, generated.last.max(initial=0) + 1
    size = _project_probabilities(
        links.sentence_of[order], j, ranges, posteriors.probability[order],
        np.zeros(words[0]), np.full(words, -1.0), found,
    )  # fmt: skip
    return found[:, :size]


@njit
def _project_probabilities(
    sentence: NDArray[np.int64],
    token: NDArray[np.int64],
    ranges: Ranges,
    probability: NDArray[np.float32],
    to_word: NDArray[np.float64],
    absent: NDArray[np.float64],
    found: NDArray[np.float64],
) -> int:
    """Fill `found`, see `_project_direction`, sentence by sentence; return the number of columns. `token` is
    the generated token of each link, ascending. Scratch space: `to_word`, zeros, for a token's probability of
    linking to each conditioning word, and `absent`, all -1, for that of two words not being linked."""
    conditioning_first, conditioning_last, generated_first, generated_last = ranges
    begin = end = k = 0
    while k < len(token):
        # The links of one token.
        until = k
        while until < len(token) and token[until] == token[k]:
            for a in range(conditioning_first[until], conditioning_last[until] + 1):
                to_word[a] += probability[until]
            until += 1
        for link in range(k, until):
            for a in range(conditioning_first[link], conditioning_last[link] + 1):
                if to_word[a] == 0.0:
                    continue
                for b in range(generated_first[k], generated_last[k] + 1):
                    if absent[a, b] < 0.0:
                        absent[a, b] = 1.0
                        found[0, end], found[1, end], found[2, end] = sentence[k], a, b
                        end += 1
                    absent[a, b] *= max(0.0, 1.0 - to_word[a])
                to_word[a] = 0.0
        if until == len(token) or sentence[until] != sentence[k]:
            for place in range(begin, end):
                a, b = int64(found[1, place]), int64(found[2, place])
                found[3, place] = 1.0 - absent[a, b]
                absent[a, b] = -1.0
            begin = end
        k = until
    return end
