"""The tables of the lexical tokenizer: coverage, pieces, boundaries, comparisons."""

import numpy as np
import pandas as pd
import pytest

from seggrid.data.segmentation import Segmentation
from seggrid.morphology.lexical import (
    TaggedWords,
    count_syllables,
    lexical_peers,
    lexical_rows,
)
from seggrid.segment.token_offsets import map_to_words

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


def test_without_a_reference():
    tagged = TaggedWords(WORDS, np.array([1, 2, 7]), np.ones(3, dtype=bool))
    table = lexical_rows(tagged, "lexical", {"lexical": OWN}, rounds=100)
    assert "f1" not in table
    assert (table["entries"] == 0).all()


def test_peers():
    common = {
        "pair": "p", "sides": "both", "case": "keep", "aligner": "fast_align", "replicates": 1,
        "symmetrization": "union", "dropout": 0.0, "knockout": "none", "f1": 0.5,
    }  # fmt: skip
    rows = [
        {"cell": "l8", "segmenter": "lexical", "merges": 8, "knockout": ""},
        {"cell": "l4", "segmenter": "lexical", "merges": 4, "knockout": ""},
        {"cell": "b8", "segmenter": "bpe", "merges": 8},
        {"cell": "d8", "segmenter": "bpe", "merges": 8, "dropout": 0.1},
        {"cell": "k8", "segmenter": "bpe", "merges": 8, "knockout": "blame-0.5"},
        {"cell": "f8", "segmenter": "bpe", "merges": 8, "f1": np.nan},
        {"cell": "s8", "segmenter": "bpe", "merges": 8, "sides": "source"},
        {"cell": "b4", "segmenter": "bpe", "merges": 4},
        {"cell": "w", "segmenter": "words", "merges": np.nan, "sides": "none", "knockout": ""},
    ]
    found = lexical_peers(pd.DataFrame([common | row for row in rows]))
    assert found == [("p", "l8", "b8"), ("p", "l8", "w"), ("p", "l4", "b4"), ("p", "l4", "w")]


def test_peers_have_the_same_aligner_with_its_options_and_no_samples():
    common = {
        "pair": "p", "sides": "both", "aligner": "embeddings", "merges": 8, "dropout": 0.0,
        "knockout": "", "sampling": "", "f1": 0.5,
    }  # fmt: skip
    rows = [
        {"cell": "l6", "segmenter": "lexical", "layer": 6},
        {"cell": "lf", "segmenter": "lexical", "layer": np.nan, "aligner": "fast_align"},
        {"cell": "b6", "segmenter": "bpe", "layer": 6},
        {"cell": "b7", "segmenter": "bpe", "layer": 7},
        {"cell": "u6", "segmenter": "unigram", "layer": 6, "sampling": "alpha-0.2"},
        {"cell": "bf", "segmenter": "bpe", "layer": np.nan, "aligner": "fast_align"},
    ]
    found = lexical_peers(pd.DataFrame([common | row for row in rows]))
    assert found == [("p", "l6", "b6"), ("p", "lf", "bf")]


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
