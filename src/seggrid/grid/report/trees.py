"""Drawings of how merges, morphemes and segments build words and types (BPE-knockout, Figures 1, 7 to 9
and 11; Jung 2023, Figure 2)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import count
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from seggrid.grid.report.figures import PAGE
from seggrid.grid.report.theme import FIRST, GREY
from seggrid.morphology.merge_graph import Neighbors, Tree, spelling

# Inches of a level of a tree, of a symbol of one character, and of each further character.
_LEVEL, _SYMBOL, _CHARACTER = 0.3, 0.3, 0.075

# For graphs of merges: inches of a row, a column, a character, and the frame around a node; and the most
# merges that are drawn next to a type.
_ROW, _COLUMN, _LETTER, _FRAME, _MOST = 0.26, 1.7, 0.06, 0.14, 40


def draw_trees(words: Sequence[Sequence[Tree]]) -> Figure:
    """A panel for each word, given by the trees of its tokens: its symbols at the bottom, above them the
    products of merges; tokens are bold."""
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
    """Draw a tree, beginning at the next free place; return the position of its root."""
    at = [_draw(axes, part, places) for part in tree.parts]
    x = (at[0] + at[-1]) / 2 if at else float(next(places))
    for part, below in zip(tree.parts, at, strict=True):
        axes.plot([below, x], [part.height, tree.height], color=GREY, linewidth=0.8, zorder=1)
    box = {"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none"}
    _node(axes, (x, tree.height), tree.text, box, marked=is_token)
    return x


def _node(
    axes: Axes, place: tuple[float, float], text: str, box: dict[str, Any], *, marked: bool
) -> None:
    """A text in a box; a marked one is bold and blue."""
    axes.text(
        *place,
        text,
        ha="center",
        va="center",
        parse_math=False,
        fontsize=7,
        fontweight="bold" if marked else "normal",
        color=FIRST.color if marked else "black",
        bbox=box,
        zorder=2,
    )


def draw_covers(words: Sequence[tuple[str, Sequence[Sequence[str]]]]) -> Figure:
    """A panel for each word: the tree of its candidate segmentations, with the word on the left.

    Each path from the word to a leaf is a candidate; the first `_MOST` are drawn. The chosen one, which comes
    first, is blue and dotted.
    """
    drawn = [(word, covers[:_MOST], len(covers) - _MOST) for word, covers in words]
    heights = [max(1, len(covers)) + (more > 0) for _, covers, more in drawn]
    depth = max((len(cover) for _, covers, _ in drawn for cover in covers), default=0)
    longest = max(len(word) for word, *_ in drawn)
    column = max(_COLUMN / 2, _FRAME + _LETTER * longest * 1.3)
    figure = Figure(figsize=(column * (depth + 1), _ROW * (sum(heights) + len(words))))
    grid = figure.subplots(len(words), 1, squeeze=False, height_ratios=heights)
    figure.subplots_adjust(left=0, right=1, top=0.99, bottom=0.01, hspace=0.3)
    for axes, (word, covers, more), height in zip(grid.flat, drawn, heights, strict=True):
        axes.set_xlim(-0.5, depth + 0.5)
        axes.set_ylim(height - 0.5, -0.5)
        axes.axis("off")
        chosen = {tuple(covers[0][:n]) for n in range(len(covers[0]) + 1)} if covers else {()}
        # In the order of the tree, so that paths do not cross.
        _grow(axes, word, (), sorted(map(tuple, covers)), chosen, count())
        if more > 0:
            note = f"and {more:,} more"
            axes.text(depth + 0.45, height - 0.9, note, ha="right", va="center", fontsize=7)
    return figure


def _grow(
    axes: Axes,
    text: str,
    path: tuple[str, ...],
    covers: Sequence[tuple[str, ...]],
    chosen: Collection[tuple[str, ...]],
    rows: count[int],
) -> float:
    """Draw a segment after the segments of `path`, and all candidates that begin with these; return its row.

    `chosen` has all prefixes of the chosen candidate, `rows` gives the next free row.
    """
    depth = len(path)
    nexts = dict.fromkeys(cover[depth] for cover in covers if len(cover) > depth)
    below = {
        one: _grow(
            axes,
            one,
            (*path, one),
            [cover for cover in covers if cover[depth : depth + 1] == (one,)],
            chosen,
            rows,
        )
        for one in nexts
    }
    at = sum(below.values()) / len(below) if below else float(next(rows))
    for one, row in below.items():
        color = FIRST.color if (*path, one) in chosen else GREY
        axes.plot([depth, depth + 1], [at, row], color=color, linewidth=0.8, zorder=1)
    marked = path in chosen
    box = {
        "boxstyle": "round,pad=0.2",
        "facecolor": "white",
        "edgecolor": "none" if not path else FIRST.color if marked else GREY,
        "linestyle": ":" if marked else "-",
        "linewidth": 0.7,
    }
    _node(axes, (depth, at), text, box, marked=marked)
    return at


def draw_around(type_: str, found: Neighbors) -> Figure:
    """The merges that make a type and those that use it, as a graph in which types and merges alternate.

    From left to right: the parts of the merges that make it, these merges, the type, the merges that use it,
    and their products. Merges are grey and show their rank and parts; a dotted arrow leads to the product of
    a merge. A type that was pruned is replaced by the parts that spell it in longer merges.
    """
    uses = sorted({*found.used_by, *found.spelled_in})
    shown, more = uses[:_MOST], len(uses) - _MOST
    stems = {stem: None for _, merge in shown for stem in spelling(merge, type_) or (type_,)}
    middle = [type_] if found.made_by or found.used_by else []
    middle += [stem for stem in stems if stem not in middle]
    parts = list(dict.fromkeys(part for _, merge in found.made_by for part in merge))
    labels = [
        parts,
        [f"{rank}: {' + '.join(merge)}" for rank, merge in found.made_by],
        middle,
        [f"{rank}: {' + '.join(merge)}" for rank, merge in shown],
        ["".join(merge) for _, merge in shown],
    ]
    rows = max(map(len, labels))
    columns = sum(map(bool, labels))
    figure = Figure(figsize=(_COLUMN * columns, _ROW * (rows + 1)))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(-0.5, columns - 0.5)
    axes.set_ylim(rows, -1)
    axes.axis("off")

    def place(column: int, row: int, edge: int = 0) -> tuple[float, float]:
        """The position of the middle of a node (`edge` 0), or of its left or right edge (-1 or 1)."""
        width = (_LETTER * len(labels[column][row]) + _FRAME) / _COLUMN
        x = sum(map(bool, labels[:column]))
        return x + edge * width / 2, row + (rows - len(labels[column])) / 2

    def arrow(start: tuple[int, int], end: tuple[int, int], style: str) -> None:
        look = {"arrowstyle": "-|>", "linestyle": style, "color": GREY, "linewidth": 0.6}
        ends = {"shrinkA": 0, "shrinkB": 0, "mutation_scale": 7}
        axes.annotate("", place(*end, -1), place(*start, 1), arrowprops=look | ends)

    for row, (_, merge) in enumerate(found.made_by):
        for part in dict.fromkeys(merge):
            arrow((0, parts.index(part)), (1, row), "-")
        arrow((1, row), (2, 0), ":")
    for row, (_, merge) in enumerate(shown):
        for stem in dict.fromkeys(spelling(merge, type_) or (type_,)):
            arrow((2, middle.index(stem)), (3, row), "-")
        arrow((3, row), (4, row), ":")
    for column, texts in enumerate(labels):
        is_merge = column in (1, 3)
        for row, text in enumerate(texts):
            box = {
                "boxstyle": f"{'square' if is_merge else 'round'},pad=0.25",
                "facecolor": "#E3E6EA" if is_merge else "white",
                "edgecolor": GREY,
                "linewidth": 0.5,
            }
            _node(axes, place(column, row), text, box, marked=text == type_)
    if more > 0:
        note = f"and {more:,} more merges that use it"
        axes.text(columns - 0.55, rows - 0.4, note, ha="right", va="center", fontsize=7)
    return figure
