"""Two configs in one folder: separate tables, shared files of stages."""

import re

import pytest

import builtin_pair
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
