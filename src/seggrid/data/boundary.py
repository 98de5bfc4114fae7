"""Conventions of text that every stage shares."""

BOUNDARY = "▁"
"""The word boundary symbol, U+2581 (thesis, section 5.1, `word_sep`)."""
