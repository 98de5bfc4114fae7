"""Projection to words: the thesis's worked examples, and a definition with sets."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seggrid.align import project as projection
from seggrid.align.project import project, project_posteriors
from seggrid.base.errors import InputError
from seggrid.text.links import Links, Posteriors
from seggrid.text.ragged import offsets_of
from seggrid.text.segmentation import Segmentation


def segmented(*sentences):
    """A segmentation with the given words for each token; the text of the tokens does not matter."""
    spans = [words for sentence in sentences for words in sentence]
    return Segmentation(
        ["x"],
        np.zeros(len(spans), dtype=np.int32),
        offsets_of([len(sentence) for sentence in sentences]),
        np.array([words[0] if words else 1 for words in spans], dtype=np.int32),
        np.array([words[-1] if words else 0 for words in spans], dtype=np.int32),
    )


def identity(length):
    return segmented([[k] for k in range(length)])


def words_of_tokens(tokens, length):
    """The words that each token overlaps, found by projecting one-to-one links onto single words."""
    links = Links.from_sets([{(k, k) for k in range(length)}])
    return project(links, segmented(tokens), identity(length))


def test_thesis_transport_committee():
    # Thesis, section 4.2.3: `_T ransp ortausschuß` are one word, the second.
    target = [[k] for k in (0, 1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)]
    subword = (
        "0-0 1-1 2-1 3-1 4-1 5-1 1-2 2-2 3-2 4-2 5-2 1-3 2-3 3-3 4-3 5-3 6-4 7-11 8-9 9-10 10-5 "
        "11-6 12-7 13-8 14-12"
    )
    words = project(Links.from_lines([subword]), identity(15), segmented(target))
    assert words.lines() == ["0-0 1-1 2-1 3-1 4-1 5-1 6-2 7-9 8-7 9-8 10-3 11-4 12-5 13-6 14-10"]


def test_thesis_words_of_subwords():
    # Section 5.2.3: `_We _do _no t _be li eve _.` and `_Thi s _is _a _sent ence _.`
    first = words_of_tokens([[0], [1], [2], [2], [3], [3], [3], [4]], 8)
    assert [i for i, _ in first.sentence(0)] == [0, 1, 2, 2, 3, 3, 3, 4]
    second = words_of_tokens([[0], [0], [1], [2], [3], [3], [4]], 7)
    assert [i for i, _ in second.sentence(0)] == [0, 0, 1, 2, 3, 3, 4]


def test_thesis_tokens_of_several_words():
    # Section 5.5: `b u t_this_is_no t_w hat_hap pen s_.`
    words = words_of_tokens([[0], [0], [0, 1, 2, 3], [3, 4], [4, 5], [5], [5, 6]], 7)
    assert words.lines() == ["0-0 0-1 0-2 1-2 2-2 3-2 3-3 4-3 4-4 5-4 5-5 5-6 6-6"]
    # `th e_ ice_cre am_.`: the listing's comment says [2] for the last token, which has the end of word 2 and
    # all of word 3; its code gives [2, 3], which is right.
    words = words_of_tokens([[0], [0], [1, 2], [2, 3]], 4)
    assert words.lines() == ["0-0 0-1 1-2 2-2 2-3 3-3"]


def test_thesis_from_the_aus_dem():
    # Section 5.5: if from_the is linked to aus_dem, both words of one are linked to both of the other.
    words = project(Links.from_lines(["0-0"]), segmented([[0, 1]]), segmented([[0, 1]]))
    assert words.lines() == ["0-0 0-1 1-0 1-1"]


@st.composite
def cases(draw):
    """A few sentence pairs: tokens as ranges of words in order, and links between them."""
    pairs = []
    for _ in range(draw(st.integers(0, 4))):
        sides = []
        for _ in range(2):
            tokens, word = [], 0
            for _ in range(draw(st.integers(0, 6))):
                first = word + draw(st.integers(0, 1))
                last = first + draw(st.integers(-1, 2))
                tokens.append(list(range(first, last + 1)))
                word = max(first, last)
            sides.append(tokens)
        places = [(i, j) for i in range(len(sides[0])) for j in range(len(sides[1]))]
        links = draw(st.sets(st.sampled_from(places), max_size=8)) if places else set()
        pairs.append((*sides, links))
    return pairs


@pytest.fixture(autouse=True)
def blocks_of_two(monkeypatch):
    """Sentence pairs are projected two at a time."""
    monkeypatch.setattr(projection, "BLOCK", 2)


@given(cases())
def test_equals_the_definition(pairs):
    links = Links.from_sets(links for _, _, links in pairs)
    sides = segmented(*(p[0] for p in pairs)), segmented(*(p[1] for p in pairs))
    expected = Links.from_sets(
        {(i, j) for a, b in links for i in source[a] for j in target[b]}
        for source, target, links in pairs
    )
    assert project(links, *sides).lines() == expected.lines()


def test_refuses_what_does_not_belong_together():
    with pytest.raises(InputError, match=r"1 sentence pairs.*1 and 2"):
        project(Links.from_sets([[]]), segmented([]), segmented([], []))


def probable(*sentences):
    """Probabilities of links, for each sentence pair as {(i, j): p}."""
    values = [sentence[link] for sentence in sentences for link in sorted(sentence)]
    return Posteriors(Links.from_sets(sentences), np.array(values, dtype=np.float32))


def projected(*arguments):
    words = project_posteriors(*arguments)
    places = [(s, *link) for s in range(len(words)) for link in words.links.sentence(s)]
    return dict(zip(places, words.probability.tolist(), strict=True))


@given(cases(), st.randoms(use_true_random=False))
def test_probabilities_equal_the_definition(pairs, random):
    directions = [
        probable(*({link: (1 + random.random()) / 16 for link in links} for _, _, links in pairs))
        for _ in range(2)
    ]
    sides = [segmented(*(p[side] for p in pairs)) for side in (0, 1)]
    expected = {}
    for s, words in enumerate(pairs):
        known = []
        for direction in directions:
            rows = slice(*direction.links.offsets[s : s + 2])
            values = direction.probability[rows].tolist()
            known.append(dict(zip(direction.links.sentence(s), values, strict=True)))
        for a in {a for token in words[0] for a in token}:
            for b in {b for token in words[1] for b in token}:
                own = [
                    [k for k, token in enumerate(words[w]) if x in token]
                    for w, x in ((0, a), (1, b))
                ]
                if not any((i, j) in links for links in known for i in own[0] for j in own[1]):
                    continue
                absent = [1.0, 1.0]
                for j in own[1]:
                    absent[0] *= 1 - sum(known[0].get((i, j), 0) for i in own[0])
                for i in own[0]:
                    absent[1] *= 1 - sum(known[1].get((i, j), 0) for j in own[1])
                expected[s, a, b] = 1 - sum(absent) / 2
    assert projected(*directions, *sides) == pytest.approx(expected, abs=1e-6)


def test_probabilities_of_other_sentences_are_refused():
    one, two = probable({}), probable({}, {})
    with pytest.raises(InputError, match=r"1 and 2 sentence pairs.*1 and 1"):
        project_posteriors(one, two, segmented([]), segmented([]))
