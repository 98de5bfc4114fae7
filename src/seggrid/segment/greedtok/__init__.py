"""GreedTok: a vocabulary without merges, each type the one that covers the text best at its step.

After Lim, Choo and Lauw 2025, "A partition cover approach to tokenization" (arXiv 2501.06246). Where the
authors' code leaves ties to the order of a hash table, a rule is written here; see `learn`.
"""
