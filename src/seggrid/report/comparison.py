"""The page that compares runs: one HTML file with tables of differences, in the style of the report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from html import escape

from seggrid.report.html import asset, embedded, fill, policy, scripts

SCRIPTS = (
    *(f"base/{name}.js" for name in ("numbers", "dom", "cells", "saving", "table")),
    "comparison.js",
)

# Parts of the report that a comparison does not have.
_EMPTY: dict[str, object] = {
    "labels": {name: {} for name in ("metrics", "measures", "axes", "values")},
    **{name: {} for name in ("tables", "columns", "latex", "viewer")},
}


@dataclass(frozen=True)
class Section:
    """A table of the page: a title, names of columns, rows of fields."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


def build(
    runs: Sequence[str], summary: str, sections: Sequence[Section], notes: Sequence[str]
) -> str:
    """The text of the HTML file. It loads nothing from elsewhere, and all text from the runs is escaped.

    Args:
        runs: names of the runs.
        summary: what differs, in a sentence.
        sections: the tables; all their rows are shown, and can be sorted.
        notes: what could not be compared.
    """
    shown = {"sections": [asdict(section) for section in sections], "notes": list(notes)}
    script = scripts(SCRIPTS)
    first, second = (escape(run) for run in runs)
    return fill(
        asset("comparison.html"),
        policy=policy(script),
        style=asset("page.css"),
        first=first,
        second=second,
        summary=escape(summary),
        data=embedded({**_EMPTY, "comparison": shown}),
        script=script,
    )
