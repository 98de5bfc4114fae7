"""Inputs and parameters of rules: models, and the report's description of the run."""

import json
import re
import shlex

import yaml

from seggrid.grid.grid import Grid
from seggrid.segment.side import parse_spec

SIDE = {"language": "x", "text": "t"}
PAIRS = {"p": {"source": SIDE, "target": SIDE, "gold": {"file": "g"}}}


def grid(experiments, **rest):
    return Grid({"pairs": PAIRS, "experiments": yaml.safe_load(experiments), **rest})


def test_one_model_serves_all_merges_up_to_its_size():
    made, spec = grid("a: {}", learn_merges=100), "bpe+merges={}+application=rank"
    sides = (made.segmented("p", "source", parse_spec(spec.format(n))) for n in (1, 100, 101))
    assert [re.search(r"learned=(\d+)", own.learned)[1] for own in sides] == ["100", "100", "200"]


def command(snakemake, folder, config, target, option):
    """The value of an option in the command that makes a file."""
    printed = snakemake(folder, config, "-n", "-p", "--", target)
    (value,) = {
        word.removeprefix(option)
        for line in (printed.stdout + printed.stderr).splitlines()
        if option in line
        for word in shlex.split(line)
        if word.startswith(option)
    }
    return value


def test_the_report_is_told_the_languages_of_each_side(snakemake, tmp_path):
    (tmp_path / "t").write_text("a b\n")
    (tmp_path / "g").write_text("0-0\n")
    other = {"language": "Gàidhlig", "text": "t"}
    pairs = {"p": {**PAIRS["p"], "source": {"text": "t"}, "target": other}, "unused": PAIRS["p"]}
    config = {
        "pairs": pairs,
        "experiments": {"x": {"merges": 10, "pairs": ["p"]}},
        "report": {"title": "On {x}"},
    }
    about = command(snakemake, tmp_path, config, "results/report.html", "--about=")
    about = json.loads(about)
    assert about["languages"] == {"p": {"source": "source", "target": "Gàidhlig"}}
    assert about["title"] == "On {x}"


def test_the_default_config_has_the_cell_with_the_default_settings(root, snakemake, tmp_path):
    """The verdict compares with it: its number of merges is that for the word types of the pair."""
    (tmp_path / "resources").symlink_to(root / "resources")
    config = yaml.safe_load((root / "config/config.yaml").read_text())
    own = [cell for cell, names in Grid(config).experiments.items() if "default" in names]
    defaults = command(snakemake, tmp_path, config, "results/verdict.csv", "--defaults=")
    assert json.loads(defaults) == {"builtin": str(own[0])}
