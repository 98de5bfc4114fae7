"""The marks of words in segmented text."""

BOUNDARY = "▁"
"""The word boundary symbol, U+2581 (thesis, section 5.1, `word_sep`)."""

WORD_END = "</w>"
"""The mark after the last character of a word, in models that mark ends of words (subword-nmt)."""
