"""What jobs of language models cost."""

import pytest

from seggrid.grid.costs import cost_of
from seggrid.grid.grid import Grid
from seggrid.grid.run.forecast import Costs, planned
from seggrid.studies.language_model.costs import training
from seggrid.studies.language_model.study import LanguageModels, models

GRID = Grid(
    {
        "pairs": {"p": {"source": {"text": "a"}, "target": {"text": "b"}}},
        "language_models": {
            "m": {
                "pair": "p",
                "steps": 300,
                "segmentation": {"merges": 9},
                "probes": {"order": {"make": "word_order"}},
                "tasks": {"t": {"kind": "words", "train": "c", "test": "d", "steps": 20}},
            }
        },
    }
)


def test_a_training_costs_by_its_operations():
    work, cost = training(models(GRID)["m"]), cost_of("language_model")
    found = LanguageModels.work(GRID, "language_model", {"lm": "m"})
    assert found.seconds == pytest.approx(cost.fixed + cost.rate * work.operations / 1e9)
    assert found.memory_mb == work.mem_mb()
    job = planned("language_model", {"lm": "m"}, GRID)
    costs = Costs({})
    assert costs.memory_mb(job) == work.mem_mb()
    assert costs.cpu_seconds(job) > found.seconds
    # Its scores read the model, but train nothing.
    scores = LanguageModels.work(GRID, "language_model_scores", {"lm": "m"})
    assert scores.seconds == pytest.approx(cost_of("language_model_scores").fixed)
    task = {"lm": "m", "task": "t", "tuning": "1"}
    assert scores.seconds < LanguageModels.work(GRID, "language_model_task", task).seconds
    probe = {"lm": "m", "probe": "order"}
    assert LanguageModels.work(GRID, "language_model_probes", probe) is None
    assert LanguageModels.work(GRID, "collate", {}) is None
