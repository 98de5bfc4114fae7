"""The ids of a pair's sentences."""

import pytest

from seggrid.corpus.links import Notation, read_gold_links
from seggrid.corpus.pair import side_with_ids
from seggrid.corpus.text import Text
from seggrid.errors import InputError


@pytest.fixture
def sentences(tmp_path):
    """The sentences that names in a gold mean."""

    def read(names, ids=None, format="pharaoh-ids", base=0):
        link = " 1 1\n" if format == "naacl" else "\t1-1\n"
        (tmp_path / "gold").write_text("".join(name + link for name in names))
        return list(read_gold_links(tmp_path / "gold", Notation(format, base), ids))

    return read


@pytest.mark.parametrize(
    ("source", "target", "side"),
    [
        ("lines", "lines", None),
        ("tsv", "lines", "source"),
        ("lines", "wpt", "target"),
        ("tsv", "tsv", "source"),
    ],
)
def test_side_with_ids(source, target, side):
    assert side_with_ids(Text(("a",), source), Text(("b",), target)) == side


def test_line_numbers(sentences):
    assert sentences(["0003"], base=1) == [2]
    for name in ("0", "x", "", "-1", "٣", "9" * 5000, "1.0"):
        with pytest.raises(InputError, match="is not a line number of the text, whose lines count"):
            sentences([name], base=1)


def test_leading_zeros_count_but_where_ids_are_padded(sentences):
    assert sentences(["8"], ["7", "08"], "naacl") == [1]
    with pytest.raises(InputError, match="'8' is not in the text"):
        sentences(["8"], ["7", "08"])


def test_zeros_that_leave_it_open_are_refused(sentences):
    ids = ["0", "00", "1"]
    assert sentences(["0", "00", "01"], ids, "naacl") == [0, 1, 2]
    with pytest.raises(InputError, match="'0' or '00'"):
        sentences(["000"], ids, "naacl")
