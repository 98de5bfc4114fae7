"""Two configs in one folder: separate tables, shared files of stages. A study that is moved is the same."""

import os
import re
import shutil
import subprocess
import sys

import pytest

import builtin_pair
from listed_jobs import read_dry_run
from snake import rule_files

CONFIG = """
{study}
pairs:
  p: {{source: {{text: eng}}, target: {{text: deu}}, gold: {{file: gold}}}}
experiments:
  x: {{segmenter: words, case: [keep, {case}]}}
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    builtin_pair.write_pair(tmp_path, 40)
    (tmp_path / "one.yaml").write_text(CONFIG.format(study="", case="keep"))
    (tmp_path / "two.yaml").write_text(CONFIG.format(study="study: other", case="lower"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_study_has_tables_of_its_own_and_shares_stages(snakemake, folder):
    def run(config, table):
        done = snakemake(folder, None, "--configfile", config, "--", table)
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


def test_what_a_config_names_and_its_logs_lie_with_its_tables(root):
    """Or a study of other settings would write over it."""
    checked = 0
    for file in rule_files():
        for rule in re.split(r"^(?:use )?rule ", file.read_text("utf-8"), flags=re.M)[1:]:
            of = dict(re.findall(r"^    (output|log):\n((?:        .*\n|\n)+)", rule, flags=re.M))
            assert not re.search(r'"results/[^"]*\{(lm|name|ensemble|export)\}', rule), rule
            if "table(" in of.get("output", ""):
                checked += 1
                assert of["log"].strip().startswith('table("logs/'), rule
    assert checked > 15


WHERE = """
pairs:
  p: {{source: {{text: {0}/eng}}, target: {{text: {0}/deu}}, gold: {{file: {0}/gold}}}}
experiments:
  x: {{segmenter: words, aligner: fast_align}}
"""


@pytest.mark.parametrize("texts", [".", "../texts"])
def test_a_place_reruns_nothing(snakemake, root, tmp_path, texts):
    """Neither that of the study, nor that of its texts, nor that of the program: content decides."""
    study = tmp_path / "study"
    study.mkdir()
    builtin_pair.write_pair(study, 40)
    if texts != ".":
        (tmp_path / "texts").mkdir()
        for name in ("eng", "deu", "gold"):
            (study / name).rename(tmp_path / "texts" / name)
    (study / "config.yaml").write_text(WHERE.format(texts))
    snakemake(study, None, "--configfile", "config.yaml")
    deeper = tmp_path / "one/two/three/study"
    deeper.parent.mkdir(parents=True)
    # As `cp -r` does, with other times.
    subprocess.run(["cp", "-r", study, deeper], check=True)
    if texts != ".":
        (tmp_path / "texts").rename(tmp_path / "one/moved")
    study.rename(tmp_path / "old")
    text = WHERE.format("." if texts == "." else tmp_path / "one/moved")
    (deeper / "config.yaml").write_text(text)
    clone = tmp_path / "clone"
    for part in ("src", "workflow"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(root / part, clone / part, ignore=ignored)
    for program in (root, clone):
        plan = [sys.executable, "-P", "-m", "seggrid", "plan"]
        own = {**os.environ, "PYTHONPATH": str(program / "src")}
        done = subprocess.run(plan, cwd=deeper, env=own, capture_output=True, text=True)
        assert "nothing to do" in done.stdout, done.stdout + done.stderr
    # The content of a text still counts.
    source = deeper / "eng" if texts == "." else tmp_path / "one/moved/eng"
    source.write_text(source.read_text().replace("the", "teh", 1))
    assert {job.rule for job in read_jobs(snakemake, deeper)} >= {"corpus", "align", "score"}


def read_jobs(snakemake, folder):
    done = snakemake(folder, None, "--configfile", "config.yaml", "--quiet", "host", "--dry-run")
    return read_dry_run(done.stdout + done.stderr)
