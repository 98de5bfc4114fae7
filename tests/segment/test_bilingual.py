"""The bilingual unigram model, compared with the enumeration of all segmentations."""

from collections import Counter, defaultdict
from math import exp, fsum, log

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from unigram_twin import is_single, segmentations

import builtin_pair
from seggrid.segment import bilingual
from seggrid.segment.bilingual import Bilingual, Lattices, learned_under, links
from seggrid.segment.side_segmenter import segment_text
from seggrid.segment.unigram import Unigram
from seggrid.segment.units import WordTypes
from sides import read_back, side_of

SIDE = side_of("bilingual")
words = st.text("ab", min_size=1, max_size=5)
rows = st.lists(words, min_size=1, max_size=4)
pairs = st.lists(st.tuples(rows, rows), min_size=1, max_size=4)


def whole(types):
    return types.segmentation_of_words(["▁" + word] for word in types.words)


def slow_links(texts):
    """The expected links of IBM model 1, both ways; a token is (side, text), or (side, None) for none."""
    found = Counter()
    for side in (0, 1):
        chance = defaultdict(lambda: 1.0)
        for _ in range(bilingual.IBM_PASSES):
            expected, totals = Counter(), Counter()
            for pair in texts:
                tokens = [*pair[1 - side], None]
                for word in pair[side]:
                    norm = fsum(chance[word, token] for token in tokens)
                    for token in tokens:
                        expected[word, token] += chance[word, token] / norm
                        totals[token] += chance[word, token] / norm
            chance = {(w, s): n / totals[s] for (w, s), n in expected.items()}
        found.update({(w, (1 - side, s)): n for (w, s), n in expected.items()})
    return found


@given(pairs)
def test_links_are_those_of_ibm_model_1(texts):
    types = WordTypes.from_sentences([pair[side] for side in (0, 1) for pair in texts])
    cut = whole(types)
    ours, expected = links(types, cut, len(texts)), slow_links(texts)
    best, counts = Counter(), Counter(word for pair in texts for row in pair for word in row)
    for (word, _), n in expected.items():
        best[word] = max(best[word], n)
    assume(all(abs(n / best[w] - bilingual.LIKELY) > 1e-6 for (w, _), n in expected.items()))
    kept = {key: n for key, n in expected.items() if n > bilingual.LIKELY * best[key[0]]}
    totals = Counter()
    for (word, _), n in kept.items():
        totals[word] += n
    texts_of = [*(text.removeprefix("▁") for text in cut.types), None]
    found = {
        (types.words[w], (s // len(texts_of), texts_of[s % len(texts_of)])): n
        for w, s, n in zip(*ours, strict=True)
    }
    assert found == pytest.approx({k: n * counts[k[0]] / totals[k[0]] for k, n in kept.items()})


def ways(word, pieces):
    return [way for way in segmentations(word) if pieces.issuperset(way)]


def likelihood(linked, chance, pieces):
    return fsum(
        n * log(fsum(np.prod([chance[x, s] for x in way]) for way in ways(w, pieces)))
        for (w, s), n in linked.items()
    )


def slowly_learned(linked, p, size):
    """The probability of each piece, and of each pair of a piece and a token; None if the choice is close."""
    pieces, chance = {*p}, None
    while True:
        for _ in range(bilingual.PASSES):
            expected = Counter()
            for (word, token), n in linked.items():
                of = p if chance is None else {x: chance.get((x, token)) for x in pieces}
                found = [(way, np.prod([of[x] for x in way])) for way in ways(word, pieces)]
                total = fsum(share for _, share in found)
                for way, share in found:
                    expected.update({(x, token): 0.0 for x in way})
                    for x in way:
                        expected[x, token] += n * share / total
            p = Counter()
            for (x, _), n in expected.items():
                p[x] += n
            p = {x: max(p[x], bilingual.LEAST if is_single(x) else 0.0) for x in pieces}
            p = {x: n / fsum(p.values()) for x, n in p.items()}
            totals = Counter()
            for (_, token), n in expected.items():
                totals[token] += n
            chance = {
                (x, s): (n + bilingual.PRIOR * p[x]) / (totals[s] + bilingual.PRIOR)
                for (x, s), n in expected.items()
            }
        several = [x for x in pieces if not is_single(x)]
        if len(several) <= size:
            return p, chance

        full = likelihood(linked, chance, pieces)
        loss = sorted((full - likelihood(linked, chance, pieces - {x}), x) for x in several)
        kept = max(size, int(bilingual.KEPT * len(several)))
        if abs(loss[-kept][0] - loss[-kept - 1][0]) < 1e-9:
            return None
        pieces = {x for x in pieces if is_single(x)} | {x for _, x in loss[-kept:]}
        p = {x: p[x] for x in pieces}


@st.composite
def linked_words(draw):
    keys = draw(st.lists(st.tuples(words, st.integers(0, 2)), min_size=1, max_size=6, unique=True))
    return {key: draw(st.integers(1, 9)) / 2 for key in sorted(keys)}


@settings(deadline=None)
@given(linked_words(), st.integers(1, 3))
def test_learning_is_em_and_pruning_by_the_likelihood(linked, size):
    distinct = sorted({word for word, _ in linked})
    pieces = sorted({x for word in distinct for way in segmentations(word) for x in way})
    pieces.sort(key=lambda x: not is_single(x))
    n_symbols = sum(map(is_single, pieces))
    start = {x: 1 / len(pieces) for x in pieces}
    expected = slowly_learned(linked, start, size)
    assume(expected is not None)
    arcs, offsets, texts, _ = Unigram(dict.fromkeys(pieces, 0.0)).lattices(distinct)
    assert texts == pieces
    own = (
        np.array([distinct.index(word) for word, _ in linked]),
        np.array([token for _, token in linked]),
        np.array([*linked.values()]),
    )
    lattices = Lattices.of(arcs, offsets, own)
    shares, kept, log_p = learned_under(lattices, np.array([*start.values()]), n_symbols, size)
    p, chance = expected
    assert {pieces[k]: shares[k] for k in kept} == pytest.approx(p, abs=1e-9)
    pairs = zip(lattices.piece, lattices.token, np.exp(log_p), strict=True)
    found = {(pieces[x], s): value for x, s, value in pairs if x in kept}
    assert found == pytest.approx(chance, abs=1e-9)
    # The segmentation of a word makes all its links most likely.
    best, counts = lattices.best(arcs, offsets, log_p)
    tokens = iter(pieces[x] for x in best)

    def worth(word, way):
        own = ((n, s) for (w, s), n in linked.items() if w == word)
        return fsum(n * log(chance[x, s]) for n, s in own for x in way)

    for word, count in zip(distinct, counts, strict=True):
        best = max(worth(word, way) for way in ways(word, {*p}))
        assert worth(word, [next(tokens) for _ in range(count)]) == pytest.approx(best)


def test_a_word_that_was_not_learned_is_cut_as_by_its_unigram_model(tmp_path):
    texts = [row for name in ("eng", "deu") for row in builtin_pair.words_of(name)[:200]]
    model = Bilingual.learn(texts, 300, SIDE)
    assert model.learned == 300
    assert fsum(map(exp, model.numbers.values())) == pytest.approx(1)
    new = [["teachings", "unlehrerhaft"]]
    (ours,) = segment_text(new, SIDE, model, [0])
    (theirs,) = segment_text(new, side_of("unigram"), Unigram(model.numbers), [0])
    assert ours.sentence(0) == theirs.sentence(0)
    assert read_back("bilingual", model, tmp_path) == model
