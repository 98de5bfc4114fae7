"""Masked language models of segmented texts: encoding, training, scoring.

Only `train`, `model` and `folder` need torch and transformers, the extra `lm`.
"""
