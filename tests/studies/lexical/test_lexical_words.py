"""The tables of the lexical tokenizer: coverage, pieces, boundaries, comparisons."""

import numpy as np
import pandas as pd
import pytest

from seggrid.score.counts import PairCounts
from seggrid.score.significance import contrast
from seggrid.segment.token_offsets import map_to_words
from seggrid.studies.lexical.lexical_words import (
    TaggedWords,
    count_syllables,
    lexical_peers,
    lexical_rows,
)
from seggrid.text.segmentation import Segmentation

WORDS = ["gehen", "verstehen", "ist"]
CHARACTERS = list(map(list, WORDS))
OWN, OTHER = (
    map_to_words(Segmentation.from_words([line.split() for line in tokens]), CHARACTERS)
    for tokens in (["▁geh en", "▁ver steh en", "▁i s t"], ["▁ge hen", "▁ver stehen", "▁ist"])
)
GOLD = [(0, frozenset({3})), (1, frozenset({3})), (1, frozenset({3, 7})), (2, frozenset())]


@pytest.fixture
def table():
    tagged = TaggedWords(WORDS, np.array([1, 2, 7]), np.array([True, True, False]), GOLD)
    tokens = {"lexical": OWN, "bpe": OTHER}
    return lexical_rows(tagged, "lexical", tokens, language="German", rounds=200)


def test_all_words(table):
    own, other = table[table["syllables"] == "all"].to_dict("records")
    assert (own["words"], own["tokens"], own["entries"]) == (3, 10, 4)
    assert own["covered_words"] == pytest.approx(2 / 3)
    assert own["covered_tokens"] == pytest.approx(3 / 10)
    assert own["pieces_per_covered_word"] == pytest.approx(5 / 2)
    assert own["pieces_per_word"] == pytest.approx(8 / 3)
    # Hits 1, 1, 2, 0; predicted 1, 2, 2, 2; gold 1, 1, 2, 0.
    assert (own["precision"], own["recall"]) == pytest.approx((4 / 7, 1))
    assert own["f1"] == pytest.approx(8 / 11)
    # Hits 0, 1, 1, 0; predicted 1, 1, 1, 0.
    assert other["f1"] == pytest.approx(4 / 7)
    assert other["delta_f1"] == pytest.approx(8 / 11 - 4 / 7)
    assert other["delta_f1_low"] <= other["delta_f1"] <= other["delta_f1_high"]
    assert np.isnan(other["covered_words"])
    assert np.isnan(own["delta_f1"])


def test_by_syllables(table):
    own = table[table["segmentation"] == "lexical"].set_index("syllables")
    assert own["words"].to_dict() == {"all": 3, "1": 1, "2": 1, "3": 1}
    assert own["covered_words"].to_dict()["3"] == 1
    assert own["covered_words"].to_dict()["1"] == 0
    assert np.isnan(own["pieces_per_covered_word"].to_dict()["1"])


def test_the_same_seed_gives_the_same_table(table, documented):
    documented("lexical.csv", [*table, "lexical"])
    tagged = TaggedWords(WORDS, np.array([1, 2, 7]), np.array([True, True, False]), GOLD)
    again = lexical_rows(
        tagged, "lexical", {"lexical": OWN, "bpe": OTHER}, language="German", rounds=200
    )
    pd.testing.assert_frame_equal(table, again)


def test_the_columns_of_compared_alignments(documented):
    counts = np.arange(12).reshape(2, 2, 3)
    pair = PairCounts(np.array(["own", "other"]), np.array([1, 1]), np.array([9, 9]), counts)
    table = contrast({"p": pair}, [("p", "own", "other")], seed=1, rounds=20)
    documented("lexical_alignment.csv", table)


def test_without_a_reference():
    tagged = TaggedWords(WORDS, np.array([1, 2, 7]), np.ones(3, dtype=bool))
    table = lexical_rows(tagged, "lexical", {"lexical": OWN}, rounds=100)
    assert "f1" not in table
    assert (table["entries"] == 0).all()


def test_peers():
    """Of the same size, sides and aligner with its options, without dropout, pruning and sampling."""
    common = {
        "pair": "p", "sides": "both", "case": "keep", "aligner": "embeddings", "layer": 6, "replicates": 1,
        "symmetrization": "union", "dropout": 0.0, "knockout": "none", "sampling": "", "f1": 0.5,
        "segmenter": "bpe", "merges": 8,
    }  # fmt: skip
    by_words = {"aligner": "fast_align", "layer": np.nan}
    rows = [
        {"cell": "l8", "segmenter": "lexical", "knockout": ""},
        {"cell": "l4", "segmenter": "lexical", "merges": 4, "knockout": ""},
        {"cell": "lf", "segmenter": "lexical", **by_words},
        {"cell": "b8"},
        {"cell": "b7", "layer": 7},
        {"cell": "d8", "dropout": 0.1},
        {"cell": "k8", "knockout": "blame-0.5"},
        {"cell": "u8", "segmenter": "unigram", "sampling": "alpha-0.2"},
        {"cell": "f8", "f1": np.nan},
        {"cell": "s8", "sides": "source"},
        {"cell": "b4", "merges": 4},
        {"cell": "bf", **by_words},
        {"cell": "w", "segmenter": "words", "merges": np.nan, "sides": "none", "knockout": ""},
    ]
    found = lexical_peers(pd.DataFrame([common | row for row in rows]))
    pairs = [("l8", "b8"), ("l8", "w"), ("l4", "b4"), ("l4", "w"), ("lf", "bf")]
    assert found == [("p", *pair) for pair in pairs]


# Syllables by groups of vowels


@pytest.mark.parametrize(
    ("word", "language", "count"),
    [
        ("verstehen", "German", 3), ("Größe", "German", 2), ("zubereiten", "German", 4),
        ("gehe", "German", 2), ("made", "English", 1), ("tables", "English", 2),
        ("table", "English", 2), ("understand", "English", 3), ("be", "English", 1),
        ("whole", "English", 1), ("Brr", "German", 1), ("1999", None, 1),
    ],
)  # fmt: skip
def test_syllables(word, language, count):
    assert count_syllables(word, language) == count
