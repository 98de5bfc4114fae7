"""Tables of published figures: what they may contain, and the messages about invalid ones."""

import csv

import pytest

from seggrid.errors import InputError, InputErrors
from seggrid.thesis.published import check_published, read_published

HEAD = "pair,table,merges,dropout,aggregate,precision,recall,f1,aer"


@pytest.fixture
def table(tmp_path):
    def write(*rows, head=HEAD):
        path = tmp_path / "published.csv"
        path.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
        return path

    return write


def mistakes(path, pairs=("p",)):
    with pytest.raises(InputError) as caught:
        check_published(path, pairs, pairs)
    error = caught.value
    errors = error.errors if isinstance(error, InputErrors) else [error]
    assert {str(one.file) for one in errors} == {str(path)}
    return [(one.line, one.message, one.hint) for one in errors]


def test_a_table_is_read_with_one_spelling_of_each_value(table):
    path = table('p,"thesis, 6.1",0999,0.10,0.70,0.5,,0.5,', "p,t,,2/6,none,,,1,0")
    first, second = read_published(path)
    assert first["table"] == "thesis, 6.1"
    assert (first["merges"], first["dropout"], first["aggregate"]) == ("999", "0.1", "0.7")
    assert (second["merges"], second["dropout"], second["aggregate"]) == ("", "1/3", "none")
    assert (first["precision"], first["recall"]) == ("0.5", "")
    assert check_published(path, ["p"], ["p"]) == []


def test_rows_of_a_pair_that_no_experiment_uses_are_skipped_with_a_note(table):
    path = table("p,t,9,,,0.5,,,", "q,t,9,,,0.5,,,", "q,t,99,,,0.5,,,")
    (remark,) = check_published(path, ["p"], ["p", "q"])
    assert remark == f"{path}:3: 2 rows from here on have no figure of ours: no experiment uses q"


@pytest.mark.parametrize("value", ["-0.1", "nan", "inf", "0,5x", "high", "1e9", "57.4"])
def test_a_metric_is_a_share(table, value):
    ((line, message, hint),) = mistakes(table(f'p,t,9,,,0.5,0.5,"{value}",0.5'))
    assert (line, message) == (2, f"f1 {value} is not between 0 and 1")
    assert hint == ("percent? write 0.574" if value == "57.4" else "write a share, as 0.604")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("spaces", "true"), ("case", "upper"), ("segmenter", "bpe2"), ("sides", "left")),
        *(("merges", "-1"), ("merges", "1e3"), ("dropout", "0.1.2"), ("aggregate", "most")),
    ],
)
def test_a_value_is_one_of_its_axis(table, name, value):
    ((line, message, hint),) = mistakes(table(f"p,t,{value},0.5", head=f"pair,table,{name},f1"))
    assert (line, message) == (2, f"{name} {value!r} is not a value of that axis")
    assert hint


def test_sides_of_a_cell_may_be_none_and_mixed_and_one_metric_is_enough(table):
    read = read_published(table("p,t,none,0.5", "p,t,mixed,0.5", head="pair,table,sides,f1"))
    assert read[0] == {"pair": "p", "table": "t", "sides": "none", "f1": "0.5"}


def test_columns_that_lack_and_columns_that_nothing_is_known_of_are_told_together(table):
    found = mistakes(table("1,2,3,4", head="pair,Table,dropuot,dropuot"))
    assert [message for _, message, _ in found] == [
        "unknown column 'Table'",
        "unknown column 'dropuot'",
        "two columns 'dropuot'",
        "no column 'table'",
        "no column of a metric",
    ]
    assert {line for line, _, _ in found} == {1}


def test_a_row_that_is_there_twice(table):
    ((line, message, _),) = mistakes(table("p,t,9,0.1,,,,0.5,", "p,t,9,0.10,,,,0.6,"))
    assert (line, message) == (3, "the same cell of the same table as on line 2")


def test_pairs_that_the_grid_lacks_are_told_by_line(table):
    found = mistakes(table("p,t,9,,,,,0.5,", "q,t,9,,,,,0.5,", "Q,t,9,,,,,0.5,"), pairs=["p", "r"])
    assert [(line, message) for line, message, _ in found] == [
        (3, "the config has no pair 'q'"),
        (4, "the config has no pair 'Q'"),
    ]
    assert "it has p, r" in found[0][2]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("p,t,9", "3 fields, where there are 9 columns"),
        ("", "0 fields, where there are 9 columns"),
        ('p,"t,9,,,,,0.5,', "not a row of CSV: unexpected end of data"),
        (",t,9,,,,,0.5,", "no pair"),
    ],
)
def test_rows_that_are_none(table, row, message):
    ((line, found, _),) = mistakes(table("p,t,8,,,,,0.5,", row, "p,t,7,,,,,0.5,"))
    assert (line, found) == (3, message)


def test_a_file_that_is_not_there_or_empty(tmp_path, table):
    with pytest.raises(InputError, match="no such file"):
        read_published(tmp_path / "none.csv")
    (tmp_path / "empty.csv").write_bytes(b"")
    with pytest.raises(InputError, match="empty"):
        read_published(tmp_path / "empty.csv")
    assert read_published(table()) == []


SHOWN = ("precision", "recall", "f1", "aer")


def test_the_csv_beside_the_page_of_the_thesis_has_each_published_row(root):
    def key(row):
        return row["table"], row["pair"], row["merges"], row["aggregate"]

    published = {key(row): row for row in read_published(root / "resources/published/thesis.csv")}
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
