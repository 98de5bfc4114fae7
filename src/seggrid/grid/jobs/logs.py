"""Find the logs of a cell's jobs, and in them the reason why the cell has no scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from glob import escape
from pathlib import Path
from typing import NamedTuple

from seggrid.grid.axes import RESULTS
from seggrid.grid.samples import Part, cover
from seggrid.segment import SEGMENTERS
from seggrid.segment.side import parse_spec
from seggrid.text.sides import BOTH, SIDES

LOGS = f"{RESULTS}/logs"


class JobLogs(NamedTuple):
    """The logs of the jobs of one stage on which a cell depends.

    Attributes:
        stage: name of the stage.
        pattern: a glob below the stage's logs, without the ending.
        samples: number of the cell's samples if each log covers a part of them; otherwise 0.
    """

    stage: str
    pattern: str
    samples: int = 0

    def find(self, folder: str | Path = LOGS) -> list[Path]:
        """The existing logs, of any parts."""
        return sorted(Path(folder, self.stage).glob(f"{self.pattern}.log"))

    def find_used(self, folder: str | Path = LOGS) -> list[Path]:
        """The existing logs, without those of parts that only earlier grids used."""
        logs = self.find(folder)
        if not self.samples:
            return logs
        parts = cover(self.samples, [Part.from_text(log.stem) for log in logs], self.samples)
        used = set(map(str, parts))
        return [log for log in logs if log.stem in used]


def job_logs(row: Mapping[str, str]) -> Iterator[JobLogs]:
    """The logs of the jobs on which a cell, a row of the table of cells, depends, in pipeline order."""
    pair = escape(row["pair"])
    samples = int(row["samples"])
    sides = [(side, parse_spec(row[side])) for side in SIDES]
    for side, spec in sides:
        yield JobLogs("corpus", f"{pair}/{side}/{escape(spec.spec('corpus'))}")
    for stage in ("gold", "gold_lines"):
        yield JobLogs(stage, pair)
    for side, spec in sides:
        if SEGMENTERS[spec.segmenter].annotation:
            yield JobLogs("tag", f"{pair}/{side}/{escape(spec.spec('corpus'))}")
        if spec.learns:
            # A model may be used for several numbers of merges, so its size is not in the row.
            model_log = escape(spec.spec("learn", learned=None))
            if spec.vocabulary is None:
                model_log += f"+learned={'*' if spec.nested else spec.merges}"
            yield JobLogs("learn", f"{pair}/{BOTH if spec.joint else side}/{model_log}")
        if spec.pruned:
            yield JobLogs("prune", f"{pair}/{side}/{escape(spec.spec('prune'))}")
        parts = f"{pair}/{side}/{escape(str(spec))}/*-*"
        yield JobLogs("segment", parts, samples if spec.sampled else 1)
    # In paths, the name of the aligner is followed by its axes.
    score = Path(row["file"]).relative_to(f"{RESULTS}/score").with_suffix("")
    alignment = escape("/".join(score.parts[:4]))
    for replicate in range(int(row["replicates"])):
        yield JobLogs("align", f"{alignment}/replicate={replicate}/*-*", samples)
    yield JobLogs("score", escape(str(score)))
    for side, spec in sides:
        yield JobLogs("measure", f"{pair}/{side}/{escape(str(spec))}")


NOT_RUN = "not run: something that it needs has failed, or the run ended before it"


def reason(row: Mapping[str, str], logs: str | Path = LOGS, since: float = 0) -> str:
    """The first failed stage on which a cell depends, and the last line of its log; logs from before
    `since`, seconds since the epoch, are of earlier runs. That of a job that succeeded is empty or ends in
    its time."""
    for log in job_logs(row):
        for file in log.find(logs):
            if file.stat().st_mtime < since:
                continue
            lines = file.read_text(encoding="utf-8", errors="replace").strip().splitlines()
            if lines and " took " not in lines[-1]:
                return f"{log.stage}: {lines[-1].removeprefix('error: ')}"
    return NOT_RUN
