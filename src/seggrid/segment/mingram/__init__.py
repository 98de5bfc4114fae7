"""MinGram: the vocabulary of a BPE with probabilities, by which a word is cut into the fewest tokens.

After the package script_tok (`script_bpe.tokenizers.mingram`) and arXiv 2606.27019.
"""
