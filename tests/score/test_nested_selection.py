"""Nested selection, compared with a twin that is written out."""

import numpy as np
import pytest
from grids import counts_of

from seggrid.base.resampling import random_folds
from seggrid.score.metrics import F1, compute_metrics
from seggrid.score.selection import f1_without_folds, held_out, select


def f1_of(counts, sure, sentences):
    """Mean F1 of replicates (R, G, 3) on some sentences."""
    own = [compute_metrics(one[sentences].sum(axis=0), sure[sentences].sum())[F1] for one in counts]
    return np.mean(own)


def replicates_of(counts, cell):
    ends = np.cumsum(counts.replicates)
    return counts.counts[ends[cell] - counts.replicates[cell] : ends[cell]]


@pytest.mark.parametrize("seed", range(5))
def test_each_fold_is_scored_with_the_best_cell_of_the_others(seed):
    random = np.random.default_rng(seed)
    counts = counts_of(random, random.uniform(0.5, 0.55, 6), sentences=23, replicates=2)
    fold = random_folds(23, 5, seed)
    family = np.array([1, 2, 4])
    found = select(counts, family, fold, f1_without_folds(counts, fold))
    for number in range(5):
        others = np.flatnonzero(fold != number)
        f1 = [f1_of(replicates_of(counts, cell), counts.sure, others) for cell in family]
        cell = family[int(np.argmax(f1))]
        assert found.chosen[number] == cell
        for sentence in np.flatnonzero(fold == number):
            assert (found.counts[:, sentence] == replicates_of(counts, cell)[:, sentence]).all()
    every = [f1_of(replicates_of(counts, cell), counts.sure, np.arange(23)) for cell in family]
    assert found.best == family[int(np.argmax(every))]


def test_of_equal_cells_the_first_is_chosen():
    counts = counts_of(np.random.default_rng(0), [0.6], sentences=8)
    twice = type(counts)(
        np.array(["a", "b"]), np.array([1, 1]), counts.sure, np.repeat(counts.counts, 2, axis=0)
    )
    fold = random_folds(8, 4, 0)
    found = select(twice, np.array([0, 1]), fold, f1_without_folds(twice, fold))
    assert (found.best, found.chosen.tolist()) == (0, [0] * 4)


def test_replicates_of_unlike_cells_count_equally():
    random = np.random.default_rng(1)
    one, three = (counts_of(random, [0.6], sentences=6, replicates=n) for n in (1, 3))
    both = type(one)(
        np.array(["a", "b"]), np.array([1, 3]), one.sure, np.concatenate([one.counts, three.counts])
    )
    counts = held_out(both, np.array([0, 1]), np.array([0, 0, 1, 1, 0, 1]))
    assert counts.shape == (3, 6, 3)
    assert (counts[:, 0] == one.counts[0, 0]).all()
    assert (counts[:, 2] == three.counts[:, 2]).all()
