"""Tables of scores: metrics from counts, differences from baselines, cells that are missing."""

import numpy as np
import pandas as pd
import pytest

from seggrid.corpus.gold import Gold
from seggrid.data.links import Links
from seggrid.score.score_file import Scored, score_replicates
from seggrid.score.table import collate, read_scores
from seggrid.thesis.published import compare
from seggrid.workflow.missing import NOT_RUN, reason

GOLD = Gold(
    np.array([0, 2]), Links.from_lines(["0-0 1-1", "0-0"]), Links.from_lines(["0-0 1-1", "0-0"])
)


def scored(*replicates, aggregates=("none",)):
    return score_replicates(GOLD, [[Links.from_lines(lines)] for lines in replicates], aggregates)


def cells(*rows):
    columns = ["cell", "pair", "aggregate", "words_cell", "plain_cell", "file"]
    return pd.DataFrame(rows, columns=columns)


def test_scores_are_of_the_mean_and_spread_over_replicates():
    files = {"w": scored(["0-0 1-1", "0-0"]), "b": scored(["0-0", "0-0"], ["0-0 1-1", "0-0"])}
    table, arrays = collate(
        cells(("W", "p", "none", "W", "", "w"), ("B", "p", "none", "W", "", "b")), str, files.get
    )
    row = table.set_index("cell").loc["B"]
    assert row["recall"] == pytest.approx((2 / 3 + 1) / 2)
    assert row["f1_sd"] == pytest.approx(np.std([0.8, 1.0], ddof=1))
    assert row["delta_f1_words"] == pytest.approx(0.9 - 1.0)
    # The table of counts holds the first replicate.
    assert arrays["p/counts"][1].sum(axis=0).tolist() == [2, 2, 2]
    assert arrays["p/sure"].tolist() == [2, 1]


def test_the_spread_of_samples_is_that_of_their_own_f1():
    samples = [Links.from_lines(["0-0 1-1", "0-0"]), Links.from_lines(["0-0", "0-0"])]
    file = score_replicates(GOLD, [samples], ["union", "intersection"])
    row = ("U", "p", "union", "W", "", "f")
    table, _ = collate(cells(row), str, {"f": file}.get)
    assert table["f1_samples_sd"][0] == pytest.approx(np.std([1.0, 0.8], ddof=1))


def test_a_missing_cell_has_a_reason_and_no_figures():
    table, arrays = collate(
        cells(("W", "p", "none", "W", "", "w"), ("B", "p", "none", "W", "", "b")),
        lambda row: f"{row['cell']} failed",
        {"w": scored(["0-0", "0-0"])}.get,
    )
    row = table.set_index("cell").loc["B"]
    assert (row["status"], row["reason"]) == ("missing", "B failed")
    assert pd.isna(row["f1"])
    assert pd.isna(row["delta_f1_words"])
    assert arrays["p/cells"].tolist() == ["W"]


def test_the_reason_is_the_last_line_of_the_first_log_of_a_failure(tmp_path):
    row = {
        "pair": "p",
        "source": "words+case=keep",
        "target": "words+case=keep",
        "aligner": "fast_align",
        "symmetrization": "union",
    }
    assert reason(row, tmp_path) == NOT_RUN
    log = tmp_path / "align/p/words+case=keep/words+case=keep/fast_align/replicate=0/0-0.log"
    log.parent.mkdir(parents=True)
    log.write_text("algorithm took 1.0 s, 1.0 s of CPU\n")
    assert reason(row, tmp_path) == NOT_RUN
    log.write_text("Traceback\nerror: no memory\n")
    assert reason(row, tmp_path) == "align: no memory"


def test_scores_are_read_back_as_they_were_written(tmp_path):
    one = scored(["0-0", "1-1"])
    one.save(tmp_path / "x.npz")
    other = Scored.load(tmp_path / "x.npz")
    assert other.aggregates == one.aggregates
    assert np.array_equal(other.counts, one.counts)
    assert other.links[0].lines() == one.links[0].lines()


def test_a_published_row_meets_the_cell_that_agrees_with_all_that_it_gives():
    metrics = dict.fromkeys(["precision", "recall", "f1", "aer"], 0.5)
    ours = pd.DataFrame(
        [
            {"cell": "a", "pair": "p", "merges": 999, "dropout": 0.1, "samples": 10, **metrics},
            {"cell": "b", "pair": "p", "merges": 999, "dropout": 0.0, "samples": 1, **metrics},
        ]
    )
    row = {"pair": "p", "merges": "999", "samples": "", "table": "t", "recall": "", "aer": "0.4"}
    theirs = pd.DataFrame(
        [
            {**row, "dropout": "0.10", "precision": "0.4", "f1": "0.4"},
            {**row, "dropout": "0.3", "precision": "0.4", "f1": "0.4"},
        ]
    )
    found, none = compare(theirs, ours).to_dict("records")
    assert found["cell"] == "a"
    assert found["delta_f1"] == pytest.approx(0.1)
    assert np.isnan(found["delta_recall"])
    assert none["cell"] == ""
    assert np.isnan(none["f1"])


def test_an_axis_that_no_cell_has_is_read_as_empty_text(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text(
        "cell,merges,dropout,dropout_kind,aggregate,f1\nW,,0,,none,0.5\nB,9,0,,none,0.6\n"
    )
    table = read_scores(path)
    assert table["dropout_kind"].tolist() == ["", ""]
    assert table["merges"].tolist()[1] == 9
