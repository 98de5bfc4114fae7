"""What a notebook shows of results, and results as frames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from seggrid.base.extras import import_installed

if TYPE_CHECKING:
    import pandas as pd


def html_table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table in HTML. Fractions have four decimals; nan is an empty field."""
    lines = [_row("th", head), *(_row("td", row) for row in rows)]
    return f"<table>{''.join(lines)}</table>"


def _row(kind: str, values: Sequence[object]) -> str:
    from html import escape

    return f"<tr>{''.join(f'<{kind}>{escape(_shown(value))}</{kind}>' for value in values)}</tr>"


def _shown(value: object) -> str:
    if value != value:
        return ""
    return f"{value:.4f}" if isinstance(value, float) and value % 1 else f"{value}"


def frame(rows: Sequence[Mapping[str, Any]], index: str | None = None) -> pd.DataFrame:
    """Rows as a frame of pandas, which the extra `grid` brings."""
    pandas = import_installed("grid", "pandas", user="a frame")
    made: pd.DataFrame = pandas.DataFrame(rows)
    return made if index is None else made.set_index(index)
