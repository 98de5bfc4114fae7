"""WordPiece: a vocabulary learned by likelihood, applied longest match first.

Learning is that of BPE, with the score f(a, b) / (f(a) f(b)) of a pair (Schuster and Nakajima 2012,
section 4; thesis, section 3.1.2). The vocabulary is the single characters and the products of the first
merges; the merges themselves are not used. A word is cut from left to right, each time at the end of the
longest type with which the rest begins (Devlin et al. 2019; the algorithm of BERT's reference tokenizer).

BERT marks pieces inside a word with `##`; here `▁` marks pieces that begin a word. BERT makes a word with an
unknown character one unknown token; here that character is a token of its own, so that every character
can be aligned.
"""
