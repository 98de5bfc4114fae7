"""Every job declares its resources and belongs to a group of cluster jobs."""

import re

import pytest
import yaml

from seggrid.grid.costs import OTHER, cost_of, mem_mb, runtime
from snake import rule_files

# They request resources by the size of their model, and are too long to share a cluster job.
TRAINING = {
    "language_model",
    "language_model_scores",
    "language_model_probes",
    "language_model_task",
}


@pytest.fixture(scope="module")
def rules(root):
    """The text of each rule that does not run locally."""
    texts = {}
    for file in rule_files():
        found = re.split(r"^(?:use )?rule (.+):$", file.read_text(), flags=re.M)[1:]
        texts |= dict(zip(found[::2], found[1::2], strict=True))
    return {
        name: text
        for name, text in texts.items()
        if "localrule: True" not in text and " as " not in name
    }


def test_every_rule_asks_for_memory_and_time(rules):
    for name in TRAINING & rules.keys():
        assert "**MODELS.resources(" in rules[name]
    stages = {
        name: re.findall(r"\*\*needs\(\s*\"(\w+)\"", text)
        for name, text in rules.items()
        if name not in TRAINING
    }
    assert {name for name, found in stages.items() if len(found) != 1} == set()
    assert [stage for (stage,) in stages.values() if cost_of(stage) is OTHER] == []


def test_every_rule_has_a_group_in_the_cluster_profile(rules, root):
    profile = yaml.safe_load((root / "workflow/profiles/slurm/profile.yaml").read_text())
    text = "".join(file.read_text() for file in rule_files())
    derived = re.findall(r"^use rule (\w+) as (\w+)", text, flags=re.M)
    grouped = (set(rules) | {own for base, own in derived if base in rules}) - TRAINING
    assert {group.partition("=")[0] for group in profile["groups"]} == grouped


@pytest.mark.parametrize("stage", ["align", "collate", "report", "another"])
def test_a_job_asks_for_twice_as_much_when_tried_again(stage):
    for ask in (mem_mb, runtime):
        assert ask(stage, 3.5) > 0
        assert ask(stage, 3.5, attempt=2) >= 2 * ask(stage, 3.5) - 1
        assert ask(stage, 35.0) > ask(stage, 3.5)


def test_an_evaluation_of_morphology_gets_what_it_was_seen_to_take():
    """German CELEX, with the vocabulary and merges of its tokenizer: 3.4 MB, 360 MB of memory."""
    assert mem_mb("morphology", 3.4) >= 3 * 360
    assert runtime("morphology", 3.4) >= 10
