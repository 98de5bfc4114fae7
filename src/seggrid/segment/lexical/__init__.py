"""Lexical: words of one part of speech by Wordmap, all others by WordPiece or BPE, one vocabulary.

The whole tokenizer of R. L. Jung, "Lexicalizing a BERT Tokenizer" (bachelor thesis, Frankfurt 2023),
sections 1.1 and 2.1: Wordmap is learned on the distinct words of one part of speech and applied only to
tokens that are tagged so; the tokenizer beneath it cuts the others, and those that no segments cover.
"""
