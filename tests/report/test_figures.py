"""Static figures."""

import struct
import xml.etree.ElementTree as ET
from collections import defaultdict
from itertools import combinations, pairwise

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
import synthetic
import synthetic_models
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb

from seggrid.report import figures
from seggrid.report.figures import style
from seggrid.report.figures.published import published_against_ours
from seggrid.score.metrics import METRICS
from seggrid.score.table import read_scores


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


def test_every_figure_is_there_in_both_formats(drawn):
    names = {file.stem for file in drawn}
    of_pair = {"merges", "dropout", "knockout", "thresholds", "dropout-merges"}
    assert names == {f"{kind}-eng-deu-fast_align" for kind in of_pair} | {
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


def test_svg_is_well_formed_and_says_no_date(drawn):
    for file in drawn:
        if file.suffix == ".svg":
            root = ET.fromstring(file.read_text(encoding="utf-8"))
            assert root.tag.endswith("svg")
            assert "date" not in file.read_text(encoding="utf-8").lower()


def test_png_fits_a_page_at_print_resolution(drawn):
    for file in drawn:
        if file.suffix == ".png":
            width, _ = struct.unpack(">II", file.read_bytes()[16:24])
            assert width in (round(style.COLUMN * 220), round(style.PAGE * 220))


def test_the_same_bytes_each_time(small, tmp_path):
    one = small[small.dropout == 0]
    first = [file.read_bytes() for file in figures.draw_all({"scores": one}, tmp_path / "a")]
    second = [file.read_bytes() for file in figures.draw_all({"scores": one}, tmp_path / "b")]
    assert first == second
    assert first


def test_curves_hold_the_scores_and_dashes_the_baseline(small):
    name, figure = next(figures.figures({"scores": small}))
    assert name == "merges-eng-deu-fast_align"
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    axes = figure.axes[titles.index("BPE, source only")]
    wanted = small[
        (small.sides == "source") & (small.dropout == 0) & (small.status == "ok")
    ].sort_values("merges")
    words = small[small.sides == "none"].iloc[0]
    lines = {line.get_label(): line for line in axes.get_lines()}
    assert lines["F1"].get_xdata().tolist() == wanted.merges.tolist()
    assert lines["F1"].get_ydata().tolist() == wanted.f1.tolist()
    dashed = [line for line in axes.get_lines() if line.get_linestyle() == "--"]
    assert any((line.get_ydata() == words.f1).all() for line in dashed)


def test_a_grid_without_dropout_has_its_curves(small, tmp_path):
    plain = small[(small.dropout == 0) & (small.status == "ok")].assign(dropout_kind="")
    plain.to_csv(tmp_path / "scores.csv", index=False)
    drawn = dict(figures.figures({"scores": read_scores(tmp_path / "scores.csv")}))
    assert "merges-eng-deu-fast_align" in drawn


def test_sizes_of_vocabularies_have_a_figure_of_their_own(small):
    plain = small[(small.sides != "none") & (small.dropout == 0) & (small.segmenter == "bpe")]
    sized = plain.assign(cell=plain.cell + "/sized", vocabulary=plain.merges + 100, merges=np.nan)
    for side in ("source", "target"):
        sized[side] = [
            spec.replace(f"merges={size - 100:.0f}", f"vocabulary={size:.0f}")
            for spec, size in zip(sized[side], sized["vocabulary"], strict=True)
        ]
    every = pd.concat([small.assign(vocabulary=None), sized], ignore_index=True)
    drawn = dict(figures.figures({"scores": every}))
    (one, *others) = drawn["vocabulary-eng-deu-fast_align"].axes
    assert one.get_title(loc="left").startswith("BPE")
    lines = {line.get_label(): line for line in one.get_lines()}
    assert lines["F1"].get_xdata().tolist() == sorted(sized.vocabulary.unique())
    by_merges = {axes.get_title(loc="left") for axes in drawn["merges-eng-deu-fast_align"].axes}
    assert len(by_merges) >= len(others) + 1, "they are drawn over merges beside"
    assert (
        dict(figures.figures({"scores": small}))
        .keys()
        .isdisjoint({"vocabulary-eng-deu-fast_align"})
    )


def test_no_line_leads_through_cells_whose_sides_differ_in_size(small):
    plain = small[(small.sides == "both") & (small.dropout == 0) & (small.spaces == "yes")]
    plain = plain[(plain.segmenter == "bpe") & (plain.knockout == "none")]
    unlike = [
        plain.assign(
            cell=f"{size}/" + plain.cell,
            sides="mixed",
            target=plain.target.str.replace(r"merges=\d+", f"merges={size}", regex=True),
        )
        for size in (123, 456)
    ]
    before = dict(figures.figures({"scores": small}))["merges-eng-deu-fast_align"]
    after = dict(figures.figures({"scores": pd.concat([small, *unlike], ignore_index=True)}))
    assert len(after["merges-eng-deu-fast_align"].axes) == len(before.axes)


def test_each_line_leads_through_cells_that_differ_in_one_axis_of_both_sides(small):
    """As in a grid that crosses merges of the source with merges and dropout of the target."""
    dropped = small[(small.sides == "both") & (small.dropout == 0.1) & (small.spaces == "yes")]
    dropped = dropped[dropped["aggregate"].isin(["union", "0.5", "intersection"])]
    dropped = dropped[dropped["samples"] == 10]
    plain = dropped.source.str.replace("+dropout=0.1+dropout_kind=occurrence", "", regex=False)
    # Plain sources of each size beside targets of each size with dropout.
    crossed = pd.concat(
        [
            dropped.assign(
                source=plain.str.replace(r"merges=\d+", f"merges={size}", regex=True),
                merges=float(size),
                sides="mixed",
                cell=f"{size}/" + dropped.cell,
            )
            for size in (500, 2000, 8000)
        ]
    )
    cells = pd.concat([small[small.dropout == 0], crossed], ignore_index=True)
    drawn = dict(figures.figures({"scores": cells}))
    for kind, labels in (("dropout", ["union", "0.5"]), ("thresholds", ["F1"])):
        (axes,) = drawn[f"{kind}-eng-deu-fast_align"].axes
        assert axes.get_title(loc="left").startswith("BPE / BPE, dropout 0.1")
        for line in axes.get_lines():
            if line.get_label() in labels:
                places = list(line.get_xdata())
                assert len(places) == 3
                assert sorted(set(places)) == places


def test_each_knockout_is_a_line_beside_the_model_as_learned(small):
    plain = small[(small.sides == "both") & (small.dropout == 0) & (small.spaces == "yes")]
    plain = plain[(plain.knockout == "none") & (plain.segmenter == "bpe")]
    # As in a grid with one side pruned: the two sides differ.
    pruned = plain.assign(
        cell=plain.cell + "/pruned",
        source=plain.source + "+knockout=blame-0.5",
        sides="mixed",
        knockout="blame-0.5",
        f1=plain.f1 - 0.01,
    )
    words = small[small.sides == "none"]
    drawn = dict(figures.figures({"scores": pd.concat([words, plain, pruned], ignore_index=True)}))
    (axes,) = drawn["knockout-eng-deu-fast_align"].axes
    lines = {line.get_label(): line.get_ydata().tolist() for line in axes.get_lines()}
    assert lines["as learned"] == plain.sort_values("merges").f1.tolist()
    assert lines["blame-0.5"] == pruned.sort_values("merges").f1.tolist()


def test_cells_with_other_sides_pruned_are_in_another_panel(small):
    plain = small[(small.sides == "both") & (small.dropout == 0) & (small.spaces == "yes")]
    plain = plain[(plain.knockout == "none") & (plain.segmenter == "bpe")]
    added = {"cell": plain.cell + "/one", "knockout": "blame-0.5", "f1": plain.f1 - 0.01}
    one = plain.assign(**added, source=plain.source + "+knockout=blame-0.5", sides="mixed")
    both = one.assign(
        cell=plain.cell + "/both",
        target=plain.target + "+knockout=blame-0.5",
        sides="both",
        f1=plain.f1 - 0.02,
    )
    cells = pd.concat([small[small.sides == "none"], plain, one, both], ignore_index=True)
    panels = dict(figures.figures({"scores": cells}))["knockout-eng-deu-fast_align"].axes
    assert len(panels) == 2
    for axes, pruned in zip(panels, (both, one), strict=True):
        lines = {line.get_label(): line.get_ydata().tolist() for line in axes.get_lines()}
        assert lines["as learned"] == plain.sort_values("merges").f1.tolist()
        assert lines["blame-0.5"] == pruned.sort_values("merges").f1.tolist()


@pytest.mark.parametrize("panels", [1, 4])
def test_many_lines_are_told_apart_and_their_legend_covers_nothing(small, panels):
    one = small[(small.sides == "both") & (small.dropout == 0.1) & (small.spaces == "yes")]
    one = one[one["aggregate"] == "union"]
    ways = [f"{k / 20:g}" for k in range(20)]
    many = [
        one.assign(cell=f"{k}/{way}/" + one.cell, aggregate=way, samples=10 + k)
        for way in ways
        for k in range(panels)
    ]
    with mpl.rc_context(style.STYLE):
        drawn = dict(
            figures.figures(
                {"scores": pd.concat([small[small.dropout == 0], *many], ignore_index=True)}
            )
        )
        figure = drawn["dropout-eng-deu-fast_align"]
        figure.draw_without_rendering()
        (legend,) = figure.legends
        box = legend.get_window_extent()
        assert box.x0 >= 0
        assert box.x1 <= figure.bbox.width
        for axes in figure.axes:
            assert not box.overlaps(axes.get_tightbbox())
    lines = {line.get_label(): line for line in figure.axes[0].get_lines()}
    assert len({(lines[way].get_color(), lines[way].get_marker()) for way in ways}) == len(ways)


def test_every_published_point_is_inside_its_figure():
    theirs = {f"published_{metric}": [0.6, 0.61, 0.62] for metric in METRICS}
    ours = {metric: [0.3, 0.9, 0.61] for metric in METRICS}
    rows = pd.DataFrame(theirs | ours)
    axes = published_against_ours(rows).axes[0]
    assert axes.get_xlim() == axes.get_ylim()
    low, high = axes.get_ylim()
    assert low < 0.3 < 0.9 < high


# Simulation of deuteranopia and protanopia, in linear RGB (Machado et al. 2009, severity 1).
COLOR_BLIND = {
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
}


@pytest.mark.parametrize("kind", COLOR_BLIND)
def test_the_metrics_stay_apart_for_the_color_blind(kind):
    colors = np.array([to_rgb(color) for color, _ in style.METRIC_STYLE.values()])
    seen = np.clip((colors**2.2) @ np.array(COLOR_BLIND[kind]).T, 0, 1) ** (1 / 2.2)
    for one, other in combinations(seen, 2):
        assert np.abs(one - other).max() > 0.15
    assert len({marker for _, marker in style.METRIC_STYLE.values()}) == len(colors)


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
        "language_models": synthetic_models.language_models(),
        "losses": synthetic_models.losses(),
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


def test_no_merges_at_all_have_their_place(small):
    none = small.assign(merges=small.merges.replace(500, 0))
    for name, figure in figures.figures({"scores": none}):
        if name.startswith("merges"):
            for axes in figure.axes:
                assert axes.get_xticklabels()[0].get_text() == "0"
                assert axes.get_xticks()[0] == 0
            break
    else:
        pytest.fail("no figure over merges")


def test_a_perfect_score_is_written_in_full(small):
    perfect = small.assign(f1=1.0)
    drawn = dict(figures.figures({"scores": perfect}))
    texts = {text.get_text() for text in drawn["dropout-merges-eng-deu-fast_align"].axes[0].texts}
    assert texts == {"1.000"}


def test_figures_compare_with_the_partners_that_the_table_names(small):
    other = small[small.sides == "none"].assign(cell="other words", f1=0.123, case="lower")
    odd = pd.concat([small.assign(words_cell="other words"), other], ignore_index=True)
    figure = dict(figures.figures({"scores": odd}))["merges-eng-deu-fast_align"]
    dashed = [line for line in figure.axes[0].get_lines() if line.get_linestyle() == "--"]
    assert any((line.get_ydata() == 0.123).all() for line in dashed if len(line.get_ydata()))
