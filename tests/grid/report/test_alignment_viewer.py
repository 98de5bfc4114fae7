"""The alignment viewer, in a headless Chromium; see test_page.py."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from browser import set_field, text

from seggrid.grid.jobs.viewer_inputs import read_viewer
from seggrid.grid.report.viewer import cells_to_view, telling, viewer_data
from seggrid.text.links import Links


# These tests share one browser and one report, so they run in one worker.
def test_the_viewer_steps_through_the_sentences(open_report):
    shown = open_report("#alignments?sentence=1")
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


@pytest.mark.parametrize(
    ("asked", "shown_as"),
    [("999", "40"), ("-3", "1"), ("2.5", "3"), ("0", "1"), ("x", ""), ("", ""), ("1e9", "40")],
)
def test_the_address_of_no_sentence_becomes_that_of_the_nearest(open_report, asked, shown_as):
    shown = open_report(f"#alignments?sentence={asked}&b=none")
    shown.wait_for_selector(f"#viewer[data-sentence='{shown_as or 1}']")
    address = shown.evaluate("location.hash")
    assert address == "#alignments?" + (f"sentence={shown_as}&b=none" if shown_as else "b=none")


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


def test_three_telling_sentences_open_the_viewer(open_report, grid):
    """The rule, once more: A right and B most wrong; the other way round; all wrong, even the best most."""
    pair = grid.pairs[0]
    sets = [[set(links.sentence(k)) for k in range(40)] for links in (pair.sure, pair.possible)]
    errors = np.array(
        [
            [
                len(set(cell.links.sentence(k)) - sure - possible)
                + len(sure - set(cell.links.sentence(k)))
                for k, (sure, possible) in enumerate(zip(*sets, strict=True))
            ]
            for cell in pair.cells
        ]
    )
    found = telling(pair)
    share = errors / [max(1, len(sure)) for sure in sets[0]]
    for (what, at), (ours, theirs) in zip(found.items(), ((0, 1), (1, 0)), strict=False):
        right = [k for k in range(40) if errors[ours][k] == 0 < errors[theirs][k]]
        assert ("better than" in what) is (not right)
        more = share[theirs] - share[ours]
        assert more[at] == max(more[k] for k in right or range(40)) > 0
        assert at in (right or range(40))
    least = share.min(axis=0)
    assert least[found["no cell right"]] == least.max()
    shown = open_report()
    for what, at in found.items():
        shown.get_by_role("button", name=what).click()
        shown.wait_for_selector(f"#viewer[data-sentence='{at + 1}']")
        assert shown.locator("#viewer-controls [aria-pressed=true]").inner_text() == what


def test_without_gold_the_sentences_with_the_fewest_links_in_common_open_the_viewer(
    open_tables, grid
):
    none = Links.from_sets([[]] * 40)
    pair = replace(grid.pairs[0], sure=none, possible=none)
    sets = [[set(cell.links.sentence(k)) for k in range(40)] for cell in pair.cells]
    found = telling(pair)
    for what, cells in (("A and B differ most", sets[:2]), ("all cells differ most", sets)):
        common = []
        for k in range(40):
            of_each = [links[k] for links in cells]
            mean = sum(map(len, of_each)) / len(cells)
            common.append(mean / max(1, len(set.union(*of_each))))
        assert common[found[what]] == pytest.approx(min(common))
    shown = open_tables(grid.scores, viewer=viewer_data([pair]))
    shown.wait_for_selector(f"#viewer[data-sentence='{found['A and B differ most'] + 1}']")
    assert "fewest links in common" in text(shown, "#viewer-controls")
    set_field(shown, "Cell B", "none")
    count = len(pair.cells[0].links.sentence(0))
    shown.get_by_text(f"{count} linked").wait_for()


def test_without_gold_the_cells_come_first_that_agree_most_with_the_others(grid):
    scores = grid.scores[grid.scores.pair == "eng-deu"].assign(f1=np.nan, status="no gold")
    words = scores.cell[scores.sides == "none"].tolist()
    (first,) = cells_to_view(scores).values()
    assert first[0] in words
    agreement = pd.Series(np.linspace(0.6, 0.5, len(scores)), scores.index)
    (chosen,) = cells_to_view(scores.assign(agreement=agreement)).values()
    assert chosen[:2] == [scores.cell.iloc[0], scores.words_cell.iloc[0]]


def test_a_viewer_without_cells_is_empty():
    assert read_viewer(pd.DataFrame({"cell": ["a"]}), {"eng-deu": []}, 10) == []


def test_a_telephone_shows_the_whole_matrix_or_says_that_it_can_be_moved(open_report):
    shown = open_report("#alignments", width=390)
    whole = 0
    for _ in range(6):
        shown.wait_for_selector("#viewer .matrix svg")
        cut, told, words = shown.evaluate(
            """() => {
                const box = document.querySelector(".matrix");
                return [
                    box.scrollWidth > box.clientWidth + 1,
                    box.textContent.includes("sideways"),
                    document.querySelectorAll(".matrix svg text").length,
                ];
            }"""
        )
        assert told or not cut, words
        whole += not cut
        shown.click("#next")
    assert whole
