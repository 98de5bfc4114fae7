"""Segmentations: construction, selection, and files, which are the same bytes each time."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sides
from seggrid.base.arrays import read_arrays
from seggrid.segment.baselines import Characters
from seggrid.text.segmentation import (
    Segmentation,
    compact,
    read_first,
    unpack_segmentations,
    write_segmentations,
)

EXAMPLE = [["ein", "Haus"], [], ["x"], ["ein"] * 300]
WORDS = st.lists(st.lists(st.text("abc", min_size=1, max_size=3), max_size=5), max_size=6)
FIELDS = ("ids", "offsets", "first", "last")


SAMPLES = {
    "words": [Segmentation.from_words(EXAMPLE)],
    # Tokens that overlap no word: the last word comes before the first.
    "boundaries": Characters().segment(EXAMPLE, sides.side_of("characters", spaces=False), [0], 1),
    "many types": [Segmentation.from_words([[str(n) for n in range(70_000)]])],
    "nothing": [Segmentation.from_words([[]])],
    "several": [Segmentation.from_words(EXAMPLE), Segmentation.from_words(EXAMPLE[:2])],
}


@given(WORDS)
def test_words_as_tokens(sentences):
    segmentation = Segmentation.from_words(sentences)
    assert len(segmentation) == len(sentences)
    assert [segmentation.sentence(s) for s in range(len(sentences))] == sentences
    assert segmentation.lines() == [" ".join(words) for words in sentences]
    assert segmentation.lengths.tolist() == [len(words) for words in sentences]
    words = [word for sentence in sentences for word in sentence]
    assert segmentation.types == list(dict.fromkeys(words))
    spans = [position for sentence in sentences for position in range(len(sentence))]
    assert segmentation.first.tolist() == segmentation.last.tolist() == spans


@given(WORDS, st.data())
def test_taking_sentences(sentences, data):
    chosen = data.draw(st.lists(st.sampled_from(range(len(sentences))))) if sentences else []
    taken = Segmentation.from_words(sentences).take(chosen)
    assert [taken.sentence(s) for s in range(len(taken))] == [sentences[s] for s in chosen]
    again = [position for s in chosen for position in range(len(sentences[s]))]
    assert taken.first.tolist() == again


@pytest.mark.parametrize("name", SAMPLES)
def test_what_is_saved_is_loaded(tmp_path, name):
    samples = SAMPLES[name]
    write_segmentations(tmp_path / "a.npz", samples)
    loaded = unpack_segmentations(read_arrays(tmp_path / "a.npz"))
    first = read_first(tmp_path / "a.npz")
    for before, after in zip([*samples, samples[0]], [*loaded, first], strict=True):
        assert (after.types if len(after.ids) else []) == before.types
        for field in FIELDS:
            np.testing.assert_array_equal(getattr(after, field), getattr(before, field))


@given(WORDS, st.data())
def test_the_types_that_occur_keep_their_order(sentences, data):
    whole = Segmentation.from_words(sentences)
    taken = whole.take([s for s in range(len(sentences)) if data.draw(st.booleans())])
    found = compact(taken)
    assert found.lines() == taken.lines()
    assert found.types == [name for i, name in enumerate(taken.types) if i in taken.ids]
    assert found.ids.dtype == np.int32


def test_same_samples_same_bytes(tmp_path):
    for name in "ab":
        write_segmentations(tmp_path / f"{name}.npz", SAMPLES["several"])
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
