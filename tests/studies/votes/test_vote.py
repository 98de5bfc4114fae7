"""Votes across cells: the links that they keep, learned weights, and that no sentence influences its own
links."""

from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seggrid.base.errors import InputError
from seggrid.score.metrics import AER, METRICS, compute_metrics, count_hits
from seggrid.studies.votes.study import Votes
from seggrid.studies.votes.vote import (
    Candidates,
    Vote,
    choose_weights,
    compare_with_best,
    cross_validate,
    logistic_regression,
    table_of_votes,
)
from seggrid.text.gold import Gold
from seggrid.text.links import Links

LINK_SETS = st.frozensets(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=6)


# The links of one to four members, of the same three sentences.
MEMBERS = st.lists(st.lists(LINK_SETS, min_size=3, max_size=3), min_size=1, max_size=4)


def gold_of(sure, possible=None):
    sure = Links.from_sets(sure)
    possible = sure if possible is None else Links.from_sets(possible)
    return Gold(np.arange(len(sure)), sure, possible)


def drawn(seed, sentences=60, rates=(0.8, 0.75, 0.7, 0.5)):
    """Gold, and members that have each gold link at some rate, and as many random links."""
    random = np.random.default_rng(seed)
    gold = [{(i, int(random.integers(0, 6))) for i in range(6)} for _ in range(sentences)]
    every = [(i, j) for i in range(6) for j in range(6)]
    members = [
        Links.from_sets(
            {link for link in every if random.random() < (rate if link in own else (1 - rate) / 5)}
            for own in gold
        )
        for rate in rates
    ]
    return gold_of(gold), members


def aer(links, gold):
    counts = count_hits(links, gold.sure, gold.possible).sum(axis=0)
    return compute_metrics(counts, len(gold.sure.pairs))[AER]


@given(MEMBERS, st.data())
def test_a_link_is_kept_that_members_of_enough_weight_have(members, data):
    weights = data.draw(st.lists(st.integers(0, 3), min_size=len(members), max_size=len(members)))
    threshold = data.draw(st.fractions(0, 1, max_denominator=7))
    candidates = Candidates.from_members([Links.from_sets(member) for member in members])
    kept = candidates.keep(Vote.from_threshold(weights, threshold).decide(candidates.has))
    for s in range(len(members[0])):
        every = set().union(*(member[s] for member in members))
        weight = {
            link: sum(w for w, member in zip(weights, members, strict=True) if link in member[s])
            for link in every
        }
        expected = {link for link in every if weight[link] > threshold * sum(weights)}
        assert set(kept.sentence(s)) == expected


def test_hits_are_those_of_the_gold():
    gold = gold_of([{(0, 0)}, {(1, 1)}], [{(0, 0), (0, 1)}, {(1, 1)}])
    candidates = Candidates.from_members([Links.from_sets([{(0, 0), (0, 1)}, {(0, 0)}])])
    assert candidates.hits(gold).tolist() == [[True, True], [False, True], [False, False]]


def error_of(vote, candidates, gold):
    return aer(candidates.keep(vote.decide(candidates.has)), gold)


@pytest.mark.parametrize("seed", range(5))
def test_the_chosen_vote_is_about_as_good_as_the_best_of_all(seed):
    gold, members = drawn(seed)
    candidates = Candidates.from_members(members)
    chosen = choose_weights(candidates.has, candidates.hits(gold), len(gold.sure.pairs))
    # All weights from 0 to 2, with every bound.
    every = [
        error_of(Vote(np.array(weights, dtype=float), above), candidates, gold)
        for weights in product(range(3), repeat=len(members))
        for above in range(sum(weights))
    ]
    assert error_of(chosen, candidates, gold) <= min(every) + 0.02
    assert min(every) < min(aer(member, gold) for member in members)
    # The best member has a larger weight than the worst.
    assert chosen.weights[0] > chosen.weights[-1]


def test_the_bound_is_the_best_there_is():
    gold, members = drawn(11)
    candidates = Candidates.from_members(members)
    chosen = choose_weights(candidates.has, candidates.hits(gold), len(gold.sure.pairs))
    sums = candidates.has @ chosen.weights
    errors = [error_of(Vote(chosen.weights, above), candidates, gold) for above in sums - 1e-6]
    assert error_of(chosen, candidates, gold) == pytest.approx(min(errors))


def test_logistic_regression_is_scipys_minimum():
    optimize = pytest.importorskip("scipy.optimize", reason="pip install scipy")
    random = np.random.default_rng(0)
    features = random.random((300, 4)) < 0.5
    positive = random.random(300) < 1 / (1 + np.exp(1 - features @ np.array([2, 1, 0, -1])))

    def loss(values):
        odds = features @ values[:-1] + values[-1]
        signed = np.where(positive, odds, -odds)
        return np.logaddexp(0, -signed).sum() + 0.5 * 0.7 * (values[:-1] ** 2).sum()

    best = optimize.minimize(loss, np.zeros(5), tol=1e-10).x
    assert logistic_regression(features, positive, 0.7) == pytest.approx(best[:-1], abs=1e-3)


def test_nothing_to_vote_on_is_nothing():
    nothing = Links.from_sets([set(), set()])
    gold = gold_of([{(0, 0)}, set()])
    found = cross_validate(Candidates.from_members([nothing, nothing]), gold, 2, 0)
    assert found.links.lines() == ["", ""]


def test_no_sentence_helps_to_decide_itself():
    gold, members = drawn(3)
    candidates = Candidates.from_members(members)
    first = cross_validate(candidates, gold, folds=5, seed=1)
    assert sorted(np.bincount(first.fold)) == [12] * 5
    assert len(first.votes) == 5
    # Changing the gold of one fold changes the links of all other folds, but not of that one.
    shuffled = [
        gold.sure.sentence(s) if first.fold[s] else [(i, 5 - j) for i, j in gold.sure.sentence(s)]
        for s in range(len(gold.sure))
    ]
    again = cross_validate(candidates, gold_of(shuffled), folds=5, seed=1)
    for s in np.flatnonzero(first.fold == 0):
        assert again.links.sentence(s) == first.links.sentence(s)
    assert again.votes[0].weights.tolist() == first.votes[0].weights.tolist()


@pytest.mark.parametrize(("sentences", "folds"), [(1, 2), (7, 8)])
def test_fewer_sentences_than_folds_are_refused(sentences, folds):
    gold, members = drawn(5, sentences=sentences)
    with pytest.raises(InputError, match=f"{sentences} sentences with gold, fewer than {folds}"):
        cross_validate(Candidates.from_members(members), gold, folds, seed=0)


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_the_members_changes_nothing(seed):
    gold, members = drawn(seed)
    order = np.random.default_rng(seed).permutation(len(members))
    votes, kept, held_out = [], [], []
    for own in (members, [members[k] for k in order]):
        candidates = Candidates.from_members(own)
        vote = choose_weights(candidates.has, candidates.hits(gold), len(gold.sure.pairs))
        votes.append(vote.weights)
        kept.append(candidates.keep(vote.decide(candidates.has)).lines())
        held_out.append(cross_validate(candidates, gold, 4, 1).links.lines())
    assert votes[1] == pytest.approx(votes[0][order], abs=1e-6)
    assert kept[0] == kept[1]
    assert held_out[0] == held_out[1]


NAMES = ["a", "b", "c", "d"]


@pytest.fixture(scope="module")
def voted():
    gold, members = drawn(8, sentences=80)
    found = cross_validate(Candidates.from_members(members), gold, 5, 1)
    return gold, members, found


def test_an_ensemble_is_set_beside_its_best_member(voted):
    gold, members, found = voted
    row = compare_with_best(found.links, NAMES, members, gold, rounds=200, seed=1)
    errors = [aer(member, gold) for member in members]
    best = int(np.argmin(errors))
    assert (row["members"], row["best_member"]) == (4, NAMES[best])
    assert row["best_aer"] == errors[best]
    assert row["aer"] == aer(found.links, gold)
    assert row["delta_aer"] == row["aer"] - row["best_aer"]
    counts = count_hits(found.links, gold.sure, gold.possible).sum(axis=0)
    expected = compute_metrics(counts, len(gold.sure.pairs))
    assert [row[metric] for metric in METRICS] == expected.tolist()
    for name in (*METRICS, "delta_f1", "delta_aer"):
        assert row[f"{name}_low"] <= row[name] <= row[f"{name}_high"]
    # These members make independent errors, so their vote is significantly better than each.
    assert row["delta_aer_high"] < 0
    assert row["p"] < 0.01


def test_without_gold_there_are_links_but_no_scores(voted):
    _, members, _ = voted
    none = Links.from_sets([set()] * 80)
    gold = Gold(np.arange(80), none, none)
    row = compare_with_best(members[0], NAMES, members, gold, rounds=100, seed=1)
    assert {name for name, value in row.items() if value is not None} == {"members"}
    table = table_of_votes(NAMES, members, gold, Vote.from_threshold([1] * 4, Fraction(1, 2)))
    assert table[["f1", "aer"]].isna().all(axis=None)
    assert table["weight"].tolist() == [1] * 4


def test_votes_are_told_with_how_far_they_differ_from_part_to_part(voted):
    gold, members, found = voted
    table = table_of_votes(NAMES, members, gold, found)
    assert table["member"].tolist() == NAMES
    assert table["aer"].tolist() == [aer(member, gold) for member in members]
    assert table["weight"].tolist() == found.every.weights.tolist()
    assert (table["weight_low"] <= table["weight_high"]).all()
    assert table["weight_low"].tolist() == np.min([v.weights for v in found.votes], axis=0).tolist()
    given = table_of_votes(NAMES, members, gold, Vote.from_threshold([1, 2, 0, 1], Fraction(1, 2)))
    assert given["weight"].tolist() == given["weight_low"].tolist() == [1, 2, 0, 1]
    assert set(given["above"]) == {2}


def test_votes_are_families_of_their_own_among_the_selections():
    scores = dict.fromkeys(("f1", "aer", "best_f1", "best_aer"), 0.5)
    scores |= {f"{name}_{end}": 0.5 for name in ("f1", "aer") for end in ("low", "high")}
    vote = {"ensemble": "v", "pair": "p", "members": 3, "gold_used": "none", "best_member": "p/c1"}
    (row,) = Votes.selections({"ensembles": pd.DataFrame([vote | scores])})
    head = {
        "pair": "p",
        "family": "vote v",
        "cells": 3,
        "best": "p/c1",
        "chosen": "gold used: none",
    }
    assert row == head | scores
    assert Votes.selections({}) == []
    # The verdict on their pair has them; not those without gold, nor what is chosen.
    others = [row | {"f1": None}, row | {"pair": "q"}, row | {"family": "all"}]
    selection = pd.DataFrame([row, *others])
    said = "Votes of cells have F1: v (3 cells; gold used: none) 0.500 (0.500 to 0.500)."
    assert Votes.sentences(selection, "p") == [said]
    assert Votes.sentences(selection, "r") == []
