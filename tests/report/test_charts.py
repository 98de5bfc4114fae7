"""The charts of pairs and aligners, and those across pairs: their frames."""

import numpy as np
import pandas as pd
import pytest

from seggrid.report.charts import charts_of_settings, described
from seggrid.report.charts.others import (
    best_of_each,
    critical_differences,
    family_looks,
    measures,
)
from seggrid.report.charts.pruning import of_pruning
from seggrid.report.labels import METRICS
from seggrid.report.theme import FIRST, PLAIN
from seggrid.score.table import read_scores


def made(*cells):
    """The charts of some cells that have something to show, by name."""
    scores = described(pd.concat(cells, ignore_index=True), None)
    return {chart.name: chart for _, _, chart in charts_of_settings(scores) if len(chart.frame)}


def line(chart, panel, series, style="solid"):
    """The points of a line."""
    of = chart.frame
    return of[(of.panel == panel) & (of.series == series) & (of["style"] == style)]


@pytest.fixture
def plain(small):
    """BPE in both languages, with spaces, without dropout and knockout."""
    of = small[(small.sides == "both") & (small.segmenter == "bpe") & (small.spaces == "yes")]
    return of[(of.dropout == 0) & (of.knockout == "none")]


def test_curves_hold_the_scores_and_dashes_the_partners_that_the_table_names(small):
    other = small[small.sides == "none"].assign(cell="other words", f1=0.123, case="lower")
    chart = made(small.assign(words_cell="other words"), other)["merges"]
    wanted = small[(small.sides == "source") & (small.dropout == 0) & (small.status == "ok")]
    wanted = wanted.sort_values("merges")
    f1 = line(chart, "BPE, source only", "F1")
    assert f1[["x", "y"]].to_numpy().tolist() == wanted[["merges", "f1"]].to_numpy().tolist()
    assert (line(chart, "BPE, source only", "F1", "dashed").y == 0.123).all()


def test_each_rate_and_aggregate_has_its_four_metrics_beside_plain_cells(small):
    """As in the thesis's Figures 6.3 to 6.15."""
    some = small[(small.sides == "both") & (small.spaces == "yes") & (small.samples == 10)]
    some = some[(some.dropout == 0.1) & (some["aggregate"] != "0.3")]  # which lacks a cell
    chart = made(small)["dropout-metrics"]
    for _, wanted in some.sort_values("merges").groupby("aggregate"):
        plain = small.set_index("cell").loc[wanted.plain_cell]
        f1 = wanted.f1.tolist()
        (panel,) = (p for p in chart.panels if line(chart, p, "F1").y.tolist() == f1)
        for metric, label in METRICS.items():
            assert line(chart, panel, label).y.tolist() == wanted[metric].tolist()
            assert line(chart, panel, label, "dashed").y.tolist() == plain[metric].tolist()


def test_a_grid_without_dropout_has_its_curves(small, tmp_path):
    without = small[(small.dropout == 0) & (small.status == "ok")].assign(dropout_kind="")
    without.to_csv(tmp_path / "scores.csv", index=False)
    assert "merges" in made(read_scores(tmp_path / "scores.csv"))


def test_sizes_of_vocabularies_have_a_chart_of_their_own(small):
    learned = small[(small.sides != "none") & (small.dropout == 0)]
    sizes = learned.merges + 100
    sized = learned.assign(cell=learned.cell + "/sized", vocabulary=sizes, merges=np.nan)
    for side in ("source", "target"):
        sized[side] = [
            spec.replace(f"merges={size - 100:.0f}", f"vocabulary={size:.0f}")
            for spec, size in zip(sized[side], sizes, strict=True)
        ]
    drawn = made(small.assign(vocabulary=None), sized)
    panels = drawn["vocabulary"].panels
    assert panels[0].startswith("BPE")
    assert line(drawn["vocabulary"], panels[0], "F1").x.tolist() == sorted(
        sized.vocabulary.unique()
    )
    assert len(drawn["merges"].panels) >= len(panels), "they are drawn over merges beside"
    assert "vocabulary" not in made(small)


def test_no_line_leads_through_cells_whose_sides_differ_in_size(small, plain):
    unlike = [
        plain.assign(
            cell=f"{size}/" + plain.cell,
            sides="mixed",
            target=plain.target.str.replace(r"merges=\d+", f"merges={size}", regex=True),
        )
        for size in (123, 456)
    ]
    assert made(small, *unlike)["merges"].panels == made(small)["merges"].panels


def test_each_line_leads_through_cells_that_differ_in_one_axis_of_both_sides(small):
    """As in a grid that crosses merges of the source with merges and dropout of the target."""
    dropped = small[(small.sides == "both") & (small.dropout == 0.1) & (small.spaces == "yes")]
    dropped = dropped[dropped["aggregate"].isin(["union", "0.5", "intersection"])]
    dropped = dropped[dropped["samples"] == 10]
    source = dropped.source.str.replace("+dropout=0.1+dropout_kind=occurrence", "", regex=False)
    # Plain sources of each size beside targets of each size with dropout.
    crossed = [
        dropped.assign(
            source=source.str.replace(r"merges=\d+", f"merges={size}", regex=True),
            merges=float(size),
            sides="mixed",
            cell=f"{size}/" + dropped.cell,
        )
        for size in (500, 2000, 8000)
    ]
    drawn = made(small[small.dropout == 0], *crossed)
    for kind, labels in (("dropout", ["union", "0.5"]), ("thresholds", ["F1"])):
        (panel,) = drawn[kind].panels
        assert panel.startswith("BPE / BPE, dropout 0.1")
        for label in labels:
            places = line(drawn[kind], panel, label).x.tolist()
            assert len(set(places)) == len(places) == 3


def test_cells_with_other_sides_pruned_are_in_another_panel(small, plain):
    added = {"cell": plain.cell + "/one", "knockout": "blame-0.5", "f1": plain.f1 - 0.01}
    # As in a grid with one side pruned: the two sides differ.
    one = plain.assign(**added, source=plain.source + "+knockout=blame-0.5", sides="mixed")
    both = one.assign(
        cell=plain.cell + "/both",
        target=plain.target + "+knockout=blame-0.5",
        sides="both",
        f1=plain.f1 - 0.02,
    )
    words = small[small.sides == "none"]
    for kinds in ((one,), (both, one)):
        chart = made(words, plain, *kinds)["knockout"]
        for panel, pruned in zip(chart.panels, kinds, strict=True):
            for label, cells in (("as learned", plain), ("blame-0.5", pruned)):
                assert (
                    line(chart, panel, label).y.tolist() == cells.sort_values("merges").f1.tolist()
                )


def test_the_best_of_each_has_the_look_of_its_segmentation_beside_the_best_words(small):
    scores = described(small, None)
    chart = best_of_each(scores[scores.f1.notna()], family_looks(scores))
    best = small.groupby("segmenter").f1.max()
    assert sorted(chart.frame.x) == sorted(best)
    assert (chart.frame["at"] == best["words"]).all()
    assert chart.looks["words"] == PLAIN
    assert list(chart.looks.values())[1] == FIRST


def test_critical_differences_overlap_where_settings_are_not_told_apart():
    ranks = pd.DataFrame(
        {
            **{"setting": list("abc"), "pairs": 4, "mean_rank": [1.0, 2.0, 3.0]},
            **{"critical_difference": 1.5, "told_apart": ["no", "no", "yes"], "p": 0.01},
        }
    )
    frame = critical_differences(ranks, {"a": "the best"}).frame
    assert frame[["low", "high"]].to_numpy().tolist() == [[1, 1.75], [1.25, 2.75], [2.25, 3]]
    assert frame.row.tolist() == ["the best", "b", "c"]
    assert (frame["at"] == 1.75).all()


def test_figures_without_rows_are_left_out_beside_those_that_have_some():
    knockout = pd.DataFrame(
        [["t", "r", "change", "none", 0.0, 1.0, 3]],
        columns=["tokenizer", "reference", "figure", "knockout", "low", "high", "count"],
    )
    named = {chart.name: len(chart.frame) for chart in of_pruning(None, knockout)}
    assert named["knockout-tokens"] == 1
    assert named["stepping-stones"] == 0


def test_measures_without_a_correlation_with_f1_have_an_empty_chart():
    """All cells of a small grid may have the same F1."""
    names = ["pair", "aligner", "measure", "score", "spearman", "spearman_low", "spearman_high"]
    rows = pd.DataFrame([["p", "gibbs", "parity", "f1", *[np.nan] * 3]], columns=names)
    assert not len(measures(rows).frame)


def test_two_sizes_and_two_rates_make_a_heat_map(small):
    some = small[(small.sides == "both") & (small.spaces == "yes")]
    sizes = sorted(some.merges.dropna().unique())
    assert "dropout-merges" in made(some[some.merges.isin(sizes[:2])])
    assert "dropout-merges" not in made(some[some.merges.isin(sizes[:1])])
