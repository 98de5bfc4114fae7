"""Consensus, the measure without gold: computed by hand, and compared with the F1 that it predicts."""

import numpy as np
import pytest

from seggrid.data.links import Links
from seggrid.score.consensus import EXPECTED, HITS, LINKS, consensus, evidence
from seggrid.score.votes import Means


def means(*sentences):
    """Probabilities of links, one dict per sentence."""
    links = Links.from_sets(sentences)
    values = [row[pair] for row in sentences for pair in sorted(row)]
    return Means(links, np.array(values, dtype=float))


def test_evidence_by_hand():
    a = means({(0, 0): 0.9, (1, 1): 0.3}, {})
    b = means({(0, 0): 0.8}, {(2, 2): 0.5})
    c = means({(0, 0): 1.0, (0, 1): 0.4}, {(2, 2): 0.1})
    found = evidence([a, b, c], [0.5, 0.2])
    assert found.shape == (3, 2, 2, 3)
    # For a at 0.5: one link, to which the others give 0.9; they expect 0.9 + 0.2 links in this sentence, 0.3
    # in the next.
    assert found[0, 0, 0] == pytest.approx([0.9, 1, 1.1])
    assert found[0, 0, 1] == pytest.approx([0, 0, 0.3])
    assert found[0, 1, 0] == pytest.approx([0.9, 2, 1.1])
    assert (found[..., HITS] <= found[..., LINKS] + 1e-12).all()
    assert (found[..., HITS] <= found[..., EXPECTED] + 1e-12).all()
    assert consensus(found.sum(axis=2))[0, 0] == pytest.approx(1.8 / (1 + 1.4))


def test_cells_that_agree_are_borne_out_and_one_that_is_merely_sure_is_not():
    right = {(k, k): 0.7 for k in range(4)}
    wrong = {(k, 3 - k): 1.0 for k in range(4)}
    values = consensus(evidence([means(right), means(right), means(wrong)], [0.5]).sum(axis=2))
    assert values[0, 0] == values[1, 0] > values[2, 0] == 0


def test_nothing_at_all_is_zero():
    assert consensus([0, 0, 0]) == 0
