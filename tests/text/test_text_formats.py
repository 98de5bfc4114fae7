"""All formats of a pair: read back as written, and refused if damaged."""

import gzip
from xml.sax.saxutils import escape

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from seggrid.base.errors import InputError, InputErrors
from seggrid.text.link_notation import Notation
from seggrid.text.pair import check_pair, pair_format, read_pair_gold, read_parallel, texts_in
from seggrid.text.text_files import Numbered, Sentences, Text
from seggrid.text.words import filled_pairs

words = st.text(
    st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"], exclude_characters=" |▁\ufeff<"),
    min_size=1,
)
sentences = st.lists(words, min_size=1, max_size=4).map(" ".join)


def are_sentences(texts):
    """Whether they are not taken for JSON or for a column of scores, as they would be."""
    return not texts[0].startswith(("{", "[")) and any(
        set(text) - set("0123456789") for text in texts
    )


pairs = st.lists(st.tuples(sentences, sentences), min_size=1, max_size=5).filter(
    lambda rows: all(map(are_sentences, zip(*rows, strict=True)))
)

PACK = {"": bytes, ".gz": gzip.compress, ".zst": zstandard.compress}


def tmx(rows, sides=("en", "de-AT")):
    units = "".join(
        "<tu>"
        + "".join(
            f'<tuv xml:lang="{code}"><seg>{escape(text)}</seg></tuv>\n'
            for code, text in zip(sides, row, strict=False)
        )
        + "</tu>\n"
        for row in rows
    )
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<tmx version="1.4"><header/><body>{units}</body></tmx>'


DTD = '<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n'


def english(seg, head=""):
    return f'{head}<tmx><body><tu><tuv lang="EN-gb"><seg>{seg}</seg></tuv></tu></body></tmx>'


def write(folder, name, text, suffix=""):
    path = folder / f"{name}{suffix}"
    path.write_bytes(PACK[suffix](text.encode()))
    return path


def texts_of(folder, format, rows, suffix=""):
    """Write the pair in a format; return both sides as texts to read."""
    if format in ("lines", "tsv", "wpt", "moses"):
        shape = {
            "lines": "{text}\n",
            "moses": "{text}\n",
            "tsv": "s{k}\t{text}\n",
            "wpt": "<s snum={k:04}> {text} </s>\n",
        }[format]
        for side, name in enumerate(("c.en", "c.de")):
            text = "".join(shape.format(k=k, text=row[side]) for k, row in enumerate(rows))
            write(folder, name, text, suffix)
        if format == "moses":
            return texts_in([folder / "c"], "moses", ("en", "de"))
        return tuple(Text((folder / f"c.{code}{suffix}",), format) for code in ("en", "de"))
    name, text = {
        "bars": ("c.txt", "".join(f"{a} ||| {b}\n" for a, b in rows)),
        "columns": ("c.tsv", "".join(f"{a}\t{b}\n" for a, b in rows)),
        "tmx": ("c.tmx", tmx(rows)),
    }[format]
    path = write(folder, name, text, suffix)
    assert pair_format(path) == format
    return texts_in([path], format, ("en", "de"))


@pytest.mark.parametrize("suffix", PACK)
@pytest.mark.parametrize("format", ["lines", "tsv", "wpt", "moses", "bars", "columns", "tmx"])
@settings(max_examples=15)
@given(rows=pairs)
def test_what_is_written_is_read(tmp_path_factory, format, suffix, rows):
    sides, remarks = read_parallel(
        *texts_of(tmp_path_factory.mktemp("x"), format, rows, suffix), Numbered
    )
    expected = [[text.split(" ") for text in side] for side in zip(*rows, strict=True)]
    assert [side.words for side in sides] == expected
    # Words that are drawn may look like uncut text, as `0:` does.
    assert all("punctuation is part of words" in remark for remark in remarks)
    ids = {"tsv": [f"s{k}" for k in range(len(rows))], "wpt": [f"{k:04}" for k in range(len(rows))]}
    assert sides[0].ids == ids.get(format)


def test_the_shared_tasks_files_and_their_gold(tmp_path):
    english = write(tmp_path, "e", "<s snum=0001> the house </s>\n<s snum=0002> red </s>\n")
    french = write(tmp_path, "f", '<s snum="0001">la maison</s>\n<s snum="0002">rouge</s>\n')
    gold = write(tmp_path, "g", "1 1 1 S\n0001 2 2 P\n2 1 1\n", ".gz")
    texts = Text((english,), "wpt"), Text((french,), "wpt")
    assert check_pair(*texts, [gold], Notation("naacl", 1)) == [
        f"{gold}: gold of 2 sentences: intervals and p-values over so few mean little"
    ]
    with pytest.raises(InputError, match="the id '3' is not in the text"):
        check_pair(*texts, [write(tmp_path, "h", "3 1 1 S\n")], Notation("naacl", 1))


def test_text_and_gold_in_the_columns_of_several_files(tmp_path):
    files = [
        write(tmp_path, "dev", "a b\tx y\t0-0 1p1\nc\tz\t0-0\n"),
        write(tmp_path, "test", "d e f\tw\t2-0\n", ".gz"),
    ]
    texts = texts_in(files, "columns")
    (source, target), _ = read_parallel(*texts, Sentences)
    assert source.sentences == ["a b", "c", "d e f"]
    assert target.sentences == ["x y", "z", "w"]
    assert len(check_pair(*texts, files, Notation("column"))) == 2  # few sentences, of each file
    gold, remarks = read_pair_gold([], files, Notation("column"))
    assert gold.sentences.tolist() == [0, 1, 2]
    assert [gold.sure.sentence(k) for k in range(3)] == [[(0, 0)], [(0, 0)], [(2, 0)]]
    assert gold.possible.sentence(0) == [(0, 0), (1, 1)]
    assert not remarks


@pytest.mark.parametrize(
    ("dev", "test", "file", "line", "message"),
    [
        ("a\tx\t0-0\n", "b\ty\t0-0\nc d\tz\t2-0\n", "test", 2, "a link from word 2 to word 0"),
        ("a\tx\t1-0\n", "b\ty\t0-0\n", "dev", 1, "which has 1 and 1 words"),
        ("a\tx\t0-0\n", "b\ty\t0-0\nc\tz\n", "test", 2, "no link, which could mean"),
        ("a\tx\t0-0\n", "b\ty\t0-0\nc\tz\t\n", "test", 2, "no link, which could mean"),
    ],
)
def test_mistakes_in_a_column_of_links_name_its_file_and_line(
    tmp_path, dev, test, file, line, message
):
    files = [write(tmp_path, "dev", dev), write(tmp_path, "test", test)]
    with pytest.raises(InputError, match=message) as caught:
        check_pair(*texts_in(files, "columns"), files, Notation("column"))
    assert (caught.value.file, caught.value.line) == (tmp_path / file, line)


def test_sentences_without_links_in_their_column_may_be_skipped(tmp_path):
    files = [write(tmp_path, "dev", "a\tx\nb\ty\t0-0\n"), write(tmp_path, "test", "c\tz\t0-0\n")]
    texts = texts_in(files, "columns")
    found = check_pair(*texts, files, Notation("column", empty_lines="skip"))
    assert f"{files[0]}: 1 lines without a link, taken for sentences without gold" in found[0]
    gold = read_pair_gold([], files, Notation("column", empty_lines="skip"))[0]
    assert gold.sentences.tolist() == [1, 2]


ROWS = [("a b", "x"), ("c", "y z")]


@pytest.mark.parametrize(
    ("format", "text", "line", "message"),
    [
        ("wpt", "<s snum=1> a </s>\nb\n", 2, "not a sentence in tags"),
        ("wpt", "<s snum=1> a </s>\n<s snum=1> b </s>\n", 2, "the id 1 again, after line 1"),
        ("wpt", "<s snum=1> a </s>\n<s snum=2> </s>\n", 2, "an empty sentence"),
        ("bars", "a ||| x\nb\n", 2, "no |||, where `source ||| target` has one"),
        ("bars", "a ||| x\nb ||| y ||| z\n", 2, "2 |||, where"),
        ("bars", "a ||| x\nb |||  \n", 2, "no target sentence for its translation"),
        ("bars", "a\tx\n", 1, "format: columns (--format columns) if a tab separates"),
        ("columns", "a\tx\nb\n", 2, "no tab, where `source<TAB>target` has one"),
        ("columns", "a ||| x\n", 1, "format: bars (--format bars) if ||| separates"),
        ("columns", "Go.\tGeh.\tCC-BY\tx\n", 1, "such as by `cut -f 1,2 FILE`"),
        ("bars", "a ||| x\n\n", 2, "an empty line (take the line away"),
        ("bars", " ||| x\n", 1, "--empty-lines skip"),
        ("columns", "a\tx\t0-0\t1-1\n", 1, "3 tabs, where"),
        ("columns", "a\tx\t0-0\nb\ty\t0:0\n", 2, "2 tabs, where"),
        ("columns", "\tx\n", 1, "no source sentence"),
        ("tmx", tmx([("a", "x"), ("b",)]), 5, "no sentence in 'de' in this unit"),
        ("tmx", tmx([("a", "x", "y")], ("en", "de", "de-AT")), 2, "2 sentences in 'de' in one"),
        ("tmx", tmx([("a", "x")], ("en", "fr")), 2, "up to here: en, fr"),
        ("tmx", tmx(ROWS)[:-40], 6, "not XML"),
        ("tmx", "<html></html>", 1, "<html> at the top, where TMX has <tmx>"),
        ("tmx", "<tmx></tmx>", None, "no translation unit"),
        ("tmx", '<!DOCTYPE tmx [<!ENTITY a "b">]>\n<tmx/>', 1, "a definition of an entity"),
        ("tmx", tmx([("a \0", "x")]).replace("\0", "&mine;"), 2, "not XML: undefined entity"),
        ("tmx", english("a &mine; b", DTD), 2, "&mine;, an entity that is not defined"),
    ],
)
def test_broken_files_of_both_sides(tmp_path, format, text, line, message):
    path = write(tmp_path, "c", text)
    texts = (
        [Text((path,), "wpt")] * 2 if format == "wpt" else texts_in([path], format, ("en", "de"))
    )
    with pytest.raises(InputError) as caught:
        read_parallel(*texts, Sentences)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert (caught.value.file, caught.value.line) == (path, line)


@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("bars", "a ||| x\n\nb |||\n ||| y\nc ||| z\n"),
        ("columns", "a\tx\n\nb\t \n\ty\nc\tz\n"),
        ("tmx", tmx([("a", "x"), ("",), ("b",), ("", "y"), ("c", "z")])),
    ],
)
def test_half_pairs_and_blank_lines_are_skipped_on_request(tmp_path, format, text):
    path = write(tmp_path, "c", text)
    sides, remarks = read_parallel(
        *texts_in([path], format, ("en", "de"), empty_lines="skip"), Numbered
    )
    assert filled_pairs(*sides).tolist() == [0, 4]
    assert [[side.words[k] for k in (0, 4)] for side in sides] == [[["a"], ["c"]], [["x"], ["z"]]]
    assert "3 sentence pairs with an empty side left out" in remarks[0]


def test_several_files_are_one_text(tmp_path):
    one, two = write(tmp_path, "a", "a\nb\n"), write(tmp_path, "b", "c\n", ".zst")
    read = Text((one, two)).read()
    assert read.sentences == ["a", "b", "c"]
    assert [read.where(k) for k in range(3)] == [(one, 1), (one, 2), (two, 1)]
    other = write(tmp_path, "x", "x\ny\nz\nw\n")
    with pytest.raises(InputError, match=r"x:4: .* 4 lines here, 3 in .*a and 1 more"):
        read_parallel(Text((one, two)), Text((other,)), Sentences)
    ids = [write(tmp_path, name, "1\tc\n") for name in "pq"]
    with pytest.raises(InputError, match=r"q:1: the id 1 again, after line 1 of .*p"):
        Text(tuple(ids), "tsv").read()


def test_control_characters_are_dropped_on_request_counted_and_no_word_is_lost(tmp_path):
    path = write(tmp_path, "a", "a\x01b \x02 c\nd\u2028\n")
    with pytest.raises(InputErrors):
        Text((path,)).read()
    read = Text((path,), control_characters="drop").read_words()
    assert read.words == [["ab", "\ufffd", "c"], ["d"]]
    assert read.remarks == [f"{path}: 3 control characters dropped"]


@pytest.mark.parametrize(
    ("seg", "head", "sentence"),
    [
        # A placeholder stands between words, a pair of codes within one.
        (
            'the <bpt i="1">&lt;b&gt;</bpt><hi>red\n house</hi><ept i="1">&lt;/b&gt;</ept> .',
            "",
            "the red house .",
        ),
        (
            'the<ph x="1">&lt;br/&gt;</ph>red<ph/> ho<bpt i="1">&lt;b&gt;</bpt>use',
            "",
            "the red house",
        ),
        # Entities of an external DTD are those of HTML.
        ("caf&eacute; &ndash; &amp;&#x41;", DTD, "café – &A"),
        # Each piece of text once took as long as there were open elements.
        ("<hi>a " * 4000 + "</hi>" * 4000, "", " ".join(["a"] * 4000)),
    ],
)
def test_what_a_segment_of_tmx_says(tmp_path, seg, head, sentence):
    path = write(tmp_path, "c.tmx", english(seg, head))
    assert [" ".join(words) for words in Text((path,), "tmx", "en").read_words().words] == [
        sentence
    ]


DECLARED = '<?xml version="1.0" encoding="{}"?>\n'


@pytest.mark.parametrize("suffix", PACK)
@pytest.mark.parametrize(
    ("declared", "codec"),
    [
        ("UTF-16", "utf-16"),  # with a byte order mark
        ("UTF-16", "utf-16-le"),
        ("utf-16", "utf-16-be"),
        (None, "utf-16"),
        ("UTF-32", "utf-32"),
        ("UTF-32", "utf-32-le"),
        (None, "utf-32-be"),
        ("UTF-16", "utf-8"),  # converted, but not its declaration
        ("ISO-8859-1", "latin-1"),
        ("windows-1252", "cp1252"),
        ("Shift_JIS", "shift_jis"),
        ("ISO-8859-1", "utf-8-sig"),
        (None, "utf-8"),
    ],
)
def test_tmx_is_read_in_the_encoding_that_it_says(tmp_path, declared, codec, suffix):
    word = "行く" if codec == "shift_jis" else "größer"
    head = DECLARED.format(declared) if declared else ""
    path = tmp_path / "c.tmx"
    path.write_bytes(PACK[suffix](english(f"{word} .", head).encode(codec)))
    assert Text((path,), "tmx", "en").read().sentences == [f"{word} ."]


@pytest.mark.parametrize(
    ("head", "codec", "message"),
    [
        (DECLARED.format("UTF-8"), "latin-1", "c.tmx:2: not UTF-8 (declare the encoding"),
        (DECLARED.format("klingon"), "utf-8", "c.tmx:1: unknown encoding klingon"),
        (DECLARED.format("zlib"), "utf-8", "c.tmx:1: unknown encoding zlib"),
    ],
)
def test_an_encoding_that_is_not_so_is_refused(tmp_path, head, codec, message):
    path = tmp_path / "c.tmx"
    path.write_bytes(english("größer", head).encode(codec))
    with pytest.raises(InputError) as caught:
        Text((path,), "tmx", "en").read()
    assert message in str(caught.value)


def test_what_no_pair_is(tmp_path):
    with pytest.raises(
        InputError, match=r"no language code of the target, by which tmx tells.*--codes en de"
    ):
        texts_in([tmp_path / "a.tmx"], "tmx", ("en", None))
    with pytest.raises(InputError, match=r"corpus\.en: no such file, nor one compressed"):
        texts_in([tmp_path / "corpus"], "moses", ("en", "de"))


@pytest.mark.parametrize("format", ["lines", "tsv", "bars", "columns"])
@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('<srcset setid="x">\n<doc docid="a">\n<seg id="1"> a </seg>\n', "markup.*sed -n"),
        ('<?xml version="1.0"?>\n<dataset id="x">\n', "markup"),
        ("<CHAPTER ID=1>\nResumption of the session\n", "markup"),
        ("<P>\na b\n", "markup"),
        ("1\n00:00:01,000 --> 00:00:02,000\nthe house\n", "subtitles"),
        ("WEBVTT\n\n00:01.000 --> 00:02.000\na\n", "subtitles"),
        ('{"translation": {"en": "a", "de": "b"}}\n', "JSON"),
        ('{"a": "b"\n', "JSON"),
        ('{\n  "a": [1]\n}\n', "JSON"),
        ('[{"a": 1},\n{"a": 2}]\n', "JSON"),
        ('["a b", "c"]\n', "JSON"),
    ],
)
def test_files_of_other_kinds_are_named_by_their_first_lines(tmp_path, format, content, said):
    (tmp_path / "f").write_text(content)
    if said == "JSON" and content == '{"a": "b"\n':
        said = "" if format == "lines" else "where"  # no JSON, but a sentence
    text = Text((tmp_path / "f",), format, "source" if format in ("bars", "columns") else "")
    if not said:
        assert text.read().sentences == ['{"a": "b"']
        return
    with pytest.raises(InputError, match=f"f:1: .*{said}"):
        text.read()


@pytest.mark.parametrize(
    "sentence", ["< a > b", "<unk> is", "{ a }", "[ 1 ]", "1", "( 12:30 --> )", "[", '"a" <b>']
)
def test_sentences_with_such_characters_are_read(tmp_path, sentence):
    (tmp_path / "f").write_text(f"{sentence}\nthe house\n")
    assert Text((tmp_path / "f",)).read().sentences == [sentence, "the house"]


@pytest.mark.parametrize(
    ("format", "row", "said"),
    [
        ("columns", "1.04{}\tthe red house\tdas rote Haus", "cut -f 2,3 FILE"),  # WikiMatrix
        ("columns", "12{}\tGo.\t77\tGeh.", "cut -f 2,4 FILE"),  # Tatoeba
        ("columns", "12{}\teng\tGo.\t77\tdeu\tGeh.", "cut -f 3,6 FILE"),
        ("columns", "Go.\tGeh.\tCC-BY 2.0\tx{}", "cut -f 1,2 FILE"),
        ("columns", "en-{}\tGo.\tGeh.", "cut -f 2,3 FILE"),
        ("columns", "1.0{}\tthe red house", "numbers in place of the source"),
        ("bars", "1.0{} ||| the house", "numbers in place of the source"),
        ("tsv", "s{}\teng\tthe red house", "cut -f 1,3 FILE"),
        ("lines", "{}\teng\tthe red house", "cut -f 3 FILE"),
    ],
)
def test_hints_name_the_columns_of_the_sentences(tmp_path, format, row, said):
    (tmp_path / "f").write_text("".join(f"{row.format(k)}\n" for k in range(4)))
    with pytest.raises(InputError, match=f"f:1: .*{said}"):
        Text((tmp_path / "f",), format, "source" if format in ("bars", "columns") else "").read()


def test_a_number_may_be_a_sentence(tmp_path):
    (tmp_path / "f").write_text("1\teins\n2\tzwei\nthree\tdrei\n")
    assert Text((tmp_path / "f",), "columns", "source").read().sentences == ["1", "2", "three"]


def test_training_text_of_the_shared_task_has_no_tags(tmp_path):
    tagged = write(tmp_path, "test", "<s snum=1> a b </s>\n")
    plain = write(tmp_path, "train", "a\nb c\n")
    assert Text((tagged, plain), "wpt", untagged=True).read().sentences == [" a b ", "a", "b c"]
    with pytest.raises(
        InputError, match=r"train:1: a text without tags, but its format is wpt"
    ) as e:
        Text((tagged, plain), "wpt").read()
    assert "\n" not in str(e.value)
