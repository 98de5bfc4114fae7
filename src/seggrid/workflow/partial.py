"""The outputs of a failed run that are up to date all the same."""

from __future__ import annotations

from typing import Any


def up_to_date(workflow: Any) -> set[str] | None:
    """The outputs that this run has made, or had no reason to make, once it has failed.

    A file that is there may be one of an earlier run, with other settings: those are outputs of jobs
    that were to run and have not finished, for Snakemake plans every job that follows from a change.

    Args:
        workflow: Snakemake's workflow. How it keeps its jobs is private to it.

    Returns:
        Paths as the rules spell them; they need not be there, since a file that nothing needs may be
        gone. None where Snakemake does not tell, so that no outdated file is taken for an up-to-date one.
    """
    try:
        unfinished = set(workflow.dag.needrun_jobs())
        jobs = [job for job in workflow.dag.jobs if job not in unfinished]
        return {str(file) for job in jobs for file in job.output}
    except (AttributeError, TypeError):
        return None
