"""Inputs of rules: models, and the report's description of the run."""

import yaml

from seggrid.workflow.rules.inputs import Inputs

SIDE = {"language": "x", "text": "t"}
PAIRS = {"p": {"source": SIDE, "target": SIDE, "gold": {"file": "g"}}}


def inputs(experiments, **rest):
    return Inputs({"pairs": PAIRS, "experiments": yaml.safe_load(experiments), **rest})


def test_one_model_serves_all_merges_up_to_its_size():
    made = inputs("a: {}", learn_merges=100)
    assert [made.sides.learned_merges(n) for n in (0, 1, 100, 101)] == [100, 100, 100, 200]


def test_a_model_that_is_not_nested_names_its_own_size():
    made = inputs("a: {segmenter: [bpe, unigram], merges: 5}", learn_merges=100)
    found = [
        made.sides.of("p", "source", cell.source).learned
        for cell in made.grid.experiments
        if cell.source.learns
    ]
    assert [file.rpartition("+")[2] for file in found] == ["learned=100.model", "learned=5.model"]


def test_the_report_is_told_the_languages_of_each_side():
    other = {"language": "Gàidhlig", "text": "t"}
    pairs = {"p": {**PAIRS["p"], "source": {"text": "t"}, "target": other}, "unused": PAIRS["p"]}
    config = {
        "pairs": pairs,
        "experiments": {"x": {"merges": 10, "pairs": ["p"]}},
        "report": {"title": "On {x}"},
    }
    about = Inputs(config).about()
    assert about["languages"] == {"p": {"source": "source", "target": "Gàidhlig"}}
    assert about["title"] == "On {x}"


def test_the_default_config_has_the_cell_with_the_default_settings(root, monkeypatch):
    """The verdict compares with it: its number of merges is that for the word types of the pair."""
    monkeypatch.chdir(root)
    config = yaml.safe_load((root / "config/config.yaml").read_text())
    found = Inputs(config)
    own = [cell for cell, names in found.grid.experiments.items() if "default" in names]
    assert found.default_cells() == {"builtin": str(own[0])}
