"""Links between other words of the same text."""

from hypothesis import given
from hypothesis import strategies as st

from seggrid.data.links import Links
from seggrid.data.remap import overlaps, remap

CUTS = st.text("ab '.", min_size=1).map(str.split).filter(bool)


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


def test_the_same_words_keep_their_links():
    links = Links.from_lines(["0-0 0-1", "", "1-0"])
    source, target = [["a"], ["b"], ["a", "b"]], [["x", "y"], ["x"], ["y"]]
    found = remap(links, (source, source), (target, target))
    assert found.links.lines() == links.lines()
    assert (found.lost, found.unlike) == (0, 0)
