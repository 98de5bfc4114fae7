"""GreedTok: a vocabulary without merges; each step adds the type that covers the text best.

After Lim, Choo and Lauw 2025, "A partition cover approach to tokenization" (arXiv 2501.06246). The authors'
code breaks ties by the order of a hash table; `learn` has a fixed rule.
"""
