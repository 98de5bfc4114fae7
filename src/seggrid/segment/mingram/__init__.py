"""MinGram: the vocabulary of a BPE, with probabilities; a word is cut into the fewest, most probable tokens.

After the package script_tok (`script_bpe.tokenizers.mingram`) and arXiv 2606.27019.
"""
