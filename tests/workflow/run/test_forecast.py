"""What a run will cost, before it starts."""

from pathlib import Path

import pytest

from seggrid.grid.config import read_config
from seggrid.workflow.rules.inputs import Inputs
from seggrid.workflow.rules.resources import Extent
from seggrid.workflow.run.dry_run import PlannedJob
from seggrid.workflow.run.forecast import (
    COSTS,
    CROWDED,
    OVERHEAD,
    Costs,
    Job,
    describe,
    measured,
    planned,
    read_costs,
    tokens_per_word,
)

pytestmark = pytest.mark.tier("quick")

WORDS, BPE = "words+case=lower", "bpe+merges=5"
GIBBS = Job("align", "gibbs", "p", 2, (BPE, BPE))
FAST = Job("align", "fast_align", "p", 1, (BPE, BPE))
LOG = "p/bpe+merges=5/bpe+merges=5/gibbs+x=1/replicate=0/2-3"


def row(stage, cell, cpu, memory=""):
    return {"stage": stage, "cell": cell, "cpu_seconds": str(cpu), "max_rss_mb": str(memory)}


def test_a_planned_job_and_its_log_say_the_same():
    sides = {"source": "bpe+merges=5", "target": "bpe+merges=5"}
    wildcards = {"pair": "p", **sides, "aligner": "gibbs+x=1", "part": "2-3"}
    assert planned(PlannedJob("align", wildcards=wildcards)) == GIBBS
    assert measured(row("align", LOG, 1)) == GIBBS
    spec = {"pair": "p", "side": "source", "spec": "bpe+merges=5", "part": "0-0"}
    segment = Job("segment", "bpe", "p", 1, (BPE,))
    assert planned(PlannedJob("segment", wildcards=spec)) == segment
    assert measured(row("segment", "p/source/bpe+merges=5/0-0", 1)) == segment
    # A job of the whole grid.
    assert planned(PlannedJob("collate")) == Job("collate", "", "", 1)


def text(mb, sentences=10_000):
    return Extent(mb, sentences, (5.0, 6.0), 2 * mb)


def test_an_aligner_costs_in_proportion_to_token_pairs_and_samples():
    cost, costs = COSTS["align"], Costs({"p": text(3.0), "q": text(1.0)})
    tokens = tokens_per_word(BPE, 5.0) * tokens_per_word(BPE, 6.0)
    expected = cost.fixed + cost.rate * 6.0 * tokens**CROWDED / 100 * 2 + OVERHEAD
    assert costs.cpu_seconds(GIBBS) == pytest.approx(expected)
    assert costs.of([GIBBS, GIBBS]).cpu_seconds == pytest.approx(2 * expected)
    assert costs.of([GIBBS, FAST]).longest == pytest.approx(expected)
    assert costs.of([GIBBS, FAST]).wall_seconds(8) == pytest.approx(expected)
    # One of the whole grid reads all texts.
    whole = Job("collate", "", "", 1)
    assert costs.memory_mb(whole) > costs.memory_mb(whole._replace(pair="p"))


def test_other_jobs_cost_in_proportion_to_the_text_that_they_read():
    cost, costs = COSTS["segment bpe"], Costs({"p": text(3.0)})
    whole = Job("segment", "bpe", "p", 4, (BPE,))
    half = whole._replace(specs=("bpe+sentences=5000+merges=5",))
    assert costs.cpu_seconds(whole) == pytest.approx(cost.fixed + cost.rate * 12 + OVERHEAD)
    assert costs.cpu_seconds(half) == pytest.approx(cost.fixed + cost.rate * 6 + OVERHEAD)
    # A sampler does more sweeps of fewer sentences.
    ours = [replaced(GIBBS, "5000"), GIBBS]
    less, more = (costs.cpu_seconds(job) - OVERHEAD - COSTS["align"].fixed for job in ours)
    assert less / more == pytest.approx(0.5**0.5)


def replaced(job, sentences):
    return job._replace(specs=(f"bpe+sentences={sentences}+merges=5",) * 2)


def test_finer_segmentations_have_more_tokens():
    specs = [
        WORDS,
        *(f"bpe+merges={m}+application=rank" for m in (8000, 1000, 100)),
        "bpe+merges=100+dropout=1/2",
    ]
    found = [tokens_per_word(spec, 5.0) for spec in specs]
    assert found == sorted(found)
    assert found[0] == 1
    assert found[-1] == tokens_per_word("characters+spaces=yes", 5.0) == 5


def test_the_text_is_read_for_its_size(root, tmp_path, monkeypatch):
    (tmp_path / "resources").symlink_to(root / "resources")
    monkeypatch.chdir(tmp_path)
    found = Inputs(read_config([root / "config/config.yaml"])).sizes.extent("builtin")
    folder = Path("resources/builtin")
    lines = [(folder / name).read_text("utf-8").splitlines() for name in ("eng.txt", "deu.txt")]
    words = [[line.split() for line in side] for side in lines]
    letters = [len("".join(side).replace(" ", "")) for side in lines]
    assert found.sentences == len(lines[0])
    assert found.letters == tuple(
        n / sum(map(len, side)) for n, side in zip(letters, words, strict=True)
    )
    products = sum(len(one) * len(other) for one, other in zip(*words, strict=True))
    assert found.products == pytest.approx(products / 1e6)


def test_the_calibration_scales_jobs_that_nothing_measured():
    texts = {"p": text(3.0)}
    plain, slow = Costs(texts), Costs(texts, factor=2.0)
    both = [costs.cpu_seconds(FAST) - OVERHEAD for costs in (plain, slow)]
    assert both[1] == pytest.approx(2 * both[0])
    assert "the rest by 2.0 times shipped figures" in describe(slow.of([FAST]), 1)
    assert "times" not in describe(plain.of([FAST]), 1)
    # Measured jobs say more.
    measured_too = Costs(texts, [row("align", LOG, 50)], factor=2.0)
    assert measured_too.cpu_seconds(FAST) == Costs(texts, [row("align", LOG, 50)]).cpu_seconds(FAST)


def test_measured_jobs_take_what_they_took_and_others_the_same_factor():
    rows = [row("align", LOG, 50, 999), row("align", LOG.replace("2-3", "0-0"), 30, 700)]
    shipped, costs = Costs({"p": text(3.0)}), Costs({"p": text(3.0)}, rows)
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
    gone = Costs({"q": text(3.0)}, rows)
    assert gone.cpu_seconds(GIBBS._replace(pair="q")) == shipped.cpu_seconds(GIBBS)


def test_a_run_without_jobs_costs_nothing():
    found = Costs({}).of([])
    assert found.cpu_seconds == found.memory_mb == found.disk_mb == 0
    assert describe(found, 2).startswith("cost: about 0 s on 2 cores (0 s of CPU), 0 MB")


@pytest.mark.parametrize("text", ["", "a,b\n1,2\n", "stage,cell,cpu_seconds\nalign,x,fast\n"])
def test_a_damaged_table_of_costs_is_as_none(tmp_path, text):
    (tmp_path / "cost.csv").write_text(text)
    assert read_costs(tmp_path / "cost.csv") == read_costs(tmp_path / "none.csv") == []
