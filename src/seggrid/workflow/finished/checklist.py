"""The reproducibility questions of ACL venues, answered from the record and the tables of a run.

The questions are section C of the Responsible NLP Research checklist (https://aclrollingreview.org/responsibleNLPresearch).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from seggrid.grid.axes import AXES
from seggrid.workflow.finished.tables import Table

MOST = 12
"""The most values of an axis that are written out."""


def checklist(record: Mapping[str, Any], tables: Mapping[str, Table]) -> str:
    """The answers as Markdown; questions that the run does not answer are left to the author.

    Args:
        record: the record of the run.
        tables: the tables of the run, by name.
    """
    parts = {
        "C1. Parameters, computing budget, infrastructure": _budget(record, tables),
        "C2. Settings that were tried, and how the best were chosen": _settings(record, tables),
        "C3. Number of runs, and errors": _runs(record, tables),
        "C4. Packages": [
            f"- {name} {version}" for name, version in sorted(record["versions"].items())
        ],
        "B. Data (for you to fill in)": [
            "- Sources, licences and consent of these files, by sha256:",
            *(f"    - `{name}`: {digest}" for name, digest in record["inputs"].items()),
        ],
    }
    lines = ["# Reproducibility checklist", ""]
    for title, answers in parts.items():
        lines += [f"## {title}", "", *answers, ""]
    return "\n".join(lines)


def _budget(record: Mapping[str, Any], tables: Mapping[str, Table]) -> Iterator[str]:
    for name, value in record["machine"].items():
        yield f"- {name}: {value}"
    costs = _rows(tables, "cost")
    if costs:
        cpu, wall = (_sum(costs, name) / 3600 for name in ("cpu_seconds", "seconds"))
        peak = max((float(row["max_rss_mb"] or 0) for row in costs), default=0)
        yield (
            f"- {len(costs):,} jobs: {cpu:.3g} CPU hours; {wall:.3g} hours one after the other, without "
            f"the workflow itself; at most {peak:,.0f} MB of memory in a job. No GPU hours are measured."
        )
    for row in _rows(tables, "language_model"):
        yield f"- language model {row['model']}: {int(float(row['parameters'])):,} parameters"
    yield "- Aligners are statistical models; of a neural one, give its encoder's number of parameters."


def _settings(record: Mapping[str, Any], tables: Mapping[str, Table]) -> Iterator[str]:
    cells = _rows(tables, "scores")
    if cells:
        yield f"- {len(cells):,} cells, all of whose scores are in scores.csv. Axes with several values:"
    for axis in AXES:
        values = list(dict.fromkeys(row[axis] for row in cells if row.get(axis)))
        if len(values) > 1:
            rest = f" and {len(values) - MOST} more" if len(values) > MOST else ""
            yield f"    - {axis}: {', '.join(values[:MOST])}{rest}"
    chosen = [row for row in _rows(tables, "selection") if row["family"] == "all"]
    for row in chosen:
        yield (
            f"- {row['pair']}: chosen by F1 on gold sentences. On the sentences of the choice (development) "
            f"F1 {_share(row['best_f1'])}, on sentences apart from it (test, nested cross-validation) "
            f"{_share(row['f1'])} [{_share(row['f1_low'])}, {_share(row['f1_high'])}]: {row['best']}"
        )
    if cells and not chosen:
        yield (
            "- Scores are on all gold sentences: the best cell of scores.csv was chosen on the sentences "
            "that it is scored on."
        )


def _runs(record: Mapping[str, Any], tables: Mapping[str, Table]) -> Iterator[str]:
    seed = record["settings"].get("seed", 1)
    yield f"- seed {seed}; each cell and sample draws from a seed of its own, made from it."
    cells = _rows(tables, "scores")
    for column, what in (("replicates", "runs of a random aligner"), ("samples", "samples")):
        counts = sorted({int(float(row[column])) for row in cells if row.get(column)})
        if counts:
            yield f"- {what}: {', '.join(map(str, counts))}"
    if cells:
        yield (
            "- scores.csv has means over runs, and standard deviations (`f1_sd`); significance.csv 95% "
            "intervals by bootstrap over sentences, and paired randomization tests corrected by Holm."
        )


def _rows(tables: Mapping[str, Table], name: str) -> list[Mapping[str, str]]:
    return list(tables[name].rows) if name in tables else []


def _sum(rows: list[Mapping[str, str]], column: str) -> float:
    return sum(float(row[column] or 0) for row in rows)


def _share(text: str) -> str:
    return f"{float(text):.4f}" if text else "unknown"
