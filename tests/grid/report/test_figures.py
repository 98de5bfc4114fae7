"""Static figures."""

from collections import defaultdict
from itertools import pairwise

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
import synthetic
from matplotlib.backends.backend_agg import FigureCanvasAgg

from seggrid.grid.report import figures
from seggrid.grid.report.charts.chart import LINES, Chart
from seggrid.grid.report.figures import STYLE, draw
from seggrid.score.metrics import METRICS

pytestmark = pytest.mark.tier("check")


@pytest.fixture(scope="module")
def results(small):
    """All tables of figures, with sizes that need labels of their own."""
    odd = small.assign(merges=small.merges.replace({500: 0, 2000: 1999, 8000: 3999}))
    return {
        "scores": odd,
        **synthetic.of_studies(odd),
    }


def test_the_same_bytes_each_time(small, tmp_path):
    one = small[small.dropout == 0]
    first, second = (figures.draw_all({"scores": one}, tmp_path / name) for name in "ab")
    assert [file.name for file in first] == ["best.svg", "best.png"]
    assert [file.read_bytes() for file in first] == [file.read_bytes() for file in second]


@pytest.mark.needs_studies("published")
def test_every_published_point_is_inside_its_figure():
    from seggrid.studies.published.charts import of_published

    theirs = {f"published_{metric}": [0.6, 0.61, 0.62] for metric in METRICS}
    ours = {metric: [0.3, 0.9, 0.61] for metric in METRICS}
    rows = pd.DataFrame(theirs | ours)
    rows = rows.assign(delta_f1=np.nan, cell="", table="")
    chart = next(of_published(rows, pd.DataFrame(index=["a cell"])))
    axes = draw(chart).axes[0]
    assert axes.get_xlim() == axes.get_ylim()
    low, high = axes.get_ylim()
    assert low < 0.3 < 0.9 < high


def test_without_alignments_and_with_one_cell_there_are_no_figures_and_no_error(small):
    assert list(figures.figures({})) == []
    assert list(figures.figures({"scores": small.head(1)})) == []


def test_the_legend_shows_rings_as_they_are_drawn():
    rows = [("all", "F1", style, x, 0.5) for style in ("solid", "rings") for x in (1, 2)]
    frame = pd.DataFrame(rows, columns=["panel", "series", "style", "x", "y"])
    figure = draw(Chart("name", "title", LINES, frame, "Merges", rings="theirs"))
    drawn = [line for line in figure.axes[0].lines if line.get_linestyle() == "None"]
    (ring,) = [entry for entry in figure.legends[0].legend_handles if entry.get_label() == "theirs"]
    assert {line.get_markersize() for line in drawn} == {ring.get_markersize()}


def overlapping(labels):
    """Whether any two labels of a row overlap."""
    boxes = sorted(label.get_window_extent().extents.tolist() for label in labels)
    return any(left[2] > right[0] for left, right in pairwise(boxes))


@pytest.mark.needs_studies("published", "morphology", "language_model")
def test_every_figure_is_there_and_no_text_is_cut_off_or_runs_into_another(results):
    names = """best published differences language-models language-model-losses knockout-threshold
        knockout-pruned knockout-random-latest knockout-positions knockout-tokens leaves
        morphemes-per-word stepping-stones"""
    found = []
    with mpl.rc_context(STYLE):
        for name, figure in figures.figures(results):
            found.append(name)
            FigureCanvasAgg(figure)
            figure.draw_without_rendering()
            drawn = figure.get_tightbbox()
            assert drawn.x0 >= 0, name
            assert drawn.y0 >= 0, name
            assert drawn.x1 <= figure.get_figwidth(), name
            assert drawn.y1 <= figure.get_figheight(), name
            for axes in figure.axes:
                low, high = axes.get_xlim()
                ticks = [t for t in axes.xaxis.get_major_ticks() if low <= t.get_loc() <= high]
                assert not overlapping(tick.label1 for tick in ticks), name
            for row in by_row(figure.axes):
                assert not overlapping(axes._left_title for axes in row), name
    assert {name for name in found if not name.startswith("published-tables")} == {*names.split()}
    assert "published-tables-2" in found


def by_row(all_axes):
    rows = defaultdict(list)
    for axes in all_axes:
        rows[round(axes.get_position().y0, 6)].append(axes)
    return rows.values()
