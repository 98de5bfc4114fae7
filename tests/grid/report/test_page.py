"""The report, driven in a headless Chromium.

In every test the page must cause no console message and no request but that for itself; the fixture
`open_report` checks this.
"""

import io
import json
import re
import struct
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
import synthetic
from browser import Watch, draw_all, section_ids, text, wait_for_chart

from seggrid.grid.report import page
from seggrid.grid.report.charts import described
from seggrid.grid.report.labels import TERMS, describe_cell
from seggrid.grid.report.tables import latex, tables

# These tests share one browser and one report, so they run in one worker.
SECTIONS = [
    "overview", "alignments", "cells", "settings", "explorer", "measures", "published", "ensembles",
    "knockout", "language-models", "run", "terms",
]  # fmt: skip


def test_every_section_is_there_and_linked(open_report):
    shown = open_report()
    assert section_ids(shown) == SECTIONS
    assert shown.locator("nav a").count() == len(SECTIONS)
    assert shown.text_content("nav a[aria-current]") == "Overview"


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [1280, 390])
def test_every_chart_draws_and_nothing_runs_over_the_edge(open_report, width, dark):
    shown = open_report(width=width, dark=dark)
    draw_all(shown)
    assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth")
    paper = shown.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (paper == "rgb(255, 255, 255)") is not dark
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
    names = (
        "[...document.querySelectorAll('.chart .role-title-text text')].map((t) => t.textContent)"
    )
    assert [name for name in shown.evaluate(names) if "…" in name] == []


def test_text_is_shown_as_text_and_never_run(open_report):
    shown = open_report("#alignments?sentence=1")
    shown.wait_for_selector("#viewer .word")
    assert shown.evaluate("window.hacked === undefined")
    assert text(shown, "h1") == f"Report {synthetic.HOSTILE[0]}"
    assert shown.title() == f"Report {synthetic.HOSTILE[0]}"
    words = shown.locator("#viewer .word").all_text_contents()
    assert {w for h in synthetic.HOSTILE for w in h.split()} <= set(words)
    direction = shown.evaluate(
        "getComputedStyle([...document.querySelectorAll('#viewer .pieces')]"
        ".find((p) => /[\\u0590-\\u05ff]/.test(p.textContent))).direction"
    )
    assert direction == "rtl"
    assert synthetic.HOSTILE[1] in text(shown, "#facts")
    assert shown.locator("main b b, main img, main script").count() == 0


def test_each_section_shows_its_numbers(open_report, grid):
    """Scores with intervals and gains, verdicts, votes, correlations, language models: one of each."""
    shown = open_report()
    scores = grid.scores.set_index("cell")
    best = grid.scores.loc[grid.scores.groupby(["pair", "aligner"]).f1.idxmax()]
    intervals = grid.significance.set_index("cell")
    heaviest = grid.votes.sort_values("weight", ascending=False).iloc[0]
    correlation = grid.correlations.iloc[0]
    missing = grid.scores[grid.scores.status == "missing"].to_dict("records")
    for details in shown.locator("details").all():
        details.evaluate("(folded) => (folded.open = true)")
    for selector, parts in {
        ".notice": ["3 cells could not be computed", *map(describe_cell, missing)],
        "#overview": [row["verdict"].split(". ")[0] for row in grid.verdict.to_dict("records")],
        "#table-selection": ["segmenter bpe"],
        "#table-best": [
            part
            for row in best.itertuples()
            for part in (
                f"{row.f1:.3f}",
                "({:.3f} to {:.3f})".format(*intervals.loc[row.cell, ["f1_low", "f1_high"]]),
                f"{row.delta_f1_words:+.3f}",
            )
        ],
        "#table-correlations": [
            f"{correlation.spearman:.3f}".replace("-", "\u2212"),
            "tokens per word",
        ],
        "#table-ensembles": [
            describe_cell(scores.loc[grid.ensembles.best_member[0]]),
            "\u22120.100",
        ],
        "#table-members": [describe_cell(scores.loc[heaviest.member])],
        "#table-language-models": ["2.750", "swap-30"],
        "#table-comparisons": ["continues", "worse"],
        "#table-language-model-probes": ["0.610", "above chance"],
        "#table-language-model-tasks": ["silver (HanTa)", "0.910"],
        "#table-stages": ["align", "CPU seconds"],
        "#facts": ["run.json", "other "],
    }.items():
        for part in parts:
            assert part in text(shown, selector), selector
    assert shown.locator("#facts a").get_attribute("href") == "run.json"


def test_the_first_screen_is_the_best_of_each_segmenter_beside_the_words(open_tables, grid):
    scores = grid.scores[grid.scores.pair == "eng-deu"]
    shown = open_tables(scores, significance=grid.significance)
    wait_for_chart(shown, "#chart-best")
    places = shown.locator("#chart-best svg").bounding_box()
    assert places["y"] + places["height"] < 900
    rows = shown.locator("#chart-best .role-axis-label text").all_text_contents()
    best = scores[scores.segmenter == "bpe"].groupby("aligner").f1.idxmax()
    wanted = [f"{name}: words" for name in best.index]
    wanted += [f"{name}: BPE.* {scores.merges[row]:,.0f} merges" for name, row in best.items()]
    for name in wanted:
        assert any(re.fullmatch(name, row) for row in rows), name
    assert "words with the same settings" in shown.text_content("#overview")
    for place, meaning in (
        ("#overview a.term", TERMS["F1"]),
        ("#table-best th:last-child button", TERMS["Corrected p"]),
    ):
        shown.locator(place).first.focus()
        assert text(shown, "#tip") == meaning


def test_a_term_leads_to_its_place_among_all_terms_and_keeps_the_readers_choices(open_report):
    shown = open_report("#alignments?sentence=5")
    shown.wait_for_selector("#viewer[data-sentence='5']")
    place = shown.locator("#term-f1")
    assert not place.is_visible()
    shown.locator("#overview a.term", has_text="F1").click()
    place.wait_for(state="visible")
    assert text(shown, "#term-f1 dd") == TERMS["F1"]
    assert shown.evaluate("location.hash") == "#term-f1"
    shown.click("#next")
    assert shown.evaluate("location.hash") == "#alignments?sentence=6"
    shown.locator("#all-terms summary").click()
    shown.locator("#table-best").get_by_text("What the columns mean").click()
    place.wait_for(state="visible")


def test_the_terms_are_those_of_the_page_and_each_link_leads_to_one(report):
    html = report.read_text(encoding="utf-8")
    places = re.findall(r'<div id="(term-[\w-]+)">', html)
    assert len(places) == len(set(places))
    links = set(re.findall(r'href="#(term-[\w-]+)"', html))
    assert {"term-f1", "term-cell", "term-corrected-p"} <= links <= set(places)
    assert {"term-aer-alignment-error-rate", "term-dropout-sample", "term-spaces"} <= set(places)
    assert not {"term-recipe", "term-part", "term-agreement", "term-dropout"} & set(places)


def test_without_javascript_there_are_the_verdict_the_best_cells_and_the_terms(chromium, report):
    context = chromium.new_context(java_script_enabled=False)
    shown = context.new_page()
    shown.goto(report.as_uri())
    assert "JavaScript is off" in text(shown, "#overview")
    rows = shown.locator("#overview table tr").all_inner_texts()
    assert re.match(r"built-in\t\w+: BPE.*\t0\.\d{3}\t0\.\d{3}\t0\.\d{3}", rows[1])
    visible = shown.locator("section").evaluate_all(
        "all => all.filter((section) => section.offsetHeight).map((section) => section.id)"
    )
    assert visible == ["overview", "run", "terms"]
    shown.locator("#overview a.term").first.click()
    assert shown.locator("#term-f1").is_visible()
    context.close()


def test_the_page_of_a_run_that_goes_on_names_the_files_beside_it(grid):
    for unfinished, file in (("", "figures/"), ("This run goes on.", "scores.csv")):
        html = page.build_page({"scores": grid.scores}, about={"unfinished": unfinished})
        assert re.findall(r'off: the \w+ <a href="([^"]*)"', html) == [file]


def test_a_browser_that_cannot_unpack_shows_all_but_the_explorer(chromium, report):
    shown = chromium.new_page()
    seen = Watch(shown)
    shown.add_init_script("delete window.DecompressionStream")
    shown.goto(report.as_uri())
    wait_for_chart(shown, "#chart-best")
    assert "cannot unpack" in text(shown, "#chart-explorer .notice")
    assert "cannot unpack" in text(shown, "#viewer .notice")
    shown.locator("nav a", has_text="Settings").click()
    assert shown.locator("#table-best tbody tr").count() > 1
    assert seen.errors == []
    shown.close()


def test_tables_are_in_the_section_that_they_name_and_every_chart_is_somewhere(report):
    html = report.read_text(encoding="utf-8")
    data = json.loads(re.search(r'id="data">(.*?)</script>', html, re.S)[1])
    for kind in ("chart", "table"):
        places = re.findall(rf'id="{kind}-([\w-]+)"', html)
        assert sorted({*data[f"{kind}s"], *["explorer"] * (kind == "chart")}) == sorted(places)


@pytest.mark.parametrize(
    "address",
    [
        "#explorer?view=%3Cscript%3E&score=constructor&show=1",
        "#explorer?only_pair=nowhere&only_merges=%22%3E%3Cimg%20src=x%3E",
        "#alignments?pair=nowhere&a=zzz&b=zzz&order=constructor&sentence=-4",
        "#nowhere?%F0%9F%98%80&%",
        "#%",
        "#%3Cimg%20src=x%20onerror=alert(1)%3E",
    ],
)
def test_an_address_that_makes_no_sense_shows_what_it_can(open_report, address):
    shown = open_report(address)
    shown.locator("#explorer").scroll_into_view_if_needed()
    wait_for_chart(shown)
    shown.locator("#alignments").scroll_into_view_if_needed()
    shown.wait_for_selector("#viewer .word")
    assert shown.locator("main img").count() == 0


def test_a_report_of_scores_alone_leaves_the_rest_out_and_says_its_own_title(open_tables, grid):
    said = {"title": "Dropout & <b>", "about": "What <i>dropout</i> does to {{title}}."}
    shown = open_tables(grid.scores, about=said)
    assert text(shown, "h1") == said["title"]
    assert text(shown, ".lead") == said["about"]
    assert section_ids(shown) == ["overview", "cells", "settings", "explorer", "run", "terms"]
    wait_for_chart(shown, "#chart-best")


def test_a_report_of_nothing_but_failures_still_opens(open_tables, grid):
    failed = grid.scores.head(3).assign(
        status="missing", f1=None, precision=None, recall=None, aer=None
    )
    shown = open_tables(failed)
    assert "3 cells could not be computed" in text(shown, ".notice")


def test_the_same_inputs_give_the_same_bytes(grid, report):
    assert grid.build() == report.read_text(encoding="utf-8")


def test_columns_keep_numbers_texts_and_gaps():
    table = pd.DataFrame(
        {"a": [1.0, None, 0.123456789], "b": ["x", "y", "x"], "c": ["", None, "z"]}
    )
    assert page.by_columns(table) == {
        "a": [1, None, 0.123457],
        "b": {"texts": ["x", "y"], "at": [0, 1, 0]},
        "c": {"texts": ["", "z"], "at": [0, 0, 1]},
    }
    counts = pd.DataFrame({"tokens": [12345678.0, np.nan], "links": [1234567, 20]})
    assert page.by_columns(counts) == {"tokens": [12345678, None], "links": [1234567, 20]}


def test_rows_are_sorted_by_a_click_on_a_heading(open_report):
    shown = open_report()
    shown.locator("#run summary").first.click()
    table = shown.locator("#table-stages table")
    stages = table.locator("tbody td:first-child")
    before = stages.all_inner_texts()
    heading = table.locator("th", has_text="Longest job")
    heading.locator("button").click()
    assert heading.get_attribute("aria-sort") == "descending"
    assert stages.all_inner_texts() != before
    heading.locator("button").focus()
    shown.keyboard.press("Enter")
    assert heading.get_attribute("aria-sort") == "ascending"
    shown.keyboard.press(" ")
    assert heading.get_attribute("aria-sort") is None
    assert stages.all_inner_texts() == before


def test_a_click_on_a_row_shows_the_alignments_of_its_cell(open_report):
    shown = open_report("#explorer")
    shown.locator("#explorer > details > summary").last.click()
    assert shown.locator("#table-scores tbody tr:not(.opens)").count() > 0
    best = shown.locator("#table-scores tr.opens").first
    name = best.locator("td").nth(2).inner_text()
    best.click()
    shown.wait_for_selector("#viewer .word")
    chosen = shown.locator("#viewer-controls option:checked").nth(1)
    assert name in chosen.inner_text()
    assert shown.evaluate("location.hash").startswith("#alignments?")
    shown.locator(".use button").first.click()
    assert shown.evaluate("location.hash") != ""


def saved(shown, within, kind):
    """The name and bytes of what a button saves."""
    with shown.expect_download() as download:
        shown.locator(within).locator(".save").get_by_text(kind, exact=True).click()
    return download.value.suggested_filename, Path(download.value.path()).read_bytes()


@pytest.mark.parametrize("dark", [False, True])
def test_a_figure_is_saved_as_svg_png_and_csv(open_report, grid, dark):
    shown = open_report(dark=dark)
    wait_for_chart(shown, "#chart-best")
    name, svg = saved(shown, "#chart-best", "SVG")
    assert name == "the-best-cell-of-each-segmenter-and-aligner.svg"
    root = ElementTree.fromstring(svg)
    assert b"var(--" not in svg
    assert len(list(root.iter("{http://www.w3.org/2000/svg}path"))) >= 8
    # On white, whatever the theme.
    assert root.find("{*}rect").get("fill") == "#fff"
    texts = [text.get("fill") for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert set(texts) <= {"rgb(26, 30, 36)", "rgb(90, 100, 114)"}
    name, png = saved(shown, "#chart-best", "PNG")
    assert name.endswith(".png")
    assert struct.unpack(">4s2I", png[12:24]) == (
        b"IHDR", *(2 * int(root.get(side)) for side in ("width", "height")),
    )  # fmt: skip
    assert len(set(png)) > 100, "it shows something"
    _, text = saved(shown, "#chart-best", "CSV")
    rows = pd.read_csv(io.BytesIO(text))
    scored = grid.scores[grid.scores.f1.notna()]
    best = scored.groupby(["pair", "segmenter", "aligner"]).f1.max()
    assert sorted(rows.x) == pytest.approx(sorted(best), abs=1e-6)


def test_a_matrix_is_saved_with_its_links(open_report, grid):
    shown = open_report("#alignments?b=none&sentence=5")
    shown.wait_for_selector("#viewer[data-sentence='5']")
    _, svg = saved(shown, "#viewer", "SVG")
    words = {text.text for text in ElementTree.fromstring(svg).iter() if text.tag.endswith("text")}
    pair = grid.pairs[0]
    assert {word for word in pair.source[4] if len(word) <= 20} <= words
    _, text = saved(shown, "#viewer", "CSV")
    rows = pd.read_csv(io.BytesIO(text))
    links = rows[rows.link != "missed"]
    assert set(zip(links.source, links.target, strict=True)) == {
        tuple(link) for link in pair.cells[0].links.sentence(4)
    }


def test_a_table_is_saved_as_it_is_and_as_latex(open_report, grid):
    shown = open_report()
    name, text = saved(shown, "#table-best", "LaTeX")
    assert name == "best.tex"
    results = {"scores": described(grid.scores, grid.significance)}
    made = {of.name: latex(table, note, f"tab:{of.name}") for of, note, table in tables(results)}
    assert text.decode() == made["best"]
    _, text = saved(shown, "#table-effects", "CSV")
    rows = pd.read_csv(io.BytesIO(text))
    assert rows["Difference in F1"].to_numpy() == pytest.approx(
        grid.effects.delta_f1.to_numpy(), abs=1e-6
    )


@pytest.mark.parametrize("dark", [False, True])
def test_on_paper_charts_are_whole_and_the_viewer_is_filled(open_report, dark):
    shown = open_report(dark=dark)
    draw_all(shown)
    # A4 without its margins; nothing is drawn anew.
    shown.emulate_media(media="print")
    shown.set_viewport_size({"width": 690, "height": 1000})
    cut = shown.evaluate(
        """() => [...document.querySelectorAll(".chart svg, .matrix svg")].filter((drawing) => {
            const { right, width } = drawing.getBoundingClientRect();
            return !width || right > document.documentElement.clientWidth + 1;
        }).length"""
    )
    assert cut == 0
    assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert shown.locator("#viewer .word").count() > 0
    assert shown.locator(".save:visible, .controls:visible, nav:visible").count() == 0
    ink = "getComputedStyle(document.querySelector('#chart-best svg .role-axis-title text')).fill"
    assert shown.evaluate(ink) == "rgb(26, 30, 36)"
    assert shown.pdf()[:5] == b"%PDF-"


def test_all_cells_are_open_from_the_best_below_a_head_that_stays(open_tables, grid):
    scores = grid.scores[(grid.scores.pair == "eng-deu") & (grid.scores.aligner == "gibbs")]
    shown = open_tables(scores.reset_index(drop=True))
    table = shown.locator("#table-scores")
    assert table.is_visible()
    head = [text.strip() for text in table.locator("thead th").all_text_contents()]
    # All cells have the same pair and aligner.
    assert {"Pair", "Aligner"}.isdisjoint(head)
    column = head.index("F1") + 1
    f1 = table.locator(f"tbody td:nth-child({column})").all_text_contents()
    assert len(f1) > 5
    assert f1 == sorted(f1, reverse=True)
    box = table.locator(".scroll")
    box.evaluate("box => { box.style.maxHeight = '120px'; box.scrollTop = 80; }")
    top = box.bounding_box()["y"]
    assert abs(table.locator("thead th").first.bounding_box()["y"] - top) < 2


def test_a_page_says_of_which_sentences_it_has_the_first(open_report):
    shown = open_report("#alignments")
    shown.wait_for_selector("#viewer .word")
    said = shown.text_content("#viewer")
    assert "of 1,234 sentences; scores are of all" in said
