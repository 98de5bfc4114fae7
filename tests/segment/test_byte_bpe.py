"""Byte-level BPE: learned as by a twin, read by the library."""

import json
from collections import Counter
from functools import partial
from itertools import pairwise

import pytest
from bpe_twin import merge_all
from hypothesis import example, given
from hypothesis import strategies as st
from tokenizers import pre_tokenizers

import builtin_pair
import sides
from seggrid.segment.byte_bpe import ByteBPE
from seggrid.segment.byte_level import byte_symbols, pretokens
from seggrid.text.text_files import Text
from seggrid.text.words import WordCounts


@pytest.fixture(scope="module")
def sentences():
    return builtin_pair.words_of("deu")[:400]


side_of = partial(sides.side_of, "byte_bpe", merges=300)


def merges_of(text, size, **settings):
    model = ByteBPE.learn(text, size, side_of(), **settings)
    return [tuple(merge) for merge in json.loads(model.tokenizer.data)["model"]["merges"]]


def test_each_merge_is_of_the_most_frequent_pair(sentences):
    """A twin that recounts all pairs before each merge; ties go to the pair of the lowest ids, those of bytes
    in the order of their characters, then of products."""
    symbols = byte_symbols()
    pieces = [piece for line in sentences[:60] for word in line for piece in pretokens(f" {word}")]
    units = [[symbols[byte] for byte in piece.encode()] for piece in pieces]
    ids = {symbol: k for k, symbol in enumerate(sorted(symbols))}
    for merge in merges_of(sentences[:60], 120):
        found = Counter(pair for unit in units for pair in pairwise(unit))
        assert merge == max(found, key=lambda pair: (found[pair], [-ids[part] for part in pair]))
        ids["".join(merge)] = len(ids)
        units = [merge_all(unit, merge) for unit in units]


ODD = "ein  Haus\u00a0\n\n im\u3000 Haus \n\u00a0 \nHaus\u2003\n x\u00a0 y\u00a0\n"


def read_file(tmp_path, text):
    (tmp_path / "text").write_text(text, "utf-8")
    return Text((tmp_path / "text",), empty_lines="skip").read_counts(spooled=True)


def test_a_file_gives_the_merges_of_its_words(tmp_path, sentences):
    """Lines that end in white space, or are empty, make no merge with a line end."""
    text = ODD * 3 + "".join(f"{' '.join(words)}\n" for words in sentences)
    read = read_file(tmp_path, text)
    words = [line.split(" ") for line in text.split("\n")]
    counts = WordCounts.of([list(filter(None, line)) for line in words])
    assert dict(zip(read.words.types, read.words.counts, strict=True)) == dict(
        zip(counts.types, counts.counts, strict=True)
    )
    assert read.filled.tolist() == [any(line) for line in words[:-1]]
    merges = merges_of(read.words, 400)
    assert merges == merges_of(counts, 400)
    assert not any("Ċ" in part for merge in merges for part in merge)


def test_both_libraries_learn_the_same(tmp_path, sentences, monkeypatch):
    pytest.importorskip("gigabpe")
    text = read_file(tmp_path, ODD + "".join(f"{' '.join(words)}\n" for words in sentences)).words
    for least in (1, 2, 4):
        found = merges_of(text, 700, min_frequency=least)
        with monkeypatch.context() as without:
            without.setattr("seggrid.segment.byte_bpe.find_spec", lambda name: None)
            assert merges_of(text, 700, min_frequency=least) == found


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
