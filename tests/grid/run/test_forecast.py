"""What a run will cost, before it starts."""

from pathlib import Path

import pytest

from seggrid.base.errors import InputError
from seggrid.grid.config import read_config
from seggrid.grid.costs import COSTS, mem_mb
from seggrid.grid.grid import Grid
from seggrid.grid.rules.files import Files
from seggrid.grid.run.forecast import (
    START,
    Costs,
    Extent,
    Job,
    extent,
    planned,
    tokens_per_word,
)
from seggrid.grid.run.planning import scored_cells

BPE = "bpe+merges=5"
GIBBS = Job("align", "gibbs", "p", 2, (BPE, BPE))
FAST = Job("align", "fast_align", "p", 1, (BPE, BPE))


def text(mb):
    words = int(100_000 * mb), int(90_000 * mb)
    return Extent(mb, 10_000, words, (5.0, 6.0), int(2e6 * mb))


def alone(costs, job):
    """CPU seconds of a job without those of the workflow, which are those of a job without any work."""
    nothing = job._replace(stage="gold_lines", kind="", samples=0)
    return costs.cpu_seconds(job) - costs.cpu_seconds(nothing) + COSTS["gold_lines"].fixed


SIDES = {"source": BPE, "target": BPE}
PART = {"pair": "p", **SIDES, "aligner": "gibbs", "samples": "3", "lines": "50-99"}
DRAWN = {**PART, "drawn": "20", "symmetrization": "union", "aggregate": "0.5"}


GRID = Grid(
    {"pairs": {"p": {"source": {"text": "a"}, "target": {"text": "b"}}}, "experiments": {"x": {}}}
)


@pytest.mark.parametrize(
    ("rule", "wildcards", "expected"),
    [
        ("align", {"pair": "p", **SIDES, "aligner": "gibbs+x=1", "part": "2-3"}, GIBBS),
        (
            "segment",
            {"pair": "p", "side": "source", "spec": BPE, "part": "0-0"},
            Job("segment", "bpe", "p", 1, (BPE,)),
        ),
        ("counted", PART, Job("counted", "gibbs", "p", 3, (BPE, BPE), 50)),
        ("slice", DRAWN, Job("slice", "gibbs", "p", 3, (BPE, BPE), 50)),
        ("collate", {}, Job("collate", "", "", 1)),
    ],
)
def test_a_planned_job(rule, wildcards, expected):
    assert planned(rule, wildcards, GRID) == expected


def test_a_rate_in_a_path_may_be_a_fraction():
    exact, rounded = (f"bpe+merges=100+dropout={rate}" for rate in ("1of3", "0.3333"))
    assert tokens_per_word(exact, 5.0) == pytest.approx(tokens_per_word(rounded, 5.0), abs=1e-3)


def test_an_aligner_costs_in_proportion_to_tokens_their_pairs_and_samples():
    cost, costs = COSTS["align"], Costs({"p": text(3.0), "q": text(1.0)})
    source, target = tokens_per_word(BPE, 5.0), tokens_per_word(BPE, 6.0)
    sweep = cost.rate * (300 * source + 270 * target) + cost.pairs * 6.0 * source * target
    assert alone(costs, GIBBS) == pytest.approx(cost.fixed + sweep / 100 * 2)
    whole = costs.cpu_seconds(GIBBS)
    found = costs.of([GIBBS, FAST, GIBBS])
    assert found.cpu_seconds == pytest.approx(2 * whole + costs.cpu_seconds(FAST) + START)
    assert found.longest == pytest.approx(whole)
    assert found.memory_mb == mem_mb("align", 3.0)
    # A cell of some of the sentences, with a sampler whose sweeps are fewer for more of them.
    few = GIBBS._replace(specs=(f"{BPE}+sentences=100", BPE))
    assert alone(costs, few) == pytest.approx(cost.fixed + sweep / 100 / 10 * 2)
    # A job of the whole grid reads all texts.
    grid = Job("collate", "", "", 1)
    assert costs.memory_mb(grid) > costs.memory_mb(grid._replace(pair="p"))


def test_finer_segmentations_have_more_tokens():
    specs = [
        "words+case=lower",
        *(f"bpe+merges={m}+application=rank" for m in (8000, 1000, 100)),
        "bpe+merges=100+dropout=1/2",
    ]
    found = [tokens_per_word(spec, 5.0) for spec in specs]
    assert found == sorted(found)
    assert found[0] == 1
    assert found[-1] == tokens_per_word("characters+spaces=yes", 5.0) == 5
    # Of a size in types, merges are not known before the text is read.
    assert tokens_per_word("bpe+vocabulary=500", 5.0) == tokens_per_word("bpe+merges=2000", 5.0)


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
    assert found.letters == tuple(n / w for n, w in zip(letters, found.words, strict=True))
    products = sum(len(one) * len(other) for one, other in zip(*words, strict=True))
    assert found.products == products


@pytest.mark.parametrize("content", [b"", b"\xff", b"stage,cell\nalign,x\n", b'cell,status\n"x\n'])
def test_a_damaged_table_of_an_earlier_run_is_told_in_one_line(tmp_path, content):
    file = tmp_path / "table.csv"
    file.write_bytes(content)
    with pytest.raises(InputError, match=r"table\.csv") as caught:
        scored_cells(file)
    assert "\n" not in str(caught.value)
