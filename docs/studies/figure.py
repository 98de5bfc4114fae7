"""Draw the rows of a study, a CSV in docs/studies/data.

Rows with published figures (`delta_f1`): our F1 over the published one. Others: F1 over the number of merges,
with a line for each `setting`; words are a mark at the left.
"""

import argparse
import re
from pathlib import Path

import matplotlib as mpl
import pandas as pd
from matplotlib.figure import Figure

# The first group whose pattern is found in the name of a row's table is the row's.
GROUPS = {
    "across spaces": "_ns",
    "eflomal": "eflomal|thesis text",
    "one side only": "eng_deu_eng_fastalign|fastalign_eng",
    "dropout 0.1": "space__0.1",
    "dropout 0.2 and 0.3": "dropout",
    "words and BPE": "",
}
_MARKERS = dict(zip(GROUPS, "sD^vPo", strict=True))


def group_of(table: str) -> str:
    """The group of rows that a table of the thesis belongs to.

    >>> group_of("scores_dropout_bpe__space__0.3__scores_0.5_thres")
    'dropout 0.2 and 0.3'
    """
    return next(name for name, pattern in GROUPS.items() if re.search(pattern, table))


def draw(rows: pd.DataFrame, file: Path) -> None:
    """Draw one mark for each row; on the line, ours and the published figure are equal."""
    mpl.rcParams["svg.hashsalt"] = "seggrid"
    figure = Figure(figsize=(6, 5), layout="constrained")
    axes = figure.subplots()
    axes.axline((0.3, 0.3), slope=1, color="0.6", linewidth=0.8)
    for name in reversed(GROUPS):
        own = rows[rows["table"].map(group_of) == name]
        axes.scatter(own.f1 - own.delta_f1, own.f1, s=18, marker=_MARKERS[name], label=name)
    axes.set(xlabel="published F1", ylabel="our F1", aspect="equal")
    axes.legend(frameon=False)
    figure.savefig(file, metadata={"Date": None})


def draw_curves(rows: pd.DataFrame, file: Path) -> None:
    """Draw a line for each setting."""
    mpl.rcParams["svg.hashsalt"] = "seggrid"
    figure = Figure(figsize=(8, 4), layout="constrained")
    axes = figure.subplots()
    sizes = sorted(rows.merges.dropna().unique())
    for (name, own), marker in zip(rows.groupby("setting", sort=False), "osD^vP", strict=True):
        places = [sizes.index(m) if m == m else -1 for m in own.merges]
        axes.plot(places, own.f1, marker=marker, markersize=4, linewidth=1, label=name)
    axes.set(xlabel="merges", ylabel="F1")
    axes.set_xticks(range(-1, len(sizes)), ["words", *(f"{size:,.0f}" for size in sizes)])
    axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    figure.savefig(file, metadata={"Date": None})


def main() -> None:
    """Read the rows and draw them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", type=Path, help="a CSV such as docs/studies/data/thesis.csv")
    parser.add_argument("figure", type=Path, help="such as docs/studies/images/thesis.svg")
    arguments = parser.parse_args()
    rows = pd.read_csv(arguments.rows)
    if "delta_f1" in rows:
        draw(rows, arguments.figure)
    else:
        draw_curves(rows, arguments.figure)


if __name__ == "__main__":
    main()
