"""The mark of word boundaries in segmented text."""

BOUNDARY = "▁"
"""The word boundary symbol, U+2581 (thesis, section 5.1, `word_sep`)."""
