"""MinGram, compared with a slow twin, and with known figures of the built-in texts."""

from collections import Counter
from math import log

import bpe_twin as twin
import pytest
from bpe_strategies import corpora, lines_of
from hypothesis import given
from unigram_twin import segmentations

import sides
from seggrid.segment.mingram import MinGram

SIDE = sides.side_of("mingram")


def learn(sentences, size):
    return MinGram.learn(sentences, size, SIDE)


def cut(word, pieces):
    """Fewest tokens, then the most probable, then the longest last token, last but one, ..."""

    def key(way):
        worth = sum(round(pieces.get(token, -100.0) * 2**40) for token in way)
        return -len(way), worth, [len(token.strip("▁")) for token in way[::-1]]

    singles = {*twin.initial_symbols(word, "start")}
    return max((way for way in segmentations(word) if {*way} <= {*pieces} | singles), key=key)


def slowly_learned(sentences, size):
    words = [word for words in sentences for word in words]
    symbols = {word: twin.initial_symbols(word, "start") for word in words}
    singles = {symbol for row in symbols.values() for symbol in row}
    merges = twin.learn(sentences, size * 11 // 10, True, "frequency", 2)
    final = Counter(token for word in words for token in twin.segment(symbols[word], merges)[0])
    total = sum(final.values())
    pieces = {t: log(max(1, final[t]) / total) for t in {*singles, *map("".join, merges)}}

    def twice(pieces):
        for _ in range(2):
            cuts = {word: cut(word, pieces) for word in symbols}
            counts = Counter(token for word in words for token in cuts[word])
            n = sum(counts.values())
            pieces = {
                piece: log(counts[piece] / n) if counts[piece] else -100.0
                for piece in pieces
                if counts[piece] or piece in singles
            }
        return pieces

    pieces = twice(pieces)
    most = sorted(({*pieces} - singles), key=lambda piece: (pieces[piece], piece), reverse=True)
    if len(most) > size:
        pieces = twice({piece: pieces[piece] for piece in {*most[:size], *singles}})
    return pieces


@given(sentences=corpora.filter(any))
def test_learns_and_cuts_as_defined(sentences):
    for size in (0, 5, 10):
        model = learn(sentences, size)
        expected = slowly_learned(sentences, size)
        assert model.numbers == pytest.approx(expected)
        (found,) = model.segment(sentences, SIDE, [0], 1)
        tokens = [[t for word in words for t in cut(word, model.numbers)] for words in sentences]
        assert lines_of(found) == tokens
