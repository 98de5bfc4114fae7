"""Find the reason why a cell has no scores, in the logs of the jobs on which it depends."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from seggrid.workflow.jobs.logs import LOGS, job_logs

NOT_RUN = "not run: something that it needs has failed, or the run ended before it"


def reason(row: Mapping[str, str], logs: str | Path = LOGS, since: float = 0) -> str:
    """The first failed stage on which a cell depends, and the last line of its log.

    Args:
        row: the cell's row in the table of cells.
        logs: the folder of logs. The log of a job that succeeded is empty, or its last line says how long its
            work took.
        since: start of the run, in seconds since the epoch; older logs are those of earlier runs.
    """
    for of_stage in job_logs(row):
        for file in of_stage.find(logs):
            if file.stat().st_mtime < since:
                continue
            lines = file.read_text(encoding="utf-8", errors="replace").strip().splitlines()
            if lines and " took " not in lines[-1]:
                return f"{of_stage.stage}: {lines[-1].removeprefix('error: ')}"
    return NOT_RUN
