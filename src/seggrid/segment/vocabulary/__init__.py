"""Cut words by a vocabulary alone: four rules that use neither merges nor probabilities."""

RULES = ("left", "right", "flota", "least")
"""The rules, values of the axis `application`; see `seggrid.segment.vocabulary.apply`."""
NEVER = -100.0
"""The logarithm of the probability of a symbol that is never a token (as in script_tok's `mingram`)."""
