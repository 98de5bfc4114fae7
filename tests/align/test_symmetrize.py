"""Symmetrization: worked examples, a literal twin, thot, and the output of atools (fast_align)."""

import gzip

import pytest
from fast_align_twin import symmetrized
from hypothesis import example, given
from hypothesis import strategies as st

from seggrid.align import SYMMETRIZATIONS
from seggrid.align.symmetrize import combine_directions
from seggrid.base.errors import InputError
from seggrid.text.links import Links

SIDE = 7
LINK_SETS = st.frozensets(
    st.tuples(st.integers(0, SIDE - 1), st.integers(0, SIDE - 1)), max_size=12
)
CORPORA = st.lists(st.tuples(LINK_SETS, LINK_SETS), max_size=5)
DIRECTIONS = "0-0 1-1 1-2 4-4 4-5", "0-0 2-1 5-4"


@pytest.mark.parametrize(
    ("directions", "heuristic", "expected"),
    [
        (DIRECTIONS, "intersect", "0-0"),
        (DIRECTIONS, "union", "0-0 1-1 1-2 2-1 4-4 4-5 5-4"),
        # 1-1 touches 0-0; 1-2 and 2-1 touch 1-1, and each has a free column or row.
        (DIRECTIONS, "grow-diag", "0-0 1-1 1-2 2-1"),
        # 4-4 is first; then 4-5 has a free column and 5-4 a free row.
        (DIRECTIONS, "grow-diag-final", "0-0 1-1 1-2 2-1 4-4 4-5 5-4"),
        # 4-4 takes row 4 and column 4, so 4-5 and 5-4 stay out.
        (DIRECTIONS, "grow-diag-final-and", "0-0 1-1 1-2 2-1 4-4"),
        # One sweep adds 1-1, next to 0-0, then 1-2 and 2-1, next to 1-1, which take row and column of 2-2.
        (("0-0 1-1 1-2 2-2", "0-0 2-1"), "grow-diag", "0-0 1-1 1-2 2-1"),
        # Neither link touches another; both need column 3, and the forward one is tried first.
        (("5-3", "1-3"), "grow-diag-final-and", "5-3"),
    ],
)
def test_worked_examples(directions, heuristic, expected):
    forward, reverse = (Links.from_lines([line]) for line in directions)
    assert combine_directions(forward, reverse, heuristic).lines() == [expected]


@given(CORPORA, st.sampled_from(SYMMETRIZATIONS))
@example([], "grow-diag-final-and")
@example([(frozenset(), frozenset())], "grow-diag")
def test_equals_the_literal_twin(corpus, heuristic):
    forward, reverse = (Links.from_sets(pair[way] for pair in corpus) for way in (0, 1))
    expected = Links.from_sets(symmetrized(*pair, heuristic) for pair in corpus)
    assert combine_directions(forward, reverse, heuristic).lines() == expected.lines()


@given(LINK_SETS, LINK_SETS)
def test_equals_thot(forward, reverse):
    thot = pytest.importorskip("thot.common", reason="needs sil-thot: pip install sil-thot")
    matrix, other = (thot.WordAlignmentMatrix(SIDE, SIDE) for _ in range(2))
    for links, into in ((forward, matrix), (reverse, other)):
        for i, j in links:
            into.set(i, j)
    matrix.grow_diag_final_and(other)
    expected = {(i, j) for i in range(SIDE) for j in range(SIDE) if matrix[i, j]}
    ours = combine_directions(Links.from_sets([forward]), Links.from_sets([reverse]))
    assert set(ours.sentence(0)) == expected


@pytest.mark.needs_mirror
def test_equals_atools_on_the_thesis_corpus(shared_data):
    forward, reverse, expected = (
        gzip.decompress((shared_data / f"fast_align/eng-deu.words.{name}.gz").read_bytes())
        .decode()
        .splitlines()
        for name in ("forward", "reverse", "grow-diag-final-and")
    )
    ours = combine_directions(Links.from_lines(forward), Links.from_lines(reverse))
    assert ours.lines() == Links.from_lines(expected).lines()


def test_refuses_link_sets_of_different_length():
    with pytest.raises(InputError, match=r"1 sentence pairs.*2"):
        combine_directions(Links.from_sets([[]]), Links.from_sets([[], []]))
