"""All model files: line ends, first lines, refusals."""

import hashlib
import re
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seggrid.base.errors import InputError
from seggrid.base.json_file import read_json
from seggrid.segment.bpe.model import BPEModel
from seggrid.segment.formats.merges import write_merges
from seggrid.segment.formats.tokenizer_json import parse_tokenizer
from seggrid.segment.formats.tokenizer_writer import write_tokenizer
from seggrid.segment.greedtok import GreedTok
from seggrid.segment.lexical import Lexical
from seggrid.segment.mingram import MinGram
from seggrid.segment.model_file import unread_kind
from seggrid.segment.morfessor import Morfessor
from seggrid.segment.picky import Picky
from seggrid.segment.side_segmenter import segment_text
from seggrid.segment.superbpe import SuperBPE
from seggrid.segment.unigram import Unigram
from seggrid.segment.wordmap import Wordmap
from sides import read_merges, side_of

MERGES = BPEModel([("t", "h"), ("th", "e\u00a0"), ("e", "\u0085")], marking="end")
MODELS = {
    "bpe": MERGES,
    "split": BPEModel([("t", "h")], split=frozenset({"th"}), weights=(0.5,), dropout=0.1),
    "unigram": Unigram({"▁the": -1.5, "s": -2.0}),
    "hidden": Unigram({"the": -1.5, "s": -2.0}, spaces=False, hidden=True),
    "greedtok": GreedTok({"▁the": 7, "en": 2}),
    "mingram": MinGram({"▁the": -1.5, "s": -100.0}),
    "wordmap": Wordmap({"ver": 7, "en": 2}),
    "lexical": Lexical({"ver": 7}, [("a", "b")], "bpe"),
    "picky": Picky([("a", "b"), ("ab", "c"), ("ab",)]),
    "superbpe": SuperBPE([("▁a", "b")], [("▁ab", "▁c")]),
    "morfessor": Morfessor({"verstehen": (7, ("ver", "steh", "en"))}),
}
FILES = {
    "merges.txt": (write_merges, read_merges, MERGES),
    "tokenizer.json": (
        write_tokenizer,
        lambda path: parse_tokenizer(read_json(path), path),
        MERGES,
    ),
    **{name: (type(own).write, type(own).read, own) for name, own in MODELS.items()},
}


def test_looks_like_this(tmp_path):
    BPEModel([("▁t", "h"), ("▁th", "e")]).write(tmp_path / "model")
    *lines, last = (tmp_path / "model").read_text("utf-8").splitlines()
    header = "#seggrid bpe 2 spaces=yes scoring=frequency dropout=0.0 marking=start merges:2"
    assert lines == [f"{header} weights:0 split:0", "▁t h", "▁th e"]
    assert last.startswith("#digest ")


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda lines: lines[:-1], "not as it was learned"),
        (lambda lines: [*lines[:1], *lines[2:]], "not as it was learned"),
        (lambda lines: [lines[0], lines[1] + "x", *lines[2:]], "not as it was learned"),
        (lambda lines: ["#seggrid words 2 x=y", *lines[1:]], "a model of words, not of"),
        (lambda lines: ["a b", *lines[1:]], "not a model of"),
        (lambda lines: ["{}"], "JSON"),
        (lambda lines: ["dGhl 3"], "ranks of tiktoken"),
    ],
)
def test_an_edited_old_or_other_file_is_refused(tmp_path, name, change, message):
    model, path = MODELS[name], tmp_path / "model"
    model.write(path)
    path.write_text("\n".join([*change(path.read_text("utf-8").splitlines()), ""]), "utf-8")
    with pytest.raises(InputError, match=message):
        type(model).read(path)


FORGED = ("", "x", "-1", "0", "1.5", "nan", "1e999", "zz", "▁", "a b", "ab", "7", "\u00a0")


def write_forged(path, lines):
    digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]
    path.write_text("".join(f"{line}\n" for line in [*lines, f"#digest {digest}"]), "utf-8")


@pytest.mark.parametrize("name", MODELS)
@given(changes=st.lists(st.tuples(st.integers(0), st.integers(0), st.sampled_from(FORGED))))
@settings(max_examples=25, deadline=None)
def test_a_forged_model_with_its_digest_is_refused_or_works(tmp_path_factory, name, changes):
    """Whatever is read cuts a text without another error."""
    model, path = MODELS[name], tmp_path_factory.mktemp("forged") / "model"
    model.write(path)
    *lines, _ = path.read_text("utf-8").splitlines()
    for row, field, value in changes:
        # In the header, values of settings and numbers of rows are replaced; elsewhere, fields.
        fields = re.split("( )" if row % 3 else "([ =:])", lines[row % len(lines)])
        fields[field % len(fields)] = value
        lines[row % len(lines)] = "".join(fields)
        if field % 5 == 0:
            lines.insert(row % len(lines) + 1, lines[row % len(lines)])
    write_forged(path, lines)
    with suppress(InputError):
        read = type(model).read(path)
        side = side_of(type(model).name, **({"spaces": "hidden"} if read.hidden else {}))
        segment_text([["the", "verstehen"], ["ab"]], side, read, [1])


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("bpe", "dropout=0.0", "dropout=nan"),
        ("bpe", "marking=end", "marking=zz"),
        ("bpe", "merges:3", "merges:9"),
        ("bpe", "merges:3", "merges:2"),
        ("bpe", " split:0", ""),
        ("unigram", "-1.5", "nan"),
        ("picky", "ab c", "ab"),
        ("morfessor", "7 ver", "07 ver"),
    ],
)
def test_settings_and_rows_that_no_model_has(tmp_path, name, old, new):
    model, path = MODELS[name], tmp_path / "model"
    model.write(path)
    *lines, _ = path.read_text("utf-8").replace(old, new, 1).splitlines()
    write_forged(path, lines)
    with pytest.raises(InputError, match="model: not as it was learned"):
        type(model).read(path)


@pytest.mark.parametrize(("name", "converted"), [("boundless", True), ("picky", False)])
def test_the_hint_for_a_model_of_another_segmenter_is_a_way_that_there_is(name, converted):
    assert ("seggrid convert" in str(unread_kind(name, "file"))) == converted


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "byte order mark"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"], ids=["LF", "CRLF"])
def test_line_ends_and_byte_order_mark_are_borne(tmp_path, name, mark, end):
    write, read, model = FILES[name]
    path = tmp_path / "model"
    write(model, path)
    assert read(path) == model
    path.write_bytes(mark + path.read_bytes().replace(b"\n", end))
    assert read(path) == model
    path.write_bytes(path.read_bytes().removesuffix(end))
    assert read(path) == model
