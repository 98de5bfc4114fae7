"""A published figure is compared with its cell, and with no other."""

import numpy as np
import pandas as pd
import pytest

from seggrid.grid.config import read_config
from seggrid.grid.grid import Grid
from seggrid.thesis.comparison import compare, remark_on_several
from seggrid.thesis.published import read_published

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
        ({"merges": "", "samples": "1", "spaces": "no"}, "b"),
    ],
)
def test_numbers_agree_as_numbers_and_texts_as_texts(axes, cell):
    (row,) = compare([{**ROW, **axes}], OURS).to_dict("records")
    assert row["cell"] == cell


def test_a_size_of_the_vocabulary_agrees_though_other_cells_have_none():
    ours = OURS.assign(vocabulary=[np.nan, 8000.0, 4000.0])
    wanted = [{**ROW, "merges": "", "vocabulary": size} for size in ("8000", "4000", "800", "")]
    found = compare(wanted, ours)
    assert list(found["cell"]) == ["b", "c", "", "a"]
    assert list(found["cells"]) == [1, 1, 0, 1]


def several(**axes):
    """Cells that differ in some axes."""
    table = pd.DataFrame(axes).assign(pair="p", merges=999.0, **METRICS)
    return table.assign(cell=[f"c{place}" for place in range(len(table))])


@pytest.mark.parametrize(
    ("axes", "cell", "cells"),
    [
        ({"knockout": ["blame-0.5", "none"]}, "c1", 1),
        ({"scoring": ["description_length_gain", "frequency"]}, "c1", 1),
        ({"dropout": [0.1, 0.0], "aggregate": ["0.5", "none"]}, "c1", 1),
        ({"case": ["lower", "keep", "keep"], "joint": ["no", "yes", "no"]}, "c2", 1),
        ({"replicates": [3, 1], "samples": [10, 10]}, "c1", 1),
        # Estimates of the same figure.
        ({"samples": [30, 20]}, "c0", 1),
        ({"knockout": ["blame-0.5", "blame-0.7"]}, "", 2),
        ({"aggregate": ["union", "0.7"], "dropout": [0.1, 0.1]}, "", 2),
        ({"knockout": ["blame-0.5"]}, "c0", 1),
    ],
)
def test_an_axis_that_a_row_does_not_give_has_its_default_where_there_is_such_a_cell(
    axes, cell, cells
):
    (row,) = compare([ROW], several(**axes)).to_dict("records")
    assert (row["cell"], row["cells"]) == (cell, cells)
    assert np.isnan(row["f1"]) == (cell == "")


def test_sides_of_unlike_segmentations_are_several_cells():
    ours = several(source=["x", "x"], target=["y", "z"])
    assert list(compare([ROW], ours)["cells"]) == [2]


def test_rows_that_match_several_cells_are_remarked_on_before_a_run(tmp_path):
    table = tmp_path / "published.csv"
    table.write_text("pair,table,knockout,f1\np,t,none,0.5\np,t,,0.5\np,u,,0.5\n")
    cells = several(knockout=["blame-0.5", "blame-0.7", "none"])
    assert remark_on_several(table, cells) == []
    (remark,) = remark_on_several(table, cells[:2])
    assert remark.startswith(f"{table}:3: this row and 1 more match several cells")
    assert remark.endswith(": give it knockout")
    (remark,) = remark_on_several(table, several(source=["x", "x"], target=["y", "z"]))
    assert remark.endswith(": they differ on the other side alone")


@pytest.mark.parametrize(
    ("config", "rows"), [("thesis-full", 202), ("thesis-eng-hin", 24), ("thesis-eng-ron", 26)]
)
def test_every_row_of_the_thesis_matches_one_cell_of_its_grid(root, config, rows):
    grid = Grid(read_config([root / f"config/{config}.yaml"]))
    cells = pd.DataFrame(grid.table())
    cells = cells.assign(**dict.fromkeys(METRICS, 0.5))
    published = [row for file in grid.config.published for row in read_published(root / file)]
    found = compare(published, cells)
    assert list(found["cells"]) == [1] * rows


def test_a_metric_that_no_column_gives_is_missing():
    (row,) = compare([ROW], OURS).to_dict("records")
    assert np.isnan(row["published_aer"])
    assert row["aer"] == 0.5


def test_gibbs_stands_in_for_eflomal_where_there_is_no_cell_of_it():
    ours = OURS.assign(aligner=["gibbs", "fast_align", "eflomal"], spaces="yes")
    wanted = {**ROW, "aligner": "eflomal"}
    rows = [wanted, {**wanted, "merges": "", "dropout": "1/3"}, {**wanted, "dropout": "0"}]
    found = compare(rows, ours)
    assert list(found["cell"]) == ["a", "c", ""]
    assert list(found["stand_in"]) == ["gibbs", "", ""]
