"""The four metrics against their definitions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seggrid.data.links import Links
from seggrid.score.metrics import count_hits, scores

link = st.tuples(st.integers(0, 4), st.integers(0, 4))
corpora = st.lists(st.tuples(st.sets(link), st.sets(link), st.sets(link)), min_size=1, max_size=5)


def test_a_worked_example():
    # |A| = 4, A ∩ S = {0-0}, A ∩ P = {0-0, 1-2}, |S| = 2.
    links = Links.from_lines(["0-0 1-2 2-2 3-3"])
    sure, possible = Links.from_lines(["0-0 1-1"]), Links.from_lines(["0-0 1-1 1-2"])
    counts = count_hits(links, sure, possible)
    assert counts.tolist() == [[4, 1, 2]]
    got = scores(counts, counts[:, 0] * 0 + 2)
    assert (got.precision, got.recall) == (2 / 4, 1 / 2)
    assert got.f1 == pytest.approx(0.5)
    assert got.aer == pytest.approx(1 - 3 / 6)


@given(corpora)
def test_agrees_with_sets(corpus):
    found, sure, extra = zip(*corpus, strict=True)
    possible = [s | e for s, e in zip(sure, extra, strict=True)]
    counts = count_hits(Links.from_sets(found), Links.from_sets(sure), Links.from_sets(possible))
    for row, a, s, p in zip(counts.tolist(), found, sure, possible, strict=True):
        assert row == [len(a), len(a & s), len(a & p)]


@given(st.sets(link, min_size=1))
def test_the_gold_itself_is_perfect(gold):
    links = Links.from_sets([gold])
    counts = count_hits(links, links, links)
    got = scores(counts, counts[:, 0])
    assert (got.precision, got.recall, got.f1, got.aer) == (1, 1, 1, 0)


def test_nothing_found_is_not_an_error():
    gold = Links.from_lines(["0-0"])
    counts = count_hits(Links.from_lines([""]), gold, gold)
    got = scores(counts, counts[:, 0] + 1)
    assert (got.precision, got.recall, got.f1, got.aer) == (0, 0, 0, 1)
