"""Links between the words of one tokenization, as links between those of another, by characters."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import accumulate
from typing import NamedTuple

from seggrid.data.links import Links

Words = Sequence[str]


def overlaps(words: Words, others: Words) -> list[list[int]]:
    """The indices of the words of another tokenization that each word has characters in common with.

    Where both spell the same text, characters are compared by place. Where they do not, as with escaped
    quotes, those of the longest common parts are.

    Args:
        words: the words of a sentence.
        others: the same sentence in other words.

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
        links: of the S sentence pairs.
        lost: the number of links with a word that has no character in the other tokenization.
        unlike: the number of sentences, of both sides, that are not spelled alike in both tokenizations.
    """

    links: Links
    lost: int
    unlike: int


def remap(
    links: Links,
    source: tuple[Sequence[Words], Sequence[Words]],
    target: tuple[Sequence[Words], Sequence[Words]],
) -> Remapped:
    """Links between the words of other tokenizations of a text.

    Two words are linked if words that they have characters in common with are.

    Args:
        links: of S sentence pairs, each within its sentences.
        source, target: of each side, the words that are linked now, and those that are to be linked.
    """
    sets, lost, unlike = [], 0, 0
    for s, (old, new, old_target, new_target) in enumerate(zip(*source, *target, strict=True)):
        unlike += ("".join(old) != "".join(new)) + ("".join(old_target) != "".join(new_target))
        ahead, back = overlaps(old, new), overlaps(old_target, new_target)
        pairs = links.sentence(s)
        lost += sum(not (ahead[i] and back[j]) for i, j in pairs)
        sets.append({(a, b) for i, j in pairs for a in ahead[i] for b in back[j]})
    return Remapped(Links.from_sets(sets), lost, unlike)
