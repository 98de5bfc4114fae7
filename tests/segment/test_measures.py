"""Intrinsic measures, compared with other packages, brute force and examples by hand."""

import math
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product

import bpe_twin as twin
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import jensenshannon
from tokenization_scorer.metrics import get_metric

import sides
from seggrid.morphology.evaluate import cuts_of
from seggrid.segment import SEGMENTERS, measures
from seggrid.segment.axes import AXES
from seggrid.segment.bpe import MARKINGS
from seggrid.segment.bpe.apply import apply
from seggrid.segment.bpe.model import learn
from seggrid.segment.measures import (
    average_rank,
    bigram_entropy,
    jensen_shannon_divergence,
    measure_segmentation,
    moving_type_token_ratio,
    parts_of_characters,
    percentile_frequency,
    renyi_efficiency,
    segmentation_digest,
    tokens_of_words,
    type_counts,
)
from seggrid.segment.side_segmenter import (
    learn_model,
    measures_of,
    segment_text,
    segment_words,
    unreachable_types,
)
from seggrid.text.boundary import unmarked
from seggrid.text.segmentation import Segmentation

SENTENCES = [["this", "is", "this"], ["thistle", "is", "äöü"], ["is"]]
corpora = st.lists(
    st.lists(st.text("abä", min_size=1, max_size=6), min_size=1, max_size=6), min_size=1, max_size=6
)


@given(corpora, st.integers(0, 8), st.booleans())
def test_tokens_of_words_against_brute_force(sentences, merges, spaces):
    segmentation = apply(learn(sentences, merges, spaces=spaces), sentences)
    expected = []
    for s, words in enumerate(sentences):
        rows = range(segmentation.offsets[s], segmentation.offsets[s + 1])
        spans = [(segmentation.first[t], segmentation.last[t]) for t in rows]
        expected += [sum(a <= word <= b for a, b in spans) for word in range(len(words))]
    assert tokens_of_words(segmentation, sentences).tolist() == expected
    found = measure_segmentation(segmentation, sentences)
    assert found["continued_words"] == pytest.approx(np.mean([n > 1 for n in expected]))
    assert found["tokens"] == len(segmentation.ids)


def test_numbers_of_merges_that_a_text_does_not_have_segment_it_equally():
    def digest(merges, dropout="0"):
        side = sides.side_of(merges=merges, dropout=dropout)
        model = learn_model(SENTENCES, side)
        (sample,) = segment_text(SENTENCES, side, model, [merges])
        return segmentation_digest(sample, side, {"merges": min(merges, model.learned)})

    few, many, more = map(digest, (2, 100, 200))
    assert few != many == more
    # Samples are drawn with different seeds; the segmentations that they are drawn from are one.
    few, many, more = (digest(merges, "0.5") for merges in (2, 100, 200))
    assert few != many == more
    assert digest(100, "0.5") != digest(100, "0.25")


def test_a_digest_is_of_the_tokens_however_types_are_numbered():
    words = Segmentation.from_words(SENTENCES)
    order = np.arange(len(words.types))[::-1]
    other = replace(
        words,
        types=[words.types[i] for i in order] + ["unused"],
        ids=(len(order) - 1 - words.ids).astype(np.int32),
    )
    assert other.digest() == words.digest()
    assert replace(words, last=words.last + 1).digest() != words.digest()
    assert Segmentation.from_words([*SENTENCES[0:1], *SENTENCES[2:]]).digest() != words.digest()


def test_words_that_a_tokenizer_leaves_out():
    tokens = Segmentation.from_words(SENTENCES)
    assert tokens_of_words(tokens, SENTENCES).min() > 0
    # One token over the first two words of the first sentence; none of its third and of the last one; a
    # boundary alone, which overlaps no word, before the second of the second sentence.
    first, last = np.array([0, 0, 1, 2], np.int32), np.array([1, 0, 0, 2], np.int32)
    some = Segmentation(["x"], np.zeros(4, np.int32), np.array([0, 1, 4, 4]), first, last)
    assert (tokens_of_words(some, SENTENCES) == 0).sum() == 3


@given(corpora, st.integers(0, 8))
def test_distributions_against_tokenization_scorer(sentences, merges):
    segmentation = apply(learn(sentences, merges), sentences)
    tokens = [segmentation.sentence(s) for s in range(len(segmentation))]
    counts = type_counts(segmentation.ids)
    theirs = get_metric("percentile_freq")(tokens, perc_start=0.03, perc_end=0.83)
    assert percentile_frequency(counts) == pytest.approx(theirs, abs=1e-9)
    if len(counts) > 1:
        theirs = get_metric("renyi")(tokens, power=2.5)
        assert renyi_efficiency(counts) == pytest.approx(theirs, abs=1e-9)
        theirs = get_metric("renyi")(tokens, power=2.5, vocab=1000)
        assert renyi_efficiency(counts, 1000) == pytest.approx(theirs, abs=1e-9)


@given(corpora, st.integers(0, 8), st.integers(1, 12))
def test_ranks_windows_and_followers_against_brute_force(sentences, merges, window):
    cut = apply(learn(sentences, merges), sentences)
    tokens = [cut.sentence(s) for s in range(len(cut))]
    text = [token for sentence in tokens for token in sentence]
    ranks = {t: rank for rank, (t, _) in enumerate(Counter(text).most_common(), 1)}
    mean = sum(ranks[token] for token in text) / len(text)
    assert average_rank(type_counts(cut.ids)) == pytest.approx(mean, abs=1e-9)
    shares = [len(set(text[k : k + window])) / window for k in range(len(text) - window + 1)]
    expected = np.mean(shares) if shares else math.nan
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(measures, "WINDOW", window)
        found = moving_type_token_ratio(cut.ids)
    assert found == pytest.approx(expected, abs=1e-9, nan_ok=True)
    followers = {}
    for sentence in tokens:
        for left, right in pairwise(sentence):
            followers.setdefault(left, Counter())[right] += 1
    known = [of for of in followers.values() if of.total() >= 3]
    evenness = [
        -sum(n / of.total() * math.log2(n / of.total()) for n in of.values()) / math.log2(len(of))
        if len(of) > 1
        else 0
        for of in known
    ]
    weights = [of.total() for of in known]
    expected = np.average(evenness, weights=weights) if known else math.nan
    assert bigram_entropy(cut) == pytest.approx(expected, abs=1e-9, nan_ok=True)


@given(st.text("aé你🙂", max_size=6), st.sets(st.integers(0, 24)))
def test_parts_of_characters_against_the_definition(text, cuts):
    """By the place of each byte in the text: which characters a token has bytes of, and whether all."""
    character = [i for i, letter in enumerate(text) for _ in letter.encode()]
    octets = text.encode()
    ends = [0, *sorted(cut for cut in cuts if 0 < cut < len(octets)), len(octets)]
    for begin, end in pairwise(ends):
        touched = set(character[begin:end])
        whole = {i for i in touched if character[begin:end].count(i) == character.count(i)}
        parted = whole != touched
        expected = (parted, parted and len(touched) > 1)
        assert parts_of_characters(octets[begin:end]) == expected


def test_tokens_of_bytes():
    """The examples of TokEval's documentation, and a byte-level BPE against bytes."""
    for spelled, incomplete, crossing in (
        ([b"caf", b"\xc3\xa9"], 0, 0),
        ([b"caf", b"\xc3", b"\xa9"], 2, 0),
        ([b"\xc3", b"\xa9\xe4", b"\xbd\xa0"], 3, 1),
    ):
        kinds = list(map(parts_of_characters, spelled))
        assert [sum(kind) for kind in zip(*kinds, strict=True)] == [incomplete, crossing]
    sentences = [["äöü", "houses"], ["你好", "ä"]]
    cut = Segmentation.from_words([["ĠÃ", "¤Ã", "¶", "Ã¼", "Ġhouses"], ["Ġä½", "ł", "å¥½", "ĠÃ¤"]])
    words = np.array([0, 0, 0, 0, 1, 0, 0, 0, 1], np.int32)
    cut = replace(cut, first=words, last=words)
    side = sides.side_of()
    model = learn_model(sentences, replace(side, segmenter="byte_bpe", merges=1))
    found = measure_segmentation(cut, sentences, spelled=model.spelled)
    # ĠÃ has a space and half of ä; ¤Ã its other half and half of ö; Ġä½ a space and two of three bytes.
    assert (found["incomplete_tokens"], found["crossing_tokens"]) == (5 / 9, 3 / 9)
    assert measure_segmentation(cut, sentences)["incomplete_tokens"] == 0


@given(corpora, corpora, st.integers(0, 8))
def test_the_divergence_of_two_texts_is_that_of_scipy(one, other, merges):
    """Which TokEval's metric of this name takes, without squaring it, with natural logarithms."""
    model = learn([*one, *other], merges)
    cuts = [apply(model, text) for text in (one, other)]
    tokens = [Counter(t for s in range(len(cut)) for t in cut.sentence(s)) for cut in cuts]
    types = sorted(set().union(*tokens))
    shares = [[of[text] for text in types] for of in tokens]
    found = jensen_shannon_divergence(*cuts)
    assert found == pytest.approx(jensenshannon(*shares, base=2) ** 2, abs=1e-9)
    assert jensen_shannon_divergence(cuts[0], cuts[0]) == 0
    assert math.isnan(jensen_shannon_divergence(cuts[0], Segmentation.from_words([])))


BY_ITSELF = [
    (name, application)
    for name, entry in SEGMENTERS.items()
    if entry.by_itself
    for application in AXES["application"].choices
    if application not in entry.refuses.get("application", ())
]


@pytest.mark.parametrize(
    ("name", "application", "marking"),
    [
        *((*one, "start") for one in BY_ITSELF),
        *(
            ("bpe", application, marking)
            for application in ("rank", "left")
            for marking in ("end", "own")
        ),
    ],
)
def test_types_that_occur_in_no_text_against_all_words(name, application, marking):
    draw = np.random.default_rng(1)
    words = ["".join(word) for size in range(1, 6) for word in product("abc", repeat=size)]
    for _ in range(3):
        sentences = [["".join(draw.choice(list("abc"), size=6))] for _ in range(12)]
        side = sides.side_of(name, merges=12, application=application)
        model = (
            learn_model(sentences, side)
            if marking == "start"
            else learn(sentences, 12, marking=marking)
        )
        (cut,) = segment_text([[word] for word in words], side, model, [0])
        # A longer type may need a longer word.
        types = model.types(side)
        short = {text for text in types if len(unmarked(text)) < 5}
        unreachable = unreachable_types(side, model)
        assert short & unreachable == short - {cut.types[k] for k in cut.ids}


def test_a_type_that_occurs_in_no_text():
    # ab is merged before bc could be, so that abc, the product of a and bc, never occurs; it is no token.
    model = replace(learn([["xab", "xbc"]], 0), merges=(("a", "b"), ("b", "c"), ("a", "bc")))
    side = sides.side_of(merges=3)
    assert unreachable_types(side, model) == {"abc"}
    sampled = sides.side_of(merges=3, dropout=0.5)
    assert unreachable_types(sampled, model) is None


def test_what_a_tokenizer_spells_and_does_not_know(tmp_path):
    """As TokEval: sentences that the library's decoding gives back, and the share of unknown tokens."""
    tokenizers = pytest.importorskip("tokenizers")
    ids = {"[UNK]": 0, "a": 1, "##b": 2, "ab": 3}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordPiece(ids, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer.decoder = tokenizers.decoders.WordPiece()
    tokenizer.add_special_tokens(["[UNK]"])
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    sentences = [["ab", "abb"], ["a", "c"], ["c"], ["a"]]
    side = sides.side_of("external", tokenizer="x")
    segmenter = SEGMENTERS["external"]
    model = segmenter.read(tmp_path / "tokenizer.json", "huggingface")
    (cut,) = segment_text(sentences, side, model, [0])
    found = measures_of(side, model, cut, sentences, sentences)
    encoded = [tokenizer.encode(" ".join(words)).ids for words in sentences]
    exact = [
        tokenizer.decode(of) == " ".join(words)
        for of, words in zip(encoded, sentences, strict=True)
    ]
    assert found["exact_sentences"] == np.mean(exact) == 0.5
    unknown = sum(of.count(0) for of in encoded) / sum(map(len, encoded))
    assert found["unknown_tokens"] == unknown > 0


@pytest.mark.parametrize("marking", MARKINGS)
@given(
    st.lists(
        st.lists(st.text("ab<w", min_size=1, max_size=5), min_size=1, max_size=4),
        min_size=1,
        max_size=4,
    ),
    st.integers(0, 8),
)
def test_the_measures_of_every_marking_against_brute_force(marking, sentences, merges):
    model = learn(sentences, merges, marking=marking)
    side = sides.side_of(merges=merges)
    (cut,) = segment_text(sentences, side, model, [0])
    found = measures_of(side, model, cut, sentences, sentences)
    words = [word for sentence in sentences for word in sentence]
    symbols = {word: twin.initial_symbols(word, marking) for word in words}
    vocabulary = {one for own in symbols.values() for one in own} | set(map("".join, model.merges))
    assert found["exact_sentences"] == 1
    assert found["vocabulary_use"] == pytest.approx(len({*cut.ids}) / len(vocabulary))
    assert found["unreachable_types"] >= 0
    for dropout in (0, Fraction(1, 2)):
        drawn = sides.side_of(merges=merges, dropout=dropout)
        (laid,) = segment_words(drawn, model, words, [1])
        (plain,) = segment_text([[word] for word in words], drawn, model, [1])
        for w in range(len(words)):
            ends = np.cumsum([len(unmarked(token)) for token in plain.sentence(w)])
            assert cuts_of(laid).word(w) == sorted({*ends.tolist()} - {0, len(words[w])})


def test_what_cannot_be_measured_is_not_a_number():
    nothing = Segmentation.from_words([])
    assert all(math.isnan(v) for k, v in measure_segmentation(nothing, []).items() if k != "tokens")
    assert math.isnan(renyi_efficiency(np.array([5])))
    assert math.isnan(
        measure_segmentation(Segmentation.from_words([["a"]]), [["a"]])["vocabulary_use"]
    )


@given(corpora, st.integers(0, 8))
def test_ratios_are_those_of_their_definitions(sentences, merges):
    cut = apply(learn(sentences, merges), sentences)
    tokens = [cut.sentence(s) for s in range(len(cut))]
    words = [word for line in sentences for word in line]
    total, types = sum(map(len, tokens)), len(set().union(*tokens))
    found = measure_segmentation(cut, sentences, types + 5)
    expected = {
        "tokens": total,
        "fertility": total / len(words),
        "characters_per_token": sum(map(len, words)) / total,
        "bytes_per_token": sum(len(word.encode()) for word in words) / total,
        "vocabulary_use": types / (types + 5),
        "sentence_tokens": total / len(tokens),
        "sentence_tokens_p95": np.percentile(list(map(len, tokens)), 95),
        "type_token_ratio": types / total,
    }
    assert {name: found[name] for name in expected} == pytest.approx(expected, rel=1e-9)
