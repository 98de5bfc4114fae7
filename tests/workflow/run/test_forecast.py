"""What a run will cost, before it starts."""

from pathlib import Path

import pytest

from seggrid.align.gibbs_options import LARGE
from seggrid.align.memory import NEEDS
from seggrid.grid.config import read_config
from seggrid.grid.grid import Grid
from seggrid.workflow.rules.costs import COSTS, Extent, Training, extent
from seggrid.workflow.rules.files import Files
from seggrid.workflow.run.dry_run import PlannedJob
from seggrid.workflow.run.forecast import (
    PROCESS_MB,
    START,
    Costs,
    Job,
    describe,
    measured,
    planned,
    read_costs,
    tokens_per_word,
)

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
    # Parts of a text.
    wildcards = {"pair": "p", **sides, "aligner": "gibbs", "samples": "3", "lines": "50-99"}
    counted = Job("counted", "gibbs", "p", 3, (BPE, BPE), 50)
    assert planned(PlannedJob("counted", wildcards=wildcards)) == counted
    log = "p/bpe+merges=5/bpe+merges=5/gibbs"
    assert measured(row("counted", f"{log}/samples=3/lines=50-99", 1)) == counted
    wildcards |= {"drawn": "20", "symmetrization": "union", "aggregate": "0.5"}
    cut = counted._replace(stage="slice")
    assert planned(PlannedJob("slice", wildcards=wildcards)) == cut
    log += "/union/samples=3/0.5/drawn=20"
    assert measured(row("slice", f"{log}/lines=50-99", 1)) == cut
    assert measured(row("kept", log, 1)) == cut._replace(stage="kept", lines=20)
    # A job of the whole grid.
    assert planned(PlannedJob("collate")) == Job("collate", "", "", 1)
    model = Job("language_model", "", "m", 1)
    assert planned(PlannedJob("language_model", wildcards={"lm": "m"})) == model
    assert measured(row("language_model", "m", 1)) == model
    task = Job("language_model_task", "", "m", 1, ("t",))
    wildcards = {"lm": "m", "task": "t", "tuning": "1"}
    assert planned(PlannedJob("language_model_task", wildcards=wildcards)) == task
    assert measured(row("language_model_task", "m/t/1", 1)) == task


def test_a_rate_in_a_path_may_be_a_fraction():
    """In a planned job, and in the log of a measured one: a third of merges dropped, as 1/3 or as .333."""
    exact, rounded = (f"bpe+merges=100+dropout={rate}" for rate in ("1of3", "0.3333"))
    assert tokens_per_word(exact, 5.0) == pytest.approx(tokens_per_word(rounded, 5.0), abs=1e-3)
    spec = {"pair": "p", "side": "source", "spec": exact, "part": "0-0"}
    job = planned(PlannedJob("segment", wildcards=spec))
    rows = [row("segment", f"p/source/{exact}/0-0", 3)]
    costs = Costs({"p": text(1.0)}, rows)
    assert costs.is_measured(job)
    assert costs.cpu_seconds(job) - costs.overhead(job) == pytest.approx(3)
    few = GIBBS._replace(specs=(f"{exact}+sentences=10", exact))
    assert costs.tokens(few)[0] == pytest.approx(
        costs.tokens(GIBBS._replace(specs=(exact,) * 2))[0] / 1000
    )


def test_a_training_costs_by_its_operations():
    cost, model = COSTS["language_model"], Job("language_model", "", "m", 1)
    trainings = {("m",): Training(3_125_000, 1e12), ("long",): Training(562_500_000, 2e12)}
    costs = Costs({}, trainings=trainings)

    def alone(job):
        return costs.cpu_seconds(job) - costs.overhead(job)

    expected = cost.fixed + cost.rate * 1000
    assert alone(model) == pytest.approx(expected)
    assert costs.memory_mb(model) == 1150
    # Its scores read the model, but train nothing.
    scores = Job("language_model_scores", "", "m", 1)
    assert alone(scores) == pytest.approx(COSTS["language_model_scores"].fixed)
    # Another one in proportion to one that was measured; its memory is that of its own weights.
    rows = [row("language_model", "m", 3 * expected, 1200)]
    costs = Costs({}, rows, trainings=trainings)
    long = model._replace(pair="long")
    assert alone(model) == pytest.approx(3 * expected)
    assert alone(long) == pytest.approx(3 * (cost.fixed + cost.rate * 2000))
    assert costs.memory_mb(model) == 1200
    assert costs.memory_mb(long) == 10_100


def text(mb, sentences=10_000):
    words = int(100_000 * mb), int(90_000 * mb)
    return Extent(mb, sentences, words, (5.0, 6.0), int(2e6 * mb))


def seconds(costs, job):
    """CPU seconds of a job's algorithm."""
    return costs.cpu_seconds(job) - costs.overhead(job)


def test_an_aligner_costs_in_proportion_to_tokens_their_pairs_and_samples():
    cost, costs = COSTS["align"], Costs({"p": text(3.0), "q": text(1.0)})
    source, target = tokens_per_word(BPE, 5.0), tokens_per_word(BPE, 6.0)
    sweep = cost.rate * (300 * source + 270 * target) + cost.pairs * 6.0 * source * target
    expected = cost.fixed + sweep / 100 * 2
    assert seconds(costs, GIBBS) == pytest.approx(expected)
    whole = costs.cpu_seconds(GIBBS)
    assert costs.of([GIBBS, GIBBS]).cpu_seconds == pytest.approx(2 * whole + START)
    assert costs.of([GIBBS, FAST]).longest == pytest.approx(whole)
    assert costs.of([GIBBS, FAST]).wall_seconds(1000) == pytest.approx(whole)
    # One of the whole grid reads all texts.
    grid = Job("collate", "", "", 1)
    assert costs.memory_mb(grid) > costs.memory_mb(grid._replace(pair="p"))


def test_an_aligner_takes_the_memory_that_it_is_known_to_take():
    costs = Costs({"p": text(3.0), "q": text(3.0, sentences=LARGE + 1)})
    tokens, pairs = costs.tokens(GIBBS)
    for name, job in {
        "gibbs": GIBBS,
        "fast_align": FAST,
        "gibbs, large": GIBBS._replace(pair="q"),
    }.items():
        expected = PROCESS_MB + (NEEDS[name].token * tokens + NEEDS[name].pair * pairs) / 1e6
        assert costs.memory_mb(job) == pytest.approx(expected)
    # A part is not large.
    part = GIBBS._replace(pair="q", stage="counted", lines=LARGE)
    assert costs.memory_mb(part) > costs.memory_mb(part._replace(lines=LARGE + 1))
    eflomal = GIBBS._replace(kind="eflomal")
    assert costs.memory_mb(eflomal) == PROCESS_MB + 3 * COSTS["align eflomal"].memory


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
    found = extent(Files(Grid(read_config([root / "config/config.yaml"])).config), "builtin")
    folder = Path("resources/builtin")
    lines = [(folder / name).read_text("utf-8").splitlines() for name in ("eng.txt", "deu.txt")]
    words = [[line.split() for line in side] for side in lines]
    letters = [len("".join(side).replace(" ", "")) for side in lines]
    assert found.sentences == len(lines[0])
    assert found.words == tuple(sum(map(len, side)) for side in words)
    assert found.letters == tuple(
        n / sum(map(len, side)) for n, side in zip(letters, words, strict=True)
    )
    products = sum(len(one) * len(other) for one, other in zip(*words, strict=True))
    assert found.products == products


def test_the_calibration_scales_jobs_that_nothing_measured():
    texts = {"p": text(3.0)}
    plain, slow = Costs(texts), Costs(texts, factor=2.0)
    both = [costs.cpu_seconds(FAST) for costs in (plain, slow)]
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
    foreseen = sum(seconds(costs, job) for job in again)
    assert foreseen == pytest.approx(80)
    factor = 80 / sum(seconds(shipped, job) for job in again)
    assert costs.cpu_seconds(FAST) == pytest.approx(factor * shipped.cpu_seconds(FAST))
    assert costs.memory_mb(GIBBS) == 999
    assert costs.of(again).measured == 1
    assert shipped.of(again).measured == 0
    # Jobs of a pair that is no longer in the config say nothing of this one.
    gone = Costs({"q": text(3.0)}, rows)
    assert gone.cpu_seconds(GIBBS._replace(pair="q")) == shipped.cpu_seconds(GIBBS)


@pytest.mark.parametrize("text", ["", "a,b\n1,2\n", "stage,cell,cpu_seconds\nalign,x,fast\n"])
def test_a_damaged_table_of_costs_is_as_none(tmp_path, text):
    (tmp_path / "cost.csv").write_text(text)
    assert read_costs(tmp_path / "cost.csv") == read_costs(tmp_path / "none.csv") == []
