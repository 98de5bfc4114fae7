"""A reference in the spelling of a text: case, umlauts, and the positions of cuts."""

import pytest

from seggrid.morphology.frequencies import respelled_counts
from seggrid.morphology.references import as_in_text

CELEX = """\
Aal\t(Aal)[N]
aehnlich\t((aehneln)[V],(lich)[A|V.])[A]
Groesse\t((groess)[A],(e)[N|A.])[N]
Masse\t(Masse)[N]
neuerdings\t((neu)[A],(erdings)[B|A.])[B]
Fussball\t((Fuss)[N],(Ball)[N])[N]
"""


@pytest.fixture
def reference(read):
    return read(CELEX, "celex")


def pieces(reference):
    return reference.morphemes.pieces(reference.words)


def test_umlauts_are_those_of_the_text(reference):
    found = as_in_text(reference, {"ähnlich", "Größe", "Fußball", "neuerdings"})
    assert pieces(found) == [
        ["Aal"], ["ähn", "lich"], ["Größ", "e"], ["Masse"], ["neu", "erdings"], ["Fuß", "ball"],
    ]  # fmt: skip
    assert found.whole_words.pieces(found.words)[5] == ["Fuß", "ball"]
    assert pieces(reference)[1] == ["aehn", "lich"]


def test_what_the_text_spells_in_two_ways_is_left(reference):
    for words in ({"Maße", "Masse"}, {"Größe", "Groeße"}):
        assert as_in_text(reference, words).words == reference.words


def test_lower_case(reference):
    found = as_in_text(reference, {"größe", "fußball"}, "lower")
    assert found.words == ["aal", "aehnlich", "größe", "masse", "neuerdings", "fußball"]
    assert as_in_text(reference, set(), "first").words == reference.words


def test_a_cut_within_a_letter_is_no_umlaut(reference):
    """`neu·erdings` is never respelled `neü·rdings`, whatever the text contains."""
    assert as_in_text(reference, {"neürdings"}).words[4] == "neuerdings"


def test_lengths_stay(reference):
    reference.words[0] = "İal"
    assert as_in_text(reference, set(), "lower").words[0] == "İal"


def test_counts_follow_the_spelling_of_their_words(reference):
    found = as_in_text(reference, {"ähnlich", "größe"}, "lower")
    counts = {"Aal": 7, "aal": 1, "aehnlich": 2, "ähnlich": 50, "Größe": 3, "größe": 4, "other": 9}
    known = respelled_counts(counts, reference.words, found.words)
    assert {word: known.get(word) for word in found.words[:4]} == {
        "aal": 8,
        "ähnlich": 52,
        "größe": 4,
        "masse": None,
    }
    assert known["other"] == 9
