import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seggrid.studies.language_model.text import pack, piece_sizes
from seggrid.studies.language_model.vocabulary import BEGIN, END, PAD, SPECIAL

lengths_of = st.lists(st.integers(0, 30), max_size=20).map(lambda rows: np.array(rows, dtype=int))


@pytest.fixture(scope="module")
def batch(torch):
    """Which sequences a step takes, of the module that needs PyTorch."""
    from seggrid.base.torch_training import batch

    return batch


@given(lengths_of, st.integers(3, 12))
def test_packing_loses_no_token_and_changes_no_order(lengths, length):
    ids = np.arange(lengths.sum(), dtype=np.int32) + len(SPECIAL)
    packed = pack(ids, lengths, length)
    assert packed.shape[1] == length
    flat = packed.ravel()
    assert flat[flat >= len(SPECIAL)].tolist() == ids.tolist()
    for row in packed:
        used = row[row != PAD]
        assert used[0] == BEGIN
        assert used[-1] == END
        assert (row[: len(used)] == used).all(), "padding stands at the end"


@given(lengths_of, st.integers(1, 12))
def test_pieces_are_as_long_as_can_be_and_add_up(lengths, longest):
    sizes = piece_sizes(lengths, longest)
    # Cut sentence by sentence: only the last piece of a sentence is shorter.
    expected = [min(longest, n - at) for n in lengths for at in range(0, n, longest)]
    assert sizes.tolist() == expected


def test_a_sentence_that_has_room_shares_a_sequence():
    ids = np.array([10, 11, 12, 13], dtype=np.int32)
    packed = pack(ids, np.array([1, 2, 1]), 8)
    assert packed.tolist() == [
        [BEGIN, 10, END, BEGIN, 11, 12, END, PAD],
        [BEGIN, 13, END, PAD, PAD, PAD, PAD, PAD],
    ]


@given(sequences=st.integers(1, 40), size=st.integers(1, 30), seed=st.integers(0, 5))
def test_every_epoch_has_every_sequence_once(batch, sequences, size, seed):
    steps = -(-2 * sequences // size)
    drawn = np.concatenate([batch(sequences, size, step, seed) for step in range(steps)])
    assert sorted(drawn[:sequences]) == list(range(sequences))
    assert sorted(drawn[sequences : 2 * sequences]) == list(range(sequences))


def test_epochs_and_seeds_differ(batch):
    first, second = (batch(50, 50, step, 1).tolist() for step in (0, 1))
    assert first != second
    assert first != batch(50, 50, 0, 2).tolist()
