"""Drawings of how merges and morphemes build words (BPE-knockout, Figures 7, 8 and 9)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from seggrid.morphology.merge_graph import Tree
from seggrid.report.figures.style import BLUE, GREY, PAGE

# Inches of a level of a tree, and of a symbol of one character and of each further one.
_LEVEL, _SYMBOL, _CHARACTER = 0.3, 0.3, 0.075


def draw_trees(words: Sequence[Sequence[Tree]]) -> Figure:
    """A panel for each word: its symbols at the foot, above them what merges make of them.

    Args:
        words: the trees of each word's tokens; the tokens are drawn in bold.
    """
    heights = [max(tree.height for tree in trees) + 1 for trees in words]
    widths = [
        sum(_SYMBOL + _CHARACTER * (len(leaf.text) - 1) for tree in trees for leaf in tree.leaves)
        for trees in words
    ]
    figure = Figure(figsize=(max(PAGE / 4, *widths), _LEVEL * (sum(heights) + len(words))))
    grid = figure.subplots(len(words), 1, squeeze=False, height_ratios=heights)
    figure.subplots_adjust(left=0.01, right=0.99, top=0.98, bottom=0.02, hspace=0.4)
    for axes, trees, height in zip(grid.flat, words, heights, strict=True):
        places = count()
        for tree in trees:
            _draw(axes, tree, places, is_token=True)
        axes.set_xlim(-0.6, next(places) - 0.4)
        axes.set_ylim(-0.5, height - 0.5)
        axes.axis("off")
    return figure


def _draw(axes: Axes, tree: Tree, places: count[int], is_token: bool = False) -> float:
    """Draw a tree from the next free place on; return where its root stands."""
    at = [_draw(axes, part, places) for part in tree.parts]
    x = (at[0] + at[-1]) / 2 if at else float(next(places))
    for part, below in zip(tree.parts, at, strict=True):
        axes.plot([below, x], [part.height, tree.height], color=GREY, linewidth=0.8, zorder=1)
    axes.text(
        x,
        tree.height,
        tree.text,
        ha="center",
        va="center",
        fontsize=7,
        fontweight="bold" if is_token else "normal",
        color=BLUE if is_token else "black",
        bbox={"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none"},
        zorder=2,
    )
    return x
