"""The tables that people look at: on the page, and in papers as CSV and as LaTeX."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from seggrid.base.files import atomic_write
from seggrid.base.result_tables import Shown
from seggrid.grid.report.charts import Results, described, setting_names
from seggrid.grid.report.charts.others import group_of_correlation
from seggrid.grid.report.labels import MEANINGS, MEASURES, METRICS, meanings, title_of
from seggrid.grid.study import STUDIES, every_table

# Columns with sentences, in which LaTeX has to break lines, and their share of the text width.
_WIDE = {
    "Setting": 0.4,
    **{"Mean over": 0.16, "Held fixed": 0.24, "The measure is": 0.3},
}

# Number of rows from which a table may break across pages.
_LONG = 45

SIGNATURE = "Signature"
"""The column of tables of scores that says what they were computed with: their CSV has it, and their LaTeX in
comments."""


def write_all(results: Results, folder: str | Path) -> list[Path]:
    """Write the tables for papers for which there are data; return the files, `.csv` and `.tex`.

    `results` are tables of results by name, see `seggrid.base.result_tables`; `scores` is needed.
    """
    files = []
    scores = described(results["scores"], results.get("significance"))
    for made, caption, table in tables({**results, "scores": scores}):
        if not made.paper:
            continue
        stem = Path(folder) / made.name
        for suffix, text in (
            (".csv", table.to_csv(index=False, lineterminator="\n")),
            (".tex", latex(table, caption, f"tab:{made.name}")),
        ):
            path = stem.with_suffix(suffix)
            with atomic_write(path) as file:
                file.write(text)
            files.append(path)
    return files


def tables(results: Results) -> Iterator[tuple[Shown, str, pd.DataFrame]]:
    """Each table for which there are data, with its whole caption and its content: unrounded numbers.

    `scores` are as from `seggrid.grid.report.charts.described`.
    """
    for made in (shown for table in every_table() for shown in table.shown):
        table = make(made, results)
        if len(table):
            left = len(results[made.of]) - len(table) if made.name == "scores" else 0
            notes = [f" {left:,} others have none."] if left else []
            notes += [note for column, note in made.notes.items() if column in table]
            yield made, made.caption + "".join(notes), table


def make(made: Shown, results: Results) -> pd.DataFrame:
    """A table for readers; without rows if there are no data. Where its rows name cells, its last column has
    their signatures."""
    source = results.get(made.of)
    if source is None or not len(source):
        return pd.DataFrame()
    own = {name: rows for study in STUDIES.values() for name, rows in study.rows().items()}
    choose = (_ROWS | own).get(made.name)
    rows = choose(source) if choose else source
    titles = _headings(made) or {name: _title(name) for name in rows}
    table = rows[[name for name in titles if name in rows]].copy()
    for name in table.columns.intersection(["cell", made.cell]):
        table[name] = _described(table[name], results)
    if "setting" in table and "scores" in results:
        table["setting"] = table["setting"].replace(setting_names(results["scores"]))
    if "merges" in table:
        table["merges"] = pd.to_numeric(table["merges"]).astype("Int64")
    table = table.rename(columns=titles)
    signed = results.get("scores", pd.DataFrame({"cell": []}))
    signatures = signed.set_index("cell").get("signature", pd.Series(dtype=str)).fillna("")
    if made.cell and any(signatures):  # tables of an earlier version have none
        table[SIGNATURE] = source.loc[table.index, made.cell].map(signatures).fillna("")
    return table


def meant(made: Shown, table: pd.DataFrame) -> dict[str, str]:
    """What the columns of a table mean, by their headings."""
    titled = _headings(made)
    known = {titled.get(name, _title(name)): said for name, said in meanings(made.of).items()}
    shown = table.columns.difference(["from", "to", SIGNATURE], sort=False)
    return {heading: known[heading] for heading in shown if heading in known}


def _headings(made: Shown) -> dict[str, str]:
    return {name: heading or _title(name) for name, heading in made.columns}


def _title(column: str) -> str:
    return METRICS.get(column) or MEASURES.get(column, title_of(column))


def _described(cells: pd.Series, results: Results) -> pd.Series:
    """Cells with their aligners instead of their names."""
    scores = results["scores"]
    names = pd.Series((scores["aligner"] + ": " + scores["name"]).to_numpy(), index=scores["cell"])
    return cells.map(names).fillna(cells).fillna("no gold")


def _scored(scores: pd.DataFrame) -> pd.DataFrame:
    """The cells with scores, the pairs in their order, and of each the highest F1 first."""
    scored = scores[scores["f1"].notna()]
    pairs = pd.factorize(scored["pair"])[0]
    return scored.iloc[np.lexsort((-scored["f1"], pairs))]


def _best(scores: pd.DataFrame) -> pd.DataFrame:
    """The best cell of each pair and aligner."""
    scored = _scored(scores)
    return scored.loc[scored.groupby(["pair", "aligner"], sort=False)["f1"].idxmax()]


def _without_gold(scores: pd.DataFrame) -> pd.DataFrame:
    """Cells of pairs without gold, first those that agree most with the others, with the measures in which
    they differ; `links` are counted in the sentences that were kept."""
    unscored = scores[scores["status"] == "no gold"] if "status" in scores else scores[:0]
    if "agreement" in unscored:
        best_first = ["pair", "agreement"]
        unscored = unscored.sort_values(best_first, ascending=[True, False], kind="stable")
    named = [name for name in ("pair", "cell", "agreement", "links") if name in unscored]
    measures = [name for name in unscored if name.endswith(("_source", "_target"))]
    return unscored[[*named, *(name for name in measures if unscored[name].nunique() > 1)]]


def _correlated(correlations: pd.DataFrame) -> pd.DataFrame:
    """Each correlation with F1, that with AER beside it, and what the measure means."""
    keys = list(correlations.columns[: correlations.columns.get_loc("score")])
    of_f1 = correlations["score"] == "f1"
    with_aer = correlations.loc[~of_f1, [*keys, "spearman"]]
    rows = correlations[of_f1].merge(with_aer, on=keys, how="left", suffixes=("", "_aer"))
    measure = rows["measure"]
    of_side = measure.str.replace(r"_(source|target)$", "", regex=True)
    return rows.assign(
        group=group_of_correlation(rows),
        measure=measure.replace(MEASURES),
        meaning=of_side.map(MEANINGS).fillna(""),
    ).dropna(axis=1, how="all")


def _by_stage(cost: pd.DataFrame) -> pd.DataFrame:
    """Jobs, time and memory of each stage."""
    stages = cost.groupby("stage", sort=False)
    seconds = stages["seconds"]
    return pd.DataFrame(
        {
            "Jobs": seconds.size(),
            "Seconds": seconds.sum().round(1),
            "Share": seconds.sum() / (cost["seconds"].sum() or 1),
            "CPU seconds": stages["cpu_seconds"].sum().round(1),
            "Longest job (s)": seconds.max().round(1),
            "Maximum memory (MB)": stages["max_rss_mb"].max().round(),
        }
    ).reset_index(names="Stage")


def latex(table: pd.DataFrame, caption: str, label: str) -> str:
    """A table for LaTeX with the package booktabs (and longtable, if it has many rows).

    Numbers have three decimals and are right-aligned; a missing number is a dash. In a column of p-values
    (`p`, or `p (…)`), <0.001 stands for 0.000. Signatures are comments before it.
    """
    signed = table.get(SIGNATURE, pd.Series(dtype=object))
    comments = "".join(f"% {text}\n" for text in signed.unique() if text)
    table = table.drop(columns=SIGNATURE, errors="ignore")
    numeric = [pd.api.types.is_numeric_dtype(table[name]) for name in table]
    style = table.style.hide(axis="index").format_index(axis=1, escape="latex")
    formats = {name: _p_value if _is_p(name) else _three_decimals for name in table}
    style = style.format(formats, na_rep="--", escape="latex")
    long = len(table) > _LONG
    text: str = style.to_latex(
        column_format="".join(
            f"p{{{_WIDE[name]}\\textwidth}}" if name in _WIDE else "r" if is_number else "l"
            for name, is_number in zip(table, numeric, strict=True)
        ),
        caption=caption.replace("%", r"\%"),
        label=label,
        hrules=True,
        environment="longtable" if long else None,
        position_float=None if long else "centering",
    )
    return comments + text


def _three_decimals(value: object) -> str:
    if not isinstance(value, float):
        return str(value)
    if np.isinf(value):
        return r"$\infty$" if value > 0 else r"$-\infty$"
    # Rounded first, so that there is no -0.000.
    rounded = round(value, 3) + 0.0
    return f"${rounded:.3f}$" if rounded < 0 else f"{rounded:.3f}"


def _p_value(value: object) -> str:
    small = isinstance(value, float) and value < 0.001
    return "$<$0.001" if small else _three_decimals(value)


def _is_p(column: str) -> bool:
    return column.lower().split(" ")[0] == "p"


_ROWS: dict[str, Callable[[pd.DataFrame], pd.DataFrame]] = {
    "best": _best,
    "scores": _scored,
    "unscored": _without_gold,
    "correlations": _correlated,
    "stages": _by_stage,
}
"""What chooses or computes the rows of a table, by its name. The rows keep the index of those from which they
are made, by which their cells are found."""
