"""The charts of language models."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from seggrid.grid.report.charts.chart import LINES, ROWS, Chart, curve, joined
from seggrid.grid.report.theme import looks

_LONGEST = 20


def of_models(models: pd.DataFrame, losses: pd.DataFrame | None) -> Iterator[Chart]:
    """Bits per character with intervals, and losses on held-out sentences over steps; panels are texts.

    The line of a model that continues another begins at the step at which it continues.
    """
    panel = models[["pair", "side", "text"]].fillna("").astype(str).agg(", ".join, axis=1)
    panel = panel.str.strip(", ")
    names = models["model"].map(shortened)
    bits = {end: models[f"bits_per_character{mark}"] for end, mark in _ENDS.items()}
    frame = pd.DataFrame({"panel": panel, "row": names, "series": names, **bits})
    title, x = "Bits per character on held-out sentences", "Bits per character"
    look = looks(dict.fromkeys(names))
    yield Chart("language-models", title, ROWS, frame, x, looks=look, apart=True, legend=False)
    if losses is None:
        return
    steps = dict(zip(models["model"], models["steps"], strict=True))
    evaluated = losses.dropna(subset="validation_loss")
    parts = []
    for text, name, before in zip(panel, models["model"], models["continues"], strict=True):
        own = evaluated[(evaluated["model"] == name) & (evaluated["step"] >= steps.get(before, 0))]
        parts.append(curve(text, shortened(name), own["step"], own["validation_loss"]))
    title, y = "Losses in training", "Loss of held-out sentences"
    losses = joined(parts)
    yield Chart("language-model-losses", title, LINES, losses, "Step", y, look, apart=True)


_ENDS = {"x": "", "low": "_low", "high": "_high"}


def shortened(name: str) -> str:
    """A name, shortened to fit into a panel.

    >>> shortened("english-swap-30"), shortened("a name that is too long to be shown")
    ('english-swap-30', 'a name that is too …')
    """
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"
