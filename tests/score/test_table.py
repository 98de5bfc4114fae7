"""Tables of scores: metrics from counts, differences from baselines, missing cells."""

import runpy
import weakref

import numpy as np
import pandas as pd
import pytest
from grids import GOLD, TOKENS

from seggrid.grid.axes import AXES
from seggrid.score.counts import score_replicates
from seggrid.score.table import (
    add_measures,
    collate,
    read_scores,
    without_empty_columns,
    write_table,
)
from seggrid.segment.measures import Measured
from seggrid.text.gold import gold_of_nothing
from seggrid.text.links import Links


def scored(*replicates, aggregates=("none",)):
    links = [[Links.from_lines(lines)] for lines in replicates]
    return score_replicates(GOLD, links, aggregates, TOKENS)


def cells(*rows, replicates="2"):
    columns = ["cell", "pair", "aggregate", "sides", "words_cell", "plain_cell", "file"]
    sides = dict.fromkeys(("source", "target", "source_measures", "target_measures"), "words")
    table = pd.DataFrame(rows, columns=columns)
    return table.assign(aligner="fast_align", replicates=replicates, **sides)


def unmeasured(file):
    """Missing measures."""
    return Measured()


W, B = ("W", "p", "none", "none", "W", "", "w"), ("B", "p", "none", "both", "W", "", "b")


def collated(files, *rows, why=str, replicates="2"):
    return collate(cells(*rows, replicates=replicates), why, files.get, unmeasured)


@pytest.mark.parametrize("name", AXES)
def test_an_axis_without_a_value_is_read_as_its_kind_says(tmp_path, name):
    """All columns of the axes, of which the table has a value for none."""
    file = tmp_path / "scores.csv"
    file.write_text(f"cell,{name},f1\nc,,0.5\nd,,0.5\n")
    column = read_scores(file)[name]
    if AXES[name].kind in ("integer", "rate", "number") or name == "vocabulary":
        assert column.isna().all()
    else:
        assert column.tolist() == ["", ""]


def test_a_cell_without_gold_has_links_and_no_scores():
    nothing = gold_of_nothing(np.arange(2))
    found = score_replicates(
        nothing, [[Links.from_lines(["0-0 1-1", "0-0"])]], ["none"], TOKENS, one_to_one=(2, 4, 5)
    )
    table, counts = collated({"w": found}, W, replicates="1")
    row = table.iloc[0]
    assert (row["status"], row["links"]) == ("no gold", 3)
    assert (row["alignability_source"], row["alignability_target"]) == (0.5, 0.4)
    assert pd.isna(row["gold_sentences"])
    assert row[["precision", "recall", "f1", "aer", "delta_f1_words"]].isna().all()
    assert not counts


def test_scores_are_of_the_mean_and_spread_over_replicates():
    files = {"w": scored(["0-0 1-1", "0-0"]), "b": scored(["0-0", "0-0"], ["0-0 1-1", "0-0"])}
    table, counts = collated(files, W, B)
    row = table.set_index("cell").loc["B"]
    assert row["recall"] == pytest.approx((2 / 3 + 1) / 2)
    assert row["f1_sd"] == pytest.approx(np.std([0.8, 1.0], ddof=1))
    assert row["delta_f1_words"] == pytest.approx(0.9 - 1.0)
    # The counts contain every replicate, those of a cell one after the other.
    assert counts["p"].cells.tolist() == ["W", "B"]
    assert counts["p"].replicates.tolist() == [1, 2]
    assert counts["p"].counts.sum(axis=1).tolist() == [[3, 3, 3], [2, 2, 2], [3, 3, 3]]
    assert counts["p"].sure.tolist() == [2, 1]


def test_cells_with_equal_tokens_have_the_scores_of_the_smallest():
    """Whatever their own alignments, which other seeds have drawn."""
    rows = [
        ("B4", "p", "none", "both", "W", "", "b4"),
        ("B8", "p", "none", "both", "W", "", "b8"),
        ("B9", "p", "none", "both", "W", "", "b9"),
        ("W", "p", "none", "none", "W", "", "w"),
        ("X", "p", "none", "both", "W", "", "x"),
    ]
    table = cells(*rows, replicates="1").assign(aligner=[*["gibbs"] * 4, "eflomal"])
    specs = ["bpe+case=keep+spaces=yes+scoring=frequency+merges=4+application=rank"] * 3
    table["source"] = [*specs, "words+case=keep", specs[0]]
    table["source_measures"] = ["4", "4 too", "9", "w", "4"]
    table["target_measures"] = ["t"] * 5
    digests = {"4": "a", "4 too": "a", "9": "b", "w": "b", "t": "c"}
    good, poor = ["0-0 1-1", "0-0"], ["0-0", "0-1"]
    files = {"b4": good, "b8": poor, "b9": poor, "w": good, "x": poor}
    read = {name: scored(lines) for name, lines in files.items()}.get
    found, counts = collate(table, str, read, lambda file: Measured({}, digests[file]))
    found = found.set_index("cell")
    # Of words and a segmentation that is equal to them, the words; another aligner shares nothing.
    assert found["equal_cell"].to_dict() == {"B4": "", "B8": "B4", "B9": "W", "W": "", "X": ""}
    assert found.loc["B8", "f1"] == found.loc["B4", "f1"] == 1.0 != found.loc["X", "f1"]
    assert found.loc["B8", "remark"] == "the tokens, and so the scores, of B4"
    assert found.loc["B4", "remark"] == ""
    assert np.array_equal(counts["p"].counts[0], counts["p"].counts[1])


def test_links_and_the_spread_of_samples_are_means_over_replicates_too():
    perfect, poor = (Links.from_lines(lines) for lines in (["0-0 1-1", "0-0"], ["0-0", "0-1"]))
    file = score_replicates(GOLD, [[perfect, poor], [perfect, perfect]], ["union"], TOKENS)
    table, _ = collated({"f": file}, ("U", "p", "union", "both", "W", "", "f"))
    # Four links in the first replicate, three in the second.
    assert table["links"][0] == round((4 + 3) / 2)
    assert table["f1_samples_sd"][0] == pytest.approx(np.std([1.0, 0.4], ddof=1) / 2)


def test_the_cells_that_each_is_measured_against_are_the_last_columns():
    files = {"w": scored(["0-0", "0-0"]), "b": scored(["0-0", "0-0"])}
    table, _ = collated(files, W, ("K", "p", "none", "both", "W", "B", "b"))
    assert table.columns[-3:].tolist() == ["words_cell", "plain_cell", "equal_cell"]
    assert table[["words_cell", "plain_cell"]].to_numpy().tolist() == [["W", ""], ["W", "B"]]
    assert table["delta_f1_words"].tolist() == [0, 0]


def test_each_score_file_is_read_once_and_let_go():
    held, reads = [], []

    def read(name):
        held[:] = [one for one in held if one() is not None]
        assert len(held) <= 1, "more is held than the file before"
        reads.append(name)
        file = scored(["0-0", "0-0"], aggregates=("union", "intersection"))
        held.append(weakref.ref(file))
        return file

    rows = [
        (f"{file}-{aggregate}", "p", aggregate, "", "", "", file)
        for file in "abc"
        for aggregate in ("intersection", "union")
    ]
    table, counts = collate(cells(*rows, replicates="1"), str, read, unmeasured)
    assert len(table) == len(counts["p"].cells) == 6
    assert reads == ["a", "b", "c"]


def test_a_missing_cell_has_a_reason_and_no_figures():
    files = {"w": scored(["0-0", "0-0"])}
    table, counts = collated(files, W, B, why=lambda row: f"{row['cell']} failed")
    row = table.set_index("cell").loc["B"]
    assert (row["status"], row["reason"]) == ("missing", "B failed")
    assert pd.isna(row["f1"])
    assert pd.isna(row["delta_f1_words"])
    assert counts["p"].cells.tolist() == ["W"]
    # A run that ended before its first score.
    table, counts = collated({}, W, B)
    assert counts == {}
    assert set(table["status"]) == {"missing"}
    assert table["words_cell"].tolist() == ["W", "W"]


def test_measures_stand_beside_the_scores_and_a_shortfall_of_merges_is_said():
    table = pd.DataFrame(
        {
            "cell": ["a", "b"],
            "source": [
                "bpe+case=keep+spaces=yes+scoring=frequency+merges=1000+application=rank",
                "unigram+case=keep+merges=1000",
            ],
            "target": ["words+case=keep"] * 2,
            "source_measures": ["s"] * 2,
            "target_measures": ["t"] * 2,
            "equal_cell": ["", ""],
        }
    )
    values = {"s": {"tokens": 30, "fertility": 1.5, "merges": 873}, "t": {"tokens": 20}}
    files = {name: Measured(of_side) for name, of_side in values.items()}
    row, other = (row for _, row in add_measures(table, files).iterrows())
    assert (row["fertility_source"], row["parity"]) == (1.5, 1.5)
    assert np.isnan(row["fertility_target"])
    assert row["remark"] == "source: 873 of 1000 merges, all that its text has"
    assert other["remark"] == "source: 873 of 1000 types, all that its text has"
    table["source"] = ["unigram+case=keep+vocabulary=900", "bpe+case=keep+vocabulary=873"]
    values["s"]["vocabulary"] = 873
    remarks = add_measures(table, files)["remark"]
    assert list(remarks) == ["source: 873 of 900 types, all that its text has", ""]
    # Morfessor only comes close to the number of morphs, so that 5% fewer is no shortfall.
    table["source"] = ["morfessor+case=keep+merges=900", "morfessor+case=keep+merges=1000"]
    remarks = add_measures(table, files)["remark"]
    assert list(remarks) == ["", "source: 873 of 1000 morphs, all that its text has"]
    values["t"]["words_without_tokens"] = 7
    assert add_measures(table, files)["remark"][0] == "target: 7 words without a token"
    assert "source_measures" not in row


def test_parquet_has_numbers_where_the_scores_have_numbers(tmp_path, monkeypatch, root):
    """Cells are read as text, so that their axes would be text there."""
    table = cells(["p/a", "p", "none", "none", "p/a", "", "a.npz"]).assign(
        merges="100", dropout="0.1"
    )
    table.to_csv(tmp_path / "cells.tsv", sep="\t", index=False)
    main = runpy.run_path(str(root / "workflow/scripts/collate.py"))["main"]
    found = {}
    monkeypatch.setitem(main.__globals__, "write_parquet", found.setdefault)
    monkeypatch.setitem(
        main.__globals__, "read_group_counts", lambda file: scored(["0-0", ""], ["", ""])
    )
    monkeypatch.setitem(main.__globals__, "read_measures", unmeasured)
    monkeypatch.setitem(main.__globals__, "check_output", lambda file: None)
    monkeypatch.setitem(main.__globals__, "with_signatures", lambda table, golds: table)
    main(tmp_path / "cells.tsv", tmp_path / "scores.csv", tmp_path / "counts.npz")
    (written,) = found.values()
    assert [written[axis].dtype.kind for axis in ("merges", "dropout", "replicates")] == [*"ifi"]


def test_columns_without_a_value_are_left_out_and_read_again(tmp_path):
    """Whatever reads scores finds every column, of the same type."""
    everything = {"cell": ["a", "b"], "pair": "p", "f1": [0.5, np.nan], "remark": ["", "x"]}
    scores = pd.DataFrame({**everything, "equal_cell": "", "f1_sd": np.nan})
    kept = without_empty_columns(scores)
    assert [*kept] == [*everything]
    write_table(tmp_path / "whole.csv", scores)
    write_table(tmp_path / "kept.csv", kept)
    whole, read = (read_scores(tmp_path / f"{name}.csv") for name in ("whole", "kept"))
    pd.testing.assert_frame_equal(read[[*whole]], whole)
    assert read["equal_cell"].tolist() == read["words_cell"].tolist() == ["", ""]
    assert read["fertility_target"].isna().all()
