"""Word frequencies of wordfreq, and the columns of the paper's Table 2 computed with them."""

import csv

import pytest

from seggrid.morphology.evaluate import evaluate
from seggrid.morphology.frequencies import wordfreq_counts
from seggrid.morphology.references import read_reference
from seggrid.segment.formats.tokenizer_json import read_byte_level

LANGUAGES = {"eng": ("en", "English"), "deu": ("de", "German")}


@pytest.mark.tier("test")
def test_counts():
    pytest.importorskip("wordfreq")
    found = wordfreq_counts(["the", "House", "qxzjwk", "new york"], "English")
    assert set(found) == {"the", "House"}
    assert found["the"] > 100 * found["House"] > 10**6
    assert wordfreq_counts(["Haus"], "German")["Haus"] > 10**5


@pytest.mark.needs_mirror
@pytest.mark.parametrize("language", list(LANGUAGES))
def test_word_tokens_of_table_2(language, root, shared_data):
    """The paper's counts of OSCAR are not available. With others, knockout has the same effect as in the
    paper in every column, and F1 of morpheme boundaries is within three points of the paper's."""
    pytest.importorskip("wordfreq")
    code, name = LANGUAGES[language]
    folder = shared_data / f"bpe-40k-{language}"
    model = read_byte_level(folder / "merges.txt", folder / "vocab.json")
    reference = read_reference(shared_data / f"celex/celex_morphology_{code}.txt", "celex")
    frequencies = wordfreq_counts(reference.words, name)
    with (root / f"resources/published/bpe_knockout_{language}.csv").open() as file:
        published = {
            (row["knockout"], row["boundaries"]): row
            for row in csv.DictReader(file)
            if (row["evaluation"], row["dropout"], row["unit"]) == ("full", "0", "tokens")
        }
    ours = {
        (knockout, row["boundaries"]): row
        for knockout in ("none", "blame-0.5")
        for row in evaluate(model, reference, knockout, frequencies=frequencies)
        if row["unit"] == "tokens"
    }
    for boundaries in ("morphemes", "whole words"):
        after, before = ((variant, boundaries) for variant in ("blame-0.5", "none"))
        for measure in ("recall", "f1", "precision"):
            gain = ours[after][measure] - ours[before][measure]
            theirs = float(published[after][measure]) - float(published[before][measure])
            assert (gain > 0) == (theirs > 0), (boundaries, measure)
    for knockout in ("none", "blame-0.5"):
        key = knockout, "morphemes"
        assert ours[key]["f1"] == pytest.approx(float(published[key]["f1"]), abs=0.03)
