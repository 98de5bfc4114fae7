"""The tables of studies are those of the rows that they name."""

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
import yaml

pytestmark = pytest.mark.tier("check")

ROOT = Path(__file__).parents[2]
STUDIES = ROOT / "docs/studies"
PAGES = [ROOT / "README.md", *sorted(STUDIES.glob("*.md"))]
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
    monkeypatch.setattr(tables, "STUDIES", tmp_path)
    (tmp_path / "rows.csv").write_text(ROWS, "utf-8")
    made = tables.lines({"rows": "rows.csv", **yaml.safe_load(table)})
    assert list(made) == [f"| {line} |".replace("  ", " ") for line in lines]


def test_cells_are_those_of_the_file_with_their_intervals(tables, tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "STUDIES", tmp_path)
    rows = "of,size,gain,gain_low,gain_high\nwords,,,,\nBPE,4000,+0.020,-0.010,+0.050\n"
    (tmp_path / "rows.csv").write_text(rows, "utf-8")
    assert list(tables.lines({"rows": "rows.csv"})) == [
        "| words | | |",
        "| BPE | 4,000 | +0.020 (−0.010 to +0.050) |",
    ]
    cells = "{of} | {gain:+.2f} ({gain_low:+.2f} to {gain_high:+.2f})"
    assert next(tables.lines({"rows": "rows.csv", "cells": cells})) == "| words | |"
    some = {"rows": "rows.csv", "where": 'of == "BPE"', "columns": "size"}
    assert list(tables.lines(some)) == ["| 4,000 |"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_figures_of_studies_are_in_files_and_say_how_they_were_made(tables, page):
    """Each table with a cell that begins with a decimal number stands after a comment."""
    text = page.read_text("utf-8")
    for comment, *_ in (match.groups()[1:] for match in tables.TABLE.finditer(text)):
        assert yaml.safe_load(comment)["made"]
    for table in re.findall(r"^(?:\|.*\n)+", tables.TABLE.sub("", text), re.M):
        assert not re.search(r"\| [+−]?\d+\.\d", table), table


@pytest.mark.parametrize("name", ["thesis", "thesis-gibbs"])
def test_the_figures_of_studies_are_those_of_their_rows(root, tmp_path, name):
    """Each mark within a point of where it is drawn now: fonts and matplotlib may move all a little."""
    new, kept = tmp_path / f"{name}.svg", STUDIES / f"images/{name}.svg"
    command = [sys.executable, root / "docs/studies/figure.py", STUDIES / f"data/{name}.csv", new]
    subprocess.run(command, check=True)
    mark = r'<use xlink:href="#[^"]*" x="([\d.]+)" y="([\d.]+)"'
    texts = (file.read_text("utf-8") for file in (new, kept))
    drawn, shown = (np.array(re.findall(mark, text), dtype=float) for text in texts)
    assert len(drawn) == len(shown) >= 50
    assert np.abs(drawn - shown).max() < 1


def test_a_page_with_other_figures_is_noticed(tables):
    text = (STUDIES / "thesis.md").read_text("utf-8")
    assert tables.with_tables(text.replace("+0.047", "+0.048")) == text
