"""A published figure is compared with its cell, and with no other."""

import numpy as np
import pandas as pd
import pytest

from seggrid.thesis.comparison import compare

METRICS = dict.fromkeys(["precision", "recall", "f1", "aer"], 0.5)
OURS = pd.DataFrame(
    [
        {"cell": "a", "pair": "p", "merges": 999.0, "dropout": 0.1, "samples": 10, **METRICS},
        {"cell": "b", "pair": "p", "merges": 999.0, "dropout": 0.0, "samples": 1, **METRICS},
        {"cell": "c", "pair": "p", "merges": np.nan, "dropout": 1 / 3, "samples": 1, **METRICS},
    ]
).assign(spaces=["yes", "no", ""])
ROW = {"pair": "p", "table": "t", "merges": "999", "precision": "0.4", "recall": "", "f1": "0.4"}


def test_a_row_meets_the_cell_that_agrees_with_all_that_it_gives(documented):
    theirs = [
        {**ROW, "dropout": "0.1", "samples": "", "aer": "0.4"},
        {**ROW, "dropout": "0.3", "samples": "", "aer": "0.4"},
    ]
    found, none = compare(theirs, OURS).to_dict("records")
    documented("published.csv", found)
    assert found["cell"] == "a"
    assert found["delta_f1"] == pytest.approx(0.1)
    assert np.isnan(found["delta_recall"])
    assert none["cell"] == ""
    assert np.isnan(none["f1"])


@pytest.mark.parametrize(
    ("axes", "cell"),
    [
        ({"spaces": "no"}, "b"),
        ({"dropout": "0"}, "b"),
        ({"merges": "", "dropout": "1/3"}, "c"),
        ({"dropout": "0.100001"}, ""),
        ({"merges": "1000"}, ""),
        ({"pair": "q"}, ""),
        ({}, "a"),
    ],
)
def test_numbers_agree_as_numbers_and_texts_as_texts(axes, cell):
    (row,) = compare([{**ROW, **axes}], OURS).to_dict("records")
    assert row["cell"] == cell


def test_a_size_of_the_vocabulary_agrees_though_other_cells_have_none():
    ours = OURS.assign(vocabulary=[np.nan, 8000.0, 4000.0])
    wanted = [{**ROW, "merges": "", "vocabulary": size} for size in ("8000", "4000", "800", "")]
    assert [row["cell"] for row in compare(wanted, ours).to_dict("records")] == ["b", "c", "", "a"]


def test_a_metric_that_no_column_gives_is_missing():
    (row,) = compare([ROW], OURS).to_dict("records")
    assert np.isnan(row["published_aer"])
    assert row["aer"] == 0.5


def test_gibbs_stands_in_for_eflomal_where_there_is_no_cell_of_it():
    ours = OURS.assign(aligner=["gibbs", "fast_align", "eflomal"], spaces="yes")
    wanted = {**ROW, "aligner": "eflomal"}
    rows = [wanted, {**wanted, "merges": "", "dropout": "1/3"}, {**wanted, "dropout": "0"}]
    assert [row["cell"] for row in compare(rows, ours).to_dict("records")] == ["a", "c", ""]
