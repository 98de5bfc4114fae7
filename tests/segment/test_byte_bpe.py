"""Byte-level BPE: learned as by a twin, read by the library."""

import json
from functools import partial

import pytest
from bpe_twin import best_of, merge_all
from hypothesis import example, given
from hypothesis import strategies as st
from tokenizers import pre_tokenizers

import builtin_pair
import sides
from seggrid.data.words import WordCounts
from seggrid.segment.byte_bpe import ByteBPE, byte_symbols, count_pretokens, pretokens


@pytest.fixture(scope="module")
def sentences():
    return builtin_pair.words_of("deu")[:400]


side_of = partial(sides.side_of, "byte_bpe", merges=300)


def test_each_merge_is_of_the_most_frequent_pair(sentences):
    """A twin that recounts all pairs before each merge; ties go to the larger pair."""
    pretokens = count_pretokens(WordCounts.of(sentences[:60]))
    units = [
        list(p) for p, n in zip(pretokens.types, pretokens.counts, strict=True) for _ in range(n)
    ]
    model = ByteBPE.learn(sentences[:60], 120, side_of())
    for merge in json.loads(model.tokenizer.data)["model"]["merges"]:
        best, _ = best_of(units)
        assert merge == list(best)
        units = [merge_all(unit, best) for unit in units]


# Newer Unicode tables classify letters that this Python does not know differently.
assigned = st.characters(exclude_categories=["Cs", "Cn"])
tricky = st.text(
    st.one_of(st.sampled_from("ab1 '-\u00a0\t\nstrevmdlé\u0301½Ⅷ٣漢☃\U0001f600"), assigned),
    min_size=1,
    max_size=12,
)


def test_the_byte_alphabet():
    symbols = byte_symbols()
    assert sorted(symbols) == sorted(pre_tokenizers.ByteLevel.alphabet())
    assert symbols[ord(" ")] == "Ġ"
    assert symbols[ord("a")] == "a"


@given(tricky)
@example("they're don't we'll I'd 's '' -'s")
@example("a  b \t c  ")
@example("\x1c\x85\u200b\u2028")
def test_pretokens_are_those_of_huggingface(text):
    peer, symbols = pre_tokenizers.ByteLevel(add_prefix_space=False), byte_symbols()
    found = ["".join(symbols[b] for b in piece.encode()) for piece in pretokens(text)]
    assert found == [piece for piece, _ in peer.pre_tokenize_str(text)]
