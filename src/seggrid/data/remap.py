"""Turn links between words of one tokenization into links between words of another, by common characters."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import accumulate
from typing import NamedTuple

from seggrid.data.links import Links

Words = Sequence[str]


def overlaps(words: Words, others: Words) -> list[list[int]]:
    """For each word, the indices of the words of another tokenization with which it has characters in common.

    If both spell the same text, characters correspond by position. If not, as with escaped quotes, the
    characters of the longest common parts correspond.

    Args:
        words: the words of a sentence.
        others: the words of the same sentence in the other tokenization.

    >>> overlaps(["don", "'t", "go", "."], ["don't", "go."])
    [[0], [0], [1], [1]]
    >>> overlaps(["it", "&apos;s", "¶"], ["it's"])
    [[0], [0], []]
    """
    one, other = "".join(words), "".join(others)
    ends = list(accumulate(map(len, others)))
    if one == other:
        places: dict[int, int] | range = range(len(one))
    else:
        matcher = SequenceMatcher(None, one, other, autojunk=False)
        blocks = matcher.get_matching_blocks()
        places = {a + k: b + k for a, b, size in blocks for k in range(size)}
    found, begin = [], 0
    for word in words:
        own = [
            k for k in range(begin, begin + len(word)) if isinstance(places, range) or k in places
        ]
        found.append(sorted({bisect_right(ends, places[k]) for k in own}))
        begin += len(word)
    return found


class Remapped(NamedTuple):
    """Links between other words.

    Attributes:
        links: the links of S sentence pairs.
        lost: the number of links with a word that has no character in the other tokenization.
        unlike: the number of sentences, on both sides, whose text differs between the tokenizations.
    """

    links: Links
    lost: int
    unlike: int


def remap(
    links: Links,
    source: tuple[Sequence[Words], Sequence[Words]],
    target: tuple[Sequence[Words], Sequence[Words]],
) -> Remapped:
    """Turn links into links between the words of other tokenizations of the texts.

    Two words are linked if words with which they have characters in common are linked.

    Args:
        links: links of S sentence pairs, within their sentences.
        source, target: for each side, its words in the tokenization of `links`, and in the other one.
    """
    sets, lost, unlike = [], 0, 0
    for s, (old, new, old_target, new_target) in enumerate(zip(*source, *target, strict=True)):
        unlike += ("".join(old) != "".join(new)) + ("".join(old_target) != "".join(new_target))
        ahead, back = overlaps(old, new), overlaps(old_target, new_target)
        pairs = links.sentence(s)
        lost += sum(not (ahead[i] and back[j]) for i, j in pairs)
        sets.append({(a, b) for i, j in pairs for a in ahead[i] for b in back[j]})
    return Remapped(Links.from_sets(sets), lost, unlike)
