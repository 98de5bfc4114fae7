"""The benchmarks accept the command lines that their docstrings show."""

import importlib.util
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
