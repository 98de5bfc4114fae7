"""Links from similarities: worked examples, literal definitions; `test_embeddings` compares with simalign."""

from itertools import permutations
from math import exp

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from seggrid.align.embeddings.extraction import (
    argmax,
    decided,
    diagonal_prior,
    entropies,
    extract,
    itermax,
    match_pieces,
    probabilities,
    similarities,
)
from seggrid.align.embeddings.options import EXTRACTIONS

SHAPES = st.tuples(st.integers(1, 6), st.integers(1, 6))
# Few values, so that there are ties.
TIED = SHAPES.flatmap(
    lambda shape: arrays.arrays(np.float64, shape, elements=st.integers(0, 4).map(lambda k: k / 4))
)
SEEDS = st.integers(0, 2**32 - 1)


def drawn(seed, n, m, width=8):
    """Vectors of a pair of n and m pieces; those of the source are close to some of the target's."""
    random = np.random.default_rng(seed)
    target = random.normal(size=(m, width))
    source = target[random.integers(0, m, size=n)] + random.normal(size=(n, width))
    return source.astype(np.float32), target.astype(np.float32)


def links(flags):
    return {(int(i), int(j)) for i, j in np.argwhere(flags)}


def first_best(values):
    """The index of the largest value, the first of several, and that value."""
    return max(range(len(values)), key=lambda k: (values[k], -k))


def mutual(table):
    rows, columns = range(len(table)), range(len(table[0]))
    return {
        (i, j)
        for i in rows
        for j in columns
        if first_best(table[i]) == j and first_best([table[k][j] for k in rows]) == i
    }


@given(TIED)
def test_argmax_is_what_two_pieces_agree_on(similarity):
    assert links(argmax(similarity)) == mutual(similarity.tolist())


@given(TIED)
def test_itermax_is_argmax_twice(similarity):
    table = similarity.tolist()
    rows, columns = range(len(table)), range(len(table[0]))
    expected = mutual(table)
    sources, targets = {i for i, _ in expected}, {j for _, j in expected}
    if min(similarity.shape) > 2 and len(sources) < len(rows) and len(targets) < len(columns):
        factor = [1, 0.9, 0]
        discounted = [
            [table[i][j] * factor[(i in sources) + (j in targets)] for j in columns] for i in rows
        ]
        again = mutual(discounted)
        expected |= {(i, j) for i, j in again if i not in sources or j not in targets}
    assert links(itermax(similarity)) == expected


@given(st.integers(1, 5), st.integers(1, 5), SEEDS)
def test_match_is_the_best_of_all_assignments(n, m, seed):
    pytest.importorskip("scipy", reason="pip install scipy")
    similarity = similarities(*drawn(seed, n, m))
    found = links(match_pieces(similarity))
    assert len(found) == len({i for i, _ in found}) == len({j for _, j in found}) == min(n, m)
    wide = similarity if n <= m else similarity.T
    best = max(
        sum(wide[i, j] for i, j in enumerate(chosen))
        for chosen in permutations(range(max(n, m)), min(n, m))
    )
    assert sum(similarity[i, j] for i, j in found) == pytest.approx(best, rel=1e-6)


def test_vectors_are_compared_by_direction_alone():
    source, target = np.array([[2.0, 0.0], [0.0, 0.0]]), np.array([[3.0, 0.0], [0.0, 5.0], [-1, 0]])
    assert similarities(source, target).tolist() == [[1, 0.5, 0], [0.5, 0.5, 0.5]]


def test_entropy_is_that_of_the_more_decided_side():
    similarity = np.array([[0.5, 0.5], [0.0, 1.0]])
    flags = np.array([[True, True], [False, True]])
    # Column 0 and row 1 have low entropy, column 1 and row 0 high entropy.
    uneven = -(1 / 3 * np.log(1 / 3) + 2 / 3 * np.log(2 / 3)) / np.log(2)
    assert entropies(similarity, flags) == pytest.approx([0, uneven, 0])


@pytest.mark.parametrize("extraction", ["argmax", "itermax"])
def test_the_null_threshold_leaves_out_the_most_undecided(extraction):
    pairs = [similarities(*drawn(seed, 7, 9)) for seed in range(40)]
    found, entropy = zip(*(extract(pair, extraction, 0.9) for pair in pairs), strict=True)
    kept = decided(found, entropy, 0.9)
    assert sum(map(len, kept)) == pytest.approx(0.9 * sum(map(len, found)), abs=1)
    of_kept, of_others = [], []
    for similarity, every, own in zip(pairs, found, kept, strict=True):
        flags = {"argmax": argmax, "itermax": itermax}[extraction](similarity)
        assert every.tolist() == np.argwhere(flags).tolist()
        for link, value in zip(every, entropies(similarity, flags), strict=True):
            (of_kept if link.tolist() in own.tolist() else of_others).append(value)
    assert max(of_kept) < min(of_others)
    plain, none = zip(*(extract(pair, extraction) for pair in pairs), strict=True)
    assert [links.tolist() for links in decided(plain, none, 1)] == [x.tolist() for x in found]


@pytest.mark.parametrize("extraction", EXTRACTIONS)
@pytest.mark.parametrize("shape", [(0, 1), (1, 0), (0, 0), (1, 1)])
def test_empty_sides_have_no_links(extraction, shape):
    if extraction == "match":
        pytest.importorskip("scipy", reason="pip install scipy")
    similarity = np.ones(shape, dtype=np.float32)
    for null_threshold in (1, 0.5):
        found, entropy = extract(similarity, extraction, null_threshold)
        kept = decided([found], [entropy], null_threshold)
        assert kept[0].tolist() == ([[0, 0]] if all(shape) else [])
    assert probabilities(similarity, 0.1).tolist() == similarity.tolist()


@pytest.mark.parametrize(("diagonal", "deviation"), [("2", 2), ("length", 2.5 * 6**0.5)])
def test_the_prior_is_a_gaussian_of_the_distance_in_pieces_of_the_longer_side(diagonal, deviation):
    # Three pieces beside six: the middles of the first are at 1/6, 1/2 and 5/6 of the line.
    found = diagonal_prior(3, 6, diagonal)
    expected = [
        [-((6 * ((i + 0.5) / 3 - (j + 0.5) / 6)) ** 2) / (2 * deviation**2) for j in range(6)]
        for i in range(3)
    ]
    np.testing.assert_allclose(found, expected, atol=1e-6)
    assert diagonal_prior(0, 3, diagonal).shape == (0, 3)


@given(st.integers(1, 5), st.integers(1, 5), SEEDS, st.sampled_from([0.03, 0.1, 1.0]))
def test_probabilities_are_the_mean_of_both_softmaxes_of_the_cosines(n, m, seed, temperature):
    source, target = drawn(seed, n, m)
    cosine = [
        [float(a @ b) / float(np.linalg.norm(a) * np.linalg.norm(b)) for b in target]
        for a in source
    ]
    powers = [[exp(value / temperature) for value in row] for row in cosine]
    expected = [
        [
            (powers[i][j] / sum(powers[i]) + powers[i][j] / sum(row[j] for row in powers)) / 2
            for j in range(m)
        ]
        for i in range(n)
    ]
    found = probabilities(similarities(source, target), temperature)
    np.testing.assert_allclose(found, expected, atol=1e-4)
