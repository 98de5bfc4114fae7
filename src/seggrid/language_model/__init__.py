"""What a segmentation does to a masked language model: text to ids, training, and how well it predicts.

`train` and `model` need torch and transformers, the extra `lm`; nothing else here does.
"""
