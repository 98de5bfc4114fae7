"""Sets of links are told apart by exact keys, however long a sentence is."""

import numpy as np
import pytest

from seggrid.data.links import Links, key_bits
from seggrid.data.ragged import offsets_of
from seggrid.errors import InputError
from seggrid.score.metrics import count_hits
from seggrid.score.votes import Votes

FAR = 1 << 20


def test_a_link_far_to_the_right_is_no_other():
    far, near = Links.from_sets([[(0, FAR + 5)]]), Links.from_sets([[(1, 5)]])
    assert count_hits(far, near, near).tolist() == [[1, 0, 0]]
    votes = Votes.from_samples([far, near])
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
