"""The tables that people look at: on the page, and in papers as CSV and as LaTeX."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from seggrid.base.files import atomic_write
from seggrid.report.charts import Results, described, setting_names
from seggrid.report.charts.others import group_of_correlation
from seggrid.report.charts.pruning import IDENTITY
from seggrid.report.labels import MEANINGS, MEASURES, METRICS

# Columns with sentences, in which LaTeX has to break lines, and their share of the text width.
_WIDE = {
    **{"Claim": 0.22, "Evidence": 0.36, "Setting": 0.4},
    **{"Mean over": 0.16, "Held fixed": 0.24, "The measure is": 0.3},
}

# Notes that are added to the captions of tables with these columns.
_NOTES = {
    "Stand-in": " A stand-in is the aligner of our cell where it is not the published one.",
}

# Number of rows from which a table may break across pages.
_LONG = 45


@dataclass(frozen=True)
class Table:
    """A table made from one of the tables of results.

    Attributes:
        name: its name; in papers, of its files `NAME.csv` and `NAME.tex`.
        of: the table of results from which it is made, see `seggrid.data.result_tables`.
        caption: LaTeX code of its caption; the page has it as a note.
        make: a function that makes it from that table and from all tables of results by name. Its rows have
            the index of the rows from which they are made.
        title: its heading on the page, in the section `section`; empty if the page does not have it.
        cell: the column of the table of results that names the cell of a row.
        paper: whether papers get it.
    """

    name: str
    of: str
    caption: str
    make: Callable[[pd.DataFrame, Results], pd.DataFrame]
    section: str = ""
    title: str = ""
    cell: str = ""
    paper: bool = True


def write_all(results: Results, folder: str | Path) -> list[Path]:
    """Write the tables for papers for which there are data; return the files, `.csv` and `.tex`.

    Args:
        results: tables of results by name, see `seggrid.data.result_tables`; `scores` is needed.
        folder: where the files are written.
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


def tables(results: Results) -> Iterator[tuple[Table, str, pd.DataFrame]]:
    """Each table for which there are data, with its whole caption and its content, with unrounded numbers.

    `scores` are as from `seggrid.report.charts.described`.
    """
    for made in TABLES:
        source = results.get(made.of)
        if source is None or not len(source):
            continue
        table = made.make(source, results)
        if len(table):
            left = len(source) - len(table) if made.make is every_cell else 0
            notes = [f" {left:,} others have none."] if left else []
            notes += [note for column, note in _NOTES.items() if column in table]
            yield made, made.caption + "".join(notes), table


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
    scored = scores[scores["f1"].notna()]
    best = scored.loc[scored.groupby(["pair", "aligner"], sort=False)["f1"].idxmax()]
    titles = {
        **{"pair": "Pair", "aligner": "Aligner", "name": "Cell", "f1": "F1"},
        **{"f1_low": "from", "f1_high": "to"},
        **{"delta_f1_words": "over words", "p_words_holm": "p (words)"},
        **{"delta_f1_plain": "over plain", "p_plain_holm": "p (plain)"},
    }
    return best[[name for name in titles if name in best]].rename(columns=titles)


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
    return dict(zip(scores["cell"], scores["aligner"] + ": " + scores["name"], strict=True))


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
            "Cell": scored["name"],
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


def axes(effects: pd.DataFrame, results: Results) -> pd.DataFrame:
    """The effect of each value of an axis, with what is averaged over and what is held fixed."""
    titles = {
        **{"pair": "Pair", "axis": "Axis", "value": "Value", "reference": "Compared with"},
        **{"delta_f1": "Difference in F1", "delta_f1_low": "from", "delta_f1_high": "to"},
        **{"cells": "Cells", "over": "Mean over", "fixed": "Held fixed"},
    }
    return effects[[name for name in titles if name in effects]].rename(columns=titles)


def ranked(ranks: pd.DataFrame, results: Results) -> pd.DataFrame:
    """Settings with their mean ranks, the best first."""
    names = setting_names(results["scores"])
    return pd.DataFrame(
        {
            "Setting": [names.get(setting, setting) for setting in ranks["setting"]],
            **{"Mean F1": ranks["mean_f1"], "Mean rank": ranks["mean_rank"]},
            "Told apart from the best": ranks["told_apart"],
        }
    )


def correlated(correlations: pd.DataFrame, results: Results) -> pd.DataFrame:
    """Each correlation with what its measure means."""
    labels = MEASURES
    titles = {
        **{"spearman": "Correlation", "spearman_low": "from", "spearman_high": "to"},
        "spearman_others": "On the other pairs",
    }
    sides = r"_(source|target)$"
    meaning = correlations["measure"].str.replace(sides, "", regex=True).map(MEANINGS).fillna("")
    return pd.DataFrame(
        {
            "Cells of": group_of_correlation(correlations),
            "Measure": correlations["measure"].map(lambda name: labels.get(name, name)),
            "With": correlations["score"].map(METRICS),
            "Cells": correlations["cells"],
            **{titles[name]: correlations[name] for name in titles if name in correlations},
            "The measure is": meaning,
        }
    ).dropna(axis=1, how="all")


def members(votes: pd.DataFrame, results: Results) -> pd.DataFrame:
    """The members of each ensemble, those with the highest weights first."""
    shown = votes.sort_values(["ensemble", "pair", "weight"], ascending=[True, True, False])
    names = _names(results)
    return pd.DataFrame(
        {
            **{"Ensemble": shown["ensemble"], "Pair": shown["pair"]},
            "Member": [names.get(cell, cell) for cell in shown["member"]],
            **{"F1": shown["f1"], "AER": shown["aer"], "Weight": shown["weight"]},
        }
    )


def stages(cost: pd.DataFrame, results: Results) -> pd.DataFrame:
    """Jobs, time and memory of each stage."""
    by_stage = cost.groupby("stage", sort=False)
    seconds = by_stage["seconds"]
    table = pd.DataFrame(
        {
            "Jobs": seconds.size(),
            "Seconds": seconds.sum().round(1),
            "Share": seconds.sum() / (cost["seconds"].sum() or 1),
            "CPU seconds": by_stage["cpu_seconds"].sum().round(1),
            "Longest job (s)": seconds.max().round(1),
            "Maximum memory (MB)": by_stage["max_rss_mb"].max().round(),
        }
    )
    return table.reset_index(names="Stage")


def longest_jobs(cost: pd.DataFrame, results: Results) -> pd.DataFrame:
    """The thirty jobs that took longest."""
    longest = cost.sort_values("seconds", ascending=False, kind="stable").head(30)
    names = _names(results)
    return pd.DataFrame(
        {
            "Stage": longest["stage"],
            "Job": [names.get(cell, cell) for cell in longest["cell"]],
            **{
                "Seconds": longest["seconds"].round(1),
                "Memory (MB)": longest["max_rss_mb"].round(),
            },
        }
    )


TABLES = (
    Table(
        "verdict",
        "verdict",
        "What to use: the best cell of each pair. F1 with its 95\\% confidence interval is that of settings "
        "chosen apart from the sentences that they are scored on, as are the differences; p-values are "
        "corrected for the number of cells. Alike: other cells that cannot be told apart from the best.",
        verdicts,
    ),
    Table(
        "best",
        "scores",
        "The best cell of each pair and aligner by F1, with its 95\\% confidence interval, and its gain over "
        "the best cell of words under that aligner.",
        best_cells,
        "settings",
        "The best cell of each pair and aligner",
        "cell",
    ),
    Table(
        "effects",
        "effects",
        "Mean difference in F1 between cells that differ in one axis alone, with 95\\% confidence intervals "
        "over gold sentences. It is a mean over sizes and aligners, among them bad ones: a segmenter can "
        "lose on average and still have the best cell. The last columns say what is averaged over, and what "
        "is held fixed.",
        axes,
        "settings",
        "What each axis does",
    ),
    Table(
        "selection",
        "selection",
        "Settings chosen apart from the sentences that they are scored on (nested cross-validation), with "
        "the 95\\% confidence interval of F1, and how much higher F1 of the best cell on all sentences is.",
        selections,
        "settings",
        "Settings chosen apart from the scored sentences",
        "best",
    ),
    Table(
        "ranks",
        "ranks",
        "Rank 1 is the highest F1 of a pair. A setting is told apart from the best if their mean ranks "
        "differ by more than Nemenyi's critical difference, and p of Friedman's test is at most 0.05.",
        ranked,
        "ranks",
        "Mean ranks",
    ),
    Table(
        "scores",
        "scores",
        "Every cell of the grid with scores.",
        every_cell,
        "explorer",
        "Every cell as a table",
        "cell",
    ),
    Table(
        "unscored",
        "scores",
        "Cells of pairs without gold: measures and links.",
        without_gold,
        "unscored",
        "Cells without gold",
    ),
    Table(
        "correlations",
        "correlations",
        "Rank correlations (Spearman) of measures of a segmentation with its scores, over the cells of a "
        "pair and an aligner, with 95\\% confidence intervals over gold sentences.",
        correlated,
        "measures",
        "All correlations, and what the measures are",
    ),
    Table(
        "ensembles",
        "ensembles",
        "Votes with the 95\\% confidence interval of F1, beside the member of the least AER.",
        beside_best_member,
        "ensembles",
        "Votes",
        "best_member",
    ),
    Table(
        "members",
        "votes",
        "The members of each vote, with their weights.",
        members,
        "ensembles",
        "Members",
        "member",
        paper=False,
    ),
    Table(
        "published",
        "published",
        "Published figures beside ours.",
        lambda table, _: beside_published(table),
        "published",
        "All published figures",
        "cell",
    ),
    Table(
        "claims",
        "claims",
        "Claims, and whether the grid supports them.",
        lambda table, _: _renamed(table),
        "claims",
        "Claims",
    ),
    Table(
        "morphology",
        "morphology",
        "Token boundaries against morpheme boundaries.",
        lambda table, _: _titled(main_columns(table)),
        "knockout",
        "Morpheme boundaries",
    ),
    Table(
        "morphology-relative",
        "morphology",
        "Token boundaries against morpheme boundaries, relative to the tokenizer as learned.",
        lambda table, _: _titled(relative_to_learned(main_columns(table))),
    ),
    Table(
        "language-models",
        "language_model",
        "Language models on held-out sentences, with 95\\% confidence intervals.",
        lambda table, _: _titled(_main_models(table)),
        "language-models",
        "Scores",
    ),
    Table(
        "comparisons",
        "language_model_comparisons",
        "Each model compared with another one, with 95\\% confidence intervals.",
        lambda table, _: _titled(table),
        "language-models",
        "Comparisons",
        paper=False,
    ),
    Table(
        "language-model-probes",
        "language_model_probes",
        "Accuracy on zero-shot probes, with 95\\% confidence intervals over items.",
        lambda table, _: _titled(table),
        "language-models",
        "Zero-shot probes",
    ),
    Table(
        "language-model-tasks",
        "language_model_tasks",
        "Accuracy of fine-tuned language models: mean and standard deviation over seeds, with 95\\% "
        "confidence intervals over sentences. Silver labels are a tagger's, with its mistakes.",
        lambda table, _: _titled(table),
        "language-models",
        "Fine-tuned models",
    ),
    Table(
        "stages",
        "cost",
        "Time and memory of the jobs of each stage.",
        stages,
        "run",
        "Cost",
        paper=False,
    ),
    Table(
        "longest", "cost", "The longest jobs.", longest_jobs, "run", "The longest jobs", paper=False
    ),
)
"""All tables, in order. A table is left out if its table of results is missing or empty."""
