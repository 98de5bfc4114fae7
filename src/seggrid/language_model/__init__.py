"""What a segmentation does to a masked language model: encoding, training, scoring.

`train` and `model` need torch and transformers, the extra `lm`; nothing else here does.
"""
