"""Claims are judged by every case that the grid has, and by no other."""

import numpy as np
import pandas as pd

from seggrid.thesis.claims import CLAIMS, check_claims

ROW = {
    "pair": "eng-deu",
    "source": "s",
    "target": "t",
    "sides": "both",
    "segmenter": "bpe",
    "spaces": "yes",
    "case": "keep",
    "merges": 500.0,
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


def verdicts(*rows):
    table = check_claims(pd.DataFrame([{**ROW, **row} for row in rows]))
    return table.set_index("claim")["verdict"]


def test_each_claim_has_a_verdict_and_what_the_grid_lacks_is_not_run():
    found = verdicts({})
    assert len(found) == len(CLAIMS)
    assert found["With fast_align, the best BPE aligns better than words"] == "holds"
    assert found["With eflomal, BPE alone does not beat words"] == "not run"


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
    ways = [
        {**dropout, "aggregate": "union", "recall": 0.8, "precision": 0.3},
        {**dropout, "aggregate": "intersection", "recall": 0.4, "precision": 0.9},
        {**dropout, "aggregate": "0.5", "recall": 0.6, "precision": 0.6},
    ]
    claim = "The union has the best recall, the intersection the best precision"
    assert verdicts(*ways)[claim] == "holds"
    ways[2]["recall"] = 0.85
    assert verdicts(*ways)[claim] == "fails"
