"""The tables of studies are those of the rows that they name."""

from importlib import import_module
from pathlib import Path

import pytest
import yaml

PAGES = sorted((Path(__file__).parents[2] / "docs").glob("*.md"))
ROWS = """setting,merges,f1,delta
links,,0.7204,0.0204
links,4000,0.7535,-0.0045
votes,1000,0.7611,
votes,4000,0.7789,0.0789
"""


@pytest.fixture
def tables(root, monkeypatch):
    monkeypatch.syspath_prepend(root / "tools")
    return import_module("study_tables")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_tables_of_a_page_are_those_of_its_rows(tables, page):
    text = page.read_text("utf-8")
    assert text.count("<!-- table\n") == len(tables.TABLE.findall(text))
    assert tables.with_tables(text) == text, "run python tools/study_tables.py"


@pytest.mark.parametrize(
    ("table", "lines"),
    [
        (
            'cells: "{setting} | {merges:,.0f} | {f1:.3f} | {delta:+.3f}"',
            [
                *("links | | 0.720 | +0.020", "links | 4,000 | 0.754 | −0.005"),
                *("votes | 1,000 | 0.761 | ", "votes | 4,000 | 0.779 | +0.079"),
            ],
        ),
        (
            'by: "{setting}"\ncells: "{name}: {f1[count]:.0f}, {f1[min]:.2f} to {f1[max]:.2f}"',
            ["links: 2, 0.72 to 0.75", "votes: 2, 0.76 to 0.78"],
        ),
        (
            'by: "{setting}"\nbest: f1\ncells: "{name} | {merges:.0f}"',
            ["links | 4000", "votes | 4000"],
        ),
        (
            'where: merges == 4000\nlet: {other: f1 - delta}\nby: "{merges:.0f}"\n'
            'over: "{setting}"\ncells: "{name}: {other[links]:.3f}, {other[votes]:.3f}"',
            ["4000: 0.758, 0.700"],
        ),
        # The last pattern that is found names a row; a row without one is left out.
        (
            'by: "{setting} {merges}"\nnames: {"4000": many, "votes 4": votes}\n'
            'cells: "{name}: {f1[count]:.0f}"',
            ["many: 1", "votes: 1"],
        ),
    ],
)
def test_lines_are_made_of_rows(tables, tmp_path, monkeypatch, table, lines):
    monkeypatch.setattr(tables, "DOCS", tmp_path)
    (tmp_path / "rows.csv").write_text(ROWS, "utf-8")
    made = tables.lines({"rows": "rows.csv", **yaml.safe_load(table)})
    assert list(made) == [f"| {line} |".replace("  ", " ") for line in lines]


def test_a_page_with_other_figures_is_noticed(tables):
    text = (PAGES[0].parent / "thesis.md").read_text("utf-8")
    assert tables.with_tables(text.replace("+0.047", "+0.048")) == text
