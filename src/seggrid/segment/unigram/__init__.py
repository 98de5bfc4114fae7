"""The unigram language model: learn a vocabulary, segment by it, read and write it."""
