"""Byte pair encoding: learn merges, apply them, read and write them."""

MARKINGS = ("start", "end", "own")
SCORINGS = (
    "frequency",
    "likelihood",
    "mutual_information",
    "description_length_gain",
    "frequency_length",
)
STEPWISE = ("rank", "longest")
"""The applications in which dropout can skip single occurrences of a merge."""
