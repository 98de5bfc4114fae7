"""Tables of several runs joined, on small folders of results."""

import csv
import json

import numpy as np
import pandas as pd
import pytest
from made_runs import LARGE, SMALL, WORDS, make_run

from seggrid.cli import main
from seggrid.score.counts import read_counts
from seggrid.score.significance_table import summarize
from seggrid.score.table import read_scores
from seggrid.workflow.finished.joined import join_counts


def rows(file):
    with file.open() as text:
        return list(csv.DictReader(text))


@pytest.fixture
def merge(monkeypatch):
    """Calls the command; the page, which takes a second, is another test's."""
    monkeypatch.setattr("seggrid.report.page.build", lambda results, about: "page")

    def merge(*arguments):
        return main(["merge", *map(str, arguments)])

    return merge


def test_merged_parts_are_the_whole_run(tmp_path, merge, capsys):
    """Intervals and tests are those of a run of all cells."""
    whole = make_run(tmp_path / "whole", {WORDS: 2, SMALL: 3, LARGE: 4})
    parts = [
        make_run(tmp_path / "one", {WORDS: 2, SMALL: 3}, {"settings": {"seed": 5}}),
        make_run(tmp_path / "two", {WORDS: 2, LARGE: 4}, {"inputs": {"text": "aa"}}),
    ]
    made = tmp_path / "made"
    assert merge(*parts, "-o", made) == 0
    expected = [{**row, "experiment": ""} for row in rows(whole / "scores.csv")]
    assert [{**row, "experiment": ""} for row in rows(made / "scores.csv")] == expected
    tests = summarize(read_counts(whole / "counts.npz"), read_scores(whole / "scores.csv"), seed=5)
    assert (made / "significance.csv").read_text() == tests.to_csv(index=False, lineterminator="\n")
    record = json.loads((made / "run.json").read_text())
    assert set(record["tables"]) == {
        *("scores.csv", "counts.npz", "significance.csv", "correlations.csv")
    }
    assert record["inputs"] == {"text": "aa"}
    assert len(record["runs"]) == 2
    assert (made / "report.html").read_text() == "page"
    # Again, in place of what it has written.
    assert merge(*parts, "-o", made) == 0
    assert f"Tables: {made}" in capsys.readouterr().err


def test_a_cell_with_other_scores_is_refused_or_taken_from_the_first_run(tmp_path, merge, capsys):
    one = make_run(tmp_path / "one", {WORDS: 2, SMALL: 3})
    two = make_run(tmp_path / "two", {WORDS: 2, SMALL: 4})
    made = tmp_path / "made"
    assert merge(one, two, "-o", made) == 2
    said = capsys.readouterr().err
    assert f"{two}/scores.csv: {SMALL}: other values than in {one}" in said
    assert "--prefer first" in said
    assert not made.exists()
    assert merge(one, two, "-o", made, "--prefer", "first") == 0
    assert [row["f1"] for row in rows(made / "scores.csv")] == [
        row["f1"] for row in rows(one / "scores.csv")
    ]
    (own,) = read_counts(made / "counts.npz").values()
    np.testing.assert_array_equal(own.counts, read_counts(one / "counts.npz")["p"].counts)


def test_the_best_words_are_those_of_all_runs(tmp_path, merge):
    """A run without words has none to compare with; joined with another, it has."""
    one = make_run(tmp_path / "one", {SMALL: 3})
    two = make_run(tmp_path / "two", {WORDS: 2})
    assert merge(one, two, "-o", tmp_path / "made") == 0
    small, words = rows(tmp_path / "made/scores.csv")
    assert small["words_cell"] == WORDS
    assert float(small["delta_f1_words"]) == float(small["f1"]) - float(words["f1"])


def test_runs_of_other_gold_are_refused(tmp_path, merge, capsys):
    one = make_run(tmp_path / "one", {SMALL: 3})
    two = make_run(tmp_path / "two", {WORDS: 2}, sure=6)
    assert merge(one, two, "-o", tmp_path / "made") == 2
    assert "p: other gold sentences" in capsys.readouterr().err
    (a,), (b,) = (read_counts(run / "counts.npz").values() for run in (one, two))
    with pytest.raises(ValueError, match="other gold"):
        a.followed_by(b)


def test_tables_of_whole_grids_are_left_out_and_named(tmp_path, merge, capsys):
    one = make_run(tmp_path / "one", {SMALL: 3})
    two = make_run(tmp_path / "two", {WORDS: 2})
    (one / "claims.csv").write_text("claim,whose,source,verdict\na,b,c,holds\n")
    (two / "votes.csv").write_text("ensemble,pair,member\ne,p,m\n")
    assert merge(one, two, "-o", tmp_path / "made") == 0
    assert "made from a whole grid: claims" in capsys.readouterr().err
    assert (tmp_path / "made/votes.csv").read_bytes() == (two / "votes.csv").read_bytes()
    assert merge(one, "-o", tmp_path / "made") == 2
    assert "two runs or more" in capsys.readouterr().err


def test_counts_of_cells_with_several_replicates_stay_theirs(tmp_path):
    runs = [
        read_counts(make_run(tmp_path / name, cells) / "counts.npz")
        for name, cells in (("one", {WORDS: 2, SMALL: 3}), ("two", {SMALL: 5, LARGE: 7, WORDS: 2}))
    ]
    both = join_counts(["one", "two"], runs)["p"]
    assert both.cells.tolist() == [WORDS, SMALL, LARGE]
    for cell, run in ((0, 0), (1, 0), (2, 1)):
        own = runs[run]["p"]
        (place,) = np.flatnonzero(own.cells == both.cells[cell])
        theirs = own.of(np.array([place]), 2)
        np.testing.assert_array_equal(both.of(np.array([cell]), 2), theirs)


def test_the_order_of_rows_is_that_of_the_runs(tmp_path, merge):
    one = make_run(tmp_path / "one", {LARGE: 4, WORDS: 2})
    two = make_run(tmp_path / "two", {SMALL: 3, WORDS: 2})
    assert merge(one, two, "-o", tmp_path / "made") == 0
    assert pd.read_csv(tmp_path / "made/scores.csv")["cell"].tolist() == [LARGE, WORDS, SMALL]
