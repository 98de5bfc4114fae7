"""Write the tables of README and of the pages in docs that name the rows that they show.

Such a table stands below its header after a comment in YAML:

    <!-- table
    rows: data/thesis-gibbs.csv     # below docs/studies
    made: seggrid run config/thesis-gibbs.yaml
    where: dropout == "0"           # of the rows, as in pandas
    columns: setting, merges, f1    # else all
    -->

Its cells are those of the file, each with its interval: the columns NAME_low and NAME_high belong to NAME.
A table of groups of rows, or of other digits than the file's, has instead of `columns`, with numbers in
`where`:

    let: {published: f1 - delta_f1} # further columns
    by: "{setting}"                 # a line for each of these; else for each row
    over: "{merges}"                # with `by`: a field is then column[one of these]
    best: f1                        # with `by`: only the row in which this column is largest
    names: {links: Links}           # with `by`: the names of its lines, by patterns, of which the last that
                                    # is found counts
    cells: "{name} | {f1:.3f}"      # of a line; with `by` alone, fields are column[min], [max] and [count]
    -->
"""

import argparse
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import yaml
from numpy.typing import NDArray

ROOT = Path(__file__).parents[1]
STUDIES = ROOT / "docs/studies"
TABLE = re.compile(
    r"(^<!-- table\n(.*?)^-->\n\n\|[^\n]*\n\| ---[^\n]*\n)((?:\|[^\n]*\n)*)", re.S | re.M
)
"""A comment, the head of the table after it, and its lines."""


def pages() -> list[Path]:
    """README and all pages of docs."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def with_tables(page: str) -> str:
    """The text of a page with the lines of its tables written anew."""
    return TABLE.sub(
        lambda match: match[1] + "".join(f"{line}\n" for line in lines(yaml.safe_load(match[2]))),
        page,
    )


def lines(table: dict[str, Any]) -> Iterator[str]:
    """The lines of a table: a minus in place of a hyphen before a number, no sign before zero, nothing for
    what is missing."""
    if "cells" not in table:
        yield from _as_written(table)
        return
    rows = pd.read_csv(STUDIES / table["rows"])
    if "let" in table:
        rows = rows.assign(**{name: rows.eval(value) for name, value in table["let"].items()})
    if "where" in table:
        rows = rows.query(table["where"])
    shares = [name for name, of in rows.items() if of.dtype == float and (of % 1 > 0).any()]
    rows = rows.assign(**rows[shares] * (1 + 1e-9))  # 0.0185 is 0.019, not 0.018
    for record in _grouped(rows, table) if "by" in table else rows.to_dict("records"):
        cells = _signed(table["cells"].format_map(record))
        cells = re.sub(r"[+−](?=0\.?0*(?![\d.]))", "", cells)
        cells = re.sub(r"[+−]?\bnan\b( \([+−]?nan to [+−]?nan\))?", "", cells)
        yield f"| {cells} |".replace("  ", " ")


def _as_written(table: dict[str, Any]) -> Iterator[str]:
    """The lines of a table whose cells are those of its file."""
    rows = pd.read_csv(STUDIES / table["rows"], dtype=str, keep_default_na=False)
    if "where" in table:
        rows = rows.query(table["where"])
    shown = [name for name in rows if not re.search("_(low|high)$", name)]
    if "columns" in table:
        shown = table["columns"].split(", ")
    for row in rows.to_dict("records"):
        cells = [f"{int(row[name]):,}" if row[name].isdecimal() else row[name] for name in shown]
        for n, name in enumerate(shown):
            if row.get(f"{name}_low"):
                cells[n] += f" ({row[f'{name}_low']} to {row[f'{name}_high']})"
        yield _signed(f"| {' | '.join(cells)} |".replace("  ", " "))


def _signed(text: str) -> str:
    """The text with a minus in place of a hyphen before a number."""
    return re.sub(r"(?<![\w.])-(?=\d)", "−", text)


def _grouped(rows: pd.DataFrame, table: dict[str, Any]) -> Iterable[dict[str, Any]]:
    """The fields of the line of each group of rows."""
    keys, over = _filled(rows, table["by"]), _filled(rows, table.get("over", ""))
    names = table.get("names") or {re.escape(key): key for key in keys}
    last = list(reversed(names.items()))
    found = np.array([next((n for pattern, n in last if re.search(pattern, k)), "") for k in keys])
    for name in dict.fromkeys(names.values()):
        own = rows[found == name]
        if "best" in table:
            fields = own.loc[own[table["best"]].idxmax()].to_dict()
        elif "over" in table:
            columns = over[found == name]
            fields = {column: dict(zip(columns, own[column], strict=True)) for column in own}
        else:
            fields = own.select_dtypes("number").agg(["min", "max", "count"]).to_dict()
        yield fields | {"name": name}


def _filled(rows: pd.DataFrame, template: str) -> NDArray[np.str_]:
    """The template of each row, filled in."""
    return np.array([template.format_map(row) for row in rows.to_dict("records")])


def main() -> None:
    """Write the tables of all pages."""
    argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    ).parse_args()
    for page in pages():
        text = page.read_text("utf-8")
        if (written := with_tables(text)) != text:
            page.write_text(written, "utf-8")
            print(page.name)


if __name__ == "__main__":
    main()
