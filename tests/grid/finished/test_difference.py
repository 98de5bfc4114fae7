"""What differs between two runs, on small folders of results."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_runs import LARGE, SMALL, WORDS, counts_of, make_run, write_csv

from seggrid.commands import main
from seggrid.grid.finished.difference import (
    Moved,
    by_key,
    compare_runs,
    compare_tables,
    with_tests,
)
from seggrid.grid.study import table_named
from seggrid.score.counts import PairCounts
from seggrid.score.significance import randomization_test


@pytest.fixture
def runs(tmp_path):
    """Two runs: one cell each of their own, one with other scores, one with the same."""
    first = {"settings": {"seed": 1}, "versions": {"numpy": "2.0"}, "inputs": {"text": "aa"}}
    second = {"settings": {"seed": 2}, "versions": {"numpy": "2.1"}, "inputs": {"text": "bb"}}
    return (
        make_run(tmp_path / "one/results", {WORDS: 2, SMALL: 3}, first),
        make_run(tmp_path / "two/results", {WORDS: 2, SMALL: 4, LARGE: 5}, second),
    )


def test_cells_settings_inputs_and_versions_that_differ_are_named(runs):
    found = compare_runs(*runs)
    assert found.settings == {"seed": (1, 2)}
    assert found.inputs == {"text": ("aa", "bb")}
    assert found.versions == {"numpy": ("2.0", "2.1")}
    (scores,) = found.tables
    assert (scores.first, scores.second) == ([], [(LARGE,)])
    assert set(scores.changed[WORDS,]) == {"experiment"}
    assert [one.cell for one in found.moved] == [SMALL]
    assert not found.notes


def test_a_cell_that_moved_is_tested_on_the_sentences_of_both_runs(runs):
    """The test of one replicate against two, each counted as often, by the function itself."""
    (moved,) = compare_runs(*runs).moved
    one, other = counts_of(3, 2), counts_of(4)
    ours, theirs = np.repeat(other, 2, axis=0)[None], one[None]
    expected = randomization_test(ours, theirs, np.full(12, 7), 100_000, 5)
    assert moved.p == pytest.approx(expected[0], abs=0.02)
    assert moved.p_holm == moved.p
    assert moved.low < moved.delta_f1 < moved.high
    first, second = map(float, moved.scores["f1"])
    assert moved.delta_f1 == second - first


def test_p_values_are_corrected_for_all_cells_that_moved():
    cells = np.array(["a", "b"])
    sure = np.full(12, 7)

    def run(*seeds):
        counts = np.concatenate([counts_of(seed) for seed in seeds])
        return {"p": PairCounts(cells, np.ones(2, dtype=int), sure, counts)}

    tested, untested = with_tests(
        [Moved(cell, {}, 0.1) for cell in cells.tolist()], run(2, 4), run(6, 8), rounds=100
    )
    p = [one.p for one in tested]
    assert not untested
    assert [one.p_holm for one in tested] == [
        min(1, 2 * own) if own == min(p) else max(min(1, 2 * min(p)), own) for own in p
    ]


def test_runs_of_other_gold_are_not_tested(tmp_path, runs):
    other = make_run(tmp_path / "three", {SMALL: 4}, {}, sure=6)
    found = compare_runs(runs[0], other)
    assert found.moved[0].p is None
    assert found.notes == ["no tests of p: the runs have other gold sentences"]


def test_what_cannot_be_known_is_said(tmp_path, runs):
    bare = make_run(tmp_path / "bare", {SMALL: 4})
    (bare / "counts.npz").unlink()
    assert compare_runs(runs[0], bare).notes == [
        f"{bare} has no run.json: its settings, inputs and versions are unknown",
        "no tests: a run has no counts.npz",
    ]
    scores = runs[0] / "scores.csv"
    scores.write_text(scores.read_text() + "\n".join(scores.read_text().splitlines()[1:2]) + "\n")
    assert compare_runs(*runs).notes == [f"{scores} is not the table that run.json names"]


def test_the_command_says_that_nothing_differs(tmp_path, capsys):
    for name in ("one", "two"):
        make_run(tmp_path / name / "results", {WORDS: 2}, {"versions": {"numpy": name}})
    one, two = str(tmp_path / "one"), str(tmp_path / "two/results")
    assert main(["diff", one, one]) == 0
    assert capsys.readouterr().out == "nothing differs\n"
    # Another version alone is said, and changes no result.
    assert main(["diff", one, two]) == 0
    assert "numpy" in capsys.readouterr().out
    assert main(["diff", one, str(tmp_path)]) == 2
    assert "no tables of a finished run" in capsys.readouterr().err


def test_the_command_shows_what_differs(runs, capsys):
    with pytest.raises(SystemExit) as end:
        main(["diff", *map(str, runs)])
    assert end.value.code == 1
    said = capsys.readouterr().out
    for part in (LARGE, SMALL, "seed", "numpy", "aa", "bb"):
        assert part in said


def test_rows_of_a_figure_share_a_key_and_are_compared_in_their_order():
    entry = table_named("knockout")
    columns = ("tokenizer", "reference", "figure", "knockout", "f1")

    def table(*values):
        row = dict.fromkeys(columns[:-1], "x")
        return {"knockout": by_key(entry, [{**row, "f1": value} for value in values])}

    assert compare_tables(table("1", "2"), table("1.0", "2")) == []
    (differ,) = compare_tables(table("1", "2"), table("1", "3", "4"))
    assert differ.changed == {("x",) * 4: {"rows": (2, 3), "f1": ("2", "3")}}


CELLS = st.dictionaries(st.sampled_from("abcd"), st.sampled_from(["0.1", "0.10", "0.2"]))


@given(CELLS, CELLS)
def test_tables_differ_where_their_numbers_do(first, second):
    def table(cells):
        rows = [{"cell": cell, "f1": f1} for cell, f1 in cells.items()]
        return {"scores": by_key(table_named("scores"), rows)}

    found = compare_tables(table(first), table(second))
    both = first.keys() & second.keys()
    expected = {(cell,) for cell in both if float(first[cell]) != float(second[cell])}
    assert {key for one in found for key in one.changed} == expected
    assert {key for one in found for key in one.first} == {(c,) for c in first.keys() - second}
    assert {key for one in found for key in one.second} == {(c,) for c in second.keys() - first}


def test_a_damaged_table_is_named_with_its_line(tmp_path, capsys):
    good = make_run(tmp_path / "good", {WORDS: 2}, {})
    bad = tmp_path / "bad"
    bad.mkdir()
    (bad / "scores.csv").write_text("cell,f1\na,0.1,3\n")
    assert main(["diff", str(good), str(bad)]) == 2
    assert f"{bad}/scores.csv:2: 3 fields" in capsys.readouterr().err
    write_csv(bad / "scores.csv", [{"f1": "1"}])
    assert main(["diff", str(good), str(bad)]) == 2
    assert "no column 'cell'" in capsys.readouterr().err
    (good / "run.json").write_text("[]")
    assert main(["diff", str(good), str(good)]) == 2
    assert "run.json: not the record of a run" in capsys.readouterr().err
