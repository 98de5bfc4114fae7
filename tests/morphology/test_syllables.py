"""Syllables by groups of vowels."""

import pytest

from seggrid.morphology.lexical import count_syllables


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
