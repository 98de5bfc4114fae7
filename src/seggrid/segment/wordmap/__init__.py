"""Wordmap, a lexicalized tokenizer: learn segments from words that are alike, cut words into them.

After R. L. Jung, "Lexicalizing a BERT Tokenizer" (bachelor thesis, Frankfurt 2023), section 2.1.
Where it is ambiguous or silent, `learn` and `apply` say what is done.
"""
