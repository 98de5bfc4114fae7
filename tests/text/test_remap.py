"""Links between other words of the same text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seggrid.text.links import Links
from seggrid.text.remap import overlaps, remap_links

CUTS = st.text("ab '.", min_size=1).map(str.split).filter(bool)


@pytest.mark.parametrize(
    ("words", "others", "right"),
    [
        # A bracket that was replaced, though one of its letters is that of another word.
        (["a", "(", "b", ")"], ["a", "-LRB-", "b", "-RRB-"], [[0], [1], [2], [3]]),
        (["``", "a", "''"], ['"', "a", '"'], [[0], [1], [2]]),
        (["it", "&apos;s", "(", "b"], ["it's", "-LRB-", "b"], [[0], [0], [1], [2]]),
        # Two words, or none, in the place of one.
        (["a", "(", "b"], ["a", "[", "[", "b"], [[0], [], [3]]),
        (["a", "(", "b"], ["a", "b"], [[0], [], [1]]),
        (["a", "(", "[", "b"], ["a", "<", "b"], [[0], [], [], [2]]),
    ],
)
def test_a_word_that_was_replaced_between_two_others(words, others, right):
    assert overlaps(words, others) == right


@given(CUTS, st.data())
def test_words_overlap_by_their_characters(words, data):
    text = "".join(words)
    ends = sorted({*data.draw(st.sets(st.integers(1, len(text)))), len(text)})
    others = [text[a:b] for a, b in zip([0, *ends], ends, strict=False)]
    of_characters = [k for k, word in enumerate(others) for _ in word]
    begin = 0
    for word, found in zip(words, overlaps(words, others), strict=True):
        assert found == sorted(set(of_characters[begin : begin + len(word)]))
        begin += len(word)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("don 't say &quot; X &quot; .", 'Don\'t say "x".'),
        ("x &lt; y &#124; &amp; &#91; z &#93; &apos;", "X < Y | & [ Z ] '"),
        ("ｆｕ ß １", "FU SS 1"),
        ("cafe\u0301 straße", "CAFÉ STRASSE"),
        ("the house is small", "THE HOUSE IS SMALL"),
        ("\u2581the \u2581house \u2581is", "the house is"),
        ("the house</w> is</w>", "the house is"),
        ("the@@ house is", "The house is"),
        ("the ##house is", "The house is"),
    ],
)
def test_words_are_compared_without_case_forms_and_escapes(old, new):
    old, new = old.split(" "), new.split(" ")
    for one, other in ((old, new), (new, old)):
        links = Links.from_sets([[(k, k) for k in range(len(one))]])
        found = remap_links(links, ([one], [other]), ([one], [one]))
        assert (found.lost, found.unlike) == (0, 0)
        # Each word has a link to itself, from the word of the other tokenization that holds it.
        assert {j for _, j in found.links.sentence(0)} == set(range(len(one)))
        assert {i for i, _ in found.links.sentence(0)} == set(range(len(other)))
