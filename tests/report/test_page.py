"""The report, driven in a headless Chromium.

Whatever a test does, its page must end without a console message and without having asked for
anything but itself: the `open_report` fixture sees to that.
"""

import re

import pandas as pd
import pytest
import synthetic

from seggrid.report import page
from seggrid.report.labels import describe
from seggrid.workflow.viewer_inputs import read_viewer

# One browser and one report serve all of these, so they go to one worker.
pytestmark = pytest.mark.xdist_group("page")

SECTIONS = [
    "overview", "explorer", "published", "claims", "knockout", "alignments", "cost",
]  # fmt: skip


def text(shown, selector):
    return shown.inner_text(selector)


def section_ids(shown):
    return shown.locator("section").evaluate_all("all => all.map((section) => section.id)")


def wait_for_chart(shown, selector="#plot"):
    shown.wait_for_selector(f"{selector} svg")


def set_field(shown, label, value):
    """Choose a value in the select of that label."""
    shown.select_option(f"label.field:has(> span:text-is('{label}')) select", value)


def keep(shown, axis, value):
    """Tick one value in the filter of an axis."""
    menu = shown.locator(f"[data-axis={axis}]")
    if menu.get_attribute("open") is None:
        menu.locator("summary").click()
    menu.locator(f"input[value='{value}']").click()


def test_every_section_is_there_and_linked(open_report):
    shown = open_report()
    assert section_ids(shown) == SECTIONS
    assert shown.locator("nav a").count() == len(SECTIONS)
    assert shown.text_content("nav a[aria-current]") == "Overview"


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [1280, 390])
def test_every_chart_draws_and_nothing_runs_over_the_edge(open_report, width, dark):
    shown = open_report(width=width, dark=dark)
    shown.evaluate("dispatchEvent(new Event('beforeprint'))")
    shown.wait_for_function(
        "() => [...document.querySelectorAll('.chart')].every((c) => c.querySelector('svg'))"
    )
    assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth")
    paper = shown.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (paper == "rgb(255, 255, 255)") is not dark


def test_text_is_shown_as_text_and_never_run(open_report):
    shown = open_report("#alignments")
    shown.wait_for_selector("#viewer .word")
    assert shown.evaluate("window.hacked === undefined")
    assert text(shown, "h1") == f"Report {synthetic.HOSTILE[0]}"
    assert shown.title() == f"Report {synthetic.HOSTILE[0]}"
    words = shown.locator("#viewer .word").all_text_contents()
    assert {w for h in synthetic.HOSTILE for w in h.split()} <= set(words)
    assert synthetic.HOSTILE[1] in text(shown, "#facts")
    assert synthetic.HOSTILE[0] in text(shown, "#claims-table")
    assert shown.locator("main b b, main img, main script").count() == 0


def test_right_to_left_text_runs_from_the_right(open_report):
    shown = open_report("#alignments")
    shown.wait_for_selector("#viewer .word")
    direction = shown.evaluate(
        "getComputedStyle([...document.querySelectorAll('#viewer .pieces')]"
        ".find((p) => /[\\u0590-\\u05ff]/.test(p.textContent))).direction"
    )
    assert direction == "rtl"


def test_missing_cells_are_named(open_report, grid):
    shown = open_report()
    assert "3 cells could not be computed" in text(shown, "#missing")
    names = text(shown, "#missing")
    for row in grid.scores[grid.scores.status == "missing"].to_dict("records"):
        assert describe(row) in names


def test_best_cells_have_interval_and_gains(open_report, grid):
    shown = open_report()
    best = grid.scores.loc[grid.scores.groupby(["pair", "aligner"]).f1.idxmax()]
    intervals = grid.significance.set_index("cell")
    shown_text = text(shown, "#best")
    for row in best.itertuples():
        low, high = intervals.f1_low[row.cell], intervals.f1_high[row.cell]
        assert f"{row.f1:.3f}" in shown_text
        assert f"[{low:.3f}, {high:.3f}]" in shown_text
        assert f"{row.delta_f1_words:+.3f}" in shown_text


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
    set_field(first, "Up", "recall")
    set_field(first, "Across", "aggregate")
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
    assert chosen["Up"] == "recall"
    assert chosen["Across"] == "aggregate"
    assert chosen["Show"] == "all"
    assert second.evaluate("scrollY > 500"), "the address names the section"


def test_the_address_changes_the_view_without_a_reload(open_report):
    shown = open_report("#explorer")
    wait_for_chart(shown)
    shown.evaluate("location.hash = '#explorer?y=aer&mark=heat'")
    shown.wait_for_function(
        "() => document.querySelector('#encodings').innerText.includes('Shade')"
    )
    assert shown.locator("#plot .mark-rect path").count() > 4


@pytest.mark.parametrize(
    "address",
    [
        "#explorer?x=%3Cscript%3E&y=constructor&facet=toString&color=nothing&mark=pie&show=1",
        "#explorer?only.pair=nowhere&only.merges=%22%3E%3Cimg%20src=x%3E",
        "#explorer?mark=heat&x=recall&row=constructor",
        "#alignments?pair=nowhere&a=zzz&b=zzz&order=constructor&sentence=-4",
        "#nowhere?%F0%9F%98%80&%",
        "#%",
        "#%3Cimg%20src=x%20onerror=alert(1)%3E",
    ],
)
def test_an_address_that_makes_no_sense_shows_what_it_can(open_report, address):
    shown = open_report(address)
    shown.locator("#explorer").scroll_into_view_if_needed()
    shown.wait_for_function(
        "() => document.querySelector('#plot').dataset.drawn || document.querySelector('#plot p')"
    )
    shown.locator("#alignments").scroll_into_view_if_needed()
    shown.wait_for_selector("#viewer .word")
    assert shown.locator("main img").count() == 0


@pytest.mark.parametrize("preset", ["Over merges", "Dropout × merges", "Thresholds", "Samples"])
def test_presets_draw(open_report, preset):
    shown = open_report("#explorer")
    wait_for_chart(shown)
    before = shown.get_attribute("#plot", "data-drawn")
    shown.get_by_role("button", name=preset, exact=True).click()
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
    shown.click("#plot-table summary")
    shown.wait_for_selector("#plot-table tbody tr")
    wanted = grid.scores[(grid.scores.pair == "eng-deu") & (grid.scores.aligner == "eflomal")]
    first = text(shown, "#plot-table tbody tr")
    assert f"{wanted.f1.max():.3f}" in first


def test_the_viewer_steps_through_the_sentences(open_report):
    shown = open_report("#alignments")
    shown.wait_for_selector("#viewer[data-sentence='1']")
    shown.click("#next")
    assert shown.get_attribute("#viewer", "data-sentence") == "2"
    assert "sentence=2" in shown.evaluate("location.hash")
    shown.focus("#viewer")
    shown.keyboard.press("ArrowRight")
    assert shown.get_attribute("#viewer", "data-sentence") == "3"
    shown.keyboard.press("ArrowLeft")
    shown.keyboard.press("ArrowLeft")
    assert shown.get_attribute("#viewer", "data-sentence") == "1"
    assert shown.is_disabled("#previous")


def test_the_viewer_draws_every_link_by_its_kind(open_report, grid):
    shown = open_report("#alignments?b=none&sentence=5")
    shown.wait_for_selector("#viewer[data-sentence='5']")
    pair = grid.pairs[0]
    links = set(pair.cells[0].links.sentence(4))
    sure, possible = set(pair.sure.sentence(4)), set(pair.possible.sentence(4))
    counts = {
        "right (sure)": len(links & sure),
        "right (possible)": len((links & possible) - sure),
        "wrong": len(links - sure - possible),
        "missed": len(sure - links),
    }
    tallies = text(shown, "#viewer .tallies")
    for kind, count in counts.items():
        assert f"{count} {kind}" in tallies
    colors = shown.evaluate(
        "[...document.querySelectorAll('.matrix path')]"
        ".map((p) => p.getAttribute('fill') === 'none' ? 'missed' : p.getAttribute('fill'))"
    )
    names = {"right (sure)": "var(--right)", "right (possible)": "var(--allowed)"}
    names |= {"wrong": "var(--wrong)", "missed": "missed"}
    for kind, count in counts.items():
        assert colors.count(names[kind]) == count, kind


def test_the_viewer_goes_to_where_two_cells_differ_most(open_report, grid):
    shown = open_report("#alignments")
    shown.wait_for_selector("#viewer .word")
    a, b = grid.pairs[0].cells[:2]
    differing = [
        len(set(a.links.sentence(s)) ^ set(b.links.sentence(s)))
        for s in range(len(grid.pairs[0].source))
    ]
    set_field(shown, "Order", "differ")
    most = differing.index(max(differing)) + 1
    shown.wait_for_selector(f"#viewer[data-sentence='{most}']")
    assert f"{max(differing)} links in one of A and B only" in text(shown, "#viewer .tallies")


def test_the_viewer_shows_tokens_under_their_words(open_report, grid):
    shown = open_report("#alignments?sentence=4")
    shown.wait_for_selector("#viewer[data-sentence='4']")
    shown_tokens = shown.locator(".gloss:first-child .pieces:not(.b) span").all_text_contents()
    assert shown_tokens == grid.pairs[0].cells[0].source.sentence(3)
    words = shown.locator(".gloss:first-child .word").all_text_contents()
    assert " ".join(words).split() == grid.pairs[0].source[3]


def test_a_shared_address_restores_the_viewer(open_report):
    first = open_report("#alignments")
    first.wait_for_selector("#viewer .word")
    set_field(first, "Pair", "built-in")
    first.wait_for_function("() => location.hash.includes('pair=built-in')")
    set_field(first, "Order", "worst")
    first.wait_for_function("() => location.hash.includes('order=worst')")
    first.click("#next")
    state = (
        "[...document.querySelectorAll('#viewer-controls select, #sentence')].map((n) => n.value)"
    )
    wanted = first.evaluate(state)
    second = open_report(first.evaluate("location.hash"))
    second.wait_for_selector("#viewer .word")
    assert second.evaluate(state) == wanted


def test_the_theme_can_be_switched(open_report):
    shown = open_report()
    shown.wait_for_selector("#glance svg")
    before = shown.evaluate("getComputedStyle(document.body).backgroundColor")
    ink = shown.evaluate("document.querySelector('#glance svg text').getAttribute('fill')")
    shown.click("#theme")
    assert shown.evaluate("getComputedStyle(document.body).backgroundColor") != before
    shown.wait_for_function(
        f"() => document.querySelector('#glance svg text').getAttribute('fill') !== '{ink}'"
    )


def test_the_keyboard_reaches_everything(open_report):
    shown = open_report("#explorer")
    unreachable = shown.evaluate(
        "[...document.querySelectorAll('a, button, select, input, summary')]"
        ".filter((n) => n.tabIndex < 0).length"
    )
    assert unreachable == 0
    shown.focus("[data-axis=dropout] summary")
    shown.keyboard.press("Enter")
    shown.keyboard.press("Tab")
    shown.keyboard.press(" ")
    assert "only.dropout=0" in shown.evaluate("location.hash")
    assert shown.evaluate("document.activeElement.value") == "0"
    shown.keyboard.press("Escape")
    assert shown.evaluate("document.activeElement.tagName") == "SUMMARY"


def test_a_report_of_scores_alone_leaves_the_rest_out(open_tables, grid):
    shown = open_tables(grid.scores[grid.scores.knockout == "none"])
    assert section_ids(shown) == ["overview", "explorer"]
    wait_for_chart(shown, "#glance")


def test_a_report_of_nothing_but_failures_still_opens(open_tables, grid):
    failed = grid.scores.head(3).assign(
        status="missing", f1=None, precision=None, recall=None, aer=None
    )
    shown = open_tables(failed)
    assert "3 cells could not be computed" in text(shown, "#missing")


def test_the_same_inputs_give_the_same_bytes(grid, report):
    assert grid.build() == report.read_text(encoding="utf-8")


def test_nothing_embedded_can_end_the_script_element(report):
    html = report.read_text(encoding="utf-8")
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', html, re.S)[1]
    assert "<" not in data
    assert html.count("</script>") == 3


def test_columns_keep_numbers_texts_and_gaps():
    table = pd.DataFrame(
        {"a": [1.0, None, 0.123456789], "b": ["x", "y", "x"], "c": ["", None, "z"]}
    )
    assert page.columns(table) == {
        "a": [1, None, 0.123457],
        "b": {"texts": ["x", "y"], "at": [0, 1, 0]},
        "c": {"texts": ["", "z"], "at": [0, 0, 1]},
    }


def test_a_viewer_without_cells_is_empty():
    assert read_viewer(pd.DataFrame({"cell": ["a"]}), {"eng-deu": []}, 10) == []


def one_cell(grid, **changed):
    return grid.scores[grid.scores.segmenter == "bpe"].head(1).assign(**changed)


def test_a_report_of_one_cell_has_nothing_to_compare(open_tables, grid):
    shown = open_tables(one_cell(grid))
    assert section_ids(shown) == ["overview"]
    assert text(shown, "#lead").startswith("1 cell of the grid")
    assert shown.locator(".chart").count() == 0
    assert shown.locator(".key", has_text="words").count() == 0, "no words are marked"


def test_a_score_that_all_cells_share_is_not_rounded(open_tables, grid):
    cells = pd.concat([one_cell(grid, f1=0.63), one_cell(grid, f1=0.63, merges=999, cell="b")])
    shown = open_tables(cells)
    for chart in ("#glance", "#plot"):
        shown.locator(chart).scroll_into_view_if_needed()
        wait_for_chart(shown, chart)
        labels = shown.locator(f"{chart} .role-axis-label text").all_text_contents()
        assert "0.630" in labels
        assert not {"0", "1"} & set(labels)


def test_words_have_no_gain_over_themselves(open_tables, grid):
    words = grid.scores[grid.scores.sides == "none"]
    shown = open_tables(words)
    gains = shown.locator("#best .cell[aria-label='over words']").all_inner_texts()
    assert len(gains) == len(words)
    assert set(gains) == {"–"}


def test_no_published_match_is_said_in_one_line(open_tables, grid):
    metrics = ["f1", "precision", "recall", "aer"]
    unmatched = grid.published.assign(
        cell="", **dict.fromkeys([*metrics, *(f"delta_{metric}" for metric in metrics)])
    )
    shown = open_tables(grid.scores, published=unmatched)
    assert f"None of the {len(unmatched)} published rows" in text(shown, "#published")
    assert shown.locator("#published .chart").count() == 0


def test_a_study_without_claims_has_no_section_for_them(open_tables, grid):
    shown = open_tables(grid.scores, claims=grid.claims.head(0))
    assert "claims" not in section_ids(shown)
    assert "claims" not in text(shown, "nav").lower()


def test_partners_are_those_that_the_table_names(open_tables, grid):
    pair = (grid.scores.pair == "eng-deu") & (grid.scores.aligner == "eflomal")
    words = grid.scores[pair & (grid.scores.sides == "none")]
    # The words come first in the table, but these cells are compared with those in lower case.
    spec = "words+case=lower"
    lower = words.assign(cell="lower", case="lower", source=spec, target=spec, f1=0.321)
    bpe = grid.scores[pair & (grid.scores.sides == "both")].assign(words_cell="lower")
    pruned = bpe[(bpe.knockout != "none") & bpe.f1.notna()]
    other = bpe[bpe.f1.notna() & (bpe.knockout == "none") & (bpe.dropout > 0)].head(1)
    pruned = pruned.assign(plain_cell=other.cell.iloc[0])
    kept = pd.concat([words, lower, bpe[bpe.knockout == "none"], pruned], ignore_index=True)
    shown = open_tables(kept, "#explorer?x=merges")
    marked = shown.locator("#best svg[role=img]").first.get_attribute("aria-label")
    assert marked.endswith("words 0.321")
    wait_for_chart(shown)
    dashed = shown.locator("#plot .role-mark text").all_text_contents()
    assert any(name.startswith("words, lower case, eflomal") for name in dashed)
    shown.locator("#knockout .chart").scroll_into_view_if_needed()
    wait_for_chart(shown, "#knockout .chart")
    values = shown.evaluate(
        "() => [...document.querySelectorAll('#knockout .mark-symbol path')]"
        ".map((mark) => mark.getAttribute('aria-label'))"
    )
    assert any(f"F1: {other.f1.iloc[0]:.3f}"[:8] in value for value in values)


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


def test_no_merges_have_a_place_on_the_axis(open_tables, grid):
    cells = grid.scores.assign(merges=grid.scores.merges.replace(500, 0))
    shown = open_tables(cells, "#explorer")
    wait_for_chart(shown)
    assert {"0", "2,000", "8,000"} <= set(
        shown.locator("#plot .role-axis-label text").all_text_contents()
    )


def test_the_sides_are_called_by_their_languages(open_report):
    shown = open_report("#alignments")
    shown.wait_for_selector("#viewer .word")
    assert shown.locator(".gloss .language").all_text_contents() == [
        "English",
        synthetic.HOSTILE[4],
    ]
    assert "anguages" not in text(shown, "#facts")
    assert f"Sentence {synthetic.HOSTILE[0]} of the text" in text(shown, "#viewer")
    set_field(shown, "Pair", "built-in")
    shown.wait_for_function("() => location.hash.includes('pair=built-in')")
    shown.wait_for_selector(".gloss .language:text('source')")


@pytest.mark.parametrize("width", [1280, 390])
def test_no_text_of_a_chart_is_cut_off(open_tables, grid, width):
    cells = grid.scores.assign(merges=grid.scores.merges.replace(8000, 3999))
    published = grid.published.assign(merges=grid.published.merges.replace(8000, 3999))
    tables = {"morphology": grid.morphology, "knockout": grid.knockout, "cost": grid.cost}
    shown = open_tables(cells, published=published, **tables)
    shown.set_viewport_size({"width": width, "height": 900})
    shown.evaluate("dispatchEvent(new Event('beforeprint'))")
    shown.wait_for_function(
        "() => [...document.querySelectorAll('.chart')].every((c) => c.querySelector('svg'))"
    )
    shown.wait_for_function(
        "() => [...document.querySelectorAll('.chart')].every((c) => c.dataset.drawn)"
    )
    cut = shown.evaluate(
        """() => [...document.querySelectorAll('.chart')].flatMap((chart) => {
            const room = chart.getBoundingClientRect();
            return [...chart.querySelectorAll('svg text')].filter((text) => {
                const box = text.getBoundingClientRect();
                return box.width && (box.left < room.left - 1 || box.right > room.right + 1);
            }).map((text) => text.textContent);
        })"""
    )
    assert cut == []
