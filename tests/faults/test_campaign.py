"""The short form of the campaign: every scenario once, on a few cells, up to their scores."""

import os

import pytest
from campaign import Campaign, builtin_grid


@pytest.fixture(scope="module")
def campaign(tmp_path_factory):
    folder = tmp_path_factory.mktemp("faults")
    campaign = Campaign(folder, builtin_grid(small=True), 1, ["results/scores.csv"])
    campaign.prepare()
    return campaign


def test_damaged_outputs_are_found_and_made_again(campaign):
    campaign.damage(tries=1)


def test_killed_runs_resume(campaign):
    campaign.kills(tries=2)


def test_an_interrupted_run_resumes(campaign):
    campaign.interrupts(tries=1)


def test_a_failed_job_holds_up_nothing_else(campaign):
    campaign.failure()


def test_two_runs_at_once(campaign):
    campaign.twice()


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to mount a folder read-only")
def test_read_only_results(campaign):
    campaign.read_only()


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to mount a small disk")
def test_a_full_disk(campaign):
    campaign.full_disk()
