"""The tables that people look at: on the page, and in papers as CSV and as LaTeX."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from seggrid.base.files import atomic_write
from seggrid.report.charts import Results, described, setting_names
from seggrid.report.charts.others import group_of_correlation
from seggrid.report.charts.pruning import IDENTITY
from seggrid.report.labels import MEANINGS, MEASURES, METRICS, meanings

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

SIGNATURE = "Signature"
"""The column of tables of scores that says what they were computed with: their CSV has it, and their LaTeX in
comments."""

# Columns that name cells, which tables describe.
_CELLS = ("cell", "best", "best_member", "member")


@dataclass(frozen=True)
class Table:
    """A table made from the table of results `of`.

    `rows` chooses or computes its rows, which keep the index of those from which they are made, so that the
    column `cell` of the table of results names their cells, whose signatures are its last column. `columns`
    are the columns that it shows, with headings or under their own names; all by default. The caption is code
    of LaTeX. The page has the table in a section, under a title.
    """

    name: str
    of: str
    caption: str
    columns: Mapping[str, str] | Sequence[str] = ()
    rows: Callable[[pd.DataFrame], pd.DataFrame] | None = None
    section: str = ""
    title: str = ""
    cell: str = ""
    paper: bool = True

    def make(self, results: Results) -> pd.DataFrame:
        """The table, with unrounded numbers; without rows if there are no data."""
        source = results.get(self.of)
        if source is None or not len(source):
            return pd.DataFrame()
        rows = self.rows(source) if self.rows else source
        columns = self.columns or list(rows)
        titles = columns if isinstance(columns, Mapping) else {n: _title(n) for n in columns}
        table = rows[[name for name in titles if name in rows]].copy()
        for name in table.columns.intersection(_CELLS):
            table[name] = _described(table[name], results)
        if "setting" in table and "scores" in results:
            table["setting"] = table["setting"].replace(setting_names(results["scores"]))
        if "merges" in table:
            table["merges"] = pd.to_numeric(table["merges"]).astype("Int64")
        table = table.rename(columns=titles)
        signed = results.get("scores", pd.DataFrame())
        if self.cell and "signature" in signed:  # tables of an earlier version have none
            signatures = signed.set_index("cell")["signature"].fillna("")
            table[SIGNATURE] = source.loc[table.index, self.cell].map(signatures).fillna("")
        return table


def write_all(results: Results, folder: str | Path) -> list[Path]:
    """Write the tables for papers for which there are data; return the files, `.csv` and `.tex`.

    `results` are tables of results by name, see `seggrid.data.result_tables`; `scores` is needed.
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
    """Each table for which there are data, with its whole caption and its content.

    `scores` are as from `seggrid.report.charts.described`.
    """
    for made in TABLES:
        table = made.make(results)
        if len(table):
            left = len(results[made.of]) - len(table) if made.rows is _scored else 0
            notes = [f" {left:,} others have none."] if left else []
            notes += [note for column, note in _NOTES.items() if column in table]
            yield made, made.caption + "".join(notes), table


def meant(made: Table, table: pd.DataFrame) -> dict[str, str]:
    """What the columns of a table mean, by their headings."""
    titled = made.columns if isinstance(made.columns, Mapping) else {}
    known = {titled.get(name, _title(name)): said for name, said in meanings(made.of).items()}
    shown = table.columns.difference(["from", "to", SIGNATURE], sort=False)
    return {heading: known[heading] for heading in shown if heading in known}


def _title(column: str) -> str:
    metric = column.removeprefix("published_")
    if metric in METRICS:
        return METRICS[metric] + ", published" * (metric != column)
    return MEASURES.get(column, column[:1].upper() + column[1:].replace("_", " "))


def _described(cells: pd.Series, results: Results) -> pd.Series:
    """Cells with their aligners instead of their names."""
    scores = results["scores"]
    names = pd.Series((scores["aligner"] + ": " + scores["name"]).to_numpy(), index=scores["cell"])
    return cells.map(names).fillna(cells).fillna("no gold")


def _scored(scores: pd.DataFrame) -> pd.DataFrame:
    return scores[scores["f1"].notna()]


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


def _compared(published: pd.DataFrame) -> pd.DataFrame:
    """Published rows; with stand-ins, if there are any."""
    stand_in = published.get("stand_in", pd.Series("", published.index)).fillna("")
    return published.assign(stand_in=stand_in).drop(
        columns=[] if stand_in.ne("").any() else "stand_in"
    )


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


def _without_empty_columns(table: pd.DataFrame) -> pd.DataFrame:
    return table.dropna(axis=1, how="all")


def _heaviest_first(votes: pd.DataFrame) -> pd.DataFrame:
    return votes.sort_values(["ensemble", "pair", "weight"], ascending=[True, True, False])


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


MORPHOLOGY = (
    *IDENTITY,
    *("knockout", "dropout", "dropout_kind", "evaluation", "boundaries", "unit", "vocabulary"),
    *("precision", "recall", "f1", "macro_f1", "tokens_per_word"),
)
"""The main columns of the boundary scores."""


def relative_to_learned(morphology: pd.DataFrame) -> pd.DataFrame:
    """Each row compared with the tokenizer as learned, on the same reference, boundaries and unit
    (BPE-knockout, Table 11).

    The tokenizer as learned is the row `none` without dropout, on the full data. The ideal segmentation has
    no row. Metrics have differences in percentage points, `{metric}_points`, and ratios, `{metric}_ratio`.
    """
    morphology = morphology[[name for name in MORPHOLOGY if name in morphology]]
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


def latex(table: pd.DataFrame, caption: str, label: str) -> str:
    """A table for LaTeX with the package booktabs (and longtable, if it has many rows).

    Numbers have three decimals and are right-aligned; a missing number is a dash. In a column of p-values
    (`p`, or `p (…)`), <0.001 stands for 0.000. The caption is LaTeX code. Signatures are comments before it.
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
        caption=caption,
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


TABLES = (
    Table(
        "verdict",
        "verdict",
        "What to use: the best cell of each pair. F1 with its 95\\% confidence interval is that of settings "
        "chosen apart from the sentences that they are scored on, as are the differences; p-values are "
        "corrected for the number of cells. Alike: other cells that cannot be told apart from the best.",
        cell="cell",
        columns={
            **{"pair": "Pair", "cell": "Use", "f1": "F1", "f1_low": "from", "f1_high": "to"},
            **{"delta_f1_words": "over words", "p_words": "p (words)"},
            **{"delta_f1_default": "over default", "p_default": "p (default)"},
            **{"cells": "Cells", "alike": "Alike"},
        },
    ),
    Table(
        "best",
        "scores",
        "The best cell of each pair and aligner by F1, with its 95\\% confidence interval, and its gain over "
        "the best cell of words under that aligner, both on the sentences that they were chosen on: what to "
        "use, above, is corrected for that, and compared with the best words of all aligners.",
        section="settings",
        title="The best cell of each pair and aligner",
        rows=_best,
        cell="cell",
        columns={
            **{"pair": "Pair", "aligner": "Aligner", "name": "Cell"},
            **{"f1": "F1", "f1_low": "from", "f1_high": "to"},
            **{"delta_f1_words": "over words", "p_words_holm": "p (words)"},
            **{"delta_f1_plain": "over plain", "p_plain_holm": "p (plain)"},
        },
    ),
    Table(
        "effects",
        "effects",
        "Mean difference in F1 between cells that differ in one axis alone, with 95\\% confidence intervals "
        "over gold sentences. It is a mean over sizes and aligners, among them bad ones: a segmenter can "
        "lose on average and still have the best cell, so that the best of the same cells are compared, too. "
        "The last columns say what is averaged over, and what is held fixed.",
        section="settings",
        title="What each axis does on average",
        columns={
            **{"pair": "Pair", "axis": "Axis", "value": "Value", "reference": "Compared with"},
            **{"delta_f1": "Difference in F1", "delta_f1_low": "from", "delta_f1_high": "to"},
            **{"delta_f1_best": "Best against best", "cells": "Cells"},
            **{"over": "Mean over", "fixed": "Held fixed"},
        },
    ),
    Table(
        "selection",
        "selection",
        "Settings chosen apart from the sentences that they are scored on (nested cross-validation), with "
        "the 95\\% confidence interval of F1, and how much higher F1 of the best cell on all sentences is.",
        section="settings",
        title="Settings chosen apart from the scored sentences",
        cell="best",
        columns={
            **{"pair": "Pair", "family": "Family", "cells": "Cells", "best": "Best"},
            **{"f1": "F1", "f1_low": "from", "f1_high": "to", "aer": "AER"},
            **{"best_f1": "F1 of the best", "optimism": "Optimism"},
        },
    ),
    Table(
        "ranks",
        "ranks",
        "Rank 1 is the highest F1 of a pair. A setting is told apart from the best if their mean ranks "
        "differ by more than Nemenyi's critical difference, and p of Friedman's test is at most 0.05.",
        section="ranks",
        title="Mean ranks",
        columns={
            **{"setting": "Setting", "mean_f1": "Mean F1", "mean_rank": "Mean rank"},
            "told_apart": "Told apart from the best",
        },
    ),
    Table(
        "scores",
        "scores",
        "Every cell of the grid with scores.",
        section="explorer",
        title="Every cell as a table",
        rows=_scored,
        cell="cell",
        columns={
            **{"pair": "Pair", "aligner": "Aligner", "name": "Cell", **METRICS},
            "delta_f1_words": "over words",
        },
    ),
    Table(
        "unscored",
        "scores",
        "Cells of pairs without gold, first those that agree most with the others, with the measures in "
        "which they differ.",
        section="unscored",
        title="Agreement, links and measures of every cell",
        rows=_without_gold,
    ),
    Table(
        "correlations",
        "correlations",
        "Rank correlations (Spearman) of measures of a segmentation with its scores, over the cells of a "
        "pair and an aligner, with 95\\% confidence intervals over gold sentences.",
        section="measures",
        title="All correlations, and what the measures are",
        rows=_correlated,
        columns={
            **{"group": "Cells of", "measure": "Measure", "cells": "Cells"},
            **{"spearman": "With F1", "spearman_low": "from", "spearman_high": "to"},
            **{"spearman_others": "On the other pairs", "spearman_aer": "With AER"},
            "meaning": "The measure is",
        },
    ),
    Table(
        "ensembles",
        "ensembles",
        "Votes with the 95\\% confidence interval of F1, beside the member of the least AER.",
        section="ensembles",
        title="Votes",
        cell="best_member",
        columns={
            **{"ensemble": "Ensemble", "pair": "Pair", "members": "Members"},
            **{"f1": "F1", "f1_low": "from", "f1_high": "to", "aer": "AER"},
            **{"best_member": "Best member", "best_f1": "its F1", "best_aer": "its AER"},
            **{"delta_f1": "F1 over it", "delta_aer": "AER over it", "p": "p (F1)"},
        },
    ),
    Table(
        "members",
        "votes",
        "The members of each vote, with their weights.",
        section="ensembles",
        title="Members",
        rows=_heaviest_first,
        cell="member",
        paper=False,
        columns=("ensemble", "pair", "member", "f1", "aer", "weight"),
    ),
    Table(
        "published",
        "published",
        "Published figures beside ours.",
        section="published",
        title="All published figures",
        rows=_compared,
        cell="cell",
        columns={
            **{"table": "Table", "merges": "Merges", "stand_in": "Stand-in"},
            **{"published_f1": "F1 published", "f1": "F1 ours", "delta_f1": "F1 difference"},
            **{"published_aer": "AER published", "aer": "AER ours", "delta_aer": "AER difference"},
        },
    ),
    Table(
        "claims",
        "claims",
        "Claims, and whether the grid supports them.",
        section="claims",
        title="Claims",
        columns={
            **{"claim": "Claim", "whose": "Made by", "source": "Section", "verdict": "Verdict"},
            **{"intervals": "Intervals", "evidence": "Evidence"},
        },
    ),
    Table(
        "morphology",
        "morphology",
        "Token boundaries against morpheme boundaries, with published figures where there are some.",
        section="knockout",
        title="Morpheme boundaries",
        rows=_without_empty_columns,
        columns=(*MORPHOLOGY, "published_precision", "published_recall", "published_f1"),
    ),
    Table(
        "morphology-relative",
        "morphology",
        "Token boundaries against morpheme boundaries, relative to the tokenizer as learned.",
        rows=relative_to_learned,
    ),
    Table(
        "language-models",
        "language_model",
        "Language models on held-out sentences, with 95\\% confidence intervals.",
        section="language-models",
        title="Scores",
        columns=(
            *("model", "continues", "steps", "vocabulary", "tokens_per_word", "pppl"),
            *("bits_per_character", "bits_per_character_low", "bits_per_character_high"),
        ),
    ),
    Table(
        "comparisons",
        "language_model_comparisons",
        "Each model compared with another one, with 95\\% confidence intervals.",
        section="language-models",
        title="Comparisons",
        paper=False,
    ),
    Table(
        "language-model-probes",
        "language_model_probes",
        "Accuracy on zero-shot probes, with 95\\% confidence intervals over items.",
        section="language-models",
        title="Zero-shot probes",
    ),
    Table(
        "language-model-tasks",
        "language_model_tasks",
        "Accuracy of fine-tuned language models: mean and standard deviation over seeds, with 95\\% "
        "confidence intervals over sentences. Silver labels are a tagger's, with its mistakes.",
        section="language-models",
        title="Fine-tuned models",
    ),
    Table(
        "stages",
        "cost",
        "Time and memory of the jobs of each stage.",
        section="run",
        title="Cost",
        rows=_by_stage,
        paper=False,
    ),
)
"""All tables, in order. A table is left out if its table of results is missing or empty."""
