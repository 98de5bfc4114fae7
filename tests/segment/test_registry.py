"""Properties that every registered segmenter must have."""

from importlib.util import find_spec

import pytest

from seggrid.segment import SEGMENTERS
from seggrid.workflow.run.code_digest import imported_modules

LEARNING = [name for name, entry in SEGMENTERS.items() if entry.learns]


@pytest.mark.parametrize("name", SEGMENTERS)
def test_has_the_functions_that_the_grid_calls(name):
    segmenter = SEGMENTERS[name].load()
    assert callable(segmenter.segment)
    if SEGMENTERS[name].learns:
        learner = SEGMENTERS[name].load_learner()
        for function in (
            segmenter.read_model, segmenter.types, segmenter.learned, learner.learn,
            learner.write_model,
        ):  # fmt: skip
            assert callable(function)


@pytest.mark.parametrize("name", LEARNING)
def test_an_edit_of_applying_learns_no_model_again(name):
    """A learner imports no module that only applies models, so that changing one does not change its
    digest."""
    modules = imported_modules(find_spec(SEGMENTERS[name].learner).origin)
    assert "seggrid.errors" in modules
    applying = {module for module in modules if module.rpartition(".")[2].startswith("apply")}
    assert applying | ({SEGMENTERS[name].module} & set(modules)) == set()
