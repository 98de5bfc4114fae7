import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seggrid.base.errors import InputError
from seggrid.base.json_file import read_json

texts = st.text(st.characters(exclude_categories=["Cs"]))
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner) | st.dictionaries(texts, inner),
)


@given(value=values, ascii=st.booleans())
def test_reads_what_json_writes(tmp_path_factory, value, ascii):
    path = tmp_path_factory.mktemp("json") / "value.json"
    path.write_text(json.dumps(value, ensure_ascii=ascii), encoding="utf-8")
    assert read_json(path) == value


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", None, "an empty file"),
        ("{", 1, "not JSON"),
        ('{"a": 1,\nb}', 2, "not JSON"),
        ('{"a": {"b": 1, "c": 2, "b": 3}}', None, "the key 'b' twice"),
        ("9" * 5000, None, "5000 digits"),
        ("NaN", None, "NaN is not a number"),
        ("-Infinity", None, "-Infinity is not a number"),
        ('"\\ud800"', None, "surrogates not allowed"),
        ("[" * 100_000 + "]" * 100_000, None, "recursion"),
    ],
)
def test_refused(tmp_path, text, line, message):
    path = tmp_path / "value.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message) as caught:
        read_json(path)
    assert (caught.value.file, caught.value.line) == (path, line)
    assert len(str(caught.value)) < 1000
