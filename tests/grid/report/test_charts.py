"""The frames of charts."""

import numpy as np
import pandas as pd
import pytest
import synthetic

from seggrid.grid.report import figures
from seggrid.grid.report.charts import described
from seggrid.grid.report.charts.chart import BARS, LINES, ROWS, Chart
from seggrid.grid.report.charts.others import (
    best_cells,
    critical_differences,
    family_looks,
    measures,
)
from seggrid.grid.report.labels import METRICS
from seggrid.grid.report.theme import FIRST, PLAIN
from seggrid.grid.report.vega import MARKS, spec_of


@pytest.mark.needs_studies("published")
def test_a_published_table_is_drawn_beside_ours_as_its_author_drew_it(small):
    """As in the thesis's Figures 6.1 to 6.15: four metrics over merges, published ones as rings; dashed: the
    same cells without dropout, or words."""
    from seggrid.studies.published.charts import of_published

    published = synthetic.published(small)
    scores = described(small, None)
    by_cell = scores[scores.f1.notna()].set_index("cell")
    (chart, *_) = [
        chart for chart in of_published(published, by_cell) if chart.name == "published-tables-1"
    ]
    assert len(chart.panels) == 6
    assert chart.rings == "published"
    assert chart.panels == [name for name in published.table.unique() if name in chart.panels]
    for panel in chart.panels:
        theirs = published[(published.table == panel) & published.cell.isin(by_cell.index)]
        theirs = theirs.sort_values("merges")
        ours = by_cell.loc[theirs.cell]
        partner = ours.plain_cell if (ours.dropout > 0).any() else ours.words_cell
        of_panel = chart.frame[chart.frame.panel == panel]
        for metric, label in METRICS.items():
            drawn = {
                style: line.y.tolist()
                for style, line in of_panel[of_panel.series == label].groupby("style")
            }
            assert drawn["solid"] == ours[metric].tolist()
            assert drawn["rings"] == theirs[f"published_{metric}"].tolist()
            assert drawn["dashed"] == pytest.approx(
                by_cell[metric].reindex(partner).tolist(), nan_ok=True
            )


def test_the_best_of_each_has_the_look_of_its_segmentation_beside_its_words(small):
    scores = described(small, None)
    chart = best_cells(scores[scores.f1.notna()], family_looks(scores))
    best = small.groupby("segmenter").f1.max()
    assert sorted(chart.frame.x) == sorted(best)
    merges = small.merges[small[small.segmenter == "bpe"].f1.idxmax()]
    assert any(row.endswith(f", {merges:,.0f} merges") for row in chart.frame.row)
    # A tick at the words that differ in the segmentation alone; none at words.
    f1 = small.set_index("cell").f1
    words = scores.loc[chart.frame["cell"], "words_cell"].map(f1)
    same = scores.loc[chart.frame["cell"], "sides"] == "none"
    assert chart.frame["tick"].tolist() == pytest.approx(words.mask(same).tolist(), nan_ok=True)
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


def test_page_and_figures_draw_the_same_marks():
    """Of each kind of chart; what one of them does not draw would be missing without a word."""
    rows = [
        ("p", "F1", style, x, x) for style in ("solid", "dashed", "points", "rings") for x in (0, 1)
    ]
    lines = pd.DataFrame(rows, columns=["panel", "series", "style", "x", "y"])
    lines = lines.assign(low=lines.x - 0.1, high=lines.x + 0.1)
    bars = lines.assign(row=lines["x"].astype(str), at=0.5, tick=0.2)
    found = {}
    for kind in (LINES, ROWS, BARS):
        chart = Chart("name", "title", kind, bars, "x", ticks="words", diagonal=kind == LINES)
        marks = [layer.mark for layer in chart.layers()]
        assert len(spec_of(chart)["layer"]) == len(marks)
        found[kind] = set(marks)
    assert found[LINES] == {"diagonal", "area", "dashes", "line", "points", "rings"}
    assert found[ROWS] == {"reference", "ticks", "spans", "points"}
    assert found[BARS] == {"bars"}
    assert set().union(*found.values()) == MARKS.keys() == figures.MARKS.keys()


@pytest.mark.needs_studies("morphology")
def test_figures_without_rows_are_left_out_beside_those_that_have_some():
    from seggrid.studies.morphology.charts import of_pruning

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


@pytest.mark.needs_studies("morphology")
def test_curves_take_each_amount_once_from_either_table():
    """A row is named by tokenizer and reference alone: a remark or a kind of dropout that only some rows have
    makes no other setting of them."""
    from seggrid.studies.morphology.charts import curves

    morphology = synthetic.morphology()
    few = [None] * (len(morphology) - 1)
    said = morphology.assign(remark=["149 of 200 merges", *few], dropout_kind=[*few, "queue"])
    sweep = morphology[morphology.boundaries == "morphemes"].assign(figure="threshold")
    sweep = sweep[["tokenizer", "reference", "figure", "knockout", "f1"]]
    for both in (curves(morphology, sweep), curves(said, sweep)):
        assert len(both) == len(sweep)
        blame = both[both.method == "blame"]
        assert blame.amount.tolist() == pytest.approx([t / 10 for t in range(1, 10)])
        assert both[both.knockout == "none"].amount.isna().all()
        assert set(both.setting) == {"bpe-40k, celex"}
    assert curves(None, None).empty
