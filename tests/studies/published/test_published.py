"""Tables of published figures: what they may contain, and the messages about invalid ones."""

import csv

import numpy as np
import pandas as pd
import pytest

from seggrid.base.errors import InputError
from seggrid.grid.config import read_config
from seggrid.grid.grid import Grid
from seggrid.studies.published.compare import (
    check_published,
    compare_published,
    read_published_figures,
    remark_on_several,
)

HEAD = "pair,table,merges,dropout,aggregate,precision,recall,f1,aer"


@pytest.fixture
def table(tmp_path):
    def write(*rows, head=HEAD):
        path = tmp_path / "published.csv"
        path.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
        return path

    return write


def test_a_table_is_read_with_one_spelling_of_each_value(table):
    path = table('p,"thesis, 6.1",0999,0.10,0.70,0.5,,0.5,', "p,t,,2/6,none,,,1,0")
    first, second = read_published_figures(path)
    assert first["table"] == "thesis, 6.1"
    assert (first["merges"], first["dropout"], first["aggregate"]) == ("999", "0.1", "0.7")
    assert (second["merges"], second["dropout"], second["aggregate"]) == ("", "1/3", "none")
    assert (first["precision"], first["recall"]) == ("0.5", "")
    assert check_published(path, ["p"], ["p"]) == []
    read = read_published_figures(
        table("p,t,none,0.5", "p,t,mixed,0.5", head="pair,table,sides,f1")
    )
    assert read[0] == {"pair": "p", "table": "t", "sides": "none", "f1": "0.5"}
    assert read_published_figures(table()) == []


def test_rows_of_a_pair_that_no_experiment_uses_are_skipped_with_a_note(table):
    path = table("p,t,9,,,0.5,,,", "q,t,9,,,0.5,,,", "q,t,99,,,0.5,,,")
    (remark,) = check_published(path, ["p"], ["p", "q"])
    assert remark == f"{path}:3: 2 rows from here on have no figure of ours: no experiment uses q"


BAD_VALUES = [
    *(("f1", value) for value in ("-0.1", "nan", "inf", "0,5x", "1e9", "57.4")),
    *(("spaces", "true"), ("case", "upper"), ("segmenter", "bpe2"), ("sides", "left")),
    *(("merges", "-1"), ("merges", "1e3"), ("dropout", "0.1.2"), ("aggregate", "most")),
]


@pytest.mark.parametrize(("name", "value"), BAD_VALUES)
def test_a_value_that_a_column_cannot_have_is_refused(table, name, value):
    path = table(f'p,t,0.5,"{value}"', head=f"pair,table,aer,{name}")
    with pytest.raises(InputError, match=f"{name} .* is not") as caught:
        check_published(path, ["p"], ["p"])
    assert (caught.value.file, caught.value.line, bool(caught.value.hint)) == (path, 2, True)


SAME = ["p,t,9,0.1,,,,0.5,", "p,t,9,0.10,,,,0.6,"]


@pytest.mark.parametrize(
    ("head", "rows", "lines", "message"),
    [
        # Three columns are unknown or twice there, two are missing.
        ("pair,Table,dropuot,dropuot", ["1,2,3,4"], [1] * 5, "unknown column 'Table'"),
        (HEAD, SAME, [3], "the same cell of the same table as"),
        (HEAD, ["q,t,9,,,,,0.5,", "Q,t,9,,,,,0.5,"], [2, 3], "the config has no pair 'q'"),
        (HEAD, ["p,t,9"], [2], "3 fields, where there are 9 columns"),
        (HEAD, ["p,t,8,,,,,0.5,", "", "p,t,7,,,,,0.5,"], [3], "0 fields, where there are 9"),
        (HEAD, ['p,"t,9,,,,,0.5,'], [2], "not a row of CSV: unexpected end of data"),
        (HEAD, [",t,9,,,,,0.5,"], [2], "no pair"),
    ],
)
def test_mistakes_are_told_by_line(table, head, rows, lines, message):
    path = table(*rows, head=head)
    with pytest.raises(InputError) as caught:
        check_published(path, ["p"], ["p"])
    errors = getattr(caught.value, "errors", [caught.value])
    assert [(error.file, error.line) for error in errors] == [(path, line) for line in lines]
    assert errors[0].message.startswith(message)


SHOWN = ("precision", "recall", "f1", "aer")


def test_the_csv_beside_the_page_of_the_thesis_has_each_published_row(root):
    def key(row):
        return row["table"], row["pair"], row["merges"], row["aggregate"]

    published = {
        key(row): row for row in read_published_figures(root / "resources/published/thesis.csv")
    }
    with (root / "docs/studies/data/thesis.csv").open(encoding="utf-8", newline="") as file:
        ours = {key(row): row for row in csv.DictReader(file)}
    assert ours.keys() == published.keys()
    for name, row in ours.items():
        for column in SHOWN:
            printed, delta = published[name][column], row[f"delta_{column}"]
            assert bool(printed) == bool(delta), (name, column)
            if printed:
                assert float(row[column]) - float(delta) == pytest.approx(
                    float(printed), abs=0.0015
                ), (name, column)


# A published figure is compared with its cell, and with no other


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
    found, none = compare_published(theirs, OURS).to_dict("records")
    documented("published.csv", found)
    assert found["cell"] == "a"
    assert found["delta_f1"] == pytest.approx(0.1)
    assert np.isnan(found["delta_recall"])
    assert none["cell"] == ""
    assert np.isnan(none["f1"])
    (row,) = compare_published([ROW], OURS).to_dict("records")
    assert np.isnan(row["published_aer"])
    assert row["aer"] == 0.5


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
    (row,) = compare_published([{**ROW, **axes}], OURS).to_dict("records")
    assert row["cell"] == cell


def test_a_size_of_the_vocabulary_agrees_though_other_cells_have_none():
    ours = OURS.assign(vocabulary=[np.nan, 8000.0, 4000.0])
    wanted = [{**ROW, "merges": "", "vocabulary": size} for size in ("8000", "4000", "800", "")]
    found = compare_published(wanted, ours)
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
        ({"source": ["x", "x"], "target": ["y", "z"]}, "", 2),
        ({"knockout": ["blame-0.5"]}, "c0", 1),
    ],
)
def test_an_axis_that_a_row_does_not_give_has_its_default_where_there_is_such_a_cell(
    axes, cell, cells
):
    (row,) = compare_published([ROW], several(**axes)).to_dict("records")
    assert (row["cell"], row["cells"]) == (cell, cells)
    assert np.isnan(row["f1"]) == (cell == "")


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
    published = [
        row for file in grid.config.published for row in read_published_figures(root / file)
    ]
    found = compare_published(published, cells)
    assert list(found["cells"]) == [1] * rows


def test_gibbs_stands_in_for_eflomal_where_there_is_no_cell_of_it():
    ours = OURS.assign(aligner=["gibbs", "fast_align", "eflomal"], spaces="yes")
    wanted = {**ROW, "aligner": "eflomal"}
    rows = [wanted, {**wanted, "merges": "", "dropout": "1/3"}, {**wanted, "dropout": "0"}]
    found = compare_published(rows, ours)
    assert list(found["cell"]) == ["a", "c", ""]
    assert list(found["stand_in"]) == ["gibbs", "", ""]


# resources/published contains all published figures, as published


def rows_of(path):
    lines = [line for line in path.read_text("utf-8").splitlines() if not line.startswith("#")]
    return list(csv.DictReader(lines))


def figures(row, metrics, scale=1.0):
    return tuple(float(row[m]) / scale if row[m] else None for m in metrics)


@pytest.fixture
def thesis(root):
    return rows_of(root / "resources" / "published" / "thesis.csv")


@pytest.fixture(params=["eng", "deu"])
def knockout(root, request):
    return request.param, rows_of(
        root / "resources" / "published" / f"bpe_knockout_{request.param}.csv"
    )


def test_merges_are_one_less_than_symbols(thesis):
    assert thesis
    for row in thesis:
        assert (row["merges"] == "") == (row["segmenter"] == "words")
        assert row["merges"] == "" or int(row["merges"]) == int(row["num_symbols"]) - 1


def test_printed_digits_follow_from_the_counts(knockout):
    counted = [row for row in knockout[1] if row["true_positives"]]
    assert counted
    for row in counted:
        hits, predicted, positives = (
            int(row[count]) for count in ("true_positives", "predicted", "positives")
        )
        ratios = hits / predicted, hits / positives, 2 * hits / (predicted + positives)
        assert figures(row, SHOWN[:3]) == tuple(round(ratio, 3) for ratio in ratios)


@pytest.mark.needs_mirror
@pytest.mark.parametrize(
    ("name", "pairs", "rows"),
    [
        ("thesis", ("eng-deu", "deu-eng"), 202),
        ("thesis-eng-hin", ("eng-hin",), 24),
        ("thesis-eng-ron", ("eng-ron",), 26),
    ],
)
def test_figures_of_the_thesis(root, shared_data, name, pairs, rows):
    tables = (
        rows_of(shared_data / f"published/{table}.csv") for table in ("thesis", "thesis_more")
    )
    published = {
        (row["source_file"].removesuffix(".csv"), int(row["num_symbols"])): figures(row, SHOWN)
        for rows in tables
        for row in rows
        if row["pair"] in pairs
    }
    ours = rows_of(root / f"resources/published/{name}.csv")
    test_merges_are_one_less_than_symbols(ours)
    assert len(ours) == len(published) == rows
    for row in ours:
        assert published[row["table"], int(row["num_symbols"] or 0)] == figures(row, SHOWN)


@pytest.mark.needs_mirror
def test_bpe_knockout(knockout, shared_data):
    """The paper's Tables 2 and 7; the shared table contains those over word types, with their counts."""
    language, rows = knockout
    names = {
        ("none", "full", "0"): "base",
        ("none", "full", "0.05"): "dropout",
        ("blame-0.5", "full", "0"): "knockout",
        ("blame-0.5", "holdout-0.5", "0"): "holdout",
        ("ideal", "full", "0"): "ideal",
    }
    ours = {}
    for row in rows:
        if row["unit"] == "types":
            name = names[row["knockout"], row["evaluation"], row["dropout"]]
            ours[name, row["boundaries"]] = row
    assert len(rows) == 2 * len(ours) == 20
    published = rows_of(shared_data / "published" / f"bpe_knockout_{language}.csv")
    for original in published:
        row = ours[original["row"].split()[0], original["reference"]]
        for column in ("vocabulary", "true_positives", "predicted", "positives", "tests"):
            assert row[column] == original[column]
        assert figures(row, SHOWN[:3]) == pytest.approx(figures(original, SHOWN[:3], 100))
