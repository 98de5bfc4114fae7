"""Claims are checked on every case in the grid, and on no others."""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from seggrid.score.counts import PairCounts
from seggrid.score.significance import summarize

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "docs/studies/claims"))
from check_claims import CLAIMS, check_claims

pytestmark = pytest.mark.tier("check")

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
    assert found[NO_GAIN] == "not run"
    assert check_claims(pd.DataFrame([ROW]), ()).empty


NO_GAIN = "With eflomal, BPE alone does not beat words"
BEATS = "Dropout 0.1 with threshold 0.7 beats BPE"
SWAPPED = "Swapping the two sides changes next to nothing"
EXTREMES = "The union has the best recall, the intersection the best precision"
MORE_TEXT = "The more text, the less dropout gains"
THRESHOLD = "The best threshold at rate 0.1 is 0.7"
SOURCE = "Dropout gains more in the source alone than in the target alone"
MERGES = "The more merges, the less dropout gains"
TENS = "With eflomal, dropout gains 5.2 points of F1 over BPE, to within one"
BEST = "Without spaces, dropout 0.2 with threshold 0.5 and 500 symbols is best"
ITS_GAIN = "That cell gains 10.5 points of F1 over BPE, to within one"
DROPOUT = {"dropout": 0.1, "samples": 10, "aggregate": "0.7"}
GIBBS, EFLOMAL = {"aligner": "gibbs", "delta_f1_words": -0.01}, {"aligner": "eflomal"}
OTHER_WAY = {"pair": "deu-eng"}


def with_gain(gain, **axes):
    return {**DROPOUT, **axes, "delta_f1_plain": gain}


def extremes(recall, precision):
    """Union, intersection, and a threshold with this recall and precision."""
    rows = {"union": (0.8, 0.3), "intersection": (0.4, 0.9), "0.5": (recall, precision)}
    keys = "recall", "precision"
    return [
        {**DROPOUT, "aggregate": how, **dict(zip(keys, values, strict=True))}
        for how, values in rows.items()
    ]


OF_THRESHOLDS = [{**DROPOUT, "aggregate": t, "f1": f1} for t, f1 in (("0.5", 0.6), ("0.7", 0.61))]
OF_SIDES = [
    with_gain(gain, sides=side, source=side) for side, gain in (("source", 0.03), ("target", 0.02))
]
OF_MERGES = [
    with_gain(gain, merges=m) for m, gain in ((2000.0, 0.01), (500.0, 0.05), (1000.0, 0.03))
]
OF_CELL = {"spaces": "no", "dropout": 0.2, "samples": 10, "aggregate": "0.5"}
IT = {**OF_CELL, "merges": 499.0, "f1": 0.56, "delta_f1_plain": 0.1}
MORE = {**OF_CELL, "merges": 999.0, "f1": 0.5, "delta_f1_plain": 0.2}


@pytest.mark.parametrize(
    ("claim", "rows", "verdict"),
    [
        # gibbs stands in for eflomal where a pair has it.
        (NO_GAIN, [EFLOMAL], "fails"),
        (NO_GAIN, [GIBBS], "holds"),
        (NO_GAIN, [EFLOMAL, GIBBS], "holds"),
        (NO_GAIN, [{**EFLOMAL, "pair": "another"}, GIBBS], "holds in part"),
        # Claims are of links, not of their probabilities.
        (NO_GAIN, [GIBBS, {**GIBBS, "f1": 0.9, "aggregate": "posterior-0.5"}], "holds"),
        (NO_GAIN, [{**EFLOMAL, "delta_f1_words": np.nan}], "not run"),
        (NO_GAIN, [{**EFLOMAL, "status": "missing"}], "not run"),
        (BEATS, [with_gain(0.02, merges=100.0), with_gain(-0.02, merges=200.0)], "holds in part"),
        (BEATS, [with_gain(0.02, dropout_weight="blame")], "not run"),
        (BEATS, [with_gain(0.02, sentences="2000"), with_gain(-0.02)], "depends on the size"),
        (BEATS, [with_gain(0.02, sentences="2000"), with_gain(0.01)], "holds"),
        # A size without a case decides nothing.
        (BEATS, [with_gain(0.02, sentences="2000"), {"delta_f1_words": 0.01}], "holds"),
        (SWAPPED, [{}, {**OTHER_WAY, "f1": 0.604}], "holds"),
        (SWAPPED, [{}, {**OTHER_WAY, "f1": 0.606}], "fails"),
        (EXTREMES, extremes(0.6, 0.6), "holds"),
        (EXTREMES, extremes(0.85, 0.6), "holds in part"),
        (EXTREMES, extremes(0.85, 0.95), "fails"),
        (MORE_TEXT, [with_gain(0.03, sentences="10000")], "not run"),
        (THRESHOLD, [*OF_THRESHOLDS, {**DROPOUT, "aggregate": "union", "f1": 0.9}], "holds"),
        (THRESHOLD, [*OF_THRESHOLDS, {**DROPOUT, "aggregate": "0.9", "f1": 0.62}], "fails"),
        (THRESHOLD, OF_THRESHOLDS[1:], "not run"),
        (SOURCE, OF_SIDES, "holds"),
        (SOURCE, [{**OF_SIDES[0], "delta_f1_plain": 0.01}, OF_SIDES[1]], "fails"),
        (SOURCE, [{**OF_SIDES[0], "merges": 99.0}, OF_SIDES[1]], "not run"),
        (MERGES, OF_MERGES, "holds"),
        (MERGES, [*OF_MERGES, with_gain(0.02, merges=4000.0)], "holds in part"),
        *((TENS, [with_gain(g, **EFLOMAL)], "holds") for g in (0.052, 0.061)),
        (TENS, [with_gain(0.015, **EFLOMAL)], "fails"),
        (BEST, [IT, MORE], "holds"),
        (BEST, [IT, {**MORE, "f1": 0.57}], "fails"),
        (ITS_GAIN, [IT, MORE], "holds"),
    ],
)
def test_a_verdict_is_of_all_cases_and_of_no_others(claim, rows, verdict):
    own = [one for one in CLAIMS["thesis"] if one.text == claim]
    (found,) = check_claims(pd.DataFrame([{**ROW, **row} for row in rows]), own)["verdict"]
    assert found == verdict


HIGHER = "Dropout 0.2 to 0.3 with 30 samples and threshold 0.5 beats dropout 0.1 with 0.7"


def test_a_claim_compares_within_a_pair():
    higher = {"dropout": 0.2, "samples": 30, "aggregate": "0.5"}
    found = checked(
        # The higher rate wins in both pairs, by less than the difference between the pairs.
        {"pair": "deu-fra", **DROPOUT, "f1": 0.5},
        {"pair": "deu-fra", **higher, "f1": 0.6},
        {"pair": "eng-deu", **DROPOUT, "f1": 0.7},
        {"pair": "eng-deu", **higher, "f1": 0.8},
    ).loc[HIGHER]
    assert found["verdict"] == "holds"
    assert found["evidence"] == (
        "2 of 2: deu-fra: rate 0.2, 500 merges 0.600 against 0.500 (rate 0.1); "
        "eng-deu: rate 0.2, 500 merges 0.800 against 0.700 (rate 0.1)"
    )
    # A pair with only one of the two has no case.
    found = checked({"pair": "deu-fra", **DROPOUT}, {"pair": "eng-deu", **higher})
    assert found.loc[HIGHER, "verdict"] == "not run"


def test_evidence_names_each_pair_and_size():
    found = checked({}, {**OTHER_WAY, "f1": 0.61, "delta_f1_words": -0.01})
    run = found[found["verdict"] != "not run"]
    assert len(run)
    assert all("eng-deu" in evidence for evidence in run["evidence"])
    sizes = with_gain(0.02, sentences="2000"), with_gain(-0.02)
    assert checked(*sizes).loc[BEATS, "evidence"] == (
        "2000 sentences, holds: eng-deu: 500 merges 0.600 (+0.020). "
        "all sentences, fails: eng-deu: 500 merges 0.600 (-0.020)"
    )
    sizes = (("10000", 0.03), ("2000", 0.05), ("all", 0.04))
    found = checked(*(with_gain(gain, sentences=size) for size, gain in sizes)).loc[MORE_TEXT]
    assert (found["verdict"], found["whose"]) == ("holds in part", "Provilkov et al. (2020)")
    assert found["evidence"].startswith("1 of 2: eng-deu: 500 merges, 2000 sentences +0.050")


# The claim about Romanian is about one size.
@pytest.mark.parametrize(
    ("pair", "claim", "merges", "verdict"),
    [
        ("eng-hin", "It gains 2.8 points of F1, to within one", 500, "holds"),
        ("eng-ron", "With 4,000 symbols it gains 1.5 points of F1, to within one", 3999, "fails"),
        ("eng-ron", "With 4,000 symbols it gains 1.5 points of F1, to within one", 499, "not run"),
    ],
)
def test_the_pair_of_a_study_has_claims_of_its_own(pair, claim, merges, verdict):
    scores = pd.DataFrame([{**ROW, **with_gain(0.03, pair=pair, merges=merges)}])
    found = check_claims(scores, CLAIMS[f"thesis-{pair}"]).set_index("claim")["verdict"]
    assert found[claim] == verdict


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
    for seed in (1, 2):
        claims = check_claims(scores, CLAIMS["thesis"], of_pairs, seed=seed, rounds=200)
        evidence = claims.set_index("claim").loc[BEATS, "evidence"]
        tests = summarize(of_pairs, scores, seed=seed, bootstrap_rounds=200)
        row = tests.set_index("cell").loc["c"]
        low, high = row[["delta_f1_plain_low", "delta_f1_plain_high"]]
        assert evidence.endswith(f" [{low:+.3f}, {high:+.3f}]")
        clear = int(low > 0 or high < 0)
        assert claims.set_index("claim").loc[BEATS, "intervals"] == f"{clear} of 1 without 0"
