"""Figures of language models: their scores, and their losses in training."""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from seggrid.report.figures.panels import panels
from seggrid.report.figures.style import BLUE

_MEASURE = "bits_per_character"
_LONGEST = 20
"""The most characters of a name that are shown."""


def bits_per_character(models: pd.DataFrame) -> Figure | None:
    """Bits per character of each model with its interval, a panel for each text."""

    def draw(axes: Axes, group: pd.DataFrame) -> None:
        value = group[_MEASURE]
        errors = [value - group[f"{_MEASURE}_low"], group[f"{_MEASURE}_high"] - value]
        places = range(len(group))
        axes.errorbar(value, places, xerr=errors, fmt="o", color=BLUE, markersize=3)
        axes.set_yticks([])
        axes.invert_yaxis()
        for place, name, end in zip(places, group["model"], group[f"{_MEASURE}_high"], strict=True):
            axes.annotate(
                shortened(name),
                (end, place),
                (3, 0),
                textcoords="offset points",
                va="center",
                fontsize=5,
            )
        low, high = group[f"{_MEASURE}_low"].min(), group[f"{_MEASURE}_high"].max()
        axes.set_xlim(low - 0.05 * (high - low), high + 0.8 * (high - low))

    # Names are written next to their points inside the panel, since they are too long for an axis.
    return panels(_by_text(models), draw, "Bits per character", None, share=False)


def held_out_losses(models: pd.DataFrame, losses: pd.DataFrame | None) -> Figure | None:
    """The loss on held-out sentences over steps, with a line for each model and a panel for each text.

    The line of a model that continues another begins at the step at which it continues.
    """
    if losses is None or losses["validation_loss"].isna().all():
        return None
    evaluated = losses.dropna(subset="validation_loss")
    before = dict(zip(models["model"], models["continues"].fillna(""), strict=True))
    steps = dict(zip(models["model"], models["steps"], strict=True))

    def draw(axes: Axes, group: pd.DataFrame) -> None:
        for name in group["model"]:
            own = evaluated[
                (evaluated["model"] == name) & (evaluated["step"] >= steps.get(before[name], 0))
            ]
            if len(own):
                axes.plot(own["step"], own["validation_loss"], linewidth=1, label=shortened(name))
        axes.legend(fontsize=5)

    return panels(_by_text(models), draw, "Step", "Loss of held-out sentences", share=False)


def shortened(name: str) -> str:
    """A name, shortened to fit into a panel.

    >>> shortened("english-swap-30"), shortened("a name that is too long to be shown")
    ('english-swap-30', 'a name that is too …')
    """
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"


def _by_text(models: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    """The models of each text, under its name."""
    texts = models[["pair", "side", "text"]].fillna("").astype(str).agg(", ".join, axis=1)
    return [(name.strip(", "), group) for name, group in models.groupby(texts, sort=False)]
