import knockout_oracle as oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seggrid.morphology.celex import (
    parse_analysis,
    parse_struclab,
    surface_cuts,
)

REANIMATION = "((((re)[V|.V],(animeer)[V])[V],(atie)[N|V.])[N],((technisch)[A],(iek)[N|A.])[N])[N]"


def pieces(lemma: str, analysis: str) -> tuple[list[str], list[str]]:
    leaves, gaps = parse_analysis(analysis)
    morphemes, words = surface_cuts([lemma], [leaves], [gaps])
    return morphemes.pieces([lemma])[0], words.pieces([lemma])[0]


def test_the_example_of_the_paper():
    """Section 4.1, Figure 8."""
    assert parse_struclab(REANIMATION).leaves() == ["re", "animeer", "atie", "technisch", "iek"]
    assert pieces("reanimatietechniek", REANIMATION) == (
        ["re", "anim", "atie", "techn", "iek"],
        ["reanimatie", "techniek"],
    )


@pytest.mark.parametrize(
    ("lemma", "analysis", "morphemes", "words"),
    [
        (
            "high-mindedness",
            "(((high)[A],(mind)[N],(ed)[A|AN.])[A],(ness)[N|A.])[N]",
            ["high", "-", "mind", "ed", "ness"],
            ["high-mindedness"],
        ),
        # Accents, case and ligatures do not prevent a match.
        ("coëxistent", "((co)[A|.A],(Existent)[A])[A]", ["co", "ëxistent"], ["coëxistent"]),
        ("Übergröße", "((über)[P],(Größe)[N])[N]", ["Über", "größe"], ["Übergröße"]),
    ],
)
def test_surface_cuts(lemma, analysis, morphemes, words):
    assert pieces(lemma, analysis) == (morphemes, words)


@pytest.mark.parametrize(
    "text",
    ["", "a", "(a)", "(a)[N", "(a)[N]]", "(a)[N](b)[N]", "(a)[N],(b)[N]", "((a)[N],)[N]",
     "((a)[N]", "(a(b)[N])[N]", "((a)[N](b)[N])[N]", "(a)[N] ", ")[N]", "(a,b)[N]", "((a)[N])"],
)  # fmt: skip
def test_malformed_analyses(text):
    with pytest.raises(ValueError, match=r"character \d+|before its tree"):
        parse_analysis(text)


def nested(levels):
    return "(" * levels + "(a)[N]" + ")[N]" * levels


def wide(leaves):
    return f"({','.join(['(a)[N]'] * leaves)})[N]"


def test_trees_have_a_bounded_size():
    assert parse_analysis(nested(99)) == (["a"], [])
    assert parse_analysis(wide(1000)) == (["a"] * 1000, [True] * 999)
    for levels in (100, 1000, 100_000):
        with pytest.raises(ValueError, match="more than 100 levels at character 100"):
            parse_analysis(nested(levels))


tags = st.sampled_from(["N", "V", "", "P", "?", "V|.V", "N|V.", "N|N.N", "A|.F", "N|."])
leaf = st.tuples(st.text("abcd-", min_size=1, max_size=4), tags).map(lambda x: f"({x[0]})[{x[1]}]")
trees = st.recursive(
    leaf,
    lambda inner: st.tuples(st.lists(inner, min_size=1, max_size=3), tags).map(
        lambda x: f"({','.join(x[0])})[{x[1]}]"
    ),
    max_leaves=6,
)


@given(st.text("abcdABCD-éÜ", min_size=1, max_size=10), trees)
def test_cuts_of_any_word(lemma, analysis):
    assert pieces(lemma, analysis) == oracle.celex_pieces(lemma, analysis)


def test_cuts_stand_in_the_word_as_it_is_spelled():
    """A combining accent is a character of the word, but is ignored in the comparison."""
    assert pieces("cafe\u0301haus", "((Café)[N],(Haus)[N])[N]")[0] == ["cafe\u0301", "haus"]
