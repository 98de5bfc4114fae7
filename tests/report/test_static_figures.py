"""Static figures and paper tables."""

import csv
import re
import struct
import xml.etree.ElementTree as ET
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
import synthetic
from matplotlib.colors import to_rgb

from seggrid.morphology.references import read_reference
from seggrid.report import figures, tables
from seggrid.report.curves import curves
from seggrid.report.knockout import figure_table
from seggrid.score.table import read_scores
from seggrid.segment.bpe.model import BPEModel


@pytest.fixture(scope="module")
def small():
    """A grid of one pair and one aligner, with every kind of cell."""
    scores = synthetic.scores(pairs=["eng-deu"], merges=[500, 2000, 8000])
    scores = scores[scores.aligner == "fast_align"].reset_index(drop=True)
    return synthetic.fill(scores, sentences=30)[0]


@pytest.fixture(scope="module")
def drawn(small, tmp_path_factory):
    folder = tmp_path_factory.mktemp("figures")
    published = synthetic.published(small)
    published = published[published.table.isin(published.table.unique()[:4])]
    return figures.draw_all(
        small,
        folder,
        published=published,
        morphology=synthetic.morphology(),
        knockout=synthetic.knockout(),
    )


def test_every_figure_is_there_in_both_formats(drawn):
    names = {file.stem for file in drawn}
    of_pair = {"merges", "dropout", "knockout", "thresholds", "dropout-merges"}
    assert names == {f"{kind}-eng-deu-fast_align" for kind in of_pair} | {
        "published",
        "differences",
        "published-tables-1",
        "knockout-threshold",
        "knockout-pruned",
        "knockout-random-latest",
        "knockout-positions",
        "knockout-tokens",
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
            assert width in (round(figures.COLUMN * 220), round(figures.PAGE * 220))


def test_the_same_bytes_each_time(small, tmp_path):
    one = small[small.dropout == 0]
    first = [file.read_bytes() for file in figures.draw_all(one, tmp_path / "a")]
    second = [file.read_bytes() for file in figures.draw_all(one, tmp_path / "b")]
    assert first == second
    assert first


def test_curves_hold_the_scores_and_dashes_the_baseline(small):
    name, figure = next(figures.figures(small))
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
    drawn = dict(figures.figures(read_scores(tmp_path / "scores.csv")))
    assert "merges-eng-deu-fast_align" in drawn


def test_each_knockout_is_a_line_beside_the_model_as_learned(small):
    plain = small[(small.sides == "both") & (small.dropout == 0) & (small.spaces == "yes")]
    plain = plain[(plain.knockout == "none") & (plain.segmenter == "bpe")]
    # As a grid with one side pruned has it: the two sides are no longer alike.
    pruned = plain.assign(
        cell=plain.cell + "/pruned",
        source=plain.source + "+knockout=blame-0.5",
        sides="mixed",
        knockout="blame-0.5",
        f1=plain.f1 - 0.01,
    )
    words = small[small.sides == "none"]
    drawn = dict(figures.figures(pd.concat([words, plain, pruned], ignore_index=True)))
    (axes,) = drawn["knockout-eng-deu-fast_align"].axes
    lines = {line.get_label(): line.get_ydata().tolist() for line in axes.get_lines()}
    assert lines["as learned"] == plain.sort_values("merges").f1.tolist()
    assert lines["blame-0.5"] == pruned.sort_values("merges").f1.tolist()


# Colors as deuteranopes and protanopes see them, in linear RGB (Machado et al. 2009, severity 1).
COLOUR_BLIND = {
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


@pytest.mark.parametrize("kind", COLOUR_BLIND)
def test_the_metrics_stay_apart_for_the_color_blind(kind):
    colors = np.array([to_rgb(color) for color, _ in figures.METRIC_STYLE.values()])
    seen = np.clip((colors**2.2) @ np.array(COLOUR_BLIND[kind]).T, 0, 1) ** (1 / 2.2)
    for one, other in combinations(seen, 2):
        assert np.abs(one - other).max() > 0.15
    assert len({marker for _, marker in figures.METRIC_STYLE.values()}) == len(colors)


def test_a_grid_of_one_cell_has_no_figures_and_no_error(small, tmp_path):
    assert figures.draw_all(small.head(1), tmp_path) == []


def test_tables_are_written_twice(small, tmp_path):
    files = tables.write_all(
        small,
        tmp_path,
        published=synthetic.published(small),
        claims=synthetic.claims(),
        morphology=synthetic.morphology(),
    )
    names = {"best", "scores", "published", "claims", "morphology"}
    assert {file.name for file in files} == {f"{n}{s}" for n in names for s in (".csv", ".tex")}
    with open(tmp_path / "best.csv", newline="") as file:
        best = next(csv.DictReader(file))
    assert float(best["F1"]) == small.f1.max()
    tex = (tmp_path / "scores.tex").read_text()
    assert "longtable" in tex
    assert tex.count(r"\\") == small.f1.notna().sum() + 2


def test_latex_escapes_what_it_would_run():
    table = pd.DataFrame({"a_b": ["50% & {x}", r"\input{y}"], "n": [1.23456, None]})
    text = tables.latex(table, "A caption.", "tab:x")
    assert r"a\_b" in text
    assert r"50\% \& \{x\} & 1.235 \\" in text
    assert r"\textbackslash{}input\{y\} & -- \\" in text
    assert not re.search(r"(?<!\\)[%&#_](?! )", text.replace("tab:x", "").split("midrule")[1])


def test_curves_take_each_amount_once_from_either_table():
    morphology = synthetic.morphology()
    sweep = morphology[morphology.boundaries == "morphemes"].assign(figure="threshold")
    both = curves(morphology, sweep[["tokenizer", "reference", "figure", "knockout", "f1"]])
    assert len(both) == len(sweep)
    blame = both[both.method == "blame"]
    assert blame.amount.tolist() == pytest.approx([t / 10 for t in range(1, 10)])
    assert both[both.knockout == "none"].amount.isna().all()
    assert curves(None, None).empty


def test_the_table_of_knockout_figures_holds_all_four(tmp_path):
    (tmp_path / "words.tsv").write_text("horseshoe\thorse shoe\nhorse\thorse\n")
    merges = [("▁h", "o"), ("e", "s"), ("▁ho", "r"), ("▁hor", "s"), ("h", "o"), ("ho", "e")]
    table = figure_table(
        BPEModel(merges),
        read_reference(tmp_path / "words.tsv", "surface"),
        "toy",
        "words",
        repeats=2,
    )
    assert set(table.figure) == {"threshold", "selection", "position", "change"}
    # e+s is knocked out, the second merge after an alphabet of six; horseshoe gets a token more.
    positions = table[(table.figure == "position") & (table["count"] > 0)]
    assert (positions.low <= 7).all()
    assert (positions.high > 7).all()
    changes = table[table.figure == "change"]
    assert changes[["low", "high", "count"]].values.tolist() == [[-0.5, 0.5, 1], [0.5, 1.5, 1]]
    drawn = curves(None, table)
    assert set(drawn.method.dropna()) == {"blame", "random", "latest"}
    half = drawn[drawn.knockout == "blame-0.5"].iloc[0]
    assert (half.precision, half.recall, half.pruned) == (1 / 4, 1, pytest.approx(1 / 6))
    assert (drawn.knockout == "none").sum() == 1
