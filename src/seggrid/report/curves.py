"""The data of figures on pruned tokenizers, from the tables of morphology."""

from __future__ import annotations

import pandas as pd

CURVES = ("threshold", "selection")
"""Values of `figure` in `results/knockout.csv` that are drawn as curves."""

HISTOGRAMS = ("position", "change", "morphemes", "stepping_stones")
"""Values of `figure` that are drawn as histograms."""

IDENTITY = ["tokenizer", "reference"]
"""The columns of both tables that name the tokenizer and the reference of a row."""

_SCORES = ("precision", "recall", "f1")


def curves(morphology: pd.DataFrame | None, knockout: pd.DataFrame | None) -> pd.DataFrame:
    """The rows to draw over the amount of pruning, from one of the tables or both.

    From `results/morphology.csv`, these are the rows for boundaries between morphemes, over word types, on
    the full data and without dropout. A row that is also in `results/knockout.csv` is taken once.

    Returns:
        Columns setting (tokenizer and reference), knockout, method and amount (parts of the name in
        `knockout`; missing for `none`), precision, recall, f1, pruned.
    """
    parts = []
    if knockout is not None and len(knockout):
        parts.append(knockout[knockout["figure"].isin(CURVES)])
    if morphology is not None and len(morphology):
        full = morphology[
            (morphology["boundaries"] == "morphemes")
            & (morphology["unit"] == "types")
            & (morphology["evaluation"] == "full")
        ]
        parts.append(full[full["dropout"] == 0] if "dropout" in full else full)
    tables = [
        part.assign(setting=part[IDENTITY].agg(", ".join, axis=1)) for part in parts if len(part)
    ]
    columns = ["setting", "knockout", *_SCORES, "pruned"]
    if not tables:
        return pd.DataFrame(columns=[*columns, "method", "amount"])
    table = pd.concat(tables, ignore_index=True).reindex(columns=columns)
    table = table.drop_duplicates(["setting", "knockout"], ignore_index=True)
    method = table["knockout"].str.extract(r"^([a-z]+)-([\d.]+)(-tokens)?$")
    return table.assign(
        method=method[0].str.cat(method[2].fillna("")), amount=pd.to_numeric(method[1])
    )
