"""Snakemake's private limit of jobs per second is lifted if it exists."""

import inspect
from types import SimpleNamespace

import pytest
from snakemake.scheduling.job_scheduler import JobScheduler

from seggrid.workflow.rules.environment import lift_job_rate_limit


def test_the_limit_is_lifted():
    workflow = SimpleNamespace(scheduler=SimpleNamespace(job_rate_limiter=object()))
    lift_job_rate_limit(workflow)
    assert workflow.scheduler.job_rate_limiter is None


@pytest.mark.parametrize("workflow", [SimpleNamespace(), SimpleNamespace(scheduler=object())])
def test_a_snakemake_without_it_runs_all_the_same(workflow):
    lift_job_rate_limit(workflow)


def test_this_snakemake_has_it():
    assert "self.job_rate_limiter" in inspect.getsource(JobScheduler)
