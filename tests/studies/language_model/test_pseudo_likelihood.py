from itertools import pairwise
from math import log

import numpy as np
import pytest
from model_twins import pll

from seggrid.studies.language_model import pseudo_likelihood
from seggrid.studies.language_model.pseudo_likelihood import by_sentence, pseudo_log_likelihoods
from seggrid.studies.language_model.scores import SentenceScores, measure_model
from seggrid.text.ragged import offsets_of

VOCABULARY = 60


def contextual(sequences, masked, targets):
    """A made-up model that depends on every id and its position: a softmax over random projections."""
    generator = np.random.default_rng(3)
    embedding = generator.normal(size=(VOCABULARY, 8))
    place = generator.normal(size=(64, 8))
    output = generator.normal(size=(8, VOCABULARY))
    hidden = np.tanh(embedding[sequences] * place[: sequences.shape[1]]).sum(axis=1)
    logits = (hidden + place[masked]) @ output
    logits -= np.log(np.exp(logits - logits.max(axis=1, keepdims=True)).sum(axis=1, keepdims=True))
    logits -= logits.max(axis=1, keepdims=True)
    rows = np.arange(len(targets))
    return logits[rows, targets] - np.log(np.exp(logits).sum(axis=1))


@pytest.fixture
def text():
    """Ten sentences of ids, and their lengths."""
    generator = np.random.default_rng(1)
    lengths = generator.integers(1, 20, size=10)
    return generator.integers(5, VOCABULARY, size=lengths.sum()).astype(np.int32), lengths


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Batches of a hundred tokens."""
    monkeypatch.setattr(pseudo_likelihood, "BATCH_TOKENS", 100)


def scored(predict, ids, lengths, **options):
    options = {"longest": 64, **options}
    *_, (values, share) = pseudo_log_likelihoods(predict, ids, lengths, **options)
    assert share == 1
    return by_sentence(values, lengths)


def test_batches_give_what_masking_one_by_one_gives(text, monkeypatch):
    ids, lengths = text
    offsets = offsets_of(lengths)
    slow = [pll(contextual, ids[a:b]) for a, b in pairwise(offsets)]
    for size in (1, 100, 10**6):
        monkeypatch.setattr(pseudo_likelihood, "BATCH_TOKENS", size)
        assert scored(contextual, ids, lengths) == pytest.approx(slow, abs=1e-5)


def test_a_uniform_model_has_the_perplexity_of_its_vocabulary(text):
    ids, lengths = text
    uniform = scored(lambda *batch: np.full(len(batch[2]), -log(VOCABULARY)), ids, lengths)
    ones = np.ones(len(lengths), dtype=int)
    pppl, per_character, per_word = measure_model(
        SentenceScores(uniform, lengths, 2 * lengths, ones, 0 * ones)
    )
    assert pppl == pytest.approx(VOCABULARY)
    assert per_character == pytest.approx(log(VOCABULARY) / log(2) / 2)
    assert per_word == pytest.approx(per_character * 2 * lengths.sum() / len(lengths))


def test_a_sentence_longer_than_a_sequence_is_scored_in_pieces():
    ids = np.arange(5, 12, dtype=np.int32)
    pieces = [pll(contextual, part) for part in (ids[:3], ids[3:6], ids[6:])]
    assert scored(contextual, ids, np.array([7]), longest=5) == pytest.approx([sum(pieces)])


def test_an_interrupted_call_goes_on_where_it_was(text):
    ids, lengths = text
    calls = []

    def counting(*batch):
        calls.append(len(batch[2]))
        return contextual(*batch)

    whole = scored(counting, ids, lengths)
    batches, first = len(calls), calls[0]
    halting = pseudo_log_likelihoods(contextual, ids, lengths, longest=64)
    values, share = next(halting)
    assert share == pytest.approx(first / len(ids))
    calls.clear()
    assert scored(counting, ids, lengths, done=values.copy()).tolist() == whole.tolist()
    assert len(calls) == batches - 1
