"""Masked language models of segmented texts: encoding, training, scoring, fine-tuning.

Only `train`, `model` and `fine_tuning` need torch and transformers, the extra `lm`.
"""
