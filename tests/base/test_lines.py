import pytest
from hypothesis import given
from hypothesis import strategies as st

from seggrid.base.errors import InputError
from seggrid.base.lines import read_lines, read_utf8, write_lines

# Characters that other tools take for line ends or spaces are ordinary characters here.
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n\ufeff"))


@given(lines=st.lists(texts, min_size=1), end=st.sampled_from(["\n", "\r\n"]))
def test_written_and_read_back(tmp_path_factory, lines, end):
    path = tmp_path_factory.mktemp("lines") / "text"
    write_lines(path, lines)
    assert read_lines(path) == lines
    data = path.read_bytes().replace(b"\n", end.encode())
    path.write_bytes(b"\xef\xbb\xbf" + data)
    assert read_lines(path) == lines
    if lines[-1]:
        path.write_bytes(data[: -len(end)])
        assert read_lines(path) == lines


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        (b"", None, "an empty file"),
        (b"a\nb\rc\n", 2, "carriage return"),
        (b"a\rb", 1, "carriage return"),
        (b"a\r\r", 1, "carriage return"),
        (b"a\nb\xe4\n", 2, "byte 0xe4 at offset 3"),
        (b"\xef\xbb\xbfa\nb\xe4\n", 2, "byte 0xe4 at offset 6"),
        (b"\xff\xfea\x00", None, "UTF-16"),
        ("a\n".encode("utf-32"), None, "UTF-32"),
        (b"\x1f\x8b\x08\x00", None, "compressed by gzip, and cut short"),
    ],
)
def test_refused(tmp_path, content, line, message):
    (tmp_path / "text").write_bytes(content)
    with pytest.raises(InputError, match=message) as caught:
        read_lines(tmp_path / "text", hint="give a text")
    assert (caught.value.file, caught.value.line) == (tmp_path / "text", line)
    assert caught.value.hint


def test_what_is_no_file(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read_lines(tmp_path / "nothing")
    with pytest.raises(InputError, match="a folder, not a file"):
        read_lines(tmp_path)
    with pytest.raises(InputError, match="cannot be read"):
        read_lines("a\0b")


def test_a_file_beyond_the_limit(tmp_path):
    (tmp_path / "text").write_text("abc")
    assert read_utf8(tmp_path / "text", limit=3) == "abc"
    (tmp_path / "text").write_text("abcd")
    with pytest.raises(InputError, match="more than 3 bytes"):
        read_utf8(tmp_path / "text", limit=3)


@pytest.mark.parametrize("line", ["a\nb", "a\r", "\r\n"])
def test_a_line_end_in_a_line_is_not_written(tmp_path, line):
    with pytest.raises(InputError, match="2: a line end inside a line"):
        write_lines(tmp_path / "text", ["a", line])
    assert not (tmp_path / "text").exists()


@pytest.mark.parametrize("name", ["text", "text.gz", "text.zst"])
def test_a_file_is_read_as_it_was_written(tmp_path, name):
    lines = ["a b", "", "c\u0085d\u2028e", "ü" * 100_000, "last"]
    write_lines(tmp_path / name, lines)
    assert read_lines(tmp_path / name) == lines
