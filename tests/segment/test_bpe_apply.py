"""Applying merges, compared with a step-by-step twin; `test_formats` compares with other programs."""

from collections import Counter

import bpe_twin as twin
import numpy as np
import pytest
from bpe_strategies import corpora, lines_of, merge_lists, words
from hypothesis import example, given, settings
from hypothesis import strategies as st

from seggrid.base.errors import InputError
from seggrid.segment.bpe import MARKINGS
from seggrid.segment.bpe.apply import (
    PreparedModel,
    apply,
    apply_dropout,
    count_applications,
    weighted_rates,
)
from seggrid.segment.bpe.apply_kernels import segment_units
from seggrid.segment.bpe.model import BPEModel
from seggrid.text.ragged import offsets_of


@given(
    merges=merge_lists(), sentences=corpora, spaces=st.booleans(), marking=st.sampled_from(MARKINGS)
)
@example([("a", "b"), ("ab", "c"), ("b", "c")], [["abcbc"]], True, "start")
@example([("ab", "c"), ("a", "b"), ("a", "b", "a")], [["abcab", "aba"]], False, "start")
@example([("a", "b"), ("ab", "ab"), ("a", "a")], [["ababaaab"]], False, "start")
@example([("b", "c"), ("a", "b", "d"), ("a", "bc")], [["abdabc"]], False, "start")
@settings(max_examples=4 * settings().max_examples)
def test_tokens_are_those_of_the_definition(merges, sentences, spaces, marking):
    model = BPEModel(merges, spaces, marking=marking)
    units = twin.units_of(sentences, spaces, marking)
    expected = [
        [token for unit in sentence if unit for token in twin.segment(unit, merges)[0]]
        for sentence in units
    ]
    assert lines_of(apply(model, sentences)) == expected


@given(merges=merge_lists(), units=st.lists(words, max_size=5), marking=st.sampled_from(MARKINGS))
def test_says_which_merge_removed_each_boundary(merges, units, marking):
    encoder = PreparedModel(BPEModel(merges, marking=marking))
    symbols, offsets = encoder.initial_symbols(units)
    removed_by = np.full(len(symbols), -1, dtype=np.int32)
    tokens, counts = segment_units(symbols, offsets, encoder.table.trie(), removed_by)
    token_offsets = offsets_of(counts)
    for u, unit in enumerate(units):
        symbols = twin.initial_symbols(unit, marking)
        expected, removed = twin.segment(symbols, merges)
        of_unit = tokens[token_offsets[u] : token_offsets[u + 1]]
        assert [encoder.table.types[token] for token in of_unit] == expected
        assert removed_by[offsets[u] : offsets[u + 1]].tolist() == removed


def test_words_of_tokens_in_the_examples_of_the_thesis():
    # Section 5.5: `b u t▁this▁is▁no t▁w hat▁hap pen s▁.`, `th e▁ ice▁cre am▁.`
    sentences = [text.split() for text in ("but this is not what happens .", "the ice cream .")]
    tokens = "t▁this▁is▁no t▁w hat▁hap pen s▁. th ice▁cre am▁. e▁"
    merges = list(map(tuple, tokens.split()))
    segmentation = apply(BPEModel(merges, spaces=False), sentences)
    assert segmentation.lines() == [
        "b u t▁this▁is▁no t▁w hat▁hap pen s▁.",
        "th e▁ ice▁cre am▁.",
    ]
    spans = list(zip(segmentation.first.tolist(), segmentation.last.tolist(), strict=True))
    assert spans[:7] == [(0, 0), (0, 0), (0, 3), (3, 4), (4, 5), (5, 5), (5, 6)]
    # The thesis maps `am▁.` to the last word only; it overlaps two.
    assert spans[7:] == [(0, 0), (0, 0), (1, 2), (2, 3)]


def segment_word(model, word, **options):
    encoder = PreparedModel(model, **options)
    return [encoder.table.types[token] for token in encoder.encode([word])[0]]


def test_replacing_also_joins_longer_tokens():
    model = BPEModel([("x", "a"), ("b", "y"), ("a", "b")], spaces=False)
    assert segment_word(model, "xaby") == ["xa", "by"]
    assert segment_word(model, "xaby", application="replace") == ["xaby"]
    double = BPEModel([("a", "a")])
    assert segment_word(double, "aaaaaa", application="replace") == ["▁aa", "aa", "aa"]
    assert apply(double, [], application="replace").lines() == []


def longest_first(merges):
    """The order in which `longest` applies merges: by length of the result, then by rank."""
    lengths = {m: len("".join(m).replace("▁", "")) for m in merges}
    return [m for n in sorted({*lengths.values()}, reverse=True) for m in merges if lengths[m] == n]


def test_the_longest_product_goes_first():
    model = BPEModel([("a", "b"), ("c", "d"), ("ab", "c")], spaces=False)
    assert segment_word(model, "abcd") == ["ab", "cd"]
    assert segment_word(model, "abcd", application="longest") == ["abc", "d"]
    # The thesis's example, chapter 7: make *independent* before *ly* finds another neighbor.
    short = [("l", "y"), ("i", "n"), ("n", "d"), ("d", "e"), ("de", "p"), ("n", "t"), ("nt", "ly")]
    long = [("in", "dep"), ("indep", "e"), ("indepe", "nd"), ("independ", "e"), ("independe", "nt")]
    model = BPEModel([*short, *long], spaces=False)
    assert segment_word(model, "independently") == ["independe", "ntly"]
    assert segment_word(model, "independently", application="longest") == ["independent", "ly"]


@given(merges=merge_lists(), sentences=corpora, spaces=st.booleans())
def test_longest_first_is_an_order_of_merges(merges, sentences, spaces):
    ranked = apply(BPEModel(longest_first(merges), spaces=spaces), sentences)
    longest = apply(BPEModel(merges, spaces=spaces), sentences, application="longest")
    assert lines_of(longest) == lines_of(ranked)


def test_rates_follow_weights_and_keep_the_expected_share():
    applied = np.array([50, 30, 15, 5])
    rates = weighted_rates(np.array([1.0, 2.0, 4.0, 8.0]), applied, 0.1)
    assert (rates @ applied) / applied.sum() == pytest.approx(0.1)
    assert rates[1:] / rates[:-1] == pytest.approx(2)
    # No rate is above 1: the other merges take the remainder.
    rates = weighted_rates(np.array([1.0, 1.0, 1.0, 100.0]), applied, 0.5)
    assert rates[3] == 1
    assert (rates @ applied) / applied.sum() == pytest.approx(0.5)
    assert weighted_rates(np.ones(4), applied, 0.3) == pytest.approx(np.full(4, 0.3))
    assert weighted_rates(np.ones(2), np.array([3, 2]), 1).tolist() == [1, 1]
    assert weighted_rates(np.ones(2), np.zeros(2, dtype=int), 0.5).tolist() == [0, 0]


def test_applications_are_counted_in_the_text():
    model = BPEModel([("▁a", "b"), ("▁ab", "c")])
    assert count_applications(model, [["ab", "abc"], ["ab", "x"]]).tolist() == [3, 1]


@pytest.mark.parametrize("kind", ["occurrence", "merge"])
def test_a_heavier_merge_is_dropped_more_often(kind):
    sentences = [["ab", "cd"]] * 50
    model = BPEModel([("▁a", "b"), ("▁c", "d")], weights=(1.0, 3.0))
    samples = apply_dropout(model, sentences, rate=0.2, seeds=range(200), kind=kind)
    rows = (row for sample in samples for row in lines_of(sample))
    tokens = Counter(token for row in rows for token in row)
    assert tokens["b"] / 10_000 == pytest.approx(0.1, abs=0.06)
    assert tokens["d"] / 10_000 == pytest.approx(0.3, abs=0.1)


def test_refuses_to_replace_where_words_are_marked_otherwise():
    with pytest.raises(InputError, match="marked with 'end'"):
        apply(BPEModel([("a", "b")], marking="end"), [["ab"]], application="replace")
