"""The explorer, in a headless Chromium; see test_page.py."""

import json
import re

import pandas as pd
import pytest
import vl_convert
from browser import choose, wait_for_chart

from seggrid.grid.report.charts import described
from seggrid.grid.report.charts.others import family_looks
from seggrid.grid.report.explorer import views
from seggrid.grid.report.page import with_partners


def marks(shown):
    """How many points are drawn."""
    return shown.locator("#chart-explorer .mark-symbol.role-mark path").count()


# These tests share one browser and one report, so they run in one worker.
def test_parameters_narrow_what_is_drawn_and_the_address_keeps_them(open_report, grid):
    first = open_report("#explorer")
    wait_for_chart(first)
    choose(first, "only_pair", "eng-deu")
    choose(first, "only_aligner", "gibbs")
    best = marks(first)
    choose(first, "show", "all")
    scored = grid.scores[grid.scores.f1.notna() & grid.scores.merges.notna()]
    kept = scored[(scored.pair == "eng-deu") & (scored.aligner == "gibbs")]
    assert best < marks(first) == len(kept)
    choose(first, "score", "recall")
    assert "Recall" in first.locator("#chart-explorer .role-title").all_text_contents()
    second = open_report(first.evaluate("location.hash"))
    wait_for_chart(second)
    assert marks(second) == len(kept)
    chosen = "[...document.querySelectorAll('#parameters select')].map((s) => [s.name, s.value])"
    assert second.evaluate(chosen) == first.evaluate(chosen)
    assert ["score", "recall"] in second.evaluate(chosen)
    assert second.evaluate("scrollY > 500"), "the address names the section"


def test_each_view_draws_and_is_kept_in_the_address(open_report):
    shown = open_report("#explorer")
    wait_for_chart(shown)
    buttons = shown.locator("#views button")
    assert set(buttons.all_text_contents()) == {
        *("Over merges", "Over dropout", "Over samples", "Over aggregate"),
        *("Dropout \N{MULTIPLICATION SIGN} merges", "Precision and recall", "Fertility, target"),
    }
    for button in buttons.all()[1:]:
        before = shown.get_attribute("#chart-explorer", "data-drawn")
        button.click()
        shown.wait_for_function(
            f"() => document.querySelector('#chart-explorer').dataset.drawn !== '{before}'"
        )
        assert shown.text_content("#views [aria-pressed=true]") == button.text_content()
        assert shown.locator("#chart-explorer .role-mark path").count() > 1
    assert "view=Fertility" in shown.evaluate("location.hash")


def test_hovering_shows_the_cell_and_a_click_its_alignments(open_report):
    shown = open_report("#explorer?only_aligner=fast_align&only_pair=eng-deu&show=all")
    wait_for_chart(shown)
    point = shown.locator("#chart-explorer .mark-symbol.role-mark path").first
    point.hover(force=True)
    # Asked and read at once: the box hides again where the chart moves from under the mouse.
    said = shown.wait_for_function(
        "() => { const tip = document.querySelector('#tip'); return !tip.hidden && tip.innerText; }"
    ).json_value()
    assert re.search(r"F1\s+0\.\d{3} \[0\.\d{3}, 0\.\d{3}\]", said)
    address = shown.evaluate("location.hash")
    for mark in shown.locator("#chart-explorer .mark-symbol path").all()[:200]:
        mark.dispatch_event("click")
        if shown.evaluate("location.hash") != address:
            break
    assert shown.evaluate("location.hash").startswith("#alignments?")


def views_of(scores):
    cells = with_partners(described(scores.reset_index(drop=True), None))
    return dict(views(cells, family_looks(cells)))


def panels_of(spec):
    return spec["facet"]["sort"]


def test_a_panel_of_one_point_is_not_drawn(grid):
    words = grid.scores[grid.scores.sides == "none"].drop_duplicates(["pair", "aligner"])
    fast = grid.scores[grid.scores.aligner == "fast_align"]
    words_only = pd.concat([fast, words[words.aligner != "fast_align"]]).sort_index()
    made = views_of(words_only)
    assert panels_of(made["Over merges"]) == ["eng-deu, fast_align", "built-in, fast_align"]
    assert panels_of(made["Precision and recall"]) == panels_of(made["Over merges"])
    assert views_of(grid.scores[grid.scores.sides == "none"].head(1)) == {}


def test_a_cell_whose_sides_differ_in_an_axis_has_no_place_on_it(small):
    bpe = small[(small.sides == "both") & (small.dropout == 0) & (small.knockout == "none")]
    unlike = bpe.head(1).assign(cell="unlike", target="bpe+merges=9", sides="mixed")
    cells = pd.concat([bpe, unlike], ignore_index=True)
    left_out = f"indexof([{len(bpe)}], datum.i) < 0"
    made = views_of(cells)
    assert {"filter": left_out} in made["Over merges"]["transform"]
    assert {"filter": left_out} not in made["Precision and recall"]["transform"]


def drawn(spec, cells, kind):
    """The items of a kind of mark in the picture that the renderer makes of cells."""

    def marks_below(item):
        if item.get("marktype") == kind:
            yield from item["items"]
        for inner in item.get("items", []):
            yield from marks_below(inner)

    values = json.loads(cells.to_json(orient="records"))
    made = vl_convert.vegalite_to_scenegraph(spec | {"data": {"values": values}})
    return [*marks_below(made["scenegraph"])]


def test_the_dashed_line_is_that_of_the_words_of_what_is_drawn(small):
    words, bpe = (small[small.segmenter == name].iloc[0] for name in ("words", "bpe"))
    known = {"keep": (words, 0.90), "lower": (words, 0.80)}
    rows = [row.to_dict() | {"case": case, "f1": f1} for case, (row, f1) in known.items()]
    for case, merges, f1 in (("keep", 100, 0.91), ("keep", 200, 0.92), ("lower", 100, 0.99)):
        rows.append(bpe.to_dict() | {"case": case, "merges": merges, "f1": f1})
    cells = pd.DataFrame(rows).assign(pair="p", aligner="gibbs", aggregate="none")
    cells["cell"] = [f"cell-{k}" for k in range(len(cells))]
    cells = with_partners(described(cells, None)).assign(i=range(len(cells)))
    spec = dict(views(cells, family_looks(cells)))["Over merges"]
    # The single cell in lower case is better, and not drawn, since no line goes through it.
    first, second = sorted(
        item["y"] for item in drawn(spec, cells, "symbol") if item.get("size") == 44
    )
    dashed = [item["y"] for item in drawn(spec, cells, "rule") if item.get("strokeDash")]
    assert dashed == [pytest.approx(2 * second - first)]


@pytest.mark.parametrize("number", [1, 8, 65, 600])
@pytest.mark.parametrize("width", [1280, 390])
def test_no_label_of_an_axis_overlaps_another_or_is_there_twice(
    open_tables, grid_of, number, width
):
    shown = open_tables(grid_of(number))
    shown.set_viewport_size({"width": width, "height": 900})
    shown.wait_for_timeout(400)  # the drawing after a change of the width
    if number == 1:  # a panel of one point is not drawn
        assert shown.locator(".chart").count() == 0
        return
    shown.wait_for_selector(".chart[data-drawn]")
    overlapping = """() => [...document.querySelectorAll('.role-axis-label')].flatMap((axis) => {
        const shown = [...axis.querySelectorAll('text')].filter((t) => +t.getAttribute('opacity') !== 0);
        const texts = shown.map((t) => t.textContent);
        if (new Set(texts).size < texts.length) return [`twice: ${texts}`];
        const boxes = shown.filter((t) => !t.getAttribute('transform').includes('rotate'))
            .map((t) => t.getBoundingClientRect());
        const apart = (a, b) => a.right <= b.left + 1 || b.right <= a.left + 1
            || a.bottom <= b.top + 3 || b.bottom <= a.top + 3;
        return boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => !apart(a, b)))
            .map(() => axis.textContent);
    })"""
    views = shown.locator("#views button")
    assert shown.evaluate(overlapping) == []
    for button in views.all():
        before = shown.get_attribute("#chart-explorer", "data-drawn")
        button.click()
        shown.wait_for_function(
            f"() => document.querySelector('#chart-explorer').dataset.drawn !== '{before}'"
        )
        assert shown.evaluate(overlapping) == [], button.text_content()
