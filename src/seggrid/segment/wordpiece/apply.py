"""Cut words into types of a vocabulary, longest match first."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from seggrid.data.boundary import BOUNDARY


def longest_match(
    words: Sequence[str], vocabulary: Collection[str], *, marked: bool = True
) -> Iterator[list[str]]:
    """The tokens of each word, longest match first.

    Args:
        words: words without `▁`; or whole sentences with `▁` between their words.
        vocabulary: types of two or more characters, with `▁` before those that begin a word. A single
            character, also with `▁` before it, is always a type.
        marked: whether to put `▁` before each word; if not, `▁` is a character like others.

    >>> list(longest_match(["johanson"], {"▁johan", "▁jo", "so", "son"}))
    [['▁johan', 'son']]
    """
    longest = max(map(len, vocabulary), default=0)
    for word in words:
        text = BOUNDARY + word if marked else word
        tokens = []
        start = 0
        while start < len(text):
            single = start + 1 if start or not marked else 2
            end = min(len(text), start + longest)
            while end > single and text[start:end] not in vocabulary:
                end -= 1
            end = max(end, single)
            tokens.append(text[start:end])
            start = end
        yield tokens
