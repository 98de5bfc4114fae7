"""Claims are checked on every case in the grid, and on no others."""

from dataclasses import replace
from typing import get_args

import numpy as np
import pandas as pd
import pytest

from seggrid.grid.config.config import Config
from seggrid.score.counts import PairCounts
from seggrid.score.significance import summarize
from seggrid.thesis.claims import CLAIMS, check_claims

ROW = {
    "cell": "c",
    "words_cell": "w",
    "plain_cell": "p",
    "sentences": "all",
    "dropout_kind": "merge",
    "dropout_weight": "uniform",
    "pair": "eng-deu",
    "source": "s",
    "target": "t",
    "sides": "both",
    "segmenter": "bpe",
    "spaces": "yes",
    "case": "keep",
    "scoring": "frequency",
    "merges": 500.0,
    "application": "replace",
    "knockout": "none",
    "dropout": 0.0,
    "samples": 1,
    "aligner": "fast_align",
    "symmetrization": "grow-diag-final-and",
    "aggregate": "none",
    "precision": 0.6,
    "recall": 0.6,
    "f1": 0.6,
    "delta_f1_words": 0.01,
    "delta_f1_plain": np.nan,
    "status": "ok",
}


def checked(*rows):
    scores = pd.DataFrame([{**ROW, **row} for row in rows])
    return check_claims(scores, CLAIMS["thesis"]).set_index("claim")


def verdicts(*rows):
    return checked(*rows)["verdict"]


def test_each_claim_has_a_verdict_and_what_the_grid_lacks_is_not_run():
    found = verdicts({})
    assert len(found) == len(CLAIMS["thesis"])
    assert found["With fast_align, the best BPE aligns better than words"] == "holds"
    assert found["With eflomal, BPE alone does not beat words"] == "not run"


def test_gibbs_stands_in_for_eflomal_where_a_pair_has_it():
    claim = "With eflomal, BPE alone does not beat words"
    eflomal, gibbs = {"aligner": "eflomal"}, {"aligner": "gibbs", "delta_f1_words": -0.01}
    assert verdicts(eflomal)[claim] == "fails"
    assert verdicts(gibbs)[claim] == verdicts(eflomal, gibbs)[claim] == "holds"
    other = {**eflomal, "pair": "another"}
    assert checked(gibbs, other)["evidence"][claim].startswith("1 of 2: ")


def test_claims_are_of_links_not_of_their_probabilities():
    claim = "With eflomal, BPE alone does not beat words"
    votes = {"aligner": "gibbs", "delta_f1_words": -0.01}
    probable = {"aligner": "gibbs", "f1": 0.9, "aggregate": "posterior-0.5"}
    assert verdicts(votes, probable)[claim] == "holds"


def test_a_missing_baseline_or_cell_decides_nothing():
    for row in ({"delta_f1_words": np.nan}, {"status": "missing"}):
        found = verdicts({"aligner": "eflomal", **row})
        assert found["With eflomal, BPE alone does not beat words"] == "not run"


def test_some_cases_for_and_some_against():
    dropout = {"dropout": 0.1, "aggregate": "0.7", "samples": 10}
    found = verdicts(
        {**dropout, "merges": 100.0, "delta_f1_plain": 0.02},
        {**dropout, "merges": 200.0, "delta_f1_plain": -0.02},
    )
    assert found["Dropout 0.1 with threshold 0.7 beats BPE"] == "holds in part"


def test_sides_that_differ_refute_that_swapping_changes_nothing():
    claim = "Swapping the two sides changes next to nothing"
    other = {"pair": "deu-eng"}
    assert verdicts({}, {**other, "f1": 0.604})[claim] == "holds"
    assert verdicts({}, {**other, "f1": 0.606})[claim] == "fails"


def test_union_and_intersection_are_compared_within_one_setting():
    dropout = {"dropout": 0.1, "samples": 10}
    cells = [
        {**dropout, "aggregate": "union", "recall": 0.8, "precision": 0.3},
        {**dropout, "aggregate": "intersection", "recall": 0.4, "precision": 0.9},
        {**dropout, "aggregate": "0.5", "recall": 0.6, "precision": 0.6},
    ]
    claim = "The union has the best recall, the intersection the best precision"
    assert verdicts(*cells)[claim] == "holds"
    cells[2]["recall"] = 0.85
    assert verdicts(*cells)[claim] == "holds in part"
    cells[2]["precision"] = 0.95
    assert verdicts(*cells)[claim] == "fails"


HIGHER = "Dropout 0.2 to 0.3 with 30 samples and threshold 0.5 beats dropout 0.1 with 0.7"


def test_a_claim_compares_within_a_pair():
    usual = {"dropout": 0.1, "samples": 10, "aggregate": "0.7"}
    higher = {"dropout": 0.2, "samples": 30, "aggregate": "0.5"}
    found = checked(
        # The higher rate wins in both pairs, by less than the difference between the pairs.
        {"pair": "deu-fra", **usual, "f1": 0.5},
        {"pair": "deu-fra", **higher, "f1": 0.6},
        {"pair": "eng-deu", **usual, "f1": 0.7},
        {"pair": "eng-deu", **higher, "f1": 0.8},
    ).loc[HIGHER]
    assert found["verdict"] == "holds"
    assert found["evidence"] == (
        "2 of 2: deu-fra: rate 0.2, 500 merges 0.600 against 0.500 (rate 0.1); "
        "eng-deu: rate 0.2, 500 merges 0.800 against 0.700 (rate 0.1)"
    )
    # A pair with only one of the two has no case.
    found = checked({"pair": "deu-fra", **usual}, {"pair": "eng-deu", **higher})
    assert found.loc[HIGHER, "verdict"] == "not run"


def test_the_largest_gain_is_that_of_a_pair():
    claim = "Dropout gains most without spaces"
    cell = {"dropout": 0.1, "samples": 10, "aggregate": "0.7"}
    gains = {("a", "yes"): 0.03, ("a", "no"): 0.05, ("b", "yes"): 0.3, ("b", "no"): 0.2}
    found = checked(
        *(
            {**cell, "pair": pair, "spaces": spaces, "delta_f1_plain": gain}
            for (pair, spaces), gain in gains.items()
        )
    ).loc[claim]
    assert found["verdict"] == "holds in part"
    assert found["evidence"].startswith("1 of 2: a: spaces no 0.050 against 0.030 (spaces yes)")


def test_evidence_names_its_pair():
    found = checked({}, {"pair": "deu-eng", "f1": 0.61, "delta_f1_words": -0.01})
    run = found[found["verdict"] != "not run"]
    assert len(run)
    assert all("eng-deu" in evidence for evidence in run["evidence"])


def test_other_studies_have_no_claims(documented):
    nothing = check_claims(pd.DataFrame([ROW]), ())
    assert nothing.empty
    documented("claims.csv", nothing)
    assert Config.model_fields["claims"].default == "none"


def test_the_config_knows_the_publications_whose_claims_there_are():
    assert get_args(Config.model_fields["claims"].annotation) == ("none", *CLAIMS)


DROPOUT = {"dropout": 0.1, "samples": 10, "aggregate": "0.7"}


def test_a_verdict_that_is_another_on_another_size_of_text_depends_on_it():
    claim = "Dropout 0.1 with threshold 0.7 beats BPE"
    small = {**DROPOUT, "sentences": "2000", "delta_f1_plain": 0.02}
    whole = {**DROPOUT, "delta_f1_plain": -0.02}
    assert verdicts(small, whole)[claim] == "depends on the size"
    assert checked(small, whole).loc[claim, "evidence"] == (
        "2000 sentences, holds: eng-deu: 500 merges 0.600 (+0.020). "
        "all sentences, fails: eng-deu: 500 merges 0.600 (-0.020)"
    )
    assert verdicts(small, {**whole, "delta_f1_plain": 0.01})[claim] == "holds"
    # A size without a case decides nothing.
    assert verdicts(small, {"delta_f1_words": 0.01})[claim] == "holds"


def test_the_gain_on_more_text_is_compared_across_sizes():
    claim = "The more text, the less dropout gains"
    rows = [
        {**DROPOUT, "sentences": size, "delta_f1_plain": gain}
        for size, gain in (("10000", 0.03), ("2000", 0.05), ("all", 0.04))
    ]
    found = checked(*rows).loc[claim]
    assert (found["verdict"], found["whose"]) == ("holds in part", "Provilkov et al. (2020)")
    assert found["evidence"].startswith("1 of 2: eng-deu: 500 merges, 2000 sentences +0.050")
    assert verdicts(rows[0])[claim] == "not run"


def test_the_best_threshold_is_that_of_one_setting():
    claim = "The best threshold at rate 0.1 is 0.7"
    rows = [{**DROPOUT, "aggregate": t, "f1": f1} for t, f1 in (("0.5", 0.6), ("0.7", 0.61))]
    union = {**DROPOUT, "aggregate": "union", "f1": 0.9}
    assert verdicts(*rows, union)[claim] == "holds"
    assert verdicts(*rows, {**DROPOUT, "aggregate": "0.9", "f1": 0.62})[claim] == "fails"
    assert verdicts(rows[1])[claim] == "not run"


def test_one_side_against_the_other():
    claim = "Dropout gains more in the source alone than in the target alone"
    sides = [
        {**DROPOUT, "sides": side, "delta_f1_plain": gain, "source": side}
        for side, gain in (("source", 0.03), ("target", 0.02))
    ]
    assert verdicts(*sides)[claim] == "holds"
    assert verdicts({**sides[0], "delta_f1_plain": 0.01}, sides[1])[claim] == "fails"
    assert verdicts({**sides[0], "merges": 99.0}, sides[1])[claim] == "not run"


def test_gains_shrink_from_one_number_of_merges_to_the_next():
    claim = "The more merges, the less dropout gains"
    rows = [
        {**DROPOUT, "merges": m, "delta_f1_plain": gain}
        for m, gain in ((2000.0, 0.01), (500.0, 0.05), (1000.0, 0.03))
    ]
    assert verdicts(*rows)[claim] == "holds"
    assert verdicts(*rows, {**DROPOUT, "merges": 4000.0, "delta_f1_plain": 0.02})[claim] == (
        "holds in part"
    )


@pytest.mark.parametrize(
    ("gain", "verdict"), [(0.052, "holds"), (0.061, "holds"), (0.015, "fails")]
)
def test_a_gain_is_as_large_as_it_is_said_to_be(gain, verdict):
    claim = "With eflomal, dropout gains 5.2 points of F1 over BPE, to within one"
    assert verdicts({**DROPOUT, "aligner": "eflomal", "delta_f1_plain": gain})[claim] == verdict


def test_gains_of_a_number_of_merges_and_the_best_cell_without_spaces():
    best = "Without spaces, dropout 0.2 with threshold 0.5 and 500 symbols is best"
    gain = "That cell gains 10.5 points of F1 over BPE, to within one"
    cell = {"spaces": "no", "dropout": 0.2, "samples": 10, "aggregate": "0.5"}
    it = {**cell, "merges": 499.0, "f1": 0.56, "delta_f1_plain": 0.1}
    other = {**cell, "merges": 999.0, "f1": 0.5, "delta_f1_plain": 0.2}
    found = verdicts(it, other)
    assert (found[best], found[gain]) == ("holds", "holds")
    assert verdicts(it, {**other, "f1": 0.57})[best] == "fails"


def test_the_pair_of_a_study_has_claims_of_its_own():
    scores = pd.DataFrame([{**ROW, **DROPOUT, "pair": "eng-hin", "delta_f1_plain": 0.03}])
    found = check_claims(scores, CLAIMS["thesis-eng-hin"]).set_index("claim")["verdict"]
    assert found["It gains 2.8 points of F1, to within one"] == "holds"
    # The claim about Romanian is about one size.
    for merges, verdict in ((3999, "fails"), (499, "not run")):
        row = {**ROW, **DROPOUT, "pair": "eng-ron", "delta_f1_plain": 0.03, "merges": merges}
        found = check_claims(pd.DataFrame([row]), CLAIMS["thesis-eng-ron"]).set_index("claim")
        claim = "With 4,000 symbols it gains 1.5 points of F1, to within one"
        assert found.loc[claim, "verdict"] == verdict


def test_weighted_dropout_is_no_case_of_the_thesis():
    claim = "Dropout 0.1 with threshold 0.7 beats BPE"
    row = {**DROPOUT, "delta_f1_plain": 0.02, "dropout_weight": "blame"}
    assert verdicts(row)[claim] == "not run"


def test_intervals_are_of_the_two_cells_of_a_case():
    generator = np.random.default_rng(1)
    sure = np.full(60, 10)
    theirs = np.stack([sure, generator.integers(4, 8, 60)], axis=-1)
    counts = np.stack(
        [np.c_[sure, theirs[:, 1] + 2, theirs[:, 1] + 2], np.c_[theirs, theirs[:, 1]]]
    )
    of_pair = PairCounts(np.array(["c", "p"]), np.array([1, 1]), sure, counts)
    scores = pd.DataFrame([{**ROW, **DROPOUT, "delta_f1_plain": 0.2}])
    claim = "Dropout 0.1 with threshold 0.7 beats BPE"
    found = check_claims(scores, CLAIMS["thesis"], {"eng-deu": of_pair}).set_index("claim")
    assert found.loc[claim, "intervals"] == "1 of 1 without 0"
    assert found.loc[claim, "evidence"] == ("eng-deu: 500 merges 0.600 (+0.200) [+0.200, +0.200]")
    # The cell of words is missing here.
    assert check_claims(scores, CLAIMS["thesis"]).set_index("claim").loc[claim, "intervals"] == ""


def test_intervals_are_those_of_the_table_of_significance():
    generator = np.random.default_rng(1)
    sure = generator.integers(3, 12, 40)
    links = generator.integers(3, 12, (2, 40))
    hits = np.minimum(generator.integers(0, 9, (2, 40)), np.minimum(links, sure))
    counts = np.stack([links, hits, hits], axis=-1)
    of_pair = PairCounts(np.array(["c", "p"]), np.array([1, 1]), sure, counts)
    scores = pd.DataFrame([{**ROW, **DROPOUT, "delta_f1_plain": 0.2, "equal_cell": ""}])
    # As in a grid whose first pair is another one.
    of_pairs = {"eng-deu": of_pair, "a": replace(of_pair, cells=np.array(["c2", "p2"]))}
    claim = "Dropout 0.1 with threshold 0.7 beats BPE"
    for seed in (1, 2):
        claims = check_claims(scores, CLAIMS["thesis"], of_pairs, seed=seed, rounds=200)
        evidence = claims.set_index("claim").loc[claim, "evidence"]
        tests = summarize(of_pairs, scores, seed=seed, bootstrap_rounds=200)
        row = tests.set_index("cell").loc["c"]
        low, high = row[["delta_f1_plain_low", "delta_f1_plain_high"]]
        assert evidence.endswith(f" [{low:+.3f}, {high:+.3f}]")
