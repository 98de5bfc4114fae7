"""The four metrics, compared with their definitions."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from seggrid.score.metrics import compute_metrics, count_hits
from seggrid.text.links import Links

link = st.tuples(st.integers(0, 4), st.integers(0, 4))
corpora = st.lists(st.tuples(st.sets(link), st.sets(link), st.sets(link)), min_size=1, max_size=5)


def test_any_number_of_axes_at_once():
    counts = np.array([[[10, 6, 8], [0, 0, 0]], [[4, 4, 4], [5, 0, 1]]])
    sure = np.array([8, 4])
    found = compute_metrics(counts, sure)
    assert found.shape == (2, 2, 4)
    for i in range(2):
        for j in range(2):
            assert found[i, j].tolist() == compute_metrics(counts[i, j], sure[j]).tolist()
    # Sums of many resamples with one number of sure links, and one sum with many numbers.
    assert compute_metrics(counts, 4).shape == (2, 2, 4)
    assert compute_metrics([10, 6, 8], sure).shape == (2, 4)


@given(corpora)
def test_agrees_with_sets(corpus):
    found, sure, extra = zip(*corpus, strict=True)
    possible = [s | e for s, e in zip(sure, extra, strict=True)]
    counts = count_hits(Links.from_sets(found), Links.from_sets(sure), Links.from_sets(possible))
    for row, a, s, p in zip(counts.tolist(), found, sure, possible, strict=True):
        assert row == [len(a), len(a & s), len(a & p)]
    # The definitions, written out for the sums.
    links, hits, allowed = (sum(row[k] for row in counts.tolist()) for k in range(3))
    gold = sum(map(len, sure))
    precision, recall = allowed / links if links else 0, hits / gold if gold else 0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0
    aer = 1 - (hits + allowed) / (links + gold) if links + gold else 1
    assert compute_metrics(counts.sum(axis=0), gold).tolist() == [precision, recall, f1, aer]
