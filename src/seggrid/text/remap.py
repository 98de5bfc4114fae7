"""Turn links between words of one tokenization into links between words of another, by common characters."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import accumulate
from typing import NamedTuple
from unicodedata import normalize

from seggrid.text.boundary import BOUNDARY, WORD_END
from seggrid.text.links import Links

Words = Sequence[str]

_ESCAPES = {"amp": "&", "lt": "<", "gt": ">", "apos": "'", "quot": '"'}
_ESCAPES |= {"#124": "|", "#91": "[", "#93": "]", "bar": "|"}
_ESCAPE = re.compile(f"&({'|'.join(_ESCAPES)});")
_MARKS = re.compile(f"{BOUNDARY}|(?<=.)(?:{WORD_END}|@@)$|^##(?=.)")
"""The marks by which segmenters say where words begin, end or go on (`seggrid segment --style`)."""


def folded(word: str) -> str:
    """A word without what tokenizers change in it: the marks of segmenters taken off, the escapes of Moses
    (`escape-special-chars.perl`) undone, in Unicode's form NFKC, without case.

    >>> folded("&quot;"), folded("Ｆuß"), folded("cafe\u0301") == folded("CAFÉ")
    ('"', 'fuss', True)
    >>> [*map(folded, ["▁ca", "ca@@", "##ke", "ke</w>", "##", "@@"])]
    ['ca', 'ca', 'ke', 'ke', '##', '@@']
    """
    plain = _ESCAPE.sub(lambda found: _ESCAPES[found[1]], _MARKS.sub("", word))
    return normalize("NFKC", normalize("NFKC", plain).casefold())


def overlaps(words: Words, others: Words) -> list[list[int]]:
    """For each word of a sentence, the indices of the words of another tokenization of it with common
    characters.

    Words are compared as `folded`. If both tokenizations then spell the same text, characters correspond by
    position. If not, equal words correspond; of the words between these, the characters of the longest common
    parts; and a word between two with counterparts to the only word between those, such as a bracket to what
    replaced it.

    >>> overlaps(["don", "'t", "go", "."], ["Don't", "go."])
    [[0], [0], [1], [1]]
    >>> overlaps(["it", "&apos;s", "(", "b", "¶"], ["it's", "-LRB-", "b"])
    [[0], [0], [1], [2], []]
    """
    if "".join(words) != "".join(others):
        words, others = [*map(folded, words)], [*map(folded, others)]
    if "".join(words) == "".join(others):
        return _by_characters(words, others)
    found: list[list[int]] = []
    matcher = SequenceMatcher(None, words, others, autojunk=False)
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag == "equal":
            found += [[k] for k in range(c, d)]
        else:
            found += [[c + k for k in own] for own in _by_characters(words[a:b], others[c:d])]
    for k, own in enumerate(found):
        before = found[k - 1][-1:] if k else [-1]
        after = found[k + 1][:1] if k + 1 < len(found) else [len(others)]
        if not own and before and after and after[0] - before[0] == 2:
            own.append(before[0] + 1)
    return found


def _by_characters(words: Words, others: Words) -> list[list[int]]:
    """The indices of the words that have characters of each word."""
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
    """Links between the words of another tokenization.

    Attributes:
        links: the links.
        lost: number of links that are lost, since a word has no character in the other tokenization.
        unlike: number of sentences, on both sides, whose text differs between the tokenizations, even as
            `folded`.
    """

    links: Links
    lost: int
    unlike: int


def remap_links(
    links: Links,
    source: tuple[Sequence[Words], Sequence[Words]],
    target: tuple[Sequence[Words], Sequence[Words]],
) -> Remapped:
    """Turn links of S sentence pairs into links between the words of other tokenizations of the texts; for
    each side, its words in the tokenization of `links`, and in the other one. Two words are linked if words
    with which they have characters in common are linked."""
    sets, lost, unlike = [], 0, 0
    for s, (old, new, old_target, new_target) in enumerate(zip(*source, *target, strict=True)):
        unlike += _differ(old, new) + _differ(old_target, new_target)
        ahead, back = overlaps(old, new), overlaps(old_target, new_target)
        pairs = links.sentence(s)
        lost += sum(not (ahead[i] and back[j]) for i, j in pairs)
        sets.append({(a, b) for i, j in pairs for a in ahead[i] for b in back[j]})
    return Remapped(Links.from_sets(sets), lost, unlike)


def _differ(words: Words, others: Words) -> bool:
    """Whether two tokenizations of a sentence spell different texts."""
    if "".join(words) == "".join(others):
        return False
    return "".join(map(folded, words)) != "".join(map(folded, others))
