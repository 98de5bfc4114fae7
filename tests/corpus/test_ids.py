"""The ids of a pair's sentences."""

import pytest

from seggrid.corpus.ids import SentenceIds, side_with_ids
from seggrid.errors import InputError


@pytest.mark.parametrize(
    ("source", "target", "side"),
    [
        ("lines", "lines", None),
        ("tsv", "lines", "source"),
        ("lines", "tsv", "target"),
        ("tsv", "tsv", "source"),
    ],
)
def test_side_with_ids(source, target, side):
    assert side_with_ids(source, target) == side


def test_line_numbers():
    assert SentenceIds(None, base=1).find("0003") == 2
    with pytest.raises(InputError, match="count from 1"):
        SentenceIds(None, base=1).find("0")


@pytest.mark.parametrize("name", ["x", "", "-1", "٣", "9" * 5000, "1.0"])
def test_no_line_number(name):
    with pytest.raises(InputError, match="is not a line number"):
        SentenceIds(None).find(name)


def test_leading_zeros_count_but_where_ids_are_padded():
    assert SentenceIds(["7", "08"], padded=True).find("8") == 1
    with pytest.raises(InputError, match="'8' is not in the text"):
        SentenceIds(["7", "08"]).find("8")


def test_zeros_that_leave_it_open_are_refused():
    ids = SentenceIds(["0", "00", "1"], padded=True)
    assert [ids.find("0"), ids.find("00"), ids.find("01")] == [0, 1, 2]
    with pytest.raises(InputError, match="'0' or '00'"):
        ids.find("000")
