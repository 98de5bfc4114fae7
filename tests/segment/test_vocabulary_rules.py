"""Rules that apply a vocabulary alone, compared with slow twins, vectors and Hugging Face."""

from itertools import pairwise

import bpe_twin as twin
import pytest
from bpe_strategies import corpora, lines_of, merge_lists, words
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import models

import sides
from seggrid.base.errors import InputError
from seggrid.segment.bpe.apply import apply
from seggrid.segment.bpe.model import BPEModel
from seggrid.segment.side import parse_spec
from seggrid.segment.side_segmenter import learn_model, segment_text
from seggrid.segment.unigram import Unigram
from seggrid.segment.vocabulary import RULES, cut
from seggrid.segment.wordpiece import WordPiece

pieces = st.builds(
    lambda mark, text: mark + text,
    st.sampled_from(["", "▁"]),
    st.text("abc", min_size=2, max_size=5),
)
vocabularies = st.sets(pieces, max_size=14)


def slowly(symbols, types, rule):
    """The tokens of a unit by the definition of a rule."""
    if not symbols:
        return []
    spans = [
        (begin, end)
        for end in range(1, len(symbols) + 1)
        for begin in range(end)
        if end - begin == 1 or "".join(symbols[begin:end]) in types
    ]
    if rule == "least":
        # The best way to each end goes on the best way to where its last token begins.
        best = {0: []}
        for end in range(1, len(symbols) + 1):
            ways = [[*best[span[0]], span] for span in spans if span[1] == end]
            best[end] = min(ways, key=lambda way: (len(way), [b - e for b, e in way[::-1]]))
        return ["".join(symbols[begin:end]) for begin, end in best[len(symbols)]]
    if rule == "left":
        begin, end = max(span for span in spans if span[0] == 0)
    elif rule == "right":
        begin, end = min(span for span in spans if span[1] == len(symbols))
    else:
        begin, end = max(spans, key=lambda span: (span[1] - span[0], -span[0]))
    left, right = (slowly(part, types, rule) for part in (symbols[:begin], symbols[end:]))
    return [*left, "".join(symbols[begin:end]), *right]


def tokens_of(units, types, rule, marking="start"):
    texts, tokens, offsets = cut(units, types, rule, marking)
    named = [texts[token] for token in tokens]
    return [named[begin:end] for begin, end in pairwise(offsets)]


@pytest.mark.parametrize("rule", RULES)
@given(units=st.lists(words, max_size=4), types=vocabularies, marked=st.booleans())
def test_tokens_are_those_of_the_definition(rule, units, types, marked):
    marking = "start" if marked else None
    expected = [slowly(twin.initial_symbols(unit, marking), types, rule) for unit in units]
    assert tokens_of(units, types, rule, marking) == expected


@pytest.mark.parametrize("rule", RULES)
@given(
    merges=merge_lists(),
    sentences=corpora,
    spaces=st.booleans(),
    marking=st.sampled_from(["start", "end", "own"]),
)
def test_of_merges_only_the_products_are_used(rule, merges, sentences, spaces, marking):
    units = twin.units_of(sentences, spaces, marking)
    products = set(map("".join, merges))
    # The slow way needs a short unit.
    units = [[unit for unit in sentence if unit] for sentence in units]
    if max((len(unit) for sentence in units for unit in sentence), default=0) > 11:
        return
    expected = [
        [t for unit in sentence for t in slowly(unit, products, rule)] for sentence in units
    ]
    model = BPEModel(merges, spaces, marking=marking)
    assert lines_of(apply(model, sentences, application=rule)) == expected


@given(units=st.lists(words, max_size=6), types=vocabularies)
def test_from_the_left_as_hugging_face(units, types):
    texts = [*sorted(types), *(mark + letter for mark in ("", "▁") for letter in "abc")]
    theirs = models.WordPiece(
        {"[UNK]": 0, **{text: k for k, text in enumerate(texts, 1)}},
        unk_token="[UNK]",
        continuing_subword_prefix="",
        max_input_chars_per_word=10**6,
    )
    expected = [[token.value for token in theirs.tokenize("▁" + unit)] for unit in units]
    assert tokens_of(units, types, "left") == expected


@pytest.mark.parametrize("name", ["bpe", "wordpiece", "unigram"])
@pytest.mark.parametrize("spaces", [True, False])
def test_every_vocabulary_can_be_applied_by_every_rule(name, spaces):
    sentences = [line.split() for line in ("abcab bcabc abc", "abca bcab", "cabc")]
    side = sides.side_of(name, merges=6, spaces=spaces)
    model = learn_model(sentences, side)
    types = model.types(side)
    for rule in RULES:
        (found,) = segment_text(
            sentences, sides.side_of(name, merges=6, spaces=spaces, application=rule), model, [0]
        )
        units = twin.units_of(sentences, spaces)
        assert lines_of(found) == [
            [t for unit in row for t in slowly(unit, types, rule)] for row in units
        ]


def test_a_long_sentence_is_cut_in_the_time_of_its_occurrences():
    unit = "ab" * 200_000
    (tokens,) = tokens_of([unit], {"ab", "abab"}, "flota", None)
    assert tokens == ["abab"] * 100_000


def test_the_path_holds_a_rule_only_where_it_is_used():
    for name, rule, shown in (
        ("wordpiece", "left", "merges=1000"),
        ("wordpiece", "right", "application=right"),
        ("unigram", "rank", "merges=1000"),
        ("unigram", "left", "application=left"),
        ("bpe", "rank", "application=rank"),
    ):
        side = sides.side_of(name, application=rule)
        assert str(side).endswith("+" + shown)
        assert parse_spec(str(side)) == side


def test_frequent_parts_are_merged_after_rare_ones_that_go_together():
    # The thesis's `soon` and `Jaggery`, section 3.1.2. Here 6 / (8 * 8) is compared with 2 / (2 * 2).
    sentences = [["xso"] * 6 + ["xs", "xo"] * 2 + ["xjg"] * 2]
    assert [*WordPiece.learn(sentences, 1, sides.side_of("wordpiece")).numbers] == ["jg"]


def segmenting(name, model, **axes):
    return lambda: segment_text([["ab"]], sides.side_of(name, **axes), model, [1])


BPE = BPEModel([("▁a", "b")])
TRIMMED = BPEModel([("a", "b")], split=frozenset({"ab"}))
UNIGRAM = Unigram({"▁ab": -1.0})
WORDPIECE = WordPiece({"▁ab": 0})


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (segmenting("bpe", BPE, application="left", dropout=0.1), "by occurrence with the app"),
        (lambda: apply(TRIMMED, [["ab"]], application="least"), "the model splits types after"),
        (segmenting("wordpiece", WORDPIECE, application="longest"), "no vocabulary is applied by 'longest'"),
        (segmenting("unigram", UNIGRAM, application="replace"), "no vocabulary is applied by 'replace'"),
        (segmenting("unigram", UNIGRAM, application="flota", sampling="alpha-0.1"), "sampling with the app"),
    ],
)  # fmt: skip
def test_refuses_what_makes_no_sense(act, message):
    with pytest.raises(InputError, match=message):
        act()
