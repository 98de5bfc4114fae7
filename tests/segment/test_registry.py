"""Properties that every registered segmenter must have."""

import subprocess
import sys

import pytest

import builtin_pair
import sides
from seggrid.data.words import WordCounts
from seggrid.segment import SEGMENTERS
from seggrid.segment.side import parse_spec
from seggrid.segment.side_segmenter import learn_model, learns_from_counts, segment_text


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
    assert not learns_from_counts(sides.side_of(**axes))


@pytest.mark.parametrize(
    "spec",
    [
        "picky+case=keep+spaces=yes+removal=0.5+merges=3",
        "superbpe+case=keep+transition=3+merges=2",
        "boundless+case=keep+merges=2",
        "parity+case=keep+spaces=yes+joint=yes+merges=4+application=rank",
        "greedtok+case=keep+merges=3",
        "mingram+case=keep+merges=4",
        "wordmap+case=keep+merges=2",
    ],
)
def test_a_side_is_spelled_learned_applied_and_read_back(spec, tmp_path):
    sentences = [["abcab", "bcabc", "ab"] * 2, ["cab", "ab"], ["cdcd", "ab"] * 3, ["ddc"]]
    side = parse_spec(spec)
    assert str(side) == spec
    model = learn_model(sentences, side)
    read = sides.read_back(side.segmenter, model, tmp_path)
    assert read == model
    assert model.learned == len(model.types(side) or "ab") == min(side.merges, model.learned)
    (found,), (again,) = (segment_text(sentences, side, own, [0]) for own in (model, read))
    assert found.lines() == again.lines()
    spelled = ["".join(words) for words in sentences]
    assert [line.replace("▁", "").replace(" ", "") for line in found.lines()] == spelled
