import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from seggrid.morphology.cuts import Cuts

cut_words = st.lists(
    st.lists(st.text("ab", min_size=1, max_size=3), min_size=1, max_size=4), max_size=6
)


@given(cut_words)
def test_pieces_there_and_back(words):
    cuts = Cuts.from_pieces(words)
    assert cuts.pieces(["".join(pieces) for pieces in words]) == words
    assert cuts.counts.tolist() == [len(pieces) - 1 for pieces in words]


@given(cut_words)
def test_mask_there_and_back(words):
    cuts = Cuts.from_pieces(words)
    offsets = np.cumsum([0] + [len("".join(pieces)) for pieces in words])
    again = Cuts.from_mask(cuts.mask(offsets), offsets)
    assert again.positions.tolist() == cuts.positions.tolist()
    assert again.offsets.tolist() == cuts.offsets.tolist()


@given(cut_words, st.randoms(use_true_random=False))
def test_take(words, random):
    rows = [random.randrange(len(words)) for _ in range(4)] if words else []
    taken = Cuts.from_pieces(words).take(np.array(rows, dtype=np.int64))
    assert [taken.word(i) for i in range(len(rows))] == [
        Cuts.from_pieces(words).word(row) for row in rows
    ]


@given(st.lists(st.tuples(st.sets(st.integers(1, 9)), st.sets(st.integers(1, 9)))))
def test_shared_cuts_are_intersections(pairs):
    def cuts(sets):
        flat = [position for one in sets for position in sorted(one)]
        ends = np.cumsum([0] + [len(one) for one in sets])
        return Cuts(np.array(flat, dtype=np.int64), ends)

    found = cuts([a for a, _ in pairs]).shared(cuts([b for _, b in pairs]))
    assert found.tolist() == [len(a & b) for a, b in pairs]
