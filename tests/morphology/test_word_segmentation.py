from itertools import pairwise

import knockout_oracle as oracle
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_merge_graph import prunings
from tokenizers import Tokenizer
from tokenizers.models import BPE

from seggrid.morphology.merge_graph import knock_out
from seggrid.morphology.word_segmentation import apply_merges, spell_bytes, spell_characters
from seggrid.segment.bpe.apply import MergeTable

words = st.lists(st.text("abc", min_size=1, max_size=12), min_size=1, max_size=4)


def run(merges, words, **dropout):
    table = MergeTable(merges, "abc")
    symbols = np.array(["abc".index(c) for word in words for c in word], dtype=np.int32)
    offsets = np.cumsum([0] + [len(word) for word in words])
    merged_by, tokens = apply_merges(table, symbols, offsets, **dropout)
    rows = []
    for i, j in pairwise(offsets):
        types = [table.types[t] for t in tokens[i:j] if t >= 0]
        rows.append((types, {k: m for k, m in enumerate(merged_by[i:j].tolist()) if m >= 0}))
    return rows


@given(prunings(), words)
def test_tuple_merges_are_replayed_in_order(pruning, words):
    merges = knock_out(*pruning)
    assert run(merges, words) == [oracle.replay(list(word), merges) for word in words]


@given(prunings(), words, st.floats(0.01, 1), st.integers(0, 2**64 - 1))
def test_dropout_loses_no_character(pruning, words, rate, seed):
    merges = knock_out(*pruning)
    result = run(merges, words, dropout=rate, seed=seed)
    assert result == run(merges, words, dropout=rate, seed=seed)
    for word, (tokens, merged_by) in zip(words, result, strict=True):
        assert "".join(tokens) == word
        assert len(merged_by) == len(word) - len(tokens)
        if rate == 1:
            assert tokens == list(word)


@pytest.mark.parametrize("rate", [0.1, 0.5])
def test_dropout_has_the_distribution_of_huggingface(rate):
    """Each segmentation of a word is as frequent as with Hugging Face, in 20,000 draws of each."""
    merges = [("a", "b"), ("b", "c"), ("ab", "c"), ("c", "a"), ("abc", "ab"), ("ca", "b")]
    word, draws = "abcab", 20_000
    vocabulary = {t: i for i, t in enumerate([*"abc", *map("".join, merges)])}
    peer = Tokenizer(BPE(vocab=vocabulary, merges=merges, dropout=rate))
    theirs = [" ".join(encoding.tokens) for encoding in peer.encode_batch([word] * draws)]
    ours = [" ".join(tokens) for tokens, _ in run(merges, [word] * draws, dropout=rate, seed=1)]
    for segmentation in {*theirs, *ours}:
        share = theirs.count(segmentation) / draws
        # Five standard deviations of a difference of two shares.
        bound = 5 * np.sqrt(2 * max(share * (1 - share), 1 / draws) / draws)
        assert abs(share - ours.count(segmentation) / draws) < bound, segmentation


def test_symbol_counts():
    table = MergeTable([("ab", "c"), ("a", "b"), ("x", "y", "z")], "a")
    counts = dict(zip(table.types, table.symbol_counts().tolist(), strict=True))
    assert counts == {"a": 1, "b": 1, "c": 1, "ab": 2, "abc": 3, "x": 1, "y": 1, "z": 1, "xyz": 3}


# Words spelled in bytes, and in the characters of each marking


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


def test_units_of_bytes_are_pretokens():
    spelling = spell_bytes(["stirrup-cup", "a"])
    text = bytes(spelling.ids.tolist()).decode()
    units = [text[i:j] for i, j in pairwise(spelling.units.tolist())]
    assert units == [" stirrup", "-", "cup", " a"]


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
