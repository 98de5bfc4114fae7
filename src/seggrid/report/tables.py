"""Tables for a paper, as CSV and as LaTeX."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from seggrid.base.files import atomic_write
from seggrid.report.curves import IDENTITY
from seggrid.report.labels import METRICS, describe_all

Results = Mapping[str, pd.DataFrame]
"""Tables of results by name."""

# Columns with sentences, in which LaTeX has to break lines, and their share of the text width.
_WIDE = {"Claim": 0.22, "Evidence": 0.36}

# Notes that are added to the captions of tables with these columns.
_NOTES = {
    "Stand-in": " A stand-in is the aligner of our cell where it is not the published one.",
}

# Number of rows from which a table may break across pages.
_LONG = 45


@dataclass(frozen=True)
class PaperTable:
    """A table for papers.

    Attributes:
        name: name of its files, `NAME.csv` and `NAME.tex`.
        of: the table of results from which it is made, see `seggrid.data.result_tables`.
        caption: LaTeX code of its caption.
        make: a function that makes it from that table and from all tables of results by name.
    """

    name: str
    of: str
    caption: str
    make: Callable[[pd.DataFrame, Results], pd.DataFrame]


def write_all(results: Results, folder: str | Path) -> list[Path]:
    """Write the tables for which there are data; return the files, `.csv` and `.tex`.

    Args:
        results: tables of results by name, see `seggrid.data.result_tables`; `scores` is needed.
        folder: where the files are written.
    """
    files = []
    for name, caption, table in tables(results):
        stem = Path(folder) / name
        for suffix, text in (
            (".csv", table.to_csv(index=False, lineterminator="\n")),
            (".tex", latex(table, caption, f"tab:{name}")),
        ):
            path = stem.with_suffix(suffix)
            with atomic_write(path) as file:
                file.write(text)
            files.append(path)
    return files


def tables(results: Results) -> Iterator[tuple[str, str, pd.DataFrame]]:
    """Name, caption and content of each table for which there are data, with unrounded numbers."""
    for paper in PAPER_TABLES:
        source = results.get(paper.of)
        if source is None or not len(source):
            continue
        table = paper.make(source, results)
        if len(table):
            left = len(source) - len(table) if paper.make is every_cell else 0
            notes = [f" {left:,} others have none."] if left else []
            notes += [note for column, note in _NOTES.items() if column in table]
            yield paper.name, paper.caption + "".join(notes), table


def main_columns(morphology: pd.DataFrame) -> pd.DataFrame:
    """The main columns of the boundary scores."""
    columns = [
        *IDENTITY,
        *("knockout", "dropout", "dropout_kind", "evaluation", "boundaries", "unit", "vocabulary"),
        *("precision", "recall", "f1", "macro_f1", "tokens_per_word"),
    ]
    return morphology[[name for name in columns if name in morphology]]


def relative_to_learned(morphology: pd.DataFrame) -> pd.DataFrame:
    """Each row compared with the tokenizer as learned, on the same reference, boundaries and unit
    (BPE-knockout, Table 11).

    The tokenizer as learned is the row `none` without dropout, on the full data. The ideal segmentation has
    no row.

    Returns:
        For precision, recall and F1 the difference in percentage points, `{metric}_points`, and the
        ratio, `{metric}_ratio`.
    """
    metrics = ["precision", "recall", "f1"]
    keys = [*IDENTITY, "boundaries", "unit"]
    dropout = morphology.get("dropout", 0)
    learned = (morphology["knockout"] == "none") & (morphology["evaluation"] == "full")
    base = morphology[learned & (dropout == 0)].set_index(keys)[metrics].add_suffix("_learned")
    rows = morphology[morphology["knockout"] != "ideal"]
    joined = rows.join(base, on=keys)
    first = [name for name in rows if name not in (*metrics, "tokens_per_word")]
    table = rows[first].copy()
    for metric in metrics:
        own, learned_one = joined[metric], joined[f"{metric}_learned"]
        table[f"{metric}_points"] = 100 * (own - learned_one)
        table[f"{metric}_ratio"] = own / learned_one.where(learned_one > 0)
    return table


def best_cells(scores: pd.DataFrame, results: Results) -> pd.DataFrame:
    """The best cell of each pair and aligner, with interval, and gains with corrected p-values."""
    scored, significance = scores[scores["f1"].notna()], results.get("significance")
    # Described among all cells, since a description names only settings in which cells differ.
    scored = scored.assign(name=describe_all(scored))
    best = scored.loc[scored.groupby(["pair", "aligner"], sort=False)["f1"].idxmax()]
    if significance is not None:
        best = best.merge(significance, on="cell", how="left", validate="one_to_one")
    table = pd.DataFrame(
        {
            "Pair": best["pair"],
            "Aligner": best["aligner"],
            "Cell": best["name"],
            "F1": best["f1"],
        }
    )
    for column, title in (
        ("f1_low", "from"),
        ("f1_high", "to"),
        ("delta_f1_words", "over words"),
        ("p_words_holm", "p (words)"),
        ("delta_f1_plain", "over plain"),
        ("p_plain_holm", "p (plain)"),
    ):
        if column in best:
            table[title] = best[column]
    return table


def verdicts(verdict: pd.DataFrame, results: Results) -> pd.DataFrame:
    """What to use for each pair, with the gains over words and over the default settings."""
    names = _names(results)
    table = {
        "Pair": verdict["pair"],
        "Use": verdict["cell"].map(names),
        **{"F1": verdict["f1"], "from": verdict["f1_low"], "to": verdict["f1_high"]},
    }
    for kind in ("words", "default"):
        table[f"over {kind}"] = verdict[f"delta_f1_{kind}"]
        table[f"p ({kind})"] = verdict[f"p_{kind}"]
    return pd.DataFrame({**table, "Cells": verdict["cells"], "Alike": verdict["alike"]})


def selections(selection: pd.DataFrame, results: Results) -> pd.DataFrame:
    """The score of a choice from each family of cells, and by how much the score of its best cell is too
    high."""
    return pd.DataFrame(
        {
            **{"Pair": selection["pair"], "Family": selection["family"]},
            **{"Cells": selection["cells"], "Best": selection["best"].map(_names(results))},
            **{"F1": selection["f1"], "from": selection["f1_low"], "to": selection["f1_high"]},
            **{"AER": selection["aer"], "F1 of the best": selection["best_f1"]},
            "Optimism": selection["optimism"],
        }
    )


def _names(results: Results) -> dict[str, str]:
    """The description of each cell with its aligner, by its name."""
    scores = results["scores"]
    described = (scores["aligner"] + ": ").str.cat(describe_all(scores))
    return dict(zip(scores["cell"], described, strict=True))


def beside_best_member(ensembles: pd.DataFrame, results: Results) -> pd.DataFrame:
    """Each ensemble, with the interval of its F1, compared with its best member."""
    names = _names(results)
    best = [names.get(cell, cell) for cell in ensembles["best_member"].fillna("no gold")]
    return pd.DataFrame(
        {
            **{name.capitalize(): ensembles[name] for name in ("ensemble", "pair", "members")},
            **{"F1": ensembles["f1"], "from": ensembles["f1_low"], "to": ensembles["f1_high"]},
            **{"AER": ensembles["aer"], "Best member": best},
            **{f"its {METRICS[name]}": ensembles[f"best_{name}"] for name in ("f1", "aer")},
            **{f"{METRICS[name]} over it": ensembles[f"delta_{name}"] for name in ("f1", "aer")},
            "p (F1)": ensembles["p"],
        }
    )


def without_gold(scores: pd.DataFrame, results: Results) -> pd.DataFrame:
    """Measures of cells of pairs without gold; `links` are counted in the sentences that were kept."""
    unscored = scores[scores["status"] == "no gold"] if "status" in scores else scores[:0]
    measures = [name for name in unscored if name.endswith(("_source", "_target"))]
    measured = [name for name in measures if unscored[name].notna().any()]
    return unscored[["cell", "links", *measured]]


def every_cell(scores: pd.DataFrame, results: Results) -> pd.DataFrame:
    """All cells with scores: the four metrics and their gain over words."""
    scored = scores[scores["f1"].notna()]
    return pd.DataFrame(
        {
            "Pair": scored["pair"],
            "Aligner": scored["aligner"],
            "Cell": describe_all(scored),
            **{title: scored[metric] for metric, title in METRICS.items()},
            "over words": scored.get("delta_f1_words", np.nan),
        }
    )


def beside_published(published: pd.DataFrame) -> pd.DataFrame:
    """Published F1 and AER compared with ours; the stand-in is the aligner of our cell if it is not the
    published aligner."""
    columns = {"Table": published["table"]}
    if "merges" in published:
        columns["Merges"] = pd.to_numeric(published["merges"]).astype("Int64")
    if "stand_in" in published and (stand_in := published["stand_in"].fillna("")).ne("").any():
        columns["Stand-in"] = stand_in
    for metric in ("f1", "aer"):
        columns[f"{METRICS[metric]} published"] = published[f"published_{metric}"]
        columns[f"{METRICS[metric]} ours"] = published[metric]
        columns[f"{METRICS[metric]} difference"] = published[f"delta_{metric}"]
    return pd.DataFrame(columns)


def _titled(table: pd.DataFrame) -> pd.DataFrame:
    return table.rename(columns=lambda name: METRICS.get(name, name.replace("_", " ").capitalize()))


def latex(table: pd.DataFrame, caption: str, label: str) -> str:
    """A table for LaTeX with the package booktabs (and longtable, if it has many rows).

    Numbers have three decimals and are right-aligned; a missing number is a dash. In a column of p-values
    (`p`, or `p (…)`), <0.001 stands for 0.000.

    Args:
        table: the table; column names become the headings.
        caption: LaTeX code of the caption.
        label: label of the table.
    """
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
        caption=caption,
        label=label,
        hrules=True,
        environment="longtable" if long else None,
        position_float=None if long else "centering",
    )
    return text


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


def _main_models(models: pd.DataFrame) -> pd.DataFrame:
    ends = [f"bits_per_character{end}" for end in ("", "_low", "_high")]
    return models[["model", "continues", "steps", "vocabulary", "tokens_per_word", "pppl", *ends]]


def _renamed(claims: pd.DataFrame) -> pd.DataFrame:
    titles = {"whose": "Made by", "source": "Section"}
    return claims.rename(columns=lambda name: titles.get(name, name.capitalize()))


PAPER_TABLES = (
    PaperTable(
        "verdict",
        "verdict",
        "What to use: the best cell of each pair. F1 with its 95\\% confidence interval is that of settings "
        "chosen apart from the sentences that they are scored on, as are the differences; p-values are "
        "corrected for the number of cells. Alike: other cells that cannot be told apart from the best.",
        verdicts,
    ),
    PaperTable(
        "selection",
        "selection",
        "Settings chosen apart from the sentences that they are scored on (nested cross-validation), with "
        "the 95\\% confidence interval of F1, and how much higher F1 of the best cell on all sentences is.",
        selections,
    ),
    PaperTable(
        "effects",
        "effects",
        "Mean difference in F1 between cells that differ in one axis alone, with 95\\% confidence intervals "
        "over gold sentences.",
        lambda table, _: _titled(table.drop(columns="fixed", errors="ignore")),
    ),
    PaperTable(
        "ranks",
        "ranks",
        "Mean ranks of settings over pairs, with Nemenyi's critical difference.",
        lambda table, _: _titled(table),
    ),
    PaperTable(
        "best",
        "scores",
        "The best cell of each pair and aligner by F1, with its 95\\% confidence interval, and its gain over "
        "the best cell of words under that aligner.",
        best_cells,
    ),
    PaperTable("scores", "scores", "Every cell of the grid with scores.", every_cell),
    PaperTable(
        "unscored",
        "scores",
        "Cells of pairs without gold: measures and links.",
        without_gold,
    ),
    PaperTable(
        "correlations",
        "correlations",
        "Rank correlations (Spearman) of measures of a segmentation with its scores, over the cells of a "
        "pair and an aligner, with 95\\% confidence intervals over gold sentences.",
        lambda table, _: _titled(table.dropna(axis=1, how="all")),
    ),
    PaperTable(
        "ensembles",
        "ensembles",
        "Votes with the 95\\% confidence interval of F1, beside the member of the least AER.",
        beside_best_member,
    ),
    PaperTable(
        "published",
        "published",
        "Published figures beside ours.",
        lambda table, _: beside_published(table),
    ),
    PaperTable(
        "claims",
        "claims",
        "Claims, and whether the grid supports them.",
        lambda table, _: _renamed(table),
    ),
    PaperTable(
        "morphology",
        "morphology",
        "Token boundaries against morpheme boundaries.",
        lambda table, _: _titled(main_columns(table)),
    ),
    PaperTable(
        "morphology-relative",
        "morphology",
        "Token boundaries against morpheme boundaries, relative to the tokenizer as learned.",
        lambda table, _: _titled(relative_to_learned(main_columns(table))),
    ),
    PaperTable(
        "language-models",
        "language_model",
        "Language models on held-out sentences, with 95\\% confidence intervals.",
        lambda table, _: _titled(_main_models(table)),
    ),
    PaperTable(
        "language-model-probes",
        "language_model_probes",
        "Accuracy on zero-shot probes, with 95\\% confidence intervals over items.",
        lambda table, _: _titled(table),
    ),
    PaperTable(
        "language-model-tasks",
        "language_model_tasks",
        "Accuracy of fine-tuned language models: mean and standard deviation over seeds, with 95\\% "
        "confidence intervals over sentences. Silver labels are a tagger's, with its mistakes.",
        lambda table, _: _titled(table),
    ),
)
"""All tables for papers, in order. A table is left out if its table of results is missing or empty."""
