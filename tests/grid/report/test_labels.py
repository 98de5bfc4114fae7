"""The names of cells."""

import pandas as pd
import pytest

from seggrid.base.axis import Axis
from seggrid.grid.axes import AXES as GRID_AXES
from seggrid.grid.report.labels import (
    describe_all,
    describe_cell,
    describe_side,
    kinds_of_segmentation,
    value_label,
)

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
    assert describe_cell(cell) == words


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


def test_an_axis_that_the_report_has_never_heard_of_is_said_as_its_row_says(monkeypatch):
    new = Axis("pre_split", "", label="pre-split", default="no", phrase="{label} at {value}")
    monkeypatch.setitem(GRID_AXES, "pre_split", new)
    assert value_label("pre_split", "hyphens") == "pre-split at hyphens"


def test_cells_that_differ_in_symmetrization_or_replicates_alone_have_other_names():
    same = {"pair": "p", "aligner": "eflomal", "source": BPE, "target": BPE, "samples": 1}
    cells = pd.DataFrame(
        [
            {**same, "aggregate": "none", "symmetrization": how, "replicates": replicates}
            for how in ("union", "intersection")
            for replicates in (1, 3)
        ]
    )
    names = describe_all(cells)
    assert len(set(names)) == len(names)
    assert names[:2] == [
        f"BPE 1,000, symmetrized by union{more}" for more in ("", ", 3 replicates")
    ]


def test_replicates_are_said_of_the_aligners_alone_that_vary_in_them():
    same = {"pair": "p", "source": BPE, "target": BPE, "samples": 1, "aggregate": "none"}
    cells = pd.DataFrame(
        [
            {**same, "aligner": "gibbs", "replicates": 1},
            {**same, "aligner": "gibbs", "replicates": 3},
            {**same, "aligner": "fast_align", "replicates": 1},
        ]
    )
    assert describe_all(cells) == ["BPE 1,000", "BPE 1,000, 3 replicates", "BPE 1,000"]


def test_a_number_says_what_it_counts_and_what_all_cells_of_grids_have_is_not_said():
    assert value_label("samples", 30) == "30 samples"
    assert value_label("replicates", 1) == "1 replicate"
    words = {"source": "words", "target": "words", "samples": 1, "aggregate": "none"}
    assert describe_cell({**words, "aligner": "embeddings", "tuning": "none"}) == "words"


def test_families_leave_numbers_out():
    cells = pd.DataFrame(
        [
            {"sides": "none", "segmenter": "words"},
            {"sides": "mixed", "segmenter": "bpe"},
            {"sides": "both", "segmenter": "bpe", "spaces": "no", "dropout": 0.1, "merges": 500},
            {"sides": "source", "segmenter": "bpe", "spaces": "yes", "knockout": "blame-0.5"},
            {"sides": "both", "segmenter": "bpe", "dropout": 0.0, "sampling": "grampa-0.5"},
            {"sides": "both", "segmenter": "bpe", "dropout": 0.0, "sampling": "none"},
        ]
    )
    assert kinds_of_segmentation(cells) == [
        "words",
        "unlike sides",
        "BPE across spaces, dropout",
        "BPE, knockout, source only",
        "BPE, sampling",
        "BPE",
    ]
