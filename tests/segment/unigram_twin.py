"""The unigram language model by its definition: all segmentations of each word, one after another."""

from collections import Counter
from itertools import pairwise, product
from math import fsum, log

from seggrid.segment.unigram import seed_vocabulary
from seggrid.segment.units import WordTypes


class Sentence(str):
    """A sentence as one unit, `▁` between its words."""


def symbols_of(word):
    return [*word] if isinstance(word, Sentence) else ["▁" + word[0], *word[1:]]


def units_of(sentences, spaces):
    """How often each unit occurs: words, or sentences."""
    if spaces:
        return Counter(word for words in sentences for word in words)
    return Counter(Sentence("▁".join(words)) for words in sentences)


def is_single(piece, spaces=True):
    return len(piece.removeprefix("▁") if spaces else piece) == 1


def segmentations(word):
    """All segmentations of a word."""
    symbols = symbols_of(word)
    for cuts in product([False, True], repeat=len(symbols) - 1):
        bounds = [0, *(i + 1 for i, is_cut in enumerate(cuts) if is_cut), len(symbols)]
        yield ["".join(symbols[a:b]) for a, b in pairwise(bounds)]


def probability(tokens, p):
    result = 1.0
    for token in tokens:
        result *= p.get(token, 0.0)
    return result


def log_likelihood(counts, p):
    return fsum(
        n * log(fsum(probability(tokens, p) for tokens in segmentations(word)))
        for word, n in counts.items()
    )


def seeds_of(counts, longest=16, spaces=True):
    """All symbols, and all strings of them that occur at least twice."""
    found = Counter()
    for word, n in counts.items():
        symbols = symbols_of(word)
        for i in range(len(symbols)):
            for j in range(i + 1, min(i + longest, len(symbols)) + 1):
                found["".join(symbols[i:j])] += n
    return {s: n for s, n in found.items() if n >= 2 or is_single(s, spaces)}


def normalized(p):
    total = sum(p.values())
    return {piece: value / total for piece, value in p.items()}


def em(counts, p, least=0.0, spaces=True):
    expected = dict.fromkeys(p, 0.0)
    for word, n in counts.items():
        ways = [(tokens, probability(tokens, p)) for tokens in segmentations(word)]
        total = sum(share for _, share in ways)
        for tokens, share in ways:
            if share:
                for token in tokens:
                    expected[token] += n * share / total
    for piece in expected:
        if is_single(piece, spaces):
            expected[piece] = max(expected[piece], least)
    return normalized(expected)


def all_losses(counts, p, spaces=True):
    before = log_likelihood(counts, p)
    return {
        piece: before - log_likelihood(counts, {q: v for q, v in p.items() if q != piece})
        for piece in p
        if not is_single(piece, spaces)
    }


def slow_steps(counts, size, spaces=True):
    """The vocabularies of a learner that enumerates all segmentations, and the losses that decided."""
    p = normalized(seeds_of(counts, spaces=spaces))
    while True:
        p = em(counts, em(counts, p, 0.5, spaces), 0.5, spaces)
        multiple = [piece for piece in p if not is_single(piece, spaces)]
        if len(multiple) <= size:
            yield p, None, None
            return
        loss = all_losses(counts, p, spaces)
        ranked = sorted(multiple, key=lambda piece: (loss[piece], piece), reverse=True)
        stay = max(size, int(0.8 * len(multiple)))
        yield p, loss, ranked[stay - 1 : stay + 1]
        gone = set(ranked[stay:])
        p = normalized({piece: value for piece, value in p.items() if piece not in gone})


def lattices(counts, longest=16):
    types = WordTypes.from_sentences([[word] * n for word, n in counts.items()])
    arcs, offsets, texts, _, _ = seed_vocabulary(types, longest)
    return arcs, offsets, types.counts.astype(float), texts
