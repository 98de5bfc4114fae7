"""Properties that every registered segmenter must have."""

from importlib.util import find_spec

import pytest

import builtin_pair
import sides
from seggrid.data.words import WordCounts
from seggrid.segment import SEGMENTERS
from seggrid.segment.side_segmenter import learn_model, learns_from_counts
from seggrid.workflow.run.code_digest import imported_modules

LEARNING = [name for name, entry in SEGMENTERS.items() if entry.learns]


APART = [name for name in LEARNING if SEGMENTERS[name].learner != SEGMENTERS[name].module]


@pytest.mark.parametrize("name", APART)
def test_an_edit_of_applying_learns_no_model_again(name):
    """A learner imports no module that only applies models, so that changing one does not change its
    digest."""
    modules = imported_modules(find_spec(SEGMENTERS[name].learner).origin)
    assert "seggrid.errors" in modules
    applying = {module for module in modules if module.rpartition(".")[2].startswith("apply")}
    assert applying | ({SEGMENTERS[name].module} & set(modules)) == set()


@pytest.mark.parametrize("name", [name for name in LEARNING if SEGMENTERS[name].counts])
@pytest.mark.parametrize("case", ["keep", "lower"])
@pytest.mark.parametrize("size", ["merges", "vocabulary"])
def test_from_counts_the_same_is_learned_as_from_sentences(name, case, size, tmp_path):
    sentences = builtin_pair.words_of("eng")
    side = sides.side_of(name, case=case, **{"merges": None, size: 300})
    assert learns_from_counts(side)
    for text, file in ((sentences[:200], "one"), (WordCounts.of(sentences[:200]), "two")):
        SEGMENTERS[name].load_learner().write_model(learn_model(text, side), tmp_path / file)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


@pytest.mark.parametrize(
    "axes", [{"spaces": False}, {"spaces": "hidden"}, {"segmenter": "superbpe"}, {"case": "first"}]
)
def test_what_needs_sentences_does_not_learn_from_counts(axes):
    assert not learns_from_counts(sides.side_of(**axes))
