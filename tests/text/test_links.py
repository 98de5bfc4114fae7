"""Sets of links: construction, selection, exact keys, packing and unpacking."""

from itertools import compress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seggrid.base.arrays import Arrays
from seggrid.base.errors import InputError
from seggrid.score.metrics import count_hits
from seggrid.score.votes import LinkVotes
from seggrid.text.links import (
    Links,
    Posteriors,
    key_bits,
    pack_links,
    read_alignments,
    read_posteriors,
    unpack_links,
    write_alignments,
)
from seggrid.text.ragged import each_block, offsets_of, place_kind, ragged_rows
from seggrid.text.segmentation import Segmentation

FAR = 1 << 20
LINKS = st.lists(st.sets(st.tuples(st.integers(0, 9), st.integers(0, 9))), max_size=6)


@given(LINKS, st.data())
def test_links_to_sets_lines_and_back(sets, data):
    links = Links.from_sets(sets)
    assert [links.sentence(s) for s in range(len(links))] == [sorted(pairs) for pairs in sets]
    again = Links.from_lines(links.lines())
    assert np.array_equal(again.offsets, links.offsets)
    assert np.array_equal(again.pairs, links.pairs)
    assert links.sentence_of.tolist() == [s for s, pairs in enumerate(sets) for _ in pairs]
    chosen = data.draw(st.lists(st.sampled_from(range(len(sets))))) if sets else []
    taken = links.take(chosen)
    assert [taken.sentence(s) for s in range(len(taken))] == [sorted(sets[s]) for s in chosen]


@given(LINKS, st.data())
def test_blocks_joined_in_the_narrowest_type_are_the_links_again(sets, data):
    links = Links.from_sets(sets)
    size = data.draw(st.integers(1, 7))
    blocks = (links.block(*ends) for ends in each_block(len(links), size))
    joined = Links.joined(blocks, place_kind(10))
    assert joined.pairs.dtype == np.int8
    assert joined.lines() == links.lines()
    kept = data.draw(st.lists(st.booleans(), min_size=len(links.pairs), max_size=len(links.pairs)))
    assert rows_of(joined.where(np.array(kept, bool))) == [*compress(rows_of(links), kept)]


def rows_of(links):
    """Each link with its sentence."""
    return [(s, *pair) for s, pair in zip(links.sentence_of, links.pairs.tolist(), strict=True)]


def test_a_link_far_to_the_right_is_no_other():
    far, near = Links.from_sets([[(0, FAR + 5)]]), Links.from_sets([[(1, 5)]])
    assert count_hits(far, near, near).tolist() == [[1, 0, 0]]
    votes = LinkVotes.from_samples([far, near])
    assert votes.counts.tolist() == [1, 1]
    assert votes.links.lines() == [f"0-{FAR + 5} 1-5"]


def test_keys_ascend_and_come_back():
    sets = [Links.from_sets([[(0, 1), (2**25, 3)], [], [(1, 0)]]), Links.from_sets([[], [], []])]
    bits = key_bits(sets)
    for links in sets:
        keys = links.keys(bits)
        assert (np.diff(keys) > 0).all()
        assert Links.from_keys(keys, bits, 3).lines() == links.lines()


def test_what_does_not_fit_into_a_key_is_refused():
    far = Links(offsets_of([0, 1]), np.array([[0, 2**31 - 1]], dtype=np.int32))
    with pytest.raises(InputError, match="2 sentences of up to 2147483648 words"):
        key_bits([far])


@given(st.lists(LINKS, max_size=3))
def test_what_is_packed_is_unpacked(sets):
    samples = [Links.from_sets(some) for some in sets]
    back = unpack_links(Arrays(pack_links(samples, "links/")), "links/")
    assert [links.lines() for links in back] == [links.lines() for links in samples]


# Alignments are read back with the tokens that they link


SAMPLE = (
    Segmentation.from_words([["a", "b"], ["a"]]),
    Segmentation.from_words([["x", "y"], ["z", "x"]]),
    Links.from_lines(["0-0 1-1", "0-1"]),
    Links.from_lines(["0-0", ""]),
)


PROBABLE = (
    Posteriors(Links.from_lines(["0-0 1-1", "0-1"]), np.array([1, 0.5, 0.25], dtype=np.float32)),
    Posteriors(Links.from_lines(["", "0-0"]), np.array([0.125], dtype=np.float32)),
)


def test_probabilities_are_read_with_the_links(tmp_path):
    write_alignments(tmp_path / "a.npz", [SAMPLE, SAMPLE], [PROBABLE, PROBABLE])
    assert [part.lines() for part in read_alignments(tmp_path / "a.npz")[1]] == [
        part.lines() for part in SAMPLE
    ]
    back = read_posteriors(tmp_path / "a.npz")
    assert len(back) == 2
    for both in back:
        for ours, other in zip(both, PROBABLE, strict=True):
            assert ours.links.lines() == other.links.lines()
            assert ours.probability.tolist() == other.probability.tolist()
            taken = ours.take([1])
            assert taken.links.lines() == other.links.lines()[1:]
            assert (
                taken.probability.tolist() == other.probability.tolist()[-len(taken.links.pairs) :]
            )


# Ragged arrays: where sentences begin, and the rows of some of them


@given(st.lists(st.integers(0, 4), min_size=1, max_size=8), st.data())
def test_ragged_rows_are_the_sentences_rows_in_order(lengths, data):
    chosen = data.draw(st.lists(st.sampled_from(range(len(lengths)))))
    offsets = offsets_of(lengths)
    expected = [row for s in chosen for row in range(offsets[s], offsets[s + 1])]
    assert ragged_rows(offsets, chosen).tolist() == expected
