"""The file of a BPE model."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seggrid.errors import InputError
from seggrid.segment.bpe.model import MARKINGS, SCORINGS, BPEModel, read_model, write_model

parts = st.text(
    st.characters(exclude_characters=" \r\n", exclude_categories=["Cs"]), min_size=1, max_size=3
)
merge_lists = st.lists(st.lists(parts, min_size=2, max_size=4).map(tuple), unique=True, max_size=8)


@given(
    merges=merge_lists,
    spaces=st.booleans(),
    scoring=st.sampled_from(SCORINGS),
    marking=st.sampled_from(MARKINGS),
    dropout=st.floats(0, 1),
)
def test_is_read_back(tmp_path_factory, merges, spaces, scoring, marking, dropout):
    path = tmp_path_factory.mktemp("model") / "eng.bpe"
    split = frozenset(map("".join, merges[::2]))
    model = BPEModel(merges, spaces, scoring, split, dropout, marking)
    write_model(model, path)
    assert read_model(path) == model


def test_looks_like_this(tmp_path):
    write_model(BPEModel([("▁t", "h"), ("▁th", "e")]), tmp_path / "eng.bpe")
    assert (tmp_path / "eng.bpe").read_text(encoding="utf-8") == (
        "#seggrid-bpe 1 spaces=yes scoring=frequency\n▁t h\n▁th e\n"
    )


HEADER = "#seggrid-bpe 1 spaces=yes scoring=frequency"


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("\n", 1, "not a model of merges"),
        ("a b\n", 1, "not a model of merges"),
        ("#seggrid-bpe 2 spaces=yes scoring=frequency\n", 1, "version 2"),
        ("#seggrid-bpe 1 spaces=maybe scoring=frequency\n", 1, "malformed header"),
        ("#seggrid-bpe 1 spaces=yes scoring=luck\n", 1, "malformed header"),
        ("#seggrid-bpe 1 spaces=yes\n", 1, "malformed header"),
        (f"{HEADER} marking=middle\n", 1, "malformed header"),
        (f"{HEADER} color=red\n", 1, "malformed header"),
        (f"{HEADER}\na b\nabc\n", 3, "'abc' is not a merge"),
        (f"{HEADER}\na b\n\nc d\n", 3, "'' is not a merge"),
        (f"{HEADER}\na  b\n", 2, "'a  b' is not a merge"),
        (f"{HEADER}\na b\nb c\na b\n", 4, "again, after line 2"),
        (f"{HEADER}\na b\n#split\nab\nbc\n", 5, "no merge makes 'bc'"),
        (f"{HEADER}\na b\n#weights\n0\n", 4, "'0' is not a weight of a merge"),
        (f"{HEADER}\na b\n#weights\n1\ninf\n", 5, "'inf' is not a weight of a merge"),
        (f"{HEADER}\na b\na c\n#weights\n1\n#split\nab\n", 5, "1 weights of 2 merges"),
    ],
)
def test_says_which_line_is_bad(tmp_path, text, line, message):
    path = tmp_path / "eng.bpe"
    path.write_text(text)
    with pytest.raises(InputError, match=message) as caught:
        read_model(path)
    assert (caught.value.file, caught.value.line) == (path, line)


def test_says_that_there_is_no_file_or_that_it_is_not_text(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read_model(tmp_path / "nothing")
    (tmp_path / "bytes").write_bytes(b"#seggrid-bpe \xff")
    with pytest.raises(InputError, match="not UTF-8: byte 0xff at offset 13"):
        read_model(tmp_path / "bytes")


def test_prefix():
    model = BPEModel([("a", "b"), ("c", "d")], spaces=False)
    assert model.prefix(1) == BPEModel([("a", "b")], spaces=False)
    assert model.prefix(None) == model.prefix(2) == model.prefix(9) == model
    with pytest.raises(InputError, match="-1 merges"):
        model.prefix(-1)
