"""Byte-level BPE, as GPT-2 and RoBERTa learn it (Radford et al. 2019; Liu et al. 2019)."""
