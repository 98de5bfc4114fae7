"""The lexical tokenizer: Wordmap for words of one part of speech, WordPiece or BPE for all others.

This is the complete tokenizer of R. L. Jung, "Lexicalizing a BERT Tokenizer" (bachelor thesis, Frankfurt
2023), sections 1.1 and 2.1. Wordmap is learned on the distinct words of one part of speech and applied only
to words that are tagged with it. The fallback tokenizer cuts all other words, and words that segments do not
cover. Both share one vocabulary.
"""
