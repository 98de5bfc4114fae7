"""Tables for a paper, as CSV and as LaTeX."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from seggrid.base.files import atomic_write
from seggrid.report.curves import identity
from seggrid.report.labels import METRICS, describe_all

# Headings of the table of claims.
_CLAIMS = {"claim": "Claim", "whose": "Made by", "source": "Section", "verdict": "Verdict"}
_CLAIMS |= {"intervals": "Intervals", "evidence": "Evidence"}

# Columns of sentences, which LaTeX has to break, with their share of the width of the text.
_WIDE = {"Claim": 0.22, "Evidence": 0.36}

# Number of rows from which a table may break across pages.
_LONG = 45


def write_all(
    scores: pd.DataFrame, folder: str | Path, **others: pd.DataFrame | None
) -> list[Path]:
    """Write the tables that the data allow; return the files, `.csv` and `.tex`.

    Args:
        scores: `results/scores.csv`.
        folder: where the files are written.
        others: the other arguments of `tables`.
    """
    files = []
    for name, caption, table in tables(scores, **others):
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


def tables(
    scores: pd.DataFrame,
    *,
    significance: pd.DataFrame | None = None,
    published: pd.DataFrame | None = None,
    claims: pd.DataFrame | None = None,
    morphology: pd.DataFrame | None = None,
    language_models: pd.DataFrame | None = None,
    model_probes: pd.DataFrame | None = None,
    model_tasks: pd.DataFrame | None = None,
    correlations: pd.DataFrame | None = None,
    ensembles: pd.DataFrame | None = None,
) -> Iterator[tuple[str, str, pd.DataFrame]]:
    """Name, caption and content of each table that the data allow, with unrounded numbers.

    Args:
        scores, significance, published, claims, morphology, language_models, correlations, ensembles: the
            tables of these names under `results/`; None where there is none.
        model_probes, model_tasks: `results/language_model_probes.csv`, `results/language_model_tasks.csv`.
    """
    scored = scores[scores["f1"].notna()]
    if len(scored):
        caption = (
            "The best cell of each pair and aligner by F1, with its 95\\% confidence interval, and its "
            "gain over the best cell of words under that aligner."
        )
        yield "best", caption, best_cells(scored, significance)
        left = len(scores) - len(scored)
        caption = "Every cell of the grid" + (
            f" with scores; {left:,} others have none." if left else "."
        )
        yield "scores", caption, every_cell(scored)
    if "status" in scores and (unscored := scores[scores["status"] == "no gold"]).size:
        yield "unscored", "Cells of pairs without gold: measures and links.", without_gold(unscored)
    if correlations is not None and len(correlations):
        caption = (
            "Rank correlations (Spearman) of measures of a segmentation with its scores, over the "
            "cells of a pair and an aligner, with 95\\% confidence intervals over gold sentences."
        )
        yield "correlations", caption, _titled(correlations.dropna(axis=1, how="all"))
    if ensembles is not None and len(ensembles):
        caption = (
            "Votes with the 95\\% confidence interval of F1, beside the member of the least AER."
        )
        yield "ensembles", caption, beside_best_member(scores, ensembles)
    if published is not None and len(published):
        table = beside_published(published)
        caption = "Published figures beside ours."
        if "Stand-in" in table:
            caption += " A stand-in is the aligner of our cell where it is not the published one."
        yield "published", caption, table
    if claims is not None and len(claims):
        yield (
            "claims",
            "Claims, and whether the grid supports them.",
            claims.rename(columns=_CLAIMS),
        )
    if morphology is not None and len(morphology):
        columns = [
            *identity(morphology),
            *(
                "knockout",
                "dropout",
                "dropout_kind",
                "evaluation",
                "boundaries",
                "unit",
                "vocabulary",
            ),
            *("precision", "recall", "f1", "macro_f1", "tokens_per_word"),
        ]
        kept = morphology[[name for name in columns if name in morphology]]
        yield "morphology", "Token boundaries against morpheme boundaries.", _titled(kept)
        caption = (
            "Token boundaries against morpheme boundaries, relative to the tokenizer as learned."
        )
        yield "morphology-relative", caption, _titled(relative_to_learned(kept))
    if language_models is not None and len(language_models):
        columns = ["model", "continues", "steps", "vocabulary", "tokens_per_word"]
        columns += [
            "pppl",
            "bits_per_character",
            "bits_per_character_low",
            "bits_per_character_high",
        ]
        caption = "Language models on held-out sentences, with 95\\% confidence intervals."
        yield "language-models", caption, _titled(language_models[columns])
    if model_probes is not None and len(model_probes):
        caption = "Accuracy on zero-shot probes, with 95\\% confidence intervals over items."
        yield "language-model-probes", caption, _titled(model_probes)
    if model_tasks is not None and len(model_tasks):
        caption = (
            "Accuracy of fine-tuned language models: mean and standard deviation over seeds, with 95\\% "
            "confidence intervals over sentences. Silver labels are a tagger's, with its mistakes."
        )
        yield "language-model-tasks", caption, _titled(model_tasks)


def relative_to_learned(morphology: pd.DataFrame) -> pd.DataFrame:
    """Each row beside the tokenizer as learned, evaluated on the same (BPE-knockout, Table 11).

    That is the row `none` without dropout, on the full data; the ideal segmentation has no row.

    Returns:
        For precision, recall and F1 the difference in percentage points, `{metric}_points`, and the
        ratio, `{metric}_ratio`.
    """
    metrics = ["precision", "recall", "f1"]
    keys = [*identity(morphology), "boundaries", "unit"]
    dropout = morphology.get("dropout", 0)
    learned = (morphology["knockout"] == "none") & (morphology["evaluation"] == "full")
    base = morphology[learned & (dropout == 0)].set_index(keys)[metrics].add_suffix("_learned")
    rows = morphology[morphology["knockout"] != "ideal"]
    beside = rows.join(base, on=keys)
    first = [name for name in rows if name not in (*metrics, "tokens_per_word")]
    table = rows[first].copy()
    for metric in metrics:
        own, learned_one = beside[metric], beside[f"{metric}_learned"]
        table[f"{metric}_points"] = 100 * (own - learned_one)
        table[f"{metric}_ratio"] = own / learned_one.where(learned_one > 0)
    return table


def best_cells(scored: pd.DataFrame, significance: pd.DataFrame | None = None) -> pd.DataFrame:
    """The best cell of each pair and aligner: interval, and gains with corrected p-values."""
    # Described among all cells, since a name says what only some of them have.
    scored = scored.assign(name=describe_all(scored))
    best = scored.loc[scored.groupby(["pair", "aligner"], sort=False)["f1"].idxmax()]
    if significance is not None and len(significance):
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


def beside_best_member(scores: pd.DataFrame, ensembles: pd.DataFrame) -> pd.DataFrame:
    """Each ensemble, with the interval of its F1, beside its best member."""
    said = (scores["aligner"] + ": ").str.cat(describe_all(scores))
    names = dict(zip(scores["cell"], said, strict=True))
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


def without_gold(unscored: pd.DataFrame) -> pd.DataFrame:
    """Measures of cells of pairs without gold; `links` are counted in the sentences that were kept."""
    measures = [name for name in unscored if name.endswith(("_source", "_target"))]
    known = [name for name in measures if unscored[name].notna().any()]
    return unscored[["cell", "links", *known]]


def every_cell(scored: pd.DataFrame) -> pd.DataFrame:
    """All cells, with the four metrics and their gain over words."""
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
    """For each published figure: its table, and the published and our F1 and AER."""
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
    (`p`, or `p (…)`), what would be 0.000 is <0.001.

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
    return style.to_latex(
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
