"""The marks of words in segmented text."""

BOUNDARY = "▁"
"""The word boundary symbol, U+2581 (thesis, section 5.1, `word_sep`)."""

WORD_END = "</w>"
"""The mark after the last character of a word, in models that mark ends of words (subword-nmt)."""


def unmarked(token: str) -> str:
    """A token without the marks of words, which no word has in its own text.

    >>> unmarked("▁go"), unmarked("go</w>")
    ('go', 'go')
    """
    return token.replace(BOUNDARY, "").removesuffix(WORD_END)
