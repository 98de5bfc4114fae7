"""The report, driven in a headless Chromium.

In every test the page must cause no console message and no request but that for itself; the fixture
`open_report` checks this.
"""

import io
import re
import struct
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
import synthetic
from browser import section_ids, text, unfold, wait_for_chart

from seggrid.report import page
from seggrid.report.labels import describe
from seggrid.report.tables import latex, tables
from seggrid.score.verdict.tables import find

# These tests share one browser and one report, so they run in one worker.
SECTIONS = [
    "overview", "explorer", "published", "claims", "measures", "ensembles", "knockout", "language-models",
    "alignments", "cost",
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
    assert synthetic.HOSTILE[0] in text(shown, "#table-claims")
    assert shown.locator("main b b, main img, main script").count() == 0


def test_missing_cells_are_named(open_report, grid):
    shown = open_report()
    assert "3 cells could not be computed" in text(shown, "#missing")
    names = text(shown, "#missing")
    for row in grid.scores[grid.scores.status == "missing"].to_dict("records"):
        assert describe(row) in names


def test_the_verdict_comes_first_and_its_tables_follow(open_report, grid):
    shown = open_report()
    said = shown.locator("#overview > *").nth(1)
    assert said.get_attribute("id") == "verdict"
    assert said.locator("p").all_text_contents() == grid.verdict["verdict"].tolist()
    assert shown.locator("#table-effects tbody tr").count() == len(grid.effects)
    assert "segmenter bpe" in text(shown, "#table-selection")


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


def test_the_theme_can_be_switched(open_report):
    shown = open_report()
    # Charts are drawn when they come into sight.
    shown.locator("#glance").scroll_into_view_if_needed()
    shown.wait_for_selector("#glance svg")
    before = shown.evaluate("getComputedStyle(document.body).backgroundColor")
    ink = "getComputedStyle(document.querySelector('#glance svg text')).fill"
    drawn = shown.evaluate(ink)
    shown.click("#theme")
    assert shown.evaluate("getComputedStyle(document.body).backgroundColor") != before
    assert shown.evaluate(ink) != drawn


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
    counts = pd.DataFrame({"tokens": [12345678.0, np.nan], "links": [1234567, 20]})
    assert page.columns(counts) == {"tokens": [12345678, None], "links": [1234567, 20]}


def one_cell(grid, **changed):
    return grid.scores[grid.scores.segmenter == "bpe"].head(1).assign(**changed)


def test_a_pair_without_gold_has_no_number_of_gold_sentences(open_tables, grid):
    none = one_cell(grid, pair="q", status="no gold", f1=np.nan, gold_sentences=60)
    missing = one_cell(grid, pair="r", status="missing", f1=np.nan, gold_sentences=np.nan)
    cells = pd.concat([one_cell(grid, pair="p"), none, missing], ignore_index=True)
    shown = open_tables(
        cells.assign(cell=["a", "b", "c"], words_cell="", plain_cell="", equal_cell="")
    )
    assert "p (40), q (no gold), r (–)" in text(shown, "#facts")


def test_the_page_says_which_aligner_stands_in(open_tables, grid):
    published = grid.published.assign(aligner="eflomal", stand_in="")
    published.loc[published.index[:3], "stand_in"] = "gibbs"
    shown = open_tables(grid.scores, published=published)
    assert "In 3 rows, gibbs stands in for eflomal." in text(shown, "#published-summary")
    unfold(shown.locator("#published-table"))
    assert "gibbs for eflomal" in text(shown, "#published-table tbody tr")


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
    gains = shown.locator("#best td[data-heading='over words']").all_inner_texts()
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


def test_measures_are_shown_with_their_correlations(open_report, grid):
    shown = open_report()
    shown.locator("#measures-chart").scroll_into_view_if_needed()
    wait_for_chart(shown, "#measures-chart")
    folded = shown.locator("#measures-table")
    unfold(folded)
    rows = folded.locator("tbody tr")
    assert rows.count() == len(grid.correlations)
    first = grid.correlations.iloc[0]
    assert f"{first.spearman:.3f}".replace("-", "\u2212") in rows.first.inner_text()


def test_votes_are_shown_beside_the_best_member(open_report, grid):
    shown = open_report()
    table = text(shown, "#table-ensembles")
    best = grid.scores.set_index("cell").loc[grid.ensembles.best_member[0]]
    assert describe(best) in table
    assert "\u22120.100 (\u22120.120 to \u22120.080)" in table
    assert "p ≤ 0.001" in table
    votes = shown.locator("#ensembles-tables details").first
    unfold(votes)
    heaviest = grid.votes.sort_values("weight", ascending=False).iloc[0]
    row = votes.locator("tbody tr").first.inner_text()
    assert describe(grid.scores.set_index("cell").loc[heaviest.member]) in row
    assert "3.000" in row


def test_language_models_are_shown_with_intervals_and_verdicts(open_report):
    shown = open_report()
    table = text(shown, "#table-language_model")
    assert "2.750 (2.612 to 2.888)" in table
    assert "swap-30" in table
    compared = text(shown, "#table-language_model_comparisons")
    assert "continues" in compared
    assert "worse" in compared
    probes = text(shown, "#table-language_model_probes")
    assert "0.610 (0.550 to 0.670)" in probes
    assert "above chance" in probes
    tasks = text(shown, "#table-language_model_tasks")
    assert "silver (HanTa)" in tasks
    assert "0.910 (0.880 to 0.940)" in tasks


def test_rows_are_sorted_by_a_click_on_a_heading(open_report):
    shown = open_report()
    table = shown.locator("#cost-summary table")
    stages = table.locator("tbody td:first-child")
    before = stages.all_inner_texts()
    heading = table.locator("th", has_text="Longest job")
    heading.locator("button").click()
    assert heading.get_attribute("aria-sort") == "descending"
    by_time = stages.all_inner_texts()
    assert by_time != before
    heading.locator("button").click()
    assert stages.all_inner_texts() == by_time[::-1]
    heading.locator("button").click()
    assert heading.get_attribute("aria-sort") is None
    assert stages.all_inner_texts() == before
    heading.locator("button").focus()
    shown.keyboard.press("Enter")
    assert heading.get_attribute("aria-sort") == "descending"
    assert stages.all_inner_texts() == by_time
    shown.keyboard.press(" ")
    assert heading.get_attribute("aria-sort") == "ascending"


def test_every_table_sorts(open_report):
    shown = open_report()
    unsorted = shown.evaluate(
        """() => [...document.querySelectorAll("table")].flatMap((table) => {
            const heading = table.querySelector("th");
            heading.querySelector("button").click();
            return heading.ariaSort ? [] : [heading.textContent];
        })"""
    )
    assert unsorted == []


def test_a_phone_has_the_headings_that_sort(open_report):
    shown = open_report(width=390)
    shown.locator("#best th button", has_text="F1").click()
    scores = shown.locator("#best td[data-heading=F1] b").all_inner_texts()
    assert scores == sorted(scores, reverse=True)


def test_a_click_on_a_row_or_a_mark_shows_the_alignments_of_its_cell(open_report, grid):
    shown = open_report("#explorer?only.aligner=fast_align&only.pair=eng-deu&mark=points&show=all")
    unfold(shown.locator("#plot-table"))
    other = shown.locator("#plot-table tbody tr:not(.opens)").first
    assert other.get_attribute("title") == "Its alignments are not on this page"
    assert shown.locator("#facts a").get_attribute("href") == "run.json"
    best = shown.locator("#plot-table tr.opens").first
    name = best.locator("td").nth(2).inner_text()
    best.click()
    shown.wait_for_selector("#viewer .word")
    assert shown.locator("#viewer-controls select").nth(1).inner_text().startswith(name)
    chosen = shown.locator("#viewer-controls option:checked").nth(1)
    assert chosen.inner_text().startswith(name)
    assert shown.evaluate("location.hash").startswith("#alignments?")
    wait_for_chart(shown)
    shown.locator("#plot .mark-symbol path").first.scroll_into_view_if_needed()
    address = shown.evaluate("location.hash")
    for mark in shown.locator("#plot .mark-symbol path").all()[:200]:
        mark.dispatch_event("click")
        if shown.evaluate("location.hash") != address:
            break
    else:
        pytest.fail("no mark opened the alignments of its cell")


def saved(shown, within, kind):
    """The name and bytes of what a button saves."""
    with shown.expect_download() as download:
        shown.locator(within).locator(".save").get_by_text(kind, exact=True).click()
    return download.value.suggested_filename, Path(download.value.path()).read_bytes()


@pytest.mark.parametrize("dark", [False, True])
def test_a_figure_is_saved_as_svg_png_and_csv(open_report, grid, dark):
    shown = open_report(dark=dark)
    wait_for_chart(shown, "#glance")
    name, svg = saved(shown, "#glance", "SVG")
    assert name == "f1-of-every-cell-by-pair-and-aligner.svg"
    root = ElementTree.fromstring(svg)
    assert b"var(--" not in svg
    assert len(list(root.iter("{http://www.w3.org/2000/svg}path"))) >= grid.scores.f1.count()
    # On white, whatever the theme.
    assert root.find("{*}rect").get("fill") == "#fff"
    texts = [text.get("fill") for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert set(texts) <= {"rgb(26, 30, 36)", "rgb(90, 100, 114)"}
    name, png = saved(shown, "#glance", "PNG")
    assert name.endswith(".png")
    assert struct.unpack(">4s2I", png[12:24]) == (
        b"IHDR", *(2 * int(root.get(side)) for side in ("width", "height")),
    )  # fmt: skip
    assert len(set(png)) > 100, "it shows something"
    _, text = saved(shown, "#glance", "CSV")
    rows = pd.read_csv(io.BytesIO(text))
    scored = grid.scores[grid.scores.f1.notna()]
    assert rows.cell.tolist() == scored.cell.tolist()
    assert rows.f1.to_numpy() == pytest.approx(scored.f1.to_numpy(), abs=1e-6)


def test_every_figure_can_be_saved(open_report):
    shown = open_report()
    shown.wait_for_function(
        "() => [...document.querySelectorAll('.chart')].every((c) => c.querySelector('.save'))"
    )
    shown.wait_for_selector("#viewer .save")


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
    name, text = saved(shown, "#best", "LaTeX")
    assert name == "best.tex"
    results = {"scores": grid.scores, "significance": grid.significance}
    made = {paper: latex(of, note, f"tab:{paper}") for paper, note, of in tables(results)}
    assert text.decode() == made["best"]
    _, text = saved(shown, "#table-effects", "CSV")
    rows = pd.read_csv(io.BytesIO(text))
    assert rows["Difference in F1"].to_numpy() == pytest.approx(
        grid.effects.delta_f1.to_numpy(), abs=1e-6
    )


@pytest.mark.parametrize("dark", [False, True])
def test_on_paper_charts_are_whole_and_the_viewer_is_filled(open_report, dark):
    shown = open_report(dark=dark)
    shown.wait_for_function(
        "() => [...document.querySelectorAll('.chart')].every((c) => c.dataset.drawn)"
    )
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
    ink = "getComputedStyle(document.querySelector('#glance svg .role-axis-title text')).fill"
    assert shown.evaluate(ink) == "rgb(26, 30, 36)"
    assert shown.pdf()[:5] == b"%PDF-"


def test_no_axis_of_scores_goes_beyond_one(open_tables, grid):
    least, most = grid.scores.f1.min(), grid.scores.f1.max()
    high = grid.scores.assign(f1=0.9 + 0.099 * (grid.scores.f1 - least) / (most - least))
    shown = open_tables(high)
    for chart in ("#glance", "#plot"):
        wait_for_chart(shown, chart)
        ticks = shown.locator(f"{chart} .role-axis-label text").all_text_contents()
        numbers = [float(tick) for tick in ticks if re.fullmatch(r"\d\.\d+", tick)]
        assert max(numbers) == 1


def test_settings_across_pairs_are_drawn_with_their_critical_difference(open_tables):
    names = ["aa", "bb", "cc", "dd"]
    scores, counts = synthetic.fill(synthetic.scores(pairs=names, merges=[500]), sentences=30)
    ranks = find(counts, scores, defaults={}, seed=1, rounds=50).ranks.head(3)
    ranks = ranks.assign(mean_rank=[1.0, 2.0, 3.0], critical_difference=1.5)
    shown = open_tables(scores, ranks=ranks.assign(told_apart=["no", "no", "yes"]))
    wait_for_chart(shown, "#ranks-chart")
    bars = shown.locator("#ranks-chart .mark-rule.role-mark line").evaluate_all(
        "all => all.map((bar) => [bar.getBoundingClientRect().left, bar.getBoundingClientRect().right])"
    )
    dashed, first, second, third = bars
    assert first[1] == pytest.approx(dashed[0], abs=2)
    assert second[0] < first[1] < third[0]
    described = describe(scores[scores.cell.str.endswith(ranks.setting[0])].iloc[0])
    assert described[:20] in shown.text_content("#ranks-chart")
    assert described in text(shown, "#table-ranks")


def test_the_other_pairs_correlation_stands_beside_a_pairs_own(open_tables, grid):
    others = grid.correlations.assign(spearman_others=0.25)
    shown = open_tables(grid.scores, correlations=others)
    wait_for_chart(shown, "#measures-chart")
    assert "Diamonds" in text(shown, "#measures")
    unfold(shown.locator("#measures-table"))
    assert "0.250" in text(shown, "#measures-table tbody tr")


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
    labels = shown.locator("#knockout .mark-symbol path").evaluate_all(
        "all => all.map((mark) => mark.getAttribute('aria-label')).join()"
    )
    drawn = [float(value) for value in re.findall(r"F1: ([\d.]+)", labels)]
    # Labels have two decimals.
    assert any(value == pytest.approx(other.f1.iloc[0], abs=0.0051) for value in drawn), labels


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
