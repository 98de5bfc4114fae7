from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tokenizers.pre_tokenizers import ByteLevel

from seggrid.morphology.word_segmentation import spell_bytes, spell_characters
from seggrid.segment.byte_bpe import byte_symbols, pretokens

PEER = ByteLevel(add_prefix_space=False, use_regex=True)
# Newer Unicode tables classify letters that this Python does not know differently.
assigned = st.characters(exclude_categories=["Cs", "Cn"])
tricky = st.text(
    st.one_of(st.sampled_from("ab1 '-\u00a0\t\nstrevmdlé\u0301½Ⅷ٣漢☃\U0001f600"), assigned),
    min_size=1,
    max_size=12,
)


def test_the_byte_alphabet():
    symbols = byte_symbols()
    assert sorted(symbols) == sorted(ByteLevel.alphabet())
    assert symbols[ord(" ")] == "Ġ"
    assert symbols[ord("a")] == "a"


@given(tricky)
@example("they're don't we'll I'd 's '' -'s")
@example("a  b \t c  ")
@example("\x1c\x85\u200b\u2028")
def test_pretokens_are_those_of_huggingface(text):
    symbols = byte_symbols()
    found = ["".join(symbols[b] for b in piece.encode()) for piece in pretokens(text)]
    assert found == [piece for piece, _ in PEER.pre_tokenize_str(text)]


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
