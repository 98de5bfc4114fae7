"""The report: one HTML file with its data, its code and its charting library."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from html import escape
from typing import Any

import numpy as np
import pandas as pd

from seggrid.base.result_tables import Shown
from seggrid.grid.axes import AXES as GRID_AXES
from seggrid.grid.jobs.logs import NOT_RUN
from seggrid.grid.report.charts import charts_of, described
from seggrid.grid.report.charts.chart import Chart
from seggrid.grid.report.charts.others import family_looks
from seggrid.grid.report.explorer import views
from seggrid.grid.report.html import (
    EMBEDDING,
    VIEWER,
    VIEWER_PLACE,
    deflated,
    document,
    embedded,
    page_scripts,
)
from seggrid.grid.report.labels import (
    MEANINGS,
    MEASURES,
    METRICS,
    MORE_METRICS,
    axis_labels,
    meanings,
    title_of,
)
from seggrid.grid.report.tables import latex, meant, tables
from seggrid.grid.report.terms import HEADINGS, TERMS, Glossary, anchor, of_markdown
from seggrid.grid.report.theme import vega_config
from seggrid.grid.report.vega import chart_rows, spec_of
from seggrid.grid.report.verdict import fewer_errors, of_studies, sentences
from seggrid.grid.study import STUDIES, Section

# Columns of cells that no chart and no card shows.
_NOT_ON_PAGE = [
    *("source", "target", "words_cell", "plain_cell", "equal_cell", "status", "reason"),
    *(f"p_{partner}" for partner in ("words", "plain")),
    *(f"delta_f1_{partner}_{end}" for partner in ("words", "plain") for end in ("low", "high")),
]

# Significant digits of fractions in the page; the tables in `results/` have the unrounded values.
_DIGITS = 6


FIRST_SECTIONS = (
    Section("overview", "Overview"),
    Section(
        "alignments",
        "Sentences",
        "The links of one or two cells, beside the gold if there is some. The keys ← and → move through the "
        "sentences.",
    ),
    Section("cells", "All cells"),
    Section(
        "settings",
        "Settings",
        "How much each setting matters. Differences are between cells that differ in one axis alone.",
    ),
    Section(
        "ranks",
        "Across pairs",
        "Two settings differ if their bars do not overlap; those that begin right of the dashed line are "
        "worse than the best.",
        ("ranks",),
    ),
    Section(
        "explorer",
        "Explorer",
        "Cells that differ from the best of their kind in the axis alone, or every cell. Dashed: words with "
        "the settings of the best cell that is drawn. Upright lines: 95% intervals over sentences. The "
        "address of the page stores your choices.",
        folded=True,
    ),
    Section(
        "measures",
        "Measures",
        "Spearman's rank correlation of each measure of the segmentations with F1, over the cells of a pair "
        "and an aligner that join no samples, with 95% intervals over cells. It describes the cells of "
        "this grid and need not hold in others.",
        ("measures",),
        folded=True,
    ),
)

LAST_SECTIONS = (
    Section(
        "unscored",
        "Without gold",
        "Cells of pairs without gold have links, measures, and how far they agree.",
        folded=True,
    ),
    Section("run", "Run", "What was run, on what, and how long it took.", folded=True),
    Section(
        "terms",
        "Terms",
        "What the terms, axes and measures of this page mean. docs/methods.md of seggrid says how all of it "
        "is computed.",
    ),
)


def sections() -> tuple[Section, ...]:
    """The sections of the page, in order."""
    of_studies = (section for study in STUDIES.values() for section in study.sections)
    return (*FIRST_SECTIONS, *of_studies, *LAST_SECTIONS)


def build_page(
    results: Mapping[str, pd.DataFrame],
    *,
    viewer: Mapping[str, Any] | None = None,
    about: Mapping[str, Any] | None = None,
) -> str:
    """The whole report as the text of one HTML file, without parts for which there are no data.

    The page loads nothing from a network. Its content security policy enforces this: it allows only the two
    scripts in the page, by their SHA-256. All text from the inputs is escaped.

    Args:
        results: tables of results by name, see `seggrid.base.result_tables`; `scores` is needed.
        viewer: see `viewer.viewer_data`.
        about: facts about the run, shown as they are: `title`, `about` (a sentence), `configuration`, `seed`,
            `versions` (a mapping), `record` (a file in the folder of the page, to which it links), or any
            other name and value; `unfinished`, what has become of a run that has not ended; and `languages`,
            the languages of `source` and `target` of each pair, which are used in labels.
    """
    about = dict(about or {})
    unfinished = str(about.pop("unfinished", ""))
    if unfinished:
        about.pop("record", None)
    cells = with_partners(described(results["scores"], results.get("significance")))
    known = {**results, "scores": cells}
    charts = {chart.name: chart for chart in charts_of(known)}
    looks = family_looks(cells)
    shown = [one for one in tables(known) if one[0].title]
    explored = [{"title": title, "spec": spec} for title, spec in views(cells, looks)]
    scored = cells.columns.intersection([*METRICS, *MORE_METRICS, *MEASURES])
    data = {
        "cells": by_columns(cells.drop(columns=_NOT_ON_PAGE, errors="ignore")),
        "labels": {**METRICS, **MORE_METRICS},
        "meanings": {name: said for name, said in meanings("scores").items() if name in scored},
        "languages": about.pop("languages", {}),
        "charts": {
            name: {"spec": spec_of(chart), "rows": by_columns(chart_rows(chart))}
            for name, chart in charts.items()
        },
        "views": deflated(explored) if explored else None,
        "config": vega_config(),
        "tables": {made.name: _embedded(made, note, table, known) for made, note, table in shown},
        "viewer": dict(viewer or {}),
    }
    title = str(about.pop("title", "")) or _title(cells, data["languages"])
    glossary = Glossary()
    parts = {
        "overview": _overview(
            known, charts, title, str(about.pop("about", "")), unfinished, glossary
        ),
        "alignments": VIEWER_PLACE if viewer else "",
        "explorer": EXPLORER_PLACE if explored else "",
        "run": _facts(cells, about),
    }
    kept = {}
    for section in sections():
        if section.id == "terms":
            headings = (heading for _, _, table in shown for heading in table)
            parts["terms"] = _terms(cells, glossary, headings)
        if html := _section(section, parts.get(section.id, ""), charts, shown, glossary):
            kept[section] = html
    return document(
        title=title,
        body=f"{_navigation(kept)}<main>{''.join(kept.values())}</main>",
        data=embedded(data),
        scripts=[_library(), page_scripts((*EMBEDDING, *VIEWER, "main.js"))],
    )


EXPLORER_PLACE = """
<div class="presets" id="views" role="group" aria-label="Views"></div>
<details class="more"><summary>Choose a score, and keep some cells</summary>
<div class="controls" id="parameters"></div><p class="note" id="score-meaning"></p></details>
<figure class="chart" id="chart-explorer" aria-label="The chosen view of the grid"></figure>"""


def _navigation(sections: Iterable[Section]) -> str:
    links = "".join(f'<a href="#{section.id}">{section.title}</a>' for section in sections)
    return (
        f'<header class="bar"><div><nav aria-label="Sections">{links}</nav>'
        '<button id="theme" class="quiet" type="button"></button></div></header>'
    )


def _section(
    section: Section,
    part: str,
    charts: Mapping[str, Chart],
    shown: list[tuple[Shown, str, pd.DataFrame]],
    glossary: Glossary,
) -> str:
    """A section: a part of its own, and the places of its charts and tables, which the scripts fill; empty if
    it has none of these."""
    names = dict.fromkeys(
        name for start in section.charts for name in charts if name.startswith(start)
    )
    own = [(made, note) for made, note, _ in shown if made.section == section.id]
    if not (part or names or own):
        return ""
    html = f'<section id="{section.id}" aria-labelledby="{section.id}-title">'
    if section.id != "overview":
        glossary.begin_section()
        html += f'<h2 id="{section.id}-title">{section.title}</h2>{glossary.note(section.note)}'
    html += part
    for name in names:
        chart = charts[name]
        if len(names) > 1:
            html += f"<h3>{escape(chart.title)}</h3>"
            html += glossary.note(f"Dashed: {chart.dashed}.") if chart.dashed else ""
        html += glossary.note(_of_ticks(chart).strip()) if chart.ticks else ""
        html += _chart_place(chart)
    for made, caption in own:
        place = f'{glossary.note(caption)}<div id="table-{made.name}"></div>'
        if section.folded:
            summary = f"<summary>{escape(made.title)}</summary>"
            html += f'<details class="more">{summary}{place}</details>'
        elif part or names or len(own) > 1:
            html += f"<h3>{escape(made.title)}</h3>{place}"
        else:  # the heading of the section is enough
            html += place
    return f"{html}</section>"


def _of_ticks(chart: Chart) -> str:
    return f" Grey mark: {chart.ticks}." if chart.ticks else ""


def _chart_place(chart: Chart) -> str:
    return f'<figure class="chart" id="chart-{chart.name}" aria-label="{escape(chart.title)}"></figure>'


def _title(cells: pd.DataFrame, languages: Mapping[str, Mapping[str, str]]) -> str:
    """The title of a study that has none of its own: its languages."""
    named = dict.fromkeys(
        " and ".join(languages[pair].values()) if pair in languages else pair
        for pair in cells["pair"]
    )
    return f"Segmentations of {', '.join(named)}"


_FIRST = {
    "best": "F1 of a segmentation's best cell, with its 95% interval over sentences. It was chosen on these "
    "sentences, which makes F1 a little too high; what follows is corrected.",
    "agreement": TERMS["Agreement"],
}
"""The charts of the first screen, and what is said below them."""


def _overview(
    results: Mapping[str, pd.DataFrame],
    charts: Mapping[str, Chart],
    title: str,
    about: str,
    unfinished: str,
    glossary: Glossary,
) -> str:
    """The first screen: what was studied, the best of each segmenter, and what to use."""
    cells = results["scores"]
    if not about:
        counts = [
            f"{(n := cells[axis].nunique())} {name if n == 1 else f'{name}s'}"
            for axis, name in (("pair", "pair"), ("aligner", "aligner"), ("segmenter", "segmenter"))
        ]
        about = f"{len(cells):,} cells of a grid: {', '.join(counts)}."
    html = f'<h1 id="overview-title">{escape(title)}</h1><p class="lead">{escape(about)}</p>'
    html += _notices(cells, unfinished)
    verdict = results.get("verdict")
    for name, note in _FIRST.items():
        if name in charts:
            # Nothing is corrected before the end of a run.
            note = note if name != "best" or verdict is not None else "F1 of each best cell."
            html += f'<h2 class="small">{escape(charts[name].title)}</h2>'
            html += _chart_place(charts[name]) + _as_table(charts[name], unfinished)
            html += glossary.note(note + _of_ticks(charts[name]))
    if verdict is None:
        return html
    selection = results.get("selection")
    names = dict(zip(cells["cell"], cells["name"], strict=True))
    numbers = dict(zip(cells["cell"], cells.index, strict=True))
    in_sample = dict(zip(cells["cell"], cells["f1"], strict=True))
    # Tables of an earlier version have no signatures.
    signed = dict(zip(cells["cell"], cells.get("signature", []), strict=False))
    for row in verdict.to_dict("records"):
        use, score, *conditions = sentences(row, names[row["cell"]])
        score = f"{score} {_chosen_on(row['f1'], in_sample[row['cell']])}".strip()
        gain = [conditions.pop(0)] if conditions else []
        said = " ".join(filter(None, [score, *gain, fewer_errors(row)]))
        conditions += [] if selection is None else of_studies(selection, row["pair"])
        sure = f"How sure this is: {' '.join(conditions)}"
        html += (
            f'<div class="use"><p><strong>{glossary(use)}</strong> '
            f'<button type="button" class="quiet" data-cell="{numbers[row["cell"]]}" hidden>its alignments'
            f"</button></p><p>{glossary(said)}</p>{glossary.note(sure)}"
        )
        if signature := escape(signed.get(row["cell"], "")):
            html += (
                f'<details class="more"><summary>Signature</summary><p class="note">{signature}</p>'
                "</details>"
            )
        html += "</div>"
    return html


def _chosen_on(held_out: float, in_sample: float) -> str:
    """Why F1 of the verdict is not that of the table and the charts; empty if it is.

    >>> _chosen_on(0.9512, 0.9508)
    ''
    >>> _chosen_on(0.951, 0.954)
    'Tables and charts have 0.954, on all sentences with gold, on which it was chosen.'
    """
    shown = f"{in_sample:.3f}"
    if f"{held_out:.3f}" == shown:
        return ""
    return f"Tables and charts have {shown}, on all sentences with gold, on which it was chosen."


def _as_table(chart: Chart, unfinished: str) -> str:
    """A chart of rows for a reader without JavaScript."""
    beside = 'file <a href="scores.csv">scores.csv</a> beside this page has all numbers.'
    if not unfinished:
        beside = (
            'folders <a href="figures/">figures</a> and <a href="tables/">tables</a> beside this page have '
            "the pictures and all numbers."
        )
    shown = {"panel": "Pair", "row": "Cell", "x": chart.x, "low": "from", "high": "to"}
    table = chart.frame[[name for name in shown if name in chart.frame]].rename(columns=shown)
    html = table.to_html(index=False, border=0, float_format="{:.3f}".format, na_rep="\N{EN DASH}")
    return f'<noscript>{html}<p class="note">JavaScript is off: the {beside}</p></noscript>'


def _notices(cells: pd.DataFrame, unfinished: str) -> str:
    """Whether the run goes on or has failed, what could not be computed, and what has no gold."""
    without_gold = cells["status"] == "no gold"
    missing = cells[cells["f1"].isna() & ~without_gold]
    html = ""
    if unfinished:
        there = f"{len(cells) - len(missing):,} of {len(cells):,} cells are here."
        html += (
            f'<div class="notice"><strong>{escape(unfinished)} {there}</strong> Choices, intervals and tests '
            "come at its end. Load this page again to see more; the page of a whole run is "
            '<a href="../report.html">report.html</a>.</div>'
        )
    failed = missing["reason"] != NOT_RUN if "reason" in missing else missing["f1"].isna()
    if len(missing := missing[failed]):
        shown = "".join(
            f"<li>{escape(f'{row.pair}, {row.aligner}: {row.name_}')}</li>"
            for row in missing.rename(columns={"name": "name_"}).head(8).itertuples()
        )
        more = f"<p>and {len(missing) - 8:,} more.</p>" if len(missing) > 8 else ""
        html += (
            f'<div class="notice"><strong>{len(missing):,} cells could not be computed.</strong> Their jobs '
            f"failed; see the logs.<ul>{shown}</ul>{more}</div>"
        )
    if without_gold.any():
        pairs = escape(", ".join(cells["pair"][without_gold].unique()))
        html += (
            f'<div class="notice"><strong>No gold, so no scores: {pairs}.</strong> '
            f"{without_gold.sum():,} cells have links and measures; none is recommended. "
            "<code>seggrid recommend</code> chooses a segmentation without gold.</div>"
        )
    return html


def _terms(cells: pd.DataFrame, glossary: Glossary, headings: Iterable[str]) -> str:
    """What the terms that the page uses, the axes that vary, and the measures mean; terms in headings of
    tables and in names of segmentations count, too."""
    glossary.begin_section()
    glossary(" ".join([*headings, *cells["family"].unique()]))
    axes = {
        label: of_markdown(GRID_AXES[axis].description)
        for axis, label in axis_labels().items()
        if axis in GRID_AXES and axis in cells and cells[axis].nunique() > 1
    }
    measures = {
        title_of(name): f"{meaning[:1].upper()}{meaning[1:]}."
        for name, meaning in MEANINGS.items()
        if not cells.columns.intersection([name, f"{name}_source", f"{name}_target"]).empty
    }
    others = {**axes, **measures}
    used = glossary.used | {HEADINGS[name.lower()] for name in others if name.lower() in HEADINGS}
    others = {name: said for name, said in others.items() if name.lower() not in HEADINGS}
    terms = {name: TERMS[name] for name in used}
    rows = "".join(
        f'<div id="{anchor(name)}"><dt>{escape(name)}</dt><dd>{escape(meaning)}</dd></div>'
        for name, meaning in sorted({**others, **terms}.items(), key=lambda term: term[0].lower())
    )
    return (
        '<details class="more" id="all-terms"><summary>All terms</summary>'
        f'<dl class="terms">{rows}</dl></details>'
    )


def _facts(cells: pd.DataFrame, about: Mapping[str, Any]) -> str:
    # Without gold, there is no such column.
    counts = cells.get("gold_sentences", pd.Series(np.nan, cells.index)).astype(float)
    gold = counts.groupby(cells["pair"], sort=False).max()
    pairs = [f"{pair} ({f'{n:,.0f}' if n > 0 else 'no gold'})" for pair, n in gold.items()]
    facts: dict[str, Any] = {"Pairs, gold sentences": ", ".join(pairs)}
    for name, value in about.items():
        if name == "record":
            facts["Settings and inputs"] = f'<a href="{escape(value)}">{escape(value)}</a>'
        elif isinstance(value, Mapping):
            facts[name.capitalize()] = escape(", ".join(f"{n} {v}" for n, v in value.items()))
        else:
            facts[name.capitalize()] = escape(str(value))
    rows = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in facts.items())
    return f'<dl class="facts" id="facts">{rows}</dl>'


def with_partners(scores: pd.DataFrame) -> pd.DataFrame:
    """The cells of the page: with the name of their panel, pair and aligner; the cells with which a cell is
    compared are given by the numbers of their rows."""
    rows = pd.Series(range(len(scores)), index=scores["cell"])
    others = {
        partner: scores[f"{partner}_cell"].where(scores[f"{partner}_cell"] != scores["cell"])
        for partner in ("words", "plain")
    }
    names = [axis for axis in ("pair", "aligner") if scores[axis].nunique() > 1] or ["pair"]
    return scores.assign(
        panel=scores[names].agg(", ".join, axis=1),
        **{partner: other.map(rows) for partner, other in others.items()},
    )


def _embedded(
    made: Shown, caption: str, table: pd.DataFrame, results: Mapping[str, pd.DataFrame]
) -> dict[str, Any]:
    """A table for the page: its columns, the rows of cells that its rows open, and its LaTeX."""
    cells = None
    if made.cell:
        rows = results["scores"]["cell"]
        known = pd.Series(rows.index, index=rows)
        named = results[made.of].loc[table.index, made.cell]
        cells = [_number(value) for value in named.map(known).to_numpy(dtype=float)]
    text = deflated(latex(table, caption, f"tab:{made.name}")) if made.paper else None
    table = table.loc[:, (table.notna() & (table != "")).any()]
    table = table.drop(columns=[name for name in _NAMING if name in table and alike(table[name])])
    said = meant(made, table)
    return {"columns": by_columns(table), "cells": cells, "latex": text, "said": said}


_NAMING = ("Pair", "Aligner")
"""Columns that a table of the page lacks if all its rows have the same value there."""


def alike(values: pd.Series) -> bool:
    """Whether two or more rows have one value."""
    return len(values) > 1 and values.nunique(dropna=False) == 1


def by_columns(table: pd.DataFrame) -> dict[str, Any]:
    """A table by columns: lists of numbers and nulls; one of text is its distinct texts, and the index of
    each row into them, `{"texts": [...], "at": [...]}`."""
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
