"""Files of links in Pharaoh format."""

import pytest

from seggrid.corpus.pharaoh import read_links
from seggrid.errors import InputError, InputErrors


@pytest.fixture
def read(tmp_path):
    def write_and_read(content):
        (tmp_path / "links").write_bytes(content)
        return read_links(tmp_path / "links")

    return write_and_read


def test_a_line_a_sentence(read):
    assert read(b"1-0  0-2 1-0\r\n\r\n10-9\n").lines() == ["0-2 1-0", "", "10-9"]


@pytest.mark.parametrize("link", ["x", "1", "1-", "1-2-3", "1p2", "-1-2", "٣-1", "1-" + "9" * 5000])
def test_no_link(read, link):
    with pytest.raises(
        InputError, match=r"links:2: .* is not a link \(write links as i-j"
    ) as caught:
        read(f"0-0\n{link}\n".encode())
    assert len(str(caught.value)) < 1000


def test_mistakes_are_told_together(read):
    with pytest.raises(InputErrors) as caught:
        read(b"0-0\nx y\n0-0\nz\n")
    assert [error.line for error in caught.value.errors] == [2, 4]
