"""Morphological references, blame, pruning, and boundary scores."""
