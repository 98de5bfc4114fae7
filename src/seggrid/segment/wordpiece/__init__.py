"""WordPiece: a vocabulary learned by likelihood, applied longest match first.

Learning (Schuster and Nakajima 2012, section 4; the thesis, section 3.1.2, gives the score) is that of
BPE but for the score of a pair, f(a, b) / (f(a) f(b)). Of the merges only what they make is used:
the vocabulary is the single characters and the products of the first merges. A word is cut from left
to right, each time after the longest type that it goes on with (Devlin et al. 2019; the algorithm of
BERT's reference tokenizer).

Where BERT marks the pieces inside a word with `##`, here `▁` marks those that begin one: the same
distinction. Where BERT gives up a whole word for an unknown character in it, here that character is a
token: what is to be aligned must be there.
"""
