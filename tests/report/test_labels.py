"""How cells are called."""

import pandas as pd
import pytest

from seggrid.report.labels import describe, describe_all, describe_side

BPE = "bpe+case=first+spaces=yes+scoring=frequency+merges=1000+application=rank"


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("words+case=keep", "words"),
        ("characters", "characters"),
        (BPE, "BPE 1,000"),
        (BPE.replace("spaces=yes", "spaces=no"), "BPE 1,000, across spaces"),
        (BPE.replace("rank", "replace"), "BPE 1,000, by replacement"),
        (BPE.replace("frequency", "likelihood"), "BPE 1,000, by likelihood"),
        (BPE + "+knockout=blame-0.5", "BPE 1,000, knockout blame-0.5"),
        (BPE + "+dropout=0.3+dropout_kind=occurrence", "BPE 1,000, dropout 0.3"),
        (BPE + "+dropout=0.3+dropout_kind=merge", "BPE 1,000, dropout 0.3 of merges"),
    ],
)
def test_a_side(spec, words):
    assert describe_side(spec) == words


@pytest.mark.parametrize(
    ("source", "target", "words"),
    [
        (BPE, BPE, "BPE 1,000 × 10, union"),
        (BPE, "words+case=first", "BPE 1,000 × 10, union, source only"),
        ("words+case=first", BPE, "BPE 1,000 × 10, union, target only"),
        (BPE, "characters", "BPE 1,000 / characters × 10, union"),
    ],
)
def test_both_sides(source, target, words):
    cell = {"source": source, "target": target, "samples": 10, "aggregate": "union"}
    assert describe(cell) == words


def test_case_is_named_where_cells_differ_in_it():
    first, keep = BPE, BPE.replace("first", "keep")
    cells = pd.DataFrame(
        {"source": [first, keep], "target": [first, keep], "samples": 1, "aggregate": "none"}
    )
    assert describe_all(cells.assign(case="first")) == ["BPE 1,000", "BPE 1,000"]
    assert describe_all(cells.assign(case=["first", "keep"])) == [
        "BPE 1,000, first word lowered",
        "BPE 1,000, case kept",
    ]
