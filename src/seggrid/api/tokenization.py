"""Cut raw text into words, at Unicode's word boundaries."""

from __future__ import annotations

from itertools import pairwise

from seggrid.api.texts import Texts, words_in
from seggrid.data.words import Numbering, Words


def tokenize(text: Texts) -> Words:
    """The words of a raw text, cut at Unicode's default boundaries (UAX #29): each Chinese character and each
    hiragana is a word. Punctuation is cut off; no character is changed; spaces are left out.

    Args:
        text: S sentences, or a path, as for `seggrid.align`.

    >>> list(tokenize(["Don't go (yet).", "我们走"]))
    [["Don't", 'go', '(', 'yet', ')', '.'], ['我', '们', '走']]
    """
    import regex

    boundary, numbering = regex.compile(r"\b", regex.WORD), Numbering()
    for words in words_in(text):
        sentence = " ".join(words)
        ends = [found.start() for found in boundary.finditer(sentence)]
        # A space followed by a soft hyphen is one piece.
        pieces = (
            word for a, b in pairwise([*ends, len(sentence)]) for word in sentence[a:b].split()
        )
        numbering.add(f"{' '.join(pieces)}\n".encode("utf-8", "surrogatepass"))
    return numbering.words()
