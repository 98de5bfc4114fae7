"""Properties that every registered segmenter must have."""

import subprocess
import sys

import pytest

import builtin_pair
import sides
from seggrid.base.errors import InputError
from seggrid.segment import SEGMENTERS
from seggrid.segment.side_segmenter import learn_model, learns_from_counts
from seggrid.text.words import WordCounts


def test_the_registry_names_its_classes():
    assert all(entry.name == name for name, entry in SEGMENTERS.items())


def test_classes_are_read_without_kernels_and_libraries():
    """The check of a config reads them all."""
    slow = "{'numba', 'regex', 'tokenizers', 'sentencepiece', 'morfessor'}"
    code = f"import sys, seggrid.segment.axes; assert not {slow} & {{*sys.modules}}"
    subprocess.run([sys.executable, "-c", code], check=True)


LEARNING = [name for name, entry in SEGMENTERS.items() if entry.learns]


@pytest.mark.parametrize("name", [name for name in LEARNING if SEGMENTERS[name].from_counts])
@pytest.mark.parametrize("case", ["keep", "lower"])
@pytest.mark.parametrize("size", ["merges", "vocabulary"])
def test_from_counts_the_same_is_learned_as_from_sentences(name, case, size, tmp_path):
    sentences = builtin_pair.words_of("eng")
    side = sides.side_of(name, case=case, **{size: 300})
    assert learns_from_counts(side)
    for text, file in ((sentences[:200], "one"), (WordCounts.of(sentences[:200]), "two")):
        learn_model(text, side).write(tmp_path / file)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


@pytest.mark.parametrize(
    "axes", [{"spaces": False}, {"spaces": "hidden"}, {"segmenter": "superbpe"}, {"case": "first"}]
)
def test_what_needs_sentences_does_not_learn_from_counts(axes):
    side = sides.side_of(**axes)
    assert not learns_from_counts(side)
    with pytest.raises(InputError, match="where sentences are needed"):
        learn_model(WordCounts.of([["a"]]), side)
