"""Symmetrization: worked examples, a literal twin, thot, and the output of atools (fast_align)."""

import gzip

import pytest
from fast_align_twin import symmetrized
from hypothesis import example, given
from hypothesis import strategies as st
from thot.common import WordAlignmentMatrix

from seggrid.align import SYMMETRIZATIONS
from seggrid.align.symmetrize import symmetrize
from seggrid.data.links import Links
from seggrid.errors import InputError

SIDE = 7
LINK_SETS = st.frozensets(
    st.tuples(st.integers(0, SIDE - 1), st.integers(0, SIDE - 1)), max_size=12
)
CORPORA = st.lists(st.tuples(LINK_SETS, LINK_SETS), max_size=5)


def links_of(line):
    return Links.from_lines([line])


@pytest.mark.parametrize(
    ("heuristic", "expected"),
    [
        ("intersect", "0-0"),
        ("union", "0-0 1-1 1-2 2-1 4-4 4-5 5-4"),
        # 1-1 touches 0-0; 1-2 and 2-1 touch 1-1, and each has a free column or row.
        ("grow-diag", "0-0 1-1 1-2 2-1"),
        # 4-4 is first; then 4-5 has a free column and 5-4 a free row.
        ("grow-diag-final", "0-0 1-1 1-2 2-1 4-4 4-5 5-4"),
        # 4-4 takes row 4 and column 4, so 4-5 and 5-4 stay out.
        ("grow-diag-final-and", "0-0 1-1 1-2 2-1 4-4"),
    ],
)
def test_worked_example(heuristic, expected):
    forward, reverse = links_of("0-0 1-1 1-2 4-4 4-5"), links_of("0-0 2-1 5-4")
    assert symmetrize(forward, reverse, heuristic).lines() == [expected]


def test_an_added_link_counts_within_its_sweep():
    # One sweep adds 1-1, next to 0-0, then 1-2 and 2-1, next to 1-1. So the row and the column of 2-2 are
    # taken when it is tried.
    forward, reverse = links_of("0-0 1-1 1-2 2-2"), links_of("0-0 2-1")
    assert symmetrize(forward, reverse, "grow-diag").lines() == ["0-0 1-1 1-2 2-1"]


def test_the_forward_links_come_before_the_reverse_ones():
    # Neither link touches another; both need column 3, and the forward one is tried first.
    forward, reverse = links_of("5-3"), links_of("1-3")
    assert symmetrize(forward, reverse).lines() == ["5-3"]


@given(CORPORA, st.sampled_from(SYMMETRIZATIONS))
@example([], "grow-diag-final-and")
@example([(frozenset(), frozenset())], "grow-diag")
def test_equals_the_literal_twin(corpus, heuristic):
    forward, reverse = (Links.from_sets(pair[way] for pair in corpus) for way in (0, 1))
    expected = Links.from_sets(symmetrized(*pair, heuristic) for pair in corpus)
    assert symmetrize(forward, reverse, heuristic).lines() == expected.lines()


@given(LINK_SETS, LINK_SETS)
def test_equals_thot(forward, reverse):
    matrix, other = WordAlignmentMatrix(SIDE, SIDE), WordAlignmentMatrix(SIDE, SIDE)
    for links, into in ((forward, matrix), (reverse, other)):
        for i, j in links:
            into.set(i, j)
    matrix.grow_diag_final_and(other)
    expected = {(i, j) for i in range(SIDE) for j in range(SIDE) if matrix[i, j]}
    ours = symmetrize(Links.from_sets([forward]), Links.from_sets([reverse]))
    assert set(ours.sentence(0)) == expected


@given(CORPORA)
def test_each_heuristic_adds_to_the_one_before(corpus):
    forward, reverse = (Links.from_sets(pair[way] for pair in corpus) for way in (0, 1))
    results = {heuristic: symmetrize(forward, reverse, heuristic) for heuristic in SYMMETRIZATIONS}
    for smaller, larger in [
        ("intersect", "grow-diag"),
        ("grow-diag", "grow-diag-final-and"),
        ("grow-diag", "grow-diag-final"),
        ("grow-diag-final-and", "union"),
        ("grow-diag-final", "union"),
    ]:
        for s in range(len(corpus)):
            assert set(results[smaller].sentence(s)) <= set(results[larger].sentence(s))


@pytest.mark.needs_mirror
def test_equals_atools_on_the_thesis_corpus(shared_data):
    forward, reverse, expected = (
        gzip.decompress((shared_data / f"fast_align/eng-deu.words.{name}.gz").read_bytes())
        .decode()
        .splitlines()
        for name in ("forward", "reverse", "grow-diag-final-and")
    )
    ours = symmetrize(Links.from_lines(forward), Links.from_lines(reverse))
    assert ours.lines() == Links.from_lines(expected).lines()


def test_refuses_link_sets_of_different_length():
    with pytest.raises(InputError, match=r"1 sentence pairs.*2"):
        symmetrize(Links.from_sets([[]]), Links.from_sets([[], []]))
