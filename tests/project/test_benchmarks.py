"""Each benchmark program runs, on a tiny text: its figures mean nothing here, but nothing else calls it."""

import os
import subprocess
import sys
from importlib.util import find_spec

import pytest

import builtin_pair

pytestmark = [
    pytest.mark.tier("check"),
    pytest.mark.skipif(
        not all(map(find_spec, ("tokenizers", "sentencepiece", "subword_nmt", "eflomal"))),
        reason="a peer is not installed",
    ),
]

RUNS = [
    "bpe.py peers eng.tsv --runs 1 --merges 60 --applied 50",
    "bpe.py commands eng.tsv --runs 1 --lines 80",
    "bpe.py growth eng.tsv --lines 80",
    "segmenters.py eng.tsv --merges 40 --runs 1",
    "external.py eng.tsv --lines 100 --size 300",
    "align.py peers eng.tsv deu.tsv --runs 1",
    "align.py quality eng deu gold --format lines --merges 0 20 --seeds 1",
    "align.py growth --pairs 200",
    "workflow.py plan --cells 20",
    "workflow.py no-op --cells 20",
]


@pytest.mark.parametrize("command", RUNS)
def test_a_benchmark_runs(root, tmp_path, command):
    for name in ("eng", "deu", "gold"):
        lines = builtin_pair.lines_of(name)[:60]
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
        rows = (f"{number}\t{line}\n" for number, line in enumerate(lines))
        (tmp_path / f"{name}.tsv").write_text("".join(rows))
    program, *words = command.split()
    run = [sys.executable, str(root / "benchmarks" / program), *words]
    own = {**os.environ, "PYTHONPATH": str(root / "src")}
    done = subprocess.run(run, cwd=tmp_path, env=own, capture_output=True, text=True)
    assert not done.returncode, done.stderr[-3000:]
    assert done.stdout
