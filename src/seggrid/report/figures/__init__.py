"""Static figures as SVG and PNG.

They are drawn with matplotlib's object interface on the Agg canvas, so that there is no global state.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure

from seggrid.report.curves import curves
from seggrid.report.figures.across import critical_differences
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
from seggrid.report.labels import describe_all
from seggrid.score.verdict.pairs import settings_of


def draw_all(results: Mapping[str, pd.DataFrame], folder: str | Path) -> list[Path]:
    """Draw the figures for which there are data; return the files, `.svg` and `.png`.

    Args:
        results: tables of results by name, see `seggrid.data.result_tables`.
        folder: where the files are written.
    """
    files = []
    with styled():
        for name, figure in figures(results):
            files += save(figure, Path(folder) / name)
    return files


def figures(results: Mapping[str, pd.DataFrame]) -> Iterator[tuple[str, Figure]]:
    """Name and drawing of each figure for which there are data; `results` as for `draw_all`."""
    drawn = [_of_pruning(results)]
    if (scores := results.get("scores")) is not None:
        scored = _scored(scores, results.get("significance"))
        by_cell = scored.set_index("cell")
        drawn.insert(0, _of_alignment(scored, by_cell))
        if (published := results.get("published")) is not None and len(published):
            drawn.append(_of_published(published, by_cell))
        if (ranks := results.get("ranks")) is not None:
            drawn.append(_across_pairs(ranks, scores))
    if (models := results.get("language_model")) is not None:
        drawn.append(_of_models(models, results.get("language_model_losses")))
    for name, figure in chain.from_iterable(drawn):
        if figure is not None:
            yield name, figure


Drawn = Iterator[tuple[str, Figure | None]]


def _scored(scores: pd.DataFrame, significance: pd.DataFrame | None) -> pd.DataFrame:
    """The cells that have scores, with the intervals of these."""
    scored = scores[scores["f1"].notna()].copy()
    for size in SIZES:
        scored[size] = pd.to_numeric(scored[size], errors="coerce")
    scored["aggregate"] = scored["aggregate"].astype(str)
    if significance is None:
        return scored
    return scored.merge(significance, on="cell", how="left", validate="one_to_one")


def _of_alignment(scored: pd.DataFrame, by_cell: pd.DataFrame) -> Drawn:
    for (pair, aligner), cells in scored.groupby(["pair", "aligner"], sort=False):
        for kind, figure in (
            ("merges", over_sizes(cells, by_cell)),
            ("vocabulary", over_sizes(cells, by_cell, "vocabulary")),
            ("dropout", dropout_over_merges(cells, by_cell)),
            ("dropout-metrics", over_sizes(cells, by_cell, dropout=True)),
            ("knockout", knockout_over_merges(cells, by_cell)),
            ("thresholds", thresholds(cells)),
            ("dropout-merges", dropout_by_merges(cells)),
        ):
            if figure is not None:
                title = f"{pair}, {aligner}"
                figure.suptitle(title, fontsize=9, x=0.01, ha="left", fontweight="bold")
            yield f"{kind}-{_slug(pair)}-{_slug(aligner)}", figure


def _of_published(published: pd.DataFrame, by_cell: pd.DataFrame) -> Drawn:
    yield "published", published_against_ours(published)
    yield "differences", differences(published)
    for number, figure in enumerate(published_tables(published, by_cell), start=1):
        yield f"published-tables-{number}", figure


def _across_pairs(ranks: pd.DataFrame, scores: pd.DataFrame) -> Drawn:
    described = (scores["aligner"] + ": ").str.cat(describe_all(scores))
    yield (
        "ranks",
        critical_differences(ranks, dict(zip(settings_of(scores["cell"]), described, strict=True))),
    )


def _of_pruning(results: Mapping[str, pd.DataFrame]) -> Drawn:
    knockout = results.get("knockout")
    rows = curves(results.get("morphology"), knockout)
    share = {"pruned": "share of merges pruned"}
    yield "knockout-threshold", knockout_sweep(rows, ("blame",), "Blame threshold")
    yield "knockout-pruned", knockout_sweep(rows, ("blame",), "Blame threshold", share)
    amounts = "random", "latest", "leaves"
    yield "knockout-random-latest", knockout_sweep(rows, amounts, "Share of merges pruned")
    if knockout is None:
        return
    for kind, name, label in (
        ("position", "knockout-positions", "Position in the vocabulary"),
        ("change", "knockout-tokens", "Tokens of a word, after minus before"),
        ("morphemes", "morphemes-per-word", "Morphemes of a word"),
        ("stepping_stones", "stepping-stones", "Stepping stones of a type"),
    ):
        yield name, histogram(knockout, kind, label)
    yield "leaves", leaves(knockout)


def _of_models(models: pd.DataFrame, losses: pd.DataFrame | None) -> Drawn:
    yield "language-models", bits_per_character(models)
    yield "language-model-losses", held_out_losses(models, losses)


def _slug(text: object) -> str:
    """A text with only characters that are valid in file names on any system."""
    return "".join(c if c.isascii() and (c.isalnum() or c in "_-") else "_" for c in str(text))
