"""The outputs of a failed run that are up to date."""

from __future__ import annotations

from typing import Any


def up_to_date(workflow: Any) -> set[str] | None:
    """The outputs that a failed run has made, or that did not need to be made.

    All other existing outputs may be those of an earlier run with other settings: Snakemake plans every job
    that depends on a change, so these are the outputs of planned jobs that have not finished.

    Args:
        workflow: Snakemake's workflow. How it stores its jobs is private to Snakemake.

    Returns:
        Paths as the rules spell them; some may not exist, since files that are not needed may be deleted.
        None if Snakemake does not have the expected attributes, so that outdated files are not used.
    """
    try:
        unfinished = set(workflow.dag.needrun_jobs())
        jobs = [job for job in workflow.dag.jobs if job not in unfinished]
        return {str(file) for job in jobs for file in job.output}
    except (AttributeError, TypeError):
        return None
