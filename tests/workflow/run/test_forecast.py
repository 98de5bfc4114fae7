"""What a run will cost, before it starts."""

import pytest

from seggrid.workflow.run.dry_run import PlannedJob
from seggrid.workflow.run.forecast import (
    COSTS,
    OVERHEAD,
    Costs,
    Job,
    describe,
    measured,
    planned,
    read_costs,
)

pytestmark = pytest.mark.tier("quick")

GIBBS = Job("align", "gibbs", "p", 2)
FAST = Job("align", "fast_align", "p", 1)
LOG = "p/bpe+merges=5/bpe+merges=5/gibbs+x=1/replicate=0/2-3"


def row(stage, cell, cpu, memory=""):
    return {"stage": stage, "cell": cell, "cpu_seconds": str(cpu), "max_rss_mb": str(memory)}


def test_a_planned_job_and_its_log_say_the_same():
    wildcards = {"pair": "p", "aligner": "gibbs+x=1", "part": "2-3"}
    assert planned(PlannedJob("align", wildcards=wildcards)) == GIBBS
    assert measured(row("align", LOG, 1)) == GIBBS
    spec = {"pair": "p", "side": "source", "spec": "bpe+merges=5", "part": "0-0"}
    segment = Job("segment", "bpe", "p", 1)
    assert planned(PlannedJob("segment", wildcards=spec)) == segment
    assert measured(row("segment", "p/source/bpe+merges=5/0-0", 1)) == segment
    # A job of the whole grid.
    assert planned(PlannedJob("collate")) == Job("collate", "", "", 1)


def test_a_job_costs_in_proportion_to_text_and_samples():
    cost, costs = COSTS["align"], Costs({"p": 3.0, "q": 1.0})
    expected = cost.fixed + cost.rate * 3.0 * 2 + OVERHEAD
    assert costs.cpu_seconds(GIBBS) == pytest.approx(expected)
    assert costs.of([GIBBS, GIBBS]).cpu_seconds == pytest.approx(2 * expected)
    assert costs.of([GIBBS, FAST]).longest == pytest.approx(expected)
    assert costs.of([GIBBS, FAST]).wall_seconds(8) == pytest.approx(expected)
    # One of the whole grid reads all texts.
    assert costs.memory_mb(Job("align", "gibbs", "", 1)) > costs.memory_mb(GIBBS)


def test_measured_jobs_take_what_they_took_and_others_the_same_factor():
    rows = [row("align", LOG, 50, 999), row("align", LOG.replace("2-3", "0-0"), 30, 700)]
    shipped, costs = Costs({"p": 3.0}), Costs({"p": 3.0}, rows)
    again = [measured(one) for one in rows]
    foreseen = sum(costs.cpu_seconds(job) - OVERHEAD for job in again)
    assert foreseen == pytest.approx(80)
    factor = 80 / sum(shipped.cpu_seconds(job) - OVERHEAD for job in again)
    fast = shipped.cpu_seconds(FAST) - OVERHEAD
    assert costs.cpu_seconds(FAST) - OVERHEAD == pytest.approx(factor * fast)
    assert costs.memory_mb(GIBBS) == 999
    assert costs.of(again).measured == 1
    assert shipped.of(again).measured == 0
    # Jobs of a pair that is no longer in the config say nothing of this one.
    gone = Costs({"q": 3.0}, rows)
    assert gone.cpu_seconds(Job("align", "gibbs", "q", 2)) == shipped.cpu_seconds(GIBBS)


def test_a_run_without_jobs_costs_nothing():
    found = Costs({}).of([])
    assert found.cpu_seconds == found.memory_mb == found.disk_mb == 0
    assert describe(found, 2).startswith("cost: about 0 s on 2 cores (0 s of CPU), 0 MB")


@pytest.mark.parametrize("text", ["", "a,b\n1,2\n", "stage,cell,cpu_seconds\nalign,x,fast\n"])
def test_a_damaged_table_of_costs_is_as_none(tmp_path, text):
    (tmp_path / "cost.csv").write_text(text)
    assert read_costs(tmp_path / "cost.csv") == read_costs(tmp_path / "none.csv") == []
