"""The report, driven in a headless Chromium.

Whatever a test does, its page must end without a console message and without having asked for
anything but itself: the `open_report` fixture sees to that.
"""

import re

import pandas as pd
import pytest
import synthetic

from seggrid.report import page, viewer
from seggrid.report.labels import describe
from seggrid.workflow.viewer_inputs import read_viewer

# One browser and one report serve all of these, so they go to one worker.
pytestmark = pytest.mark.xdist_group("page")

SECTIONS = [
    "overview", "explorer", "published", "claims", "knockout", "alignments", "cost",
]  # fmt: skip


def text(shown, selector):
    return shown.run(f"document.querySelector({selector!r}).innerText")


def wait_for_chart(shown, selector="#plot"):
    shown.wait(f"document.querySelector('{selector} svg')")


def set_field(shown, label, value):
    """Choose a value in the select of that label, as a reader would."""
    shown.run(
        f"""(() => {{
            const field = [...document.querySelectorAll('label.field')].find(
                (f) => f.querySelector('span')?.textContent === {label!r});
            const select = field.querySelector('select');
            select.value = {value!r};
            select.dispatchEvent(new Event('change', {{bubbles: true}}));
        }})()"""
    )


def test_every_section_is_there_and_linked(open_report):
    shown = open_report()
    assert shown.run("[...document.querySelectorAll('section')].map((s) => s.id)") == SECTIONS
    assert shown.run("document.querySelectorAll('nav a').length") == len(SECTIONS)
    assert shown.run("document.querySelector('nav a[aria-current]').textContent") == "Overview"


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [1280, 390])
def test_every_chart_draws_and_nothing_runs_over_the_edge(open_report, width, dark):
    shown = open_report(width=width, dark=dark)
    shown.run("dispatchEvent(new Event('beforeprint'))")
    shown.wait("[...document.querySelectorAll('.chart')].every((c) => c.querySelector('svg'))")
    assert shown.run("document.documentElement.scrollWidth <= innerWidth")
    paper = shown.run("getComputedStyle(document.body).backgroundColor")
    assert (paper == "rgb(255, 255, 255)") is not dark


def test_text_is_shown_as_text_and_never_run(open_report):
    shown = open_report("#alignments")
    shown.wait("document.querySelector('#viewer .word')")
    assert shown.run("window.hacked === undefined")
    assert text(shown, "h1") == f"Report {synthetic.HOSTILE[0]}"
    assert shown.run("document.title") == f"Report {synthetic.HOSTILE[0]}"
    words = shown.run("[...document.querySelectorAll('#viewer .word')].map((w) => w.textContent)")
    assert {w for h in synthetic.HOSTILE for w in h.split()} <= set(words)
    assert synthetic.HOSTILE[1] in text(shown, "#facts")
    assert synthetic.HOSTILE[0] in text(shown, "#claims-table")
    assert shown.run("document.querySelectorAll('main b b, main img, main script').length") == 0


def test_right_to_left_text_runs_from_the_right(open_report):
    shown = open_report("#alignments")
    shown.wait("document.querySelector('#viewer .word')")
    direction = shown.run(
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
    shown.run("document.querySelector('[data-axis=aligner] input[value=eflomal]').click()")
    kept = scored & (grid.scores.aligner == "eflomal")
    assert text(shown, "#shown").startswith(f"{kept.sum():,} of {scored.sum():,} cells")
    shown.run("document.querySelector('[data-axis=dropout] input[value=\"0.1\"]').click()")
    kept &= grid.scores.dropout == 0.1
    assert text(shown, "#shown").startswith(f"{kept.sum():,} of")
    shown.run(
        "[...document.querySelectorAll('button')]"
        ".find((b) => b.textContent === 'Clear filters').click()"
    )
    assert text(shown, "#shown").startswith(f"{scored.sum():,} of")


def test_a_shared_address_restores_the_view(open_report):
    first = open_report("#explorer")
    wait_for_chart(first)
    set_field(first, "Up", "recall")
    set_field(first, "Across", "aggregate")
    set_field(first, "Show", "all")
    first.run("document.querySelector('[data-axis=pair] input[value=\"eng-deu\"]').click()")
    address = first.run("location.hash")
    status = text(first, "#shown")

    second = open_report(address)
    wait_for_chart(second)
    assert text(second, "#shown") == status
    chosen = second.run(
        "Object.fromEntries([...document.querySelectorAll('#encodings label')]"
        ".filter((l) => l.querySelector('select'))"
        ".map((l) => [l.querySelector('span').textContent, l.querySelector('select').value]))"
    )
    assert chosen["Up"] == "recall"
    assert chosen["Across"] == "aggregate"
    assert chosen["Show"] == "all"
    assert second.run("scrollY > 500"), "the address names the section"


def test_the_address_changes_the_view_without_a_reload(open_report):
    shown = open_report("#explorer")
    wait_for_chart(shown)
    shown.run("location.hash = '#explorer?y=aer&mark=heat'")
    shown.wait("document.querySelector('#encodings').innerText.includes('Shade')")
    assert shown.run("document.querySelectorAll('#plot .mark-rect path').length") > 4


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
    shown.run("document.querySelector('#explorer').scrollIntoView()")
    shown.wait("document.querySelector('#plot').dataset.drawn || document.querySelector('#plot p')")
    shown.run("document.querySelector('#alignments').scrollIntoView()")
    shown.wait("document.querySelector('#viewer .word')")
    assert shown.run("document.querySelectorAll('main img').length") == 0


@pytest.mark.parametrize("preset", ["Over merges", "Dropout × merges", "Thresholds", "Samples"])
def test_presets_draw(open_report, preset):
    shown = open_report("#explorer")
    wait_for_chart(shown)
    before = shown.run("document.querySelector('#plot').dataset.drawn")
    shown.run(
        "[...document.querySelectorAll('#presets button')]"
        f".find((b) => b.textContent === {preset!r}).click()"
    )
    shown.wait(f"document.querySelector('#plot').dataset.drawn !== '{before}'")
    pressed = shown.run("document.querySelector('#presets [aria-pressed=true]').textContent")
    assert pressed == preset


def test_hovering_shows_the_cell(open_report):
    shown = open_report("#explorer")
    wait_for_chart(shown)
    box = shown.run(
        "(() => { const p = document.querySelector('#plot .mark-symbol.role-mark path');"
        "p.scrollIntoView({block: 'center'}); const r = p.getBoundingClientRect();"
        "return [r.x + r.width / 2, r.y + r.height / 2]; })()"
    )
    shown.hover(box[0] - 60, box[1])
    shown.hover(*box)
    shown.wait("!document.querySelector('#tip').hidden")
    assert re.search(r"F1\s+0\.\d{3} \[0\.\d{3}, 0\.\d{3}\]", text(shown, "#tip"))


def test_the_table_holds_what_is_drawn(open_report, grid):
    shown = open_report("#explorer?only.pair=eng-deu&only.aligner=eflomal")
    wait_for_chart(shown)
    shown.run("document.querySelector('#plot-table summary').click()")
    shown.wait("document.querySelector('#plot-table tbody tr')")
    wanted = grid.scores[(grid.scores.pair == "eng-deu") & (grid.scores.aligner == "eflomal")]
    first = text(shown, "#plot-table tbody tr")
    assert f"{wanted.f1.max():.3f}" in first


def test_the_viewer_steps_through_the_sentences(open_report):
    shown = open_report("#alignments")
    shown.wait("document.querySelector('#viewer').dataset.sentence === '1'")
    shown.run("document.querySelector('#next').click()")
    assert shown.run("document.querySelector('#viewer').dataset.sentence") == "2"
    assert "sentence=2" in shown.run("location.hash")
    shown.run("document.querySelector('#viewer').focus()")
    shown.press("ArrowRight")
    assert shown.run("document.querySelector('#viewer').dataset.sentence") == "3"
    shown.press("ArrowLeft")
    shown.press("ArrowLeft")
    assert shown.run("document.querySelector('#viewer').dataset.sentence") == "1"
    assert shown.run("document.querySelector('#previous').disabled")


def test_the_viewer_draws_every_link_by_its_kind(open_report, grid):
    shown = open_report("#alignments?b=none&sentence=5")
    shown.wait("document.querySelector('#viewer').dataset.sentence === '5'")
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
    colors = shown.run(
        "[...document.querySelectorAll('.matrix path')]"
        ".map((p) => p.getAttribute('fill') === 'none' ? 'missed' : p.getAttribute('fill'))"
    )
    names = {"right (sure)": "var(--right)", "right (possible)": "var(--allowed)"}
    names |= {"wrong": "var(--wrong)", "missed": "missed"}
    for kind, count in counts.items():
        assert colors.count(names[kind]) == count, kind


def test_the_viewer_goes_to_where_two_cells_differ_most(open_report, grid):
    shown = open_report("#alignments")
    shown.wait("document.querySelector('#viewer .word')")
    a, b = grid.pairs[0].cells[:2]
    differing = [
        len(set(a.links.sentence(s)) ^ set(b.links.sentence(s)))
        for s in range(len(grid.pairs[0].source))
    ]
    set_field(shown, "Order", "differ")
    most = differing.index(max(differing)) + 1
    shown.wait(f"document.querySelector('#viewer').dataset.sentence === '{most}'")
    assert f"{max(differing)} links in one of A and B only" in text(shown, "#viewer .tallies")


def test_the_viewer_shows_tokens_under_their_words(open_report, grid):
    shown = open_report("#alignments?sentence=4")
    shown.wait("document.querySelector('#viewer').dataset.sentence === '4'")
    shown_tokens = shown.run(
        "[...document.querySelectorAll('.gloss:first-child .pieces:not(.b) span')]"
        ".map((p) => p.textContent)"
    )
    assert shown_tokens == grid.pairs[0].cells[0].source.sentence(3)
    words = shown.run(
        "[...document.querySelectorAll('.gloss:first-child .word')].map((w) => w.textContent)"
    )
    assert " ".join(words).split() == grid.pairs[0].source[3]


def test_a_shared_address_restores_the_viewer(open_report):
    first = open_report("#alignments")
    first.wait("document.querySelector('#viewer .word')")
    set_field(first, "Pair", "built-in")
    first.wait("location.hash.includes('pair=built-in')")
    set_field(first, "Order", "worst")
    first.wait("location.hash.includes('order=worst')")
    first.run("document.querySelector('#next').click()")
    state = (
        "[...document.querySelectorAll('#viewer-controls select, #sentence')].map((n) => n.value)"
    )
    wanted = first.run(state)
    second = open_report(first.run("location.hash"))
    second.wait("document.querySelector('#viewer .word')")
    assert second.run(state) == wanted


def test_the_theme_can_be_switched(open_report):
    shown = open_report()
    shown.wait("document.querySelector('#glance svg')")
    before = shown.run("getComputedStyle(document.body).backgroundColor")
    ink = shown.run("document.querySelector('#glance svg text').getAttribute('fill')")
    shown.run("document.querySelector('#theme').click()")
    assert shown.run("getComputedStyle(document.body).backgroundColor") != before
    shown.wait(f"document.querySelector('#glance svg text').getAttribute('fill') !== '{ink}'")


def test_the_keyboard_reaches_everything(open_report):
    shown = open_report("#explorer")
    unreachable = shown.run(
        "[...document.querySelectorAll('a, button, select, input, summary')]"
        ".filter((n) => n.tabIndex < 0).length"
    )
    assert unreachable == 0
    shown.run("document.querySelector('[data-axis=dropout] summary').focus()")
    shown.press("Enter")
    shown.press("Tab")
    shown.press(" ")
    assert "only.dropout=0" in shown.run("location.hash")
    assert shown.run("document.activeElement.value") == "0"
    shown.press("Escape")
    assert shown.run("document.activeElement.tagName") == "SUMMARY"


def test_a_report_of_scores_alone_leaves_the_rest_out(browser, tmp_path, grid):
    file = tmp_path / "bare.html"
    file.write_text(page.build(grid.scores[grid.scores.knockout == "none"]), encoding="utf-8")
    shown = browser.page(file.as_uri())
    assert shown.run("[...document.querySelectorAll('section')].map((s) => s.id)") == [
        "overview",
        "explorer",
    ]
    wait_for_chart(shown, "#glance")
    assert shown.errors == []
    shown.close()


def test_a_report_of_nothing_but_failures_still_opens(browser, tmp_path, grid):
    file = tmp_path / "failed.html"
    failed = grid.scores.head(3).assign(
        status="missing", f1=None, precision=None, recall=None, aer=None
    )
    file.write_text(page.build(failed), encoding="utf-8")
    shown = browser.page(file.as_uri())
    assert "3 cells could not be computed" in text(shown, "#missing")
    assert shown.errors == []
    shown.close()


def test_the_same_inputs_give_the_same_bytes(grid, report):
    again = page.build(
        grid.scores,
        significance=grid.significance,
        published=grid.published,
        claims=grid.claims,
        morphology=grid.morphology,
        knockout=grid.knockout,
        cost=grid.cost,
        viewer=viewer.viewer_data(grid.pairs),
        about=grid.about,
    )
    assert again == report.read_text(encoding="utf-8")


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
