"""The explorer, in a headless Chromium; see test_page.py."""

import re

import pytest
from browser import keep, set_field, text, unfold, wait_for_chart


# These tests share one browser and one report, so they run in one worker.
def test_filters_narrow_what_is_drawn(open_report, grid):
    shown = open_report("#explorer")
    wait_for_chart(shown)
    scored = grid.scores.f1.notna()
    assert text(shown, "#shown").startswith(f"{scored.sum():,} of {scored.sum():,} cells")
    keep(shown, "aligner", "eflomal")
    kept = scored & (grid.scores.aligner == "eflomal")
    assert text(shown, "#shown").startswith(f"{kept.sum():,} of {scored.sum():,} cells")
    keep(shown, "dropout", "0.1")
    kept &= grid.scores.dropout == 0.1
    assert text(shown, "#shown").startswith(f"{kept.sum():,} of")
    shown.get_by_role("button", name="Clear filters").click()
    assert text(shown, "#shown").startswith(f"{scored.sum():,} of")


def test_a_shared_address_restores_the_view(open_report):
    first = open_report("#explorer")
    wait_for_chart(first)
    set_field(first, "Vertical", "recall")
    set_field(first, "Horizontal", "aggregate")
    set_field(first, "Show", "all")
    keep(first, "pair", "eng-deu")
    address = first.evaluate("location.hash")
    status = text(first, "#shown")

    second = open_report(address)
    wait_for_chart(second)
    assert text(second, "#shown") == status
    chosen = second.evaluate(
        "Object.fromEntries([...document.querySelectorAll('#encodings label')]"
        ".filter((l) => l.querySelector('select'))"
        ".map((l) => [l.querySelector('span').textContent, l.querySelector('select').value]))"
    )
    assert chosen["Vertical"] == "recall"
    assert chosen["Horizontal"] == "aggregate"
    assert chosen["Show"] == "all"
    assert second.evaluate("scrollY > 500"), "the address names the section"


@pytest.mark.parametrize(
    "preset", ["Over merges", "Dropout × merges", "Thresholds", "Samples", "Tokens per word"]
)
def test_presets_draw(open_report, preset):
    shown = open_report("#explorer")
    wait_for_chart(shown)
    before = shown.get_attribute("#plot", "data-drawn")
    shown.locator("#presets").get_by_role("button", name=preset, exact=True).click()
    shown.wait_for_function(f"() => document.querySelector('#plot').dataset.drawn !== '{before}'")
    pressed = shown.text_content("#presets [aria-pressed=true]")
    assert pressed == preset


def test_hovering_shows_the_cell(open_report):
    shown = open_report("#explorer")
    wait_for_chart(shown)
    box = shown.evaluate(
        "(() => { const p = document.querySelector('#plot .mark-symbol.role-mark path');"
        "p.scrollIntoView({block: 'center'}); const r = p.getBoundingClientRect();"
        "return [r.x + r.width / 2, r.y + r.height / 2]; })()"
    )
    shown.mouse.move(box[0] - 60, box[1])
    shown.mouse.move(*box)
    shown.wait_for_function("() => !document.querySelector('#tip').hidden")
    assert re.search(r"F1\s+0\.\d{3} \[0\.\d{3}, 0\.\d{3}\]", text(shown, "#tip"))


def test_the_table_holds_what_is_drawn(open_report, grid):
    shown = open_report("#explorer?only.pair=eng-deu&only.aligner=eflomal")
    wait_for_chart(shown)
    unfold(shown.locator("#plot-table"))
    wanted = grid.scores[(grid.scores.pair == "eng-deu") & (grid.scores.aligner == "eflomal")]
    first = text(shown, "#plot-table tbody tr")
    assert f"{wanted.f1.max():.3f}" in first


def test_an_aligner_that_has_words_alone_has_no_panel(open_tables, grid):
    words_only = grid.scores[(grid.scores.aligner == "fast_align") | (grid.scores.sides == "none")]
    shown = open_tables(words_only, "#explorer")
    wait_for_chart(shown)
    headings = shown.locator("#plot .role-column-title, #plot .mark-text.role-title-text")
    titles = [title for title in headings.all_text_contents() if title]
    panels = shown.locator("#plot g.mark-group.role-scope.cell > g").count()
    assert panels == 2
    assert titles == ["eng-deu, fast_align", "built-in, fast_align"]


def test_what_the_best_is_taken_over_is_said(open_report):
    shown = open_report("#explorer?color=none&facet=none")
    wait_for_chart(shown)
    status = text(shown, "#shown")
    assert "the best of each over" in status
    assert "spaces" in status
    shown.get_by_role("button", name="Dropout × merges", exact=True).click()
    shown.wait_for_selector("#encodings :text('Shade')")
    assert "spaces" not in text(shown, "#shown"), "panels keep them apart"
