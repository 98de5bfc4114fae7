"""Write the reference of columns into docs/results.md."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from seggrid.base.files import atomic_write
from seggrid.data.result_tables import PARTS, TABLES, ResultTable

BEGIN, END = "<!-- tables -->", "<!-- /tables -->"
REFERENCE = Path(__file__).parents[4] / "docs/results.md"


def reference() -> str:
    """The part of docs/results.md that describes the tables."""
    return "\n".join(line for table in TABLES for line in _section(table)).rstrip("\n")


def _section(table: ResultTable) -> Iterable[str]:
    shown = [f"the page's section `{table.section}`"] if table.section else []
    shown += ["figures"] if table.drawn else []
    shown += ["tables for papers"] if table.latex else []
    yield f"### {table.file}\n"
    made = f" Made if the config has {PARTS[table.part]}." if table.part != "experiments" else ""
    also = (
        f" Also in {' and '.join(filter(None, [', '.join(shown[:-1]), shown[-1]]))}."
        if shown
        else ""
    )
    yield f"One row per {table.rows}.{made}{also}\n"
    yield "| column | unit | meaning |\n| --- | --- | --- |"
    for column in table.columns:
        names = ", ".join(f"`{name}`" for name in column.names)
        yield f"| {names} | {column.unit} | {column.meaning} |"
    yield ""


def with_reference(text: str) -> str:
    """The text with an updated reference between its markers."""
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    return f"{before}{BEGIN}\n\n{reference()}\n\n{END}{after}"


if __name__ == "__main__":
    text = with_reference(REFERENCE.read_text("utf-8"))
    with atomic_write(REFERENCE) as file:
        file.write(text)
