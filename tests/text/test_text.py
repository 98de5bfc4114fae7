"""Reading text: what is accepted, what is refused, and with which message."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seggrid.base import compressed, lines
from seggrid.base.errors import InputError, InputErrors
from seggrid.text.text_files import Sentences, Text, apply_case, read_text, words_of


@pytest.fixture
def read(tmp_path):
    def write_and_read(content: bytes, format="lines"):
        path = tmp_path / "text.txt"
        path.write_bytes(content)
        return read_text(path, format)

    return write_and_read


def split(read):
    return [words_of(sentence) for sentence in read.sentences]


BORNE = {
    "plain": b"a b\nc\n", "no last newline": b"a b\nc", "crlf": b"a b\r\nc\r\n", "crlf, cut": b"a b\r\nc\r",
    "mixed ends": b"a b\r\nc\n", "mark": b"\xef\xbb\xbfa b\nc\n", "spaces": b" a   b \nc\n",
}  # fmt: skip


@pytest.mark.parametrize("name", BORNE)
def test_borne(read, name):
    assert read(BORNE[name])[0] == [["a", "b"], ["c"]]


@pytest.mark.parametrize("space", ["\u00a0", "\u3000", "\u2009", "\u200b", "\u00ad", "\ufeff"])
def test_only_the_ascii_space_separates_words(read, space):
    assert read(f"a{space}b c\n".encode())[0] == [[f"a{space}b", "c"]]


@pytest.mark.parametrize(
    ("content", "format", "line", "message"),
    [
        (b"", "lines", None, "an empty file"),
        (b"a\n\nb\n", "lines", 2, "an empty sentence"),
        (b"a\n  \nb\n", "lines", 2, "an empty sentence"),
        (b"1\ta\n2\t \n", "tsv", 2, "an empty sentence"),
        ("a\nb ▁c\n".encode(), "lines", 2, "U+2581"),
        (b"a\nb ||| c\n", "lines", 2, "|||"),
        (b"a\n1\tb\n", "lines", 2, "a tab"),
        (b"1\ta\n2 b\n", "tsv", 2, "no tab"),
        (b"1\ta\n2\tb\tc\n", "tsv", 2, "2 tabs"),
        (b"1\ta\n\tb\n", "tsv", 2, "an empty id"),
        (b"1\ta\n2\tb\n1\tc\n", "tsv", 3, "the id 1 again, after line 1"),
        (b"a\nb\xe4\n", "lines", 2, "byte 0xe4 at offset 3"),
        ("a\nb\u2028c\n".encode(), "lines", 2, "U+2028"),
        ("a\nb\u0085c\n".encode(), "lines", 2, "U+0085"),
        (b"a\nb\rc\n", "lines", 2, "U+000D"),
        (b"a\nb\x00\n", "lines", 2, "U+0000"),
        (b"a\n" + b"b" * 10_001 + b"\n", "lines", 2, "a sentence of 10001 characters"),
        (b"<s snum=1> the house </s>\n<s snum=2> a </s>\n", "lines", 1, "a sentence in tags"),
        (b"1\t<seg id=1>the house</seg>\n", "tsv", 1, "a sentence in tags"),
    ],
)
def test_refused(read, tmp_path, content, format, line, message):
    with pytest.raises(InputError) as caught:
        read(content, format)
    assert message in caught.value.message
    assert (caught.value.file, caught.value.line) == (tmp_path / "text.txt", line)
    assert caught.value.hint
    assert "\n" not in str(caught.value)


def test_ten_mistakes_are_told_at_once(read):
    with pytest.raises(InputErrors) as caught:
        read(b"a\n\nb\x01c\n" + b"d\te\n" * 20)
    lines = str(caught.value).splitlines()
    assert [line.split(":")[1] for line in lines] == [str(n) for n in range(2, 13)]
    assert "an empty sentence" in lines[0]
    assert "U+0001" in lines[1]
    assert lines[-1].endswith("and more like these")
    # The hint of equal mistakes is said once.
    assert str(caught.value).count("cut -f") == 1


def test_what_is_no_text(tmp_path, read):
    for name, message in (("none.txt", "no such file"), (".", "a folder, not a file")):
        with pytest.raises(InputError, match=message):
            read_text(tmp_path / name, "lines")
    with pytest.raises(InputError, match="unknown text format 'csv'"):
        read(b"a\n", "csv")


@pytest.mark.parametrize("size", [3, 5, 1 << 18])
def test_small_blocks_of_a_file_read_as_large_ones(tmp_path, monkeypatch, size):
    monkeypatch.setattr(lines, "_BLOCK", size)
    monkeypatch.setattr(compressed, "_PIECE", size)
    path = tmp_path / "text"
    path.write_bytes("\ufeffä b\r\n\r\n c  \ud7ffd\r\ne\r".encode())
    text = Text((path,), empty_lines="skip")
    assert (
        split(text.read()) == text.read_words().words == [["ä", "b"], [], ["c", "\ud7ffd"], ["e"]]
    )
    assert [text.read_words().where(k) for k in (0, 3)] == [(path, 1), (path, 4)]
    parts = list(text.read_parts(1))
    assert len(parts) == {3: 4, 5: 4}.get(size, 1)
    assert [words for part in parts for words in part.words] == text.read_words().words
    places = [part.where(k) for part in parts for k in range(len(part))]
    assert places == [(path, line) for line in (1, 2, 3, 4)]
    path.write_bytes(b"a\n\n\nb\xe4\n")
    with pytest.raises(InputError, match="byte 0xe4 at offset 5") as caught:
        text.read_words()
    assert caught.value.line == 4


# Of most blocks no line is looked at by itself: those with any of these are.
PARTS = [*"aé\u0080\u2028▁|>\x7f\t\x01 \n", "||", "</w", "\r\n"]


@settings(max_examples=100)
@given(parts=st.lists(st.sampled_from(PARTS)), skip=st.booleans(), drop=st.booleans())
def test_blocks_without_mistakes_are_those_whose_lines_have_none(parts, skip, drop):
    how = {"empty_lines": "skip" if skip else "refuse"}
    text = Text(("text",), control_characters="drop" if drop else "refuse", **how)
    content = "".join(["b", *parts])

    def outcome(read):
        try:
            found = read(lambda _: iter([content.encode()]))
        except InputError as error:
            return str(error)
        words = split(found) if isinstance(found, Sentences) else list(found.words)
        return words, found.remarks

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("seggrid.text.text_files._Side._is_plain", lambda self, block: False)
        expected = outcome(text.read)
    assert outcome(text.read) == outcome(text.read_words) == expected


def test_case():
    sentences = [["The", "Cat", "ÜBER"], ["A"], ["Ärger", "B"]]
    assert apply_case(sentences, "keep") == sentences
    assert apply_case(sentences, "first") == [["the", "Cat", "ÜBER"], ["a"], ["ärger", "B"]]
    assert apply_case(sentences, "lower") == [["the", "cat", "über"], ["a"], ["ärger", "b"]]
    assert sentences[0] == ["The", "Cat", "ÜBER"]
    with pytest.raises(InputError, match="unknown case 'upper'"):
        apply_case(sentences, "upper")
