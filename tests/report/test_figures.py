"""Static figures."""

from collections import defaultdict
from itertools import pairwise

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
import synthetic
import synthetic_models
from matplotlib.backends.backend_agg import FigureCanvasAgg

from seggrid.report import figures
from seggrid.report.charts.others import critical_differences, of_published
from seggrid.report.figures import style
from seggrid.report.figures.drawing import draw
from seggrid.score.metrics import METRICS
from seggrid.score.table import read_scores

pytestmark = pytest.mark.tier("check")


@pytest.fixture(scope="module")
def drawn(small, tmp_path_factory):
    folder = tmp_path_factory.mktemp("figures")
    published = synthetic.published(small)
    published = published[published.table.isin(published.table.unique()[:4])]
    return figures.draw_all(
        {
            "scores": small,
            "published": published,
            "morphology": synthetic.morphology(),
            "knockout": synthetic.knockout(),
            "language_model": synthetic_models.language_models(),
            "language_model_losses": synthetic_models.losses(),
        },
        folder,
    )


def test_critical_differences_overlap_where_settings_are_not_told_apart():
    ranks = pd.DataFrame(
        {
            **{"setting": list("abc"), "pairs": 4, "mean_rank": [1.0, 2.0, 3.0]},
            **{"critical_difference": 1.5, "told_apart": ["no", "no", "yes"], "p": 0.01},
        }
    )
    chart = critical_differences(ranks, {"a": "the best"})
    assert chart.frame[["low", "high"]].to_numpy().tolist() == [[1, 1.75], [1.25, 2.75], [2.25, 3]]
    (axes,) = draw(chart).axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["the best", "b", "c"]
    assert [bars.get_segments()[0][:, 0].tolist() for bars in axes.collections] == [
        [1, 1.75],
        [2.25, 3],
    ]
    assert any(line.get_xdata()[0] == 1.75 for line in axes.lines)


@pytest.fixture
def plain(small):
    """BPE in both languages, with spaces, without dropout and knockout."""
    of = small[(small.sides == "both") & (small.segmenter == "bpe") & (small.spaces == "yes")]
    return of[(of.dropout == 0) & (of.knockout == "none")]


def made(*cells):
    """The figures of some cells, by name, without pair and aligner."""
    scores = pd.concat(cells, ignore_index=True)
    return {
        name.removesuffix("-eng-deu-fast_align"): figure
        for name, figure in figures.figures({"scores": scores})
    }


def lines_of(axes):
    return {line.get_label(): line for line in axes.get_lines()}


def test_every_figure_is_there_in_both_formats(drawn):
    names = {file.stem for file in drawn}
    of_pair = {"merges", "dropout", "dropout-metrics", "knockout", "thresholds", "dropout-merges"}
    assert names == {f"{kind}-eng-deu-fast_align" for kind in of_pair} | {
        "best",
        "published",
        "differences",
        "language-models",
        "language-model-losses",
        "published-tables-1",
        "knockout-threshold",
        "knockout-pruned",
        "knockout-random-latest",
        "knockout-positions",
        "knockout-tokens",
        "leaves",
        "morphemes-per-word",
        "stepping-stones",
    }
    assert sorted(file.name for file in drawn) == sorted(
        f"{name}{suffix}" for name in names for suffix in (".svg", ".png")
    )


def test_the_same_bytes_each_time(small, tmp_path):
    one = small[small.dropout == 0]
    first = [file.read_bytes() for file in figures.draw_all({"scores": one}, tmp_path / "a")]
    second = [file.read_bytes() for file in figures.draw_all({"scores": one}, tmp_path / "b")]
    assert first == second
    assert first


def test_curves_hold_the_scores_and_dashes_the_baseline(small):
    all_axes = made(small)["merges"].axes
    titles = [axes.get_title(loc="left") for axes in all_axes]
    axes = all_axes[titles.index("BPE, source only")]
    wanted = small[(small.sides == "source") & (small.dropout == 0) & (small.status == "ok")]
    wanted = wanted.sort_values("merges")
    words = small[small.sides == "none"].iloc[0]
    f1 = lines_of(axes)["F1"]
    assert f1.get_xdata().tolist() == wanted.merges.tolist()
    assert f1.get_ydata().tolist() == wanted.f1.tolist()
    dashed = [line for line in axes.get_lines() if line.get_linestyle() == "--"]
    assert any((line.get_ydata() == words.f1).all() for line in dashed)


def test_each_rate_and_aggregate_has_its_four_metrics_beside_plain_cells(small):
    """As in the thesis's Figures 6.3 to 6.15."""
    some = small[(small.sides == "both") & (small.spaces == "yes") & (small.samples == 10)]
    some = some[(some.dropout == 0.1) & (some["aggregate"] != "0.3")]  # which lacks a cell
    panels = made(small)["dropout-metrics"].axes
    for _, wanted in some.sort_values("merges").groupby("aggregate"):
        plain = small.set_index("cell").loc[wanted.plain_cell]
        drawn = [p for p in panels if lines_of(p)["F1"].get_ydata().tolist() == wanted.f1.tolist()]
        (axes,) = drawn
        dashed = [line for line in axes.get_lines() if line.get_linestyle() == "--"]
        for metric in ("f1", "precision", "recall", "aer"):
            assert any(line.get_ydata().tolist() == plain[metric].tolist() for line in dashed)


def test_a_grid_without_dropout_has_its_curves(small, tmp_path):
    without = small[(small.dropout == 0) & (small.status == "ok")].assign(dropout_kind="")
    without.to_csv(tmp_path / "scores.csv", index=False)
    assert "merges" in made(read_scores(tmp_path / "scores.csv"))


def test_a_study_of_morphology_alone_has_no_figure_of_alignments():
    assert list(figures.figures({})) == []


def test_sizes_of_vocabularies_have_a_figure_of_their_own(small):
    learned = small[(small.sides != "none") & (small.dropout == 0)]
    sizes = learned.merges + 100
    sized = learned.assign(cell=learned.cell + "/sized", vocabulary=sizes, merges=np.nan)
    for side in ("source", "target"):
        sized[side] = [
            spec.replace(f"merges={size - 100:.0f}", f"vocabulary={size:.0f}")
            for spec, size in zip(sized[side], sizes, strict=True)
        ]
    drawn = made(small.assign(vocabulary=None), sized)
    (one, *others) = drawn["vocabulary"].axes
    assert one.get_title(loc="left").startswith("BPE")
    assert lines_of(one)["F1"].get_xdata().tolist() == sorted(sized.vocabulary.unique())
    by_merges = {axes.get_title(loc="left") for axes in drawn["merges"].axes}
    assert len(by_merges) >= len(others) + 1, "they are drawn over merges beside"
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
    assert len(made(small, *unlike)["merges"].axes) == len(made(small)["merges"].axes)


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
        (axes,) = drawn[kind].axes
        assert axes.get_title(loc="left").startswith("BPE / BPE, dropout 0.1")
        for label in labels:
            places = list(lines_of(axes)[label].get_xdata())
            assert len(places) == 3
            assert sorted(set(places)) == places


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
        panels = made(words, plain, *kinds)["knockout"].axes
        for axes, pruned in zip(panels, kinds, strict=True):
            lines = {label: line.get_ydata().tolist() for label, line in lines_of(axes).items()}
            assert lines["as learned"] == plain.sort_values("merges").f1.tolist()
            assert lines["blame-0.5"] == pruned.sort_values("merges").f1.tolist()


def test_every_published_point_is_inside_its_figure():
    theirs = {f"published_{metric}": [0.6, 0.61, 0.62] for metric in METRICS}
    ours = {metric: [0.3, 0.9, 0.61] for metric in METRICS}
    rows = pd.DataFrame(theirs | ours)
    rows = rows.assign(delta_f1=np.nan, cell="", table="")
    chart = next(of_published(rows, pd.DataFrame(index=["a cell"])))
    axes = draw(chart).axes[0]
    assert axes.get_xlim() == axes.get_ylim()
    low, high = axes.get_ylim()
    assert low < 0.3 < 0.9 < high


def test_a_grid_of_one_cell_has_no_figures_and_no_error(small, tmp_path):
    assert figures.draw_all({"scores": small.head(1)}, tmp_path) == []


def overlapping(labels):
    """Whether any two labels of a row overlap."""
    boxes = sorted(label.get_window_extent().extents.tolist() for label in labels)
    return any(left[2] > right[0] for left, right in pairwise(boxes))


def test_no_text_is_cut_off_or_runs_into_another(small):
    odd = small.assign(merges=small.merges.replace({500: 0, 2000: 1999, 8000: 3999}))
    tables = {
        "published": synthetic.published(odd),
        "morphology": synthetic.morphology(),
        "knockout": synthetic.knockout(),
        "language_model": synthetic_models.language_models(),
        "language_model_losses": synthetic_models.losses(),
    }
    with mpl.rc_context(style.STYLE):
        for name, figure in figures.figures({"scores": odd, **tables}):
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


def by_row(all_axes):
    rows = defaultdict(list)
    for axes in all_axes:
        rows[round(axes.get_position().y0, 6)].append(axes)
    return rows.values()


def test_figures_compare_with_the_partners_that_the_table_names(small):
    other = small[small.sides == "none"].assign(cell="other words", f1=0.123, case="lower")
    figure = made(small.assign(words_cell="other words"), other)["merges"]
    dashed = [line for line in figure.axes[0].get_lines() if line.get_linestyle() == "--"]
    assert any((line.get_ydata() == 0.123).all() for line in dashed if len(line.get_ydata()))
