"""Cut words by a vocabulary alone: four rules that use neither merges nor probabilities."""

RULES = ("left", "right", "flota", "least")
"""The rules, values of the axis `application`; see `seggrid.segment.vocabulary.apply`."""
