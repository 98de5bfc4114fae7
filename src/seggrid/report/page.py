"""The report: one HTML file with its data, its code and its charting library."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from html import escape
from typing import Any

import numpy as np
import pandas as pd

from seggrid.data.result_tables import BY_NAME, ResultTable
from seggrid.report.curves import HISTOGRAMS, curves
from seggrid.report.html import VIEWER, asset, embedded, fill, policy, scripts
from seggrid.report.labels import describe_all, families, for_page
from seggrid.report.tables import PAPER_TABLES, latex, tables

# The files of the page's own code, in the order in which they are joined.
SCRIPTS = (
    *(
        f"base/{name}.js"
        for name in ("numbers", "dom", "theme", "cells", "saving", "table", "address", "charts")
    ),
    *(f"explorer/{name}.js" for name in ("points", "panels", "lines", "heat", "explorer")),
    *VIEWER,
    *(f"sections/{name}.js" for name in ("overview", "published", "measures", "tables")),
    *(f"sections/{name}.js" for name in ("knockout_charts", "knockout", "cost")),
    "main.js",
)

# Significant digits of fractions in the page; the tables in `results/` have the unrounded values.
_DIGITS = 6


def build(
    results: Mapping[str, pd.DataFrame],
    *,
    viewer: Mapping[str, Any] | None = None,
    about: Mapping[str, Any] | None = None,
) -> str:
    """The whole report as the text of one HTML file, without parts for which there are no data.

    The page loads nothing from a network. Its content security policy enforces this: it allows only the two
    scripts in the page, by their SHA-256. All text from the inputs is escaped.

    Args:
        results: tables of results by name, see `seggrid.data.result_tables`; `scores` is needed.
        viewer: see `viewer.viewer_data`.
        about: facts about the run, shown as they are: `title`, `configuration`, `seed`, `versions` (a
            mapping), `record` (a file in the folder of the page, to which it links), or any other name and
            value; and `languages`, the languages of `source` and `target` of each pair, which are used in
            labels.
    """
    knockout = results.get("knockout")
    shown = {
        **results,
        "scores": _cells(results["scores"], results.get("significance")),
        "curves": curves(results.get("morphology"), knockout),
        # Tables that the page does not show directly.
        **{"significance": None, "knockout": None},
    }
    if knockout is not None:
        shown["histograms"] = knockout[knockout["figure"].isin(HISTOGRAMS)]
    about = dict(about or {})
    data = {
        "labels": for_page(),
        "languages": about.pop("languages", {}),
        "about": about,
        "columns": {name: _described(BY_NAME[name]) for name in results},
        "tables": {name: columns(t) for name, t in shown.items() if t is not None and len(t)},
        "latex": _latex(results),
        "viewer": dict(viewer or {}),
    }
    library = _library()
    script = scripts(SCRIPTS)
    return fill(
        asset("page.html"),
        title=escape(str(about.get("title", "seggrid report"))),
        policy=policy(library, script),
        style=asset("page.css"),
        data=embedded(data),
        library=library,
        script=script,
    )


def _latex(results: Mapping[str, pd.DataFrame]) -> dict[str, dict[str, str]]:
    """The tables for papers as LaTeX, by the table of results from which each is made, then by name."""
    table_of = {paper.name: paper.of for paper in PAPER_TABLES}
    return {
        name: {"of": table_of[name], "text": latex(table, caption, f"tab:{name}")}
        for name, caption, table in tables(results)
    }


def _cells(scores: pd.DataFrame, significance: pd.DataFrame | None) -> pd.DataFrame:
    """The scores for the page, with intervals and descriptions; the cells with which a cell is compared are
    given by the numbers of their rows."""
    if significance is not None and len(significance):
        # The scores already name the compared cells; more names would only make the page larger.
        results = significance.drop(columns=["words", "plain"], errors="ignore")
        scores = scores.merge(results, on="cell", how="left", validate="one_to_one")
    rows = pd.Series(range(len(scores)), index=scores["cell"])
    others = {
        partner: scores[f"{partner}_cell"].where(scores[f"{partner}_cell"] != scores["cell"])
        for partner in ("words", "plain")
    }
    return scores.drop(columns=["words_cell", "plain_cell", "equal_cell"]).assign(
        name=describe_all(scores),
        family=families(scores),
        **{partner: other.map(rows) for partner, other in others.items()},
    )


def _described(table: ResultTable) -> dict[str, dict[str, str]]:
    """The unit and the meaning of each column of a table, without Markdown."""
    return {
        name: {"unit": column.unit, "meaning": re.sub(r"\]\(.*?\)|[\[`]", "", column.meaning)}
        for column in table.columns
        for name in column.names
    }


def columns(table: pd.DataFrame) -> dict[str, Any]:
    """A table by columns; columns of text become indices into their distinct texts.

    Returns:
        For each column, a list of numbers and nulls, or `{"texts": [...], "at": [...]}`.
    """
    return {str(name): _column(table[name]) for name in table.columns}


def _column(values: pd.Series) -> list[Any] | dict[str, list[Any]]:
    if pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values):
        return [_number(value) for value in values.to_numpy(dtype=float, na_value=np.nan)]
    texts = values.astype(object).where(values.notna(), "").astype(str)
    codes, distinct = pd.factorize(texts)
    return {"texts": distinct.tolist(), "at": codes.tolist()}


def _number(value: float) -> float | int | None:
    if not np.isfinite(value):
        return None
    # A count stays exact as long as JavaScript can represent it exactly.
    if float(value).is_integer() and abs(value) < 2**53:
        return int(value)
    rounded = float(f"{value:.{_DIGITS}g}")
    return int(rounded) if rounded.is_integer() else rounded


@cache
def _library() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script; it defines `vegaEmbed`."""
    import vl_convert

    return vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
