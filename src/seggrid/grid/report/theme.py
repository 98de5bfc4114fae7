"""One theme for the page and the static figures: colors, shapes, and how Vega-Lite draws.

Nine colors that can be told apart with the common kinds of color blindness, each with a shape of its own. The
page has them as `--c1` to `--c9` of its style sheet, for light and for dark paper.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

GREY = "#5A6472"

# The color on light and on dark paper, and the shape in matplotlib and in Vega.
_CYCLE = (
    ("#0072B2", "#4BA3DC", "o", "circle"),
    ("#D55E00", "#F08642", "^", "triangle-up"),
    ("#009E73", "#2FC49A", "s", "square"),
    ("#993D67", "#AD5F82", "D", "diamond"),
    ("#C2AE00", "#FFD966", "v", "triangle-down"),
    ("#C68CFF", "#F0B3FF", "P", "cross"),
    (
        "#000B70",
        "#2765C2",
        "X",
        "M0,-.6L.35,-.95L.95,-.35L.6,0L.95,.35L.35,.95L0,.6L-.35,.95L-.95,.35L-.6,0L-.95,-.35L-.35,-.95Z",
    ),
    ("#470B00", "#B3FFFF", "<", "triangle-left"),
    ("#005C09", "#5A7000", ">", "triangle-right"),
)

PALETTE = tuple((light, dark) for light, dark, _, _ in _CYCLE)
"""The colors on light and on dark paper."""


@dataclass(frozen=True)
class Look:
    """How a line or a point looks: `color` and `marker` in matplotlib, `css` and `shape` in the page."""

    color: str
    css: str
    marker: str
    shape: str


def _look(color: int, shape: int) -> Look:
    light, _, _, _ = _CYCLE[color]
    _, _, marker, vega = _CYCLE[shape]
    return Look(light, f"var(--c{color + 1})", marker, vega)


FIRST = _look(0, 0)
"""The look of what is drawn alone."""

PLAIN = Look(GREY, "var(--muted)", "o", "circle")
"""The look of what others are compared with, such as words."""

METRIC_LOOKS = {
    "Precision": _look(1, 1),
    "Recall": _look(2, 2),
    "F1": FIRST,
    "AER": _look(3, 3),
}
"""By the label of a metric."""


def looks(names: Iterable[str]) -> dict[str, Look]:
    """A color and a shape for each name; from the tenth on, colors come with other shapes.

    >>> list(looks("abcdefghij").values())[9] == Look("#0072B2", "var(--c1)", "^", "triangle-up")
    True
    """
    count = len(_CYCLE)
    return {name: _look(k % count, (k + k // count) % count) for k, name in enumerate(names)}


def style_of_palette() -> str:
    """The colors as lines of the page's style sheet."""
    return "\n".join(
        f"  --c{k}: light-dark({light.lower()}, {dark.lower()});"
        for k, (light, dark) in enumerate(PALETTE, 1)
    )


def vega_config() -> dict[str, Any]:
    """The configuration of all charts of the page.

    Colors are the names of the style sheet: the browser resolves them, so that a chart on the screen has
    other colors than the same chart on paper.
    """
    ink, muted, line = "var(--ink)", "var(--muted)", "var(--line)"
    return {
        "background": "transparent",
        "axis": {
            **{"labelColor": muted, "titleColor": ink, "gridColor": line},
            **{"domainColor": line, "tickColor": line, "titleFontWeight": 500},
            **{"titleFontSize": 12, "labelFontSize": 11, "titlePadding": 8, "labelPadding": 5},
            # A label at the end of an axis is not moved, so that its neighbours keep their room.
            **{"labelOverlap": "parity", "labelFlush": False, "labelSeparation": 6},
        },
        "axisY": {"domain": False, "ticks": False},
        "header": {
            **{"labelColor": ink, "labelFontSize": 12, "labelFontWeight": 600},
            **{"title": None, "labelPadding": 6, "labelAnchor": "start"},
        },
        "legend": {
            **{"labelColor": ink, "titleColor": muted, "titleFontWeight": 500, "orient": "top"},
            **{"labelFontSize": 12, "titleFontSize": 12, "labelLimit": 260, "padding": 0},
            **{"columnPadding": 14, "offset": 10, "symbolOpacity": 1},
        },
        "title": {"color": ink, "fontSize": 12, "fontWeight": 600},
        "axisX": {"tickCount": 7},
        "view": {"stroke": None},
        "mark": {"tooltip": {"content": "data"}},
        "text": {"color": muted},
        "rule": {"tooltip": None},
    }
