from dataclasses import fields
from functools import partial

import numpy as np
import pytest

from seggrid.language_model.scores import (
    ProbeScores,
    SentenceScores,
    TaskScores,
    difference,
    interval,
    measure,
    read_scores,
    write_scores,
)


def scores(sentences, loss, seed=1, shift=0.0):
    """Sentences whose tokens are each predicted with a loss (in nats) that varies a little."""
    generator = np.random.default_rng(seed)
    tokens = generator.integers(5, 30, size=sentences)
    each = loss + generator.normal(0, 0.3, size=sentences) + shift
    none = np.zeros(sentences, dtype=int)
    return SentenceScores(-each * tokens, tokens, 5 * tokens, tokens, none)


def ends(own, rounds, seed):
    return interval(partial(measure, own), len(own.pll), rounds, seed)


def test_an_interval_covers_the_truth_about_as_often_as_it_says():
    covered = 0
    for seed in range(100):
        low, high = ends(scores(200, 2.0, seed=seed), 300, seed=seed)[0]
        covered += low <= np.exp(2.0) <= high
    assert 86 <= covered <= 100


def test_what_is_hard_for_both_models_cancels_out():
    ours, theirs = scores(200, 2.0, shift=0.1), scores(200, 2.0)
    apart = ends(ours, 500, 1)
    (ratio, low, high), *_ = difference(ours, theirs, 500, 1)
    assert ratio == pytest.approx(np.exp(0.1))
    assert high - low < 1e-6 < np.ptp(apart[0])


@pytest.mark.parametrize(
    "written",
    [
        scores(20, 2.0),
        ProbeScores(np.array([1.0, 0.5]), np.array([2, 3]), np.array([0, 1])),
        TaskScores(
            *np.arange(10).reshape(5, 2), np.array([9]), np.array([3, 60]), np.array([4, 10])
        ),
    ],
)
def test_scores_are_read_as_they_were_written(tmp_path, written):
    write_scores(tmp_path / "scores.npz", written)
    read = read_scores(tmp_path / "scores.npz", type(written))
    for field in fields(written):
        assert getattr(read, field.name).tolist() == getattr(written, field.name).tolist()
