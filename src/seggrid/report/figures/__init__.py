"""Static figures as SVG and PNG.

They are drawn with matplotlib's object interface on the Agg canvas, so that there is no global state.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure

from seggrid.report.curves import curves
from seggrid.report.figures.alignment import (
    SIZES,
    dropout_by_merges,
    dropout_over_merges,
    knockout_over_merges,
    over_sizes,
    thresholds,
)
from seggrid.report.figures.language_models import bits_per_character, held_out_losses
from seggrid.report.figures.pruning import histogram, knockout_sweep, leaves
from seggrid.report.figures.published import (
    differences,
    published_against_ours,
    published_tables,
)
from seggrid.report.figures.style import save, styled


def draw_all(scores: pd.DataFrame, folder: str | Path, **others: pd.DataFrame | None) -> list[Path]:
    """Draw the figures that the data allow; return the files, `.svg` and `.png`.

    Args:
        scores: `results/scores.csv`.
        folder: where the files are written.
        others: the other arguments of `figures`.
    """
    files = []
    with styled():
        for name, figure in figures(scores, **others):
            files += save(figure, Path(folder) / name)
    return files


def figures(
    scores: pd.DataFrame,
    *,
    significance: pd.DataFrame | None = None,
    published: pd.DataFrame | None = None,
    morphology: pd.DataFrame | None = None,
    knockout: pd.DataFrame | None = None,
    language_models: pd.DataFrame | None = None,
    losses: pd.DataFrame | None = None,
) -> Iterator[tuple[str, Figure]]:
    """Name and drawing of each figure that the data allow.

    Args:
        scores: `results/scores.csv`.
        significance: `results/significance.csv`, with the intervals to draw; None if there is none, as for
            the following tables.
        published: `results/published.csv`.
        morphology: `results/morphology.csv`.
        knockout: `results/knockout.csv`, see `seggrid.report.knockout.figure_table`.
        language_models, losses: `results/language_model.csv`, `results/language_model_losses.csv`.
    """
    scored = scores[scores["f1"].notna()].copy()
    for size in SIZES:
        scored[size] = pd.to_numeric(scored[size], errors="coerce")
    scored["aggregate"] = scored["aggregate"].astype(str)
    if significance is not None and len(significance):
        scored = scored.merge(significance, on="cell", how="left", validate="one_to_one")
    known = scored.set_index("cell")
    for (pair, aligner), cells in scored.groupby(["pair", "aligner"], sort=False):
        name = f"{_slug(pair)}-{_slug(aligner)}"
        title = f"{pair}, {aligner}"
        for kind, draw in (
            ("merges", lambda c: over_sizes(c, known)),
            ("vocabulary", lambda c: over_sizes(c, known, "vocabulary")),
            ("dropout", lambda c: dropout_over_merges(c, known)),
            ("knockout", lambda c: knockout_over_merges(c, known)),
            ("thresholds", thresholds),
            ("dropout-merges", dropout_by_merges),
        ):
            figure = draw(cells)
            if figure is not None:
                figure.suptitle(title, fontsize=9, x=0.01, ha="left", fontweight="bold")
                yield f"{kind}-{name}", figure
    if published is not None and len(published):
        yield from _present(
            published=published_against_ours(published), differences=differences(published)
        )
        for number, figure in enumerate(published_tables(published, known), start=1):
            yield f"published-tables-{number}", figure
    rows = curves(morphology, knockout)
    share = {"pruned": "share of merges pruned"}
    yield from _present(
        **{
            "knockout-threshold": knockout_sweep(rows, ("blame",), "Blame threshold"),
            "knockout-pruned": knockout_sweep(rows, ("blame",), "Blame threshold", share),
            "knockout-random-latest": knockout_sweep(
                rows, ("random", "latest", "leaves"), "Share of merges pruned"
            ),
        }
    )
    if knockout is not None and len(knockout):
        for kind, name, label in (
            ("position", "knockout-positions", "Position in the vocabulary"),
            ("change", "knockout-tokens", "Tokens of a word, after minus before"),
            ("morphemes", "morphemes-per-word", "Morphemes of a word"),
            ("stepping_stones", "stepping-stones", "Stepping stones of a type"),
        ):
            yield from _present(**{name: histogram(knockout, kind, label)})
        yield from _present(**{"leaves": leaves(knockout)})
    if language_models is not None and len(language_models):
        yield from _present(
            **{
                "language-models": bits_per_character(language_models),
                "language-model-losses": held_out_losses(language_models, losses),
            }
        )


def _present(**drawn: Figure | None) -> Iterator[tuple[str, Figure]]:
    yield from ((name, figure) for name, figure in drawn.items() if figure is not None)


def _slug(text: object) -> str:
    """A text with only characters that are valid in file names on any system."""
    return "".join(c if c.isascii() and (c.isalnum() or c in "_-") else "_" for c in str(text))
