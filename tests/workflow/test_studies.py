"""Two configs in one folder: separate tables, shared files of stages."""

import subprocess
import sys

import pytest

from seggrid.cli import main

CONFIG = """
{study}
pairs:
  p: {{source: {{text: eng}}, target: {{text: deu}}, gold: {{file: gold}}}}
experiments:
  x: {{segmenter: words, case: [keep, {case}]}}
"""


@pytest.fixture
def folder(root, tmp_path, monkeypatch):
    for name in ("eng", "deu", "gold"):
        lines = (root / f"resources/builtin/{name}.txt").read_text("utf-8").splitlines()[:40]
        (tmp_path / name).write_text("\n".join(lines) + "\n", "utf-8")
    (tmp_path / "one.yaml").write_text(CONFIG.format(study="", case="keep"))
    (tmp_path / "two.yaml").write_text(CONFIG.format(study="study: other", case="lower"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_study_has_tables_of_its_own_and_shares_stages(root, folder):
    def run(config, table):
        command = [sys.executable, "-m", "snakemake", "--snakefile", root / "workflow/Snakefile"]
        options = ["--cores", "1", "--configfile", config, "--", table]
        done = subprocess.run([*command, *options], capture_output=True, text=True)
        assert not done.returncode, done.stderr[-2000:]
        return done.stdout + done.stderr

    run("one.yaml", "results/scores.csv")
    first = (folder / "results/scores.csv").read_bytes()
    said = run("two.yaml", "results/studies/other/scores.csv")
    assert "writes over them" not in said
    assert (folder / "results/scores.csv").read_bytes() == first
    rows = (folder / "results/studies/other/scores.csv").read_text().splitlines()
    assert len(rows) == 3
    # The words were already aligned for the first study.
    assert said.count("rule align:") == 1
    assert first.decode().splitlines()[1] in rows


def test_the_command_plans_what_a_run_would_do(folder, capsys):
    assert main(["plan", "two.yaml"]) == 0
    assert "2 cells: 2 new" in capsys.readouterr().out
    assert main(["plan", "two.yaml", "--config", "seed=x"]) == 2
    assert "seed: 'x' is not a whole number" in capsys.readouterr().err
    assert main(["plan", "two.yaml", "--snakefile", "none"]) == 2
    assert "none: no such file (run it in a checkout" in capsys.readouterr().err
