"""Evaluations of tokenizers against morphological references, and of their pruned variants."""
