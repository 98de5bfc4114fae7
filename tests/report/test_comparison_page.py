"""The page of a comparison of two runs, in a headless Chromium; see test_page.py."""

import pytest
import synthetic
from browser import text

from seggrid.report.comparison import Section, build


@pytest.fixture
def page(tmp_path):
    rows = [(f"cell {k}", f"{k}.5 → 2", "" if k == 2 else f"{0.1 * k:+.1f}") for k in range(4)]
    found = [Section("cells whose scores moved: 4", ("cell", "F1", "second − first"), rows)]
    found += [Section("settings", ("settings", "first", "second"), [synthetic.HOSTILE[:3]])]
    file = tmp_path / "diff.html"
    file.write_text(
        build(["a/results", synthetic.HOSTILE[0]], "Settings differ.", found, ["no counts"]),
        encoding="utf-8",
    )
    return file


@pytest.mark.parametrize("width", [1400, 390])
def test_rows_of_a_comparison_sort_and_fit(open_page, page, width):
    shown = open_page(page, width=width)
    assert text(shown, "h1") == "What differs between two runs"
    assert "no counts" in text(shown, ".notice")
    first = shown.locator("table").first
    first.get_by_role("button", name="second − first").click()
    cells = first.locator("tbody td:first-child").all_inner_texts()
    assert cells == ["cell 3", "cell 1", "cell 0", "cell 2"], "a missing number is last"
    first.get_by_role("button", name="F1").click()
    assert first.locator("tbody td:first-child").first.inner_text() == "cell 3"
    assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert shown.evaluate("window.hacked === undefined")
    assert synthetic.HOSTILE[0] in text(shown, "dl")
