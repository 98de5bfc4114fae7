"""BPE step by step, slowly: the oracle for the kernels."""

from collections import Counter
from itertools import pairwise
from math import inf, log2

from random_twin import random_bits


def initial_symbols(text, marking):
    """The symbols of a unit; `marking` None: the unit is not a word."""
    symbols = list(text)
    if marking == "start":
        symbols[0] = "▁" + symbols[0]
    elif marking == "end":
        symbols[-1] += "</w>"
    elif marking == "own":
        symbols.insert(0, "▁")
    return symbols


def units_of(sentences, spaces, marking="start"):
    """Each sentence as a list of units, each a list of symbols."""
    if spaces:
        return [[initial_symbols(word, marking) for word in words] for words in sentences]
    return [[initial_symbols("▁".join(words), None)] for words in sentences]


def merge_all(symbols, pair):
    """Every occurrence of a pair, from left to right."""
    merged, i = [], 0
    while i < len(symbols):
        if tuple(symbols[i : i + 2]) == pair:
            merged.append(symbols[i] + symbols[i + 1])
            i += 2
        else:
            merged.append(symbols[i])
            i += 1
    return merged


def best_of(units, allowed=lambda pair: True):
    """The best pair of some units and its count; None if none occurs twice."""
    pairs = Counter(pair for unit in units for pair in pairwise(unit) if allowed(pair))
    best = max(pairs, key=lambda pair: (pairs[pair], pair), default=None)
    return None if best is None or pairs[best] < 2 else (best, pairs[best])


def bits(n):
    return n * log2(n)


def description_length(counts):
    total = sum(counts.values())
    return -sum(n * log2(n / total) for n in counts.values() if n)


def score_of(pair, count, counts, scoring):
    """The score of a pair; for description length gain its closed form, which another test checks."""
    a, b = pair
    total = sum(counts.values())
    if scoring == "frequency":
        return count
    if scoring == "likelihood":
        return count / (counts[a] * counts[b])
    if scoring == "frequency_length":
        letters = [len(part.removesuffix("</w>")) - part.count("▁") for part in pair]
        return count * max(sum(letters) - 1, 0)
    if scoring == "mutual_information":
        return count * log2(total * count / (counts[a] * counts[b]))
    n = min(count, counts[a] // 2) if a == b else count
    if n < 2:
        return -inf
    gain = bits(total) - bits(total - n + 2) + bits(n)
    if a == b:
        return gain - bits(counts[a]) + bits(counts[a] - 2 * n + 2)
    gain = gain - bits(counts[a]) + bits(counts[a] - n + 1)
    return gain - bits(counts[b]) + bits(counts[b] - n + 1)


def stretches(word, marking, boundaries):
    """The symbols of a word between its boundaries."""
    symbols = initial_symbols(word, marking)
    ends = [*sorted(boundaries.get(word, ())), len(word)]
    ends = [end + (marking == "own") for end in ends]
    return [symbols[i:j] for i, j in zip([0, *ends], ends, strict=False)]


def learn(
    sentences, merges, spaces, scoring, min_frequency, marking="start", boundaries=None, first=()
):
    """Learn merges, recounting everything before each merge."""
    units = [unit for units in units_of(sentences, spaces, marking) for unit in units]
    if boundaries:
        words = [word for sentence in sentences for word in sentence]
        units = [part for word in words for part in stretches(word, marking, boundaries)]
    for merge in first:
        units = [merge_all(unit, merge) for unit in units]
    learned = [*first]
    while len(learned) < merges:
        counts = Counter(symbol for unit in units for symbol in unit)
        pairs = Counter(pair for unit in units for pair in pairwise(unit))
        scores = {
            pair: score_of(pair, count, counts, scoring)
            for pair, count in pairs.items()
            if count >= min_frequency
        }
        if not scores:
            break
        best = max(scores, key=lambda pair: (scores[pair], pair))
        if scores[best] == -inf:
            break
        learned.append(best)
        units = [merge_all(unit, best) for unit in units]
    return learned


def uniform(key, step, position, parts):
    counter = (step << 36) + (position << 8) + parts
    return (random_bits(key, counter) >> 11) * 2.0**-53


def key_of(seed, sentence, word):
    return random_bits(random_bits(seed, sentence + 1), word + 1)


def segment(symbols, merges, rate=0.0, key=0):
    """Apply merges to one unit by rank, with a rate of dropout; return its tokens, and the merge that removed
    each boundary."""
    tokens = [(symbol, i) for i, symbol in enumerate(symbols)]
    removed_by = [-1] * len(symbols)
    ranks = {}
    for rank, merge in enumerate(merges):
        ranks.setdefault(tuple(merge), rank)
    step = 0
    while True:
        possible = []
        for i in range(len(tokens)):
            for j in range(i + 2, len(tokens) + 1):
                rank = ranks.get(tuple(text for text, _ in tokens[i:j]))
                if rank is None:
                    continue
                if uniform(key, step, tokens[i][1], j - i - 1) >= rate:
                    possible.append((rank, i))
        if not possible:
            return [text for text, _ in tokens], removed_by
        best = min(possible)[0]
        merged, i = [], 0
        while i < len(tokens):
            if (best, i) in possible:
                parts = len(merges[best])
                for _, start in tokens[i + 1 : i + parts]:
                    removed_by[start] = best
                merged.append(("".join(merges[best]), tokens[i][1]))
                i += parts
            else:
                merged.append(tokens[i])
                i += 1
        tokens = merged
        step += 1
