"""The table of ensembles."""

from fractions import Fraction

import numpy as np
import pytest
from test_ensemble import aer, drawn

from seggrid.corpus.gold import Gold
from seggrid.data.links import Links
from seggrid.score.ensemble import Candidates, Vote, cross_validate
from seggrid.score.ensemble_table import compare_with_best, table_of_votes
from seggrid.score.metrics import METRICS, compute_metrics, count_hits

NAMES = ["a", "b", "c", "d"]


@pytest.fixture(scope="module")
def voted():
    gold, members = drawn(8, sentences=80)
    found = cross_validate(Candidates.from_members(members), gold, 5, 1.0, 1)
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


def test_an_ensemble_of_one_member_alone_differs_from_it_in_nothing(voted):
    gold, members, _ = voted
    row = compare_with_best(members[0], NAMES[:1], members[:1], gold, rounds=100, seed=1)
    assert (row["delta_f1"], row["delta_aer"], row["p"]) == (0, 0, 1)


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
