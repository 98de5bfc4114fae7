"""The benchmarks accept the command lines that their docstrings show."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def benchmark(monkeypatch):
    # As when called as a script: the modules next to it can be imported.
    monkeypatch.syspath_prepend(ROOT / "benchmarks")

    def load(name):
        spec = importlib.util.spec_from_file_location(name, ROOT / "benchmarks" / f"{name}.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return load


@pytest.fixture
def bpe(benchmark):
    return benchmark("bpe")


@pytest.mark.tier("check")
@pytest.mark.parametrize(
    "name",
    [
        *("align", "bpe", "embeddings", "external", "knockout", "language_model"),
        *("new_text", "parts", "report", "segmenters", "workflow"),
    ],
)
def test_every_benchmark_starts(name):
    command = [sys.executable, ROOT / "benchmarks" / f"{name}.py", "--help"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "usage:" in done.stdout


def test_commands_of_the_head_are_taken(bpe):
    shown = re.findall(r"python benchmarks/bpe.py (.*)", bpe.__doc__)
    assert [bpe.parse_arguments(line.split()).work.__name__ for line in shown] == [
        "peers",
        "cold",
        "growth",
    ]


def test_aligners_that_are_not_installed_are_skipped_with_a_reason(benchmark, monkeypatch, capsys):
    peers = benchmark("align_peers")
    monkeypatch.setattr(peers, "find_spec", lambda package: None if package == "thot" else package)
    given = [("gibbs", 1), ("thot_eflomal", 2), ("systran_align", 3)]
    assert peers.installed(given) == [("gibbs", 1), ("systran_align", 3)]
    reason = "thot_eflomal is skipped: the package thot is not installed\n"
    assert capsys.readouterr().out == reason
