"""Wordmap, a lexicalized tokenizer: learn segments by comparing words, and cut words into segments.

After R. L. Jung, "Lexicalizing a BERT Tokenizer" (bachelor thesis, Frankfurt 2023), section 2.1. The
docstrings of `learn` and `apply` say what is done where the thesis is ambiguous or incomplete.
"""
