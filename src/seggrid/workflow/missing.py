"""Why a cell has no scores: what the logs of the jobs that lead to it say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from glob import escape
from pathlib import Path

from seggrid.segment.side import CORPUS, LEARN, PRUNE, parse_spec

LOGS = "results/logs"
NOT_RUN = "not run: something that it needs has failed, or the run ended before it"


def reason(row: Mapping[str, str], logs: str | Path = LOGS, since: float = 0) -> str:
    """The first stage on the way to a cell that failed, and the last line of its log.

    Args:
        row: the cell's row in the table of cells.
        logs: the folder of logs. A job that ends well leaves an empty log, or one whose last line
            says how long its work took.
        since: when the run started, in seconds since the epoch; older logs are of earlier runs.
    """
    for stage, pattern in _logs(row):
        for file in sorted(Path(logs).glob(pattern)):
            if file.stat().st_mtime < since:
                continue
            lines = file.read_text(encoding="utf-8", errors="replace").strip().splitlines()
            if lines and " took " not in lines[-1]:
                return f"{stage}: {lines[-1].removeprefix('error: ')}"
    return NOT_RUN


def _logs(row: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Every stage and a glob of its logs, in the order of the pipeline."""
    pair = escape(row["pair"])
    sides = [(side, parse_spec(row[side])) for side in ("source", "target")]
    for side, spec in sides:
        yield "corpus", f"corpus/{pair}/{side}/{escape(spec.spec(CORPUS))}.log"
    yield "gold", f"gold/{pair}.log"
    for side, spec in sides:
        if spec.learns:
            yield "learn", f"learn/{pair}/{side}/{escape(spec.spec(LEARN, learned=None))}+*.log"
        if spec.pruned:
            yield "prune", f"prune/{pair}/{side}/{escape(spec.spec(PRUNE))}.log"
        yield "segment", f"segment/{pair}/{side}/{escape(str(spec))}/*.log"
    both = f"{pair}/{escape(row['source'])}/{escape(row['target'])}/{escape(row['aligner'])}"
    yield "align", f"align/{both}/*/*.log"
    yield "score", f"score/{both}/{escape(row['symmetrization'])}/*/*.log"
