"""The ragged shapes that stages pass on, and their files."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seggrid.data.links import Links
from seggrid.data.npz import read_arrays, write_arrays
from seggrid.data.ragged import offsets_of, ragged_rows
from seggrid.data.segmentation import Segmentation
from seggrid.errors import InputError

SENTENCES = st.lists(st.lists(st.text("abc", min_size=1, max_size=3), max_size=5), max_size=6)
LINKS = st.lists(st.sets(st.tuples(st.integers(0, 9), st.integers(0, 9))), max_size=6)


@given(st.lists(st.integers(0, 9)))
def test_offsets_are_running_sums(lengths):
    assert offsets_of(lengths).tolist() == [sum(lengths[:n]) for n in range(len(lengths) + 1)]


@given(SENTENCES)
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


@given(SENTENCES, st.data())
def test_taking_sentences(sentences, data):
    chosen = data.draw(st.lists(st.sampled_from(range(len(sentences))))) if sentences else []
    taken = Segmentation.from_words(sentences).take(chosen)
    assert [taken.sentence(s) for s in range(len(taken))] == [sentences[s] for s in chosen]
    again = [position for s in chosen for position in range(len(sentences[s]))]
    assert taken.first.tolist() == again


@given(LINKS, st.data())
def test_links_to_sets_lines_and_back(sets, data):
    links = Links.from_sets(sets)
    assert [links.sentence(s) for s in range(len(links))] == [sorted(pairs) for pairs in sets]
    again = Links.from_lines(links.lines())
    assert np.array_equal(again.offsets, links.offsets)
    assert np.array_equal(again.pairs, links.pairs)
    assert links.sentence_of.tolist() == [s for s, pairs in enumerate(sets) for _ in pairs]
    chosen = data.draw(st.lists(st.sampled_from(range(len(sets))))) if sets else []
    taken = links.take(chosen)
    assert [taken.sentence(s) for s in range(len(taken))] == [sorted(sets[s]) for s in chosen]


def test_links_are_freed_of_repeats_and_sorted():
    links = Links.from_lines(["1-0 0-2 1-0", "", "10-9 9-10"])
    assert links.lines() == ["0-2 1-0", "", "9-10 10-9"]
    assert links.pairs.dtype == np.int32


@given(st.lists(st.integers(0, 4), min_size=1, max_size=8), st.data())
def test_ragged_rows_are_the_sentences_rows_in_order(lengths, data):
    chosen = data.draw(st.lists(st.sampled_from(range(len(lengths)))))
    offsets = offsets_of(lengths)
    expected = [row for s in chosen for row in range(offsets[s], offsets[s + 1])]
    assert ragged_rows(offsets, chosen).tolist() == expected


ARRAYS = {
    "ids": np.arange(1000, dtype=np.int32) ** 2 % 91,
    "types": np.array(["▁the", "Käse", ""]),
    "none": np.zeros((0, 2), dtype=np.int64),
}


def test_saved_arrays_come_back_with_their_types(tmp_path):
    write_arrays(tmp_path / "a.npz", ARRAYS)
    back = read_arrays(tmp_path / "a.npz")
    assert list(back) == list(ARRAYS)
    for name, array in ARRAYS.items():
        assert back[name].dtype == array.dtype
        assert np.array_equal(back[name], array)


def test_same_arrays_same_bytes(tmp_path, monkeypatch):
    write_arrays(tmp_path / "a.npz", ARRAYS)
    monkeypatch.setattr("time.time", lambda: 1e9)
    monkeypatch.setattr("time.localtime", lambda *_: (2001, 9, 9, 1, 46, 40, 6, 252, 0))
    write_arrays(tmp_path / "b.npz", ARRAYS)
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


@pytest.mark.parametrize("kept", [0.0, 0.1, 0.5, 0.9, 0.999])
def test_a_truncated_file_is_refused_by_name(tmp_path, kept):
    path = tmp_path / "a.npz"
    write_arrays(path, ARRAYS)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(kept * len(whole))])
    with pytest.raises(InputError, match=r"a\.npz: damaged .*\(delete it and run again\)"):
        read_arrays(path)


def test_an_altered_byte_of_the_data_never_passes(tmp_path):
    path = tmp_path / "a.npz"
    write_arrays(path, ARRAYS)
    whole = path.read_bytes()
    draw = random.Random(1)
    originals = [array.tolist() for array in ARRAYS.values()]
    refused = 0
    for _ in range(300):
        altered = bytearray(whole)
        altered[draw.randrange(len(whole))] ^= 1 << draw.randrange(8)
        path.write_bytes(altered)
        try:
            back = read_arrays(path)
        except InputError:
            refused += 1
            continue
        # What passes altered nothing but the archive's own bookkeeping: dates, names, counts.
        assert all(array.tolist() in originals for array in back.values())
    assert refused > 200


def test_a_missing_file_is_missing_not_damaged(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_arrays(tmp_path / "absent.npz")
