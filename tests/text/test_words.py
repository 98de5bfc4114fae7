"""Numbered words say the same as the lists of strings that they stand for."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seggrid.text import segmentation, words
from seggrid.text.segmentation import Segmentation
from seggrid.text.word_kernels import WordTable
from seggrid.text.words import (
    Counting,
    Numbering,
    WordCounts,
    Words,
    in_order,
    places_of,
)

LENGTHS = (7, 8, 9, 15, 16, 17, 300)
WORDS = ["a", "B", "b", "Ä", "ä", "\u3000", *("x" * n for n in LENGTHS), "x" * 8 + "y"]
TEXTS = st.lists(st.lists(st.sampled_from(WORDS)))


@pytest.fixture(params=[True, False], scope="module", autouse=True)
def compiled(request):
    """Each test runs with the compiled way and with the one in Python."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (words, segmentation):
            patch.setattr(module, "worthwhile", lambda size, least: request.param)
        yield request.param


def test_a_table_grows():
    """The text of a table, and the number of its words."""
    distinct = [f"w{n}" * (n % 30 + 1) for n in range(50_000)]
    table, numbers = WordTable(), []
    for first in range(0, 100_000, 30_000):
        block = (distinct * 2)[first : first + 30_000]
        ids, lengths = table.number("".join(f"{word} \n" for word in block).encode())
        numbers += ids.tolist()
        assert lengths.tolist() == [1] * len(block)
    assert numbers == [*range(50_000)] * 2
    assert table.words() == distinct


@given(TEXTS, st.data())
def test_tokens_as_text_have_empty_lines_where_there_is_no_sentence(sentences, data):
    present = data.draw(st.permutations([True] * len(sentences) + [False] * 2))
    rows = iter(sentences)
    expected = [" ".join(next(rows)) if one else "" for one in present]
    cut = Segmentation.from_words(sentences)
    assert cut.text(np.array(present)).decode() == "".join(f"{line}\n" for line in expected)


def test_python_begins_and_the_table_goes_on(monkeypatch):
    monkeypatch.setattr(words, "worthwhile", lambda size, least: size > 10)
    numbering = Numbering()
    for block in (b"the house\n", b"", b"a house\nthe\n"):
        numbering.add(block)
    assert numbering.words() == [["the", "house"], ["a", "house"], ["the"]]


def numbered(sentences, blocks=1, kind=Numbering):
    """The sentences as they are numbered or counted while they are read, in so many blocks."""
    numbering = kind()
    size = max(1, -(-len(sentences) // blocks))
    for first in range(0, len(sentences), size):
        lines = (f" {'  '.join(words)} \n" for words in sentences[first : first + size])
        numbering.add("".join(lines).encode())
    return numbering.words() if kind is Numbering else numbering


@given(TEXTS, st.integers(1, 3))
def test_words_that_are_read_are_those_of_lists(sentences, blocks):
    read, made = numbered(sentences, blocks), Words.of(sentences)
    for text in (read, made):
        assert text == sentences
        assert [text[k] for k in range(len(text))] == list(text) == sentences
        assert text.types == list(dict.fromkeys(word for words in sentences for word in words))
        assert text.lengths.tolist() == list(map(len, sentences))
    assert read.ids.dtype == made.ids.dtype == np.int32
    assert read.ids.tolist() == made.ids.tolist()


@given(TEXTS, st.integers(1, 3))
def test_counts_are_those_of_a_counter(sentences, blocks):
    expected = Counter(word for words in sentences for word in words)
    read = numbered(sentences, blocks, Counting)
    assert len(read) == len(sentences)
    assert read.filled.tolist() == list(map(bool, sentences))
    for text in (read.counts(), WordCounts.of(sentences), WordCounts.of(Words.of(sentences))):
        assert list(zip(text.types, text.counts.tolist(), strict=True)) == list(expected.items())
        assert WordCounts.of(text) is text
    lower = read.counts().with_types([word.lower() for word in expected])
    expected = Counter(word.lower() for words in sentences for word in words)
    assert list(zip(lower.types, lower.counts.tolist(), strict=True)) == list(expected.items())


@given(TEXTS, st.data())
def test_taking_joining_and_slicing(sentences, data):
    text = Words.of(sentences)
    chosen = data.draw(st.lists(st.sampled_from(range(len(sentences))))) if sentences else []
    expected = [sentences[k] for k in chosen]
    taken = text.take(chosen)
    assert taken == expected
    assert taken.types == Words.of(expected).types
    assert Words.joined([text, taken]) == sentences + expected
    assert Words.joined([text, taken]).types == Words.of(sentences + expected).types
    assert text[1:] == sentences[1:]
    assert text.without_empty() == [words for words in sentences if words]


@given(TEXTS, st.booleans())
def test_other_words_in_place_of_types(sentences, is_first_alone):
    text = Words.of(sentences)
    lower = [word.lower() for word in text.types]
    cased = text.with_types(text.types, lower) if is_first_alone else text.with_types(lower)
    expected = [
        [word.lower() if k == 0 or not is_first_alone else word for k, word in enumerate(words)]
        for words in sentences
    ]
    assert cased == expected
    assert cased.types == Words.of(expected).types
    assert cased.ids.dtype == np.int32


@given(TEXTS)
def test_the_words_are_the_tokens_of_their_segmentation(sentences):
    cut = Segmentation.from_words(Words.of(sentences))
    assert cut.digest() == Segmentation.from_words(sentences).digest()
    assert [cut.sentence(s) for s in range(len(cut))] == sentences
    assert cut.first.tolist() == [k for words in sentences for k in range(len(words))]


@pytest.mark.parametrize(("longest", "kind"), [(0, "int8"), (126, "int8"), (127, "int16")])
def test_places_are_as_narrow_as_leaves_room_to_count_on(longest, kind):
    places = places_of(np.array([0, longest, longest + 1]))
    assert places.dtype == kind
    assert places.tolist() == [*range(longest), 0]
    # One more than the number of words is what projection counts up to.
    assert int(places.max() + 2) == max(longest - 1, 0) + 2


@given(st.lists(st.integers(0, 5)))
def test_types_are_numbered_in_order_of_appearance(ids):
    types, found = in_order(list("abcdef"), np.array(ids, dtype=np.int32))
    assert types == list(dict.fromkeys("abcdef"[k] for k in ids))
    assert [types[k] for k in found] == ["abcdef"[k] for k in ids]
