"""Words spelled in bytes, and in the characters of each marking, for evaluation against morphemes."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seggrid.morphology.word_segmentation import spell_bytes, spell_characters


@given(st.lists(st.text(st.characters(codec="utf-8"), min_size=1, max_size=6), min_size=1))
def test_words_are_spelled_in_utf_8(words):
    spelling = spell_bytes(words)
    flat = "".join(words)
    for e, word in enumerate(words):
        rows = slice(spelling.words[e], spelling.words[e + 1])
        assert bytes(spelling.ids[rows].tolist()) == (" " + word).encode()
        begins = spelling.characters[rows]
        assert [flat[c] for c in begins[begins >= 0]] == list(word)
        assert begins[0] == -1


def test_units_are_pretokens():
    spelling = spell_bytes(["stirrup-cup", "a"])
    text = bytes(spelling.ids.tolist()).decode()
    ends = spelling.units.tolist()
    assert [text[i:j] for i, j in pairwise(ends)] == [
        " stirrup",
        "-",
        "cup",
        " a",
    ]


@pytest.mark.parametrize(
    ("marking", "symbols", "characters"),
    [
        ("start", ["▁a", "b", "▁c"], [0, 1, 2]),
        ("end", ["a", "b</w>", "c</w>"], [0, 1, 2]),
        ("own", ["▁", "a", "b", "▁", "c"], [-1, 0, 1, -1, 2]),
        (None, ["▁", "a", "b", "▁", "▁", "c", "▁"], [-1, 0, 1, -1, -1, 2, -1]),
    ],
)
def test_words_are_spelled_in_characters(marking, symbols, characters):
    spelling = spell_characters(["ab", "c"], marking)
    assert [spelling.alphabet[i] for i in spelling.ids] == symbols
    assert spelling.characters.tolist() == characters
