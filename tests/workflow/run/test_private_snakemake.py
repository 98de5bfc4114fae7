"""What is private to Snakemake is changed if it exists: its limit of jobs per second, what slows planning."""

import inspect
import os
import subprocess
import sys
from types import SimpleNamespace

import pytest
from snakemake.scheduling.job_scheduler import JobScheduler

from seggrid.workflow.rules.environment import BRIEF, lift_job_rate_limit
from seggrid.workflow.run.dry_run import read_dry_run


def test_the_limit_is_lifted():
    workflow = SimpleNamespace(scheduler=SimpleNamespace(job_rate_limiter=object()))
    lift_job_rate_limit(workflow)
    assert workflow.scheduler.job_rate_limiter is None


@pytest.mark.parametrize("workflow", [SimpleNamespace(), SimpleNamespace(scheduler=object())])
def test_a_snakemake_without_it_runs_all_the_same(workflow):
    lift_job_rate_limit(workflow)


def test_this_snakemake_has_it():
    assert "self.job_rate_limiter" in inspect.getsource(JobScheduler)


SNAKEFILE = """
rule all:
    input: "scored"

rule align:
    output: "{name}.links"
    params: x=lambda wc: wc.name
    shell: "touch {output} {params.x}"

rule score:
    input: "a,1.links", "b.links"
    output: "scored"
    shell: "touch {output}"
"""

FASTER = """
from seggrid.workflow.rules.environment import plan_faster
plan_faster()
"""


def planned(folder, text, **variables):
    (folder / "Snakefile").write_text(text)
    command = [sys.executable, "-m", "snakemake", "-n", "--quiet", "host", "--cores", "1"]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, env=os.environ | variables
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def test_the_brief_list_of_jobs_says_the_same(tmp_path):
    plain = planned(tmp_path, SNAKEFILE)
    brief = planned(tmp_path, FASTER + SNAKEFILE, **{BRIEF: "yes"})
    assert "jobid" in plain
    assert "jobid" not in brief

    def of(text):
        # Snakemake names files in a reason in any order.
        return {
            (job.rule, job.inputs, job.outputs, *job.wildcards.items(), *job.causes)
            for job in read_dry_run(text)
        }

    assert of(brief) == of(plain)
    assert len(of(brief)) == 4


def test_this_snakemake_has_what_slows_planning():
    import snakemake.common
    import snakemake.jobs
    import snakemake.rules

    assert snakemake.rules.get_function_params is snakemake.common.get_function_params
    assert hasattr(snakemake.jobs.Job, "log_info")
