"""All model files: line ends, first lines, refusals."""

import json

import pytest

from seggrid.errors import InputError
from seggrid.segment import greedtok, picky, superbpe
from seggrid.segment.bpe import formats
from seggrid.segment.bpe import model as bpe
from seggrid.segment.bpe.model import BPEModel
from seggrid.segment.greedtok import GreedTokModel
from seggrid.segment.mingram import learner as mingram_learner
from seggrid.segment.mingram import segmenter as mingram
from seggrid.segment.picky import PickyModel
from seggrid.segment.superbpe import SuperModel
from seggrid.segment.unigram import model as unigram
from seggrid.segment.unigram.model import UnigramModel
from seggrid.segment.wordmap import model as wordmap
from seggrid.segment.wordmap.model import WordmapModel

MERGES = BPEModel([("t", "h"), ("th", "e\u00a0"), ("e", "\u0085")], marking="end")
FILES = {
    "bpe": (bpe.write_model, bpe.read_model, MERGES),
    "split": (bpe.write_model, bpe.read_model, BPEModel([("t", "h")], split=frozenset({"th"}))),
    "merges.txt": (formats.write_merges, formats.read_merges, MERGES),
    "tokenizer.json": (formats.write_tokenizer, formats.read_tokenizer, MERGES),
    "unigram": (unigram.write_model, unigram.read_model, UnigramModel({"▁the": -1.5, "s": -2.0})),
    "greedtok": (greedtok.write_model, greedtok.read_model, GreedTokModel({"▁the": 7, "en": 2})),
    "mingram": (
        mingram_learner.write_model,
        mingram.read_model,
        UnigramModel({"▁the": -1.5, "s": -100.0}),
    ),
    "wordmap": (wordmap.write_model, wordmap.read_model, WordmapModel({"ver": 7, "en": 2})),
    "picky": (
        picky.write_model,
        picky.read_model,
        PickyModel([("a", "b"), ("ab", "c"), ("ab",)]),
    ),
    "superbpe": (
        superbpe.write_model,
        superbpe.read_model,
        SuperModel([("▁a", "b")], [("▁ab", "▁c")]),
    ),
}
PICKY = "#seggrid-picky 2 spaces=yes\n"
SUPER = "#seggrid-superbpe 2\n"
WHOLE = "#seggrid-boundless 2\n"


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


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "an empty file"),
        (b"\xff\xfeh\x00", "UTF-16"),
        (b"\x1f\x8b\x08", "compressed"),
        (b"a\xe4\n", "byte 0xe4 at offset 1"),
    ],
)
def test_what_is_no_text_is_refused(tmp_path, name, content, message):
    path = tmp_path / "model"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        FILES[name][1](path)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("unigram", "\n", "not a unigram language model"),
        ("unigram", "#seggrid-unigram 1\n▁a\n", "'▁a' is not a piece"),
        ("unigram", "#seggrid-unigram 1\n▁a 0.5\n", "'▁a 0.5' is not a piece"),
        ("unigram", "#seggrid-unigram 1\n▁a nan\n", "'▁a nan' is not a piece"),
        ("unigram", "#seggrid-unigram 1\n▁a -1e308\n", "'▁a -1e308' is not a piece"),
        ("unigram", "#seggrid-unigram 1\n▁a -inf\n", "'▁a -inf' is not a piece"),
        ("unigram", "#seggrid-unigram 1\na -1\na -1\n", "'a' again"),
        ("mingram", "#seggrid-unigram 1\n", "not a MinGram model"),
        ("mingram", "#seggrid-mingram 1\na inf\n", "'a inf' is not a piece"),
        ("mingram", "#seggrid-mingram 1\na -1\na -1\n", "'a' again"),
        ("wordmap", "\n", "not a Wordmap model"),
        ("wordmap", "#seggrid-wordmap 1\nver\n", "'ver' is not a segment"),
        ("wordmap", "#seggrid-wordmap 1\nv 3\n", "'v 3' is not a segment"),
        ("wordmap", "#seggrid-wordmap 1\nver " + "9" * 5000 + "\n", "is not a segment"),
        ("wordmap", "#seggrid-wordmap 1\nver 3\nver 3\n", "'ver' again"),
        ("greedtok", "\n", "not a GreedTok model"),
        ("greedtok", "#seggrid-greedtok 1\nab\n", "model:2: 'ab' is not a type"),
        ("greedtok", "#seggrid-greedtok 1\n▁a 3\n", "'▁a 3' is not a type"),
        ("greedtok", "#seggrid-greedtok 1\na▁b 3\n", "'a▁b 3' is not a type"),
        ("greedtok", "#seggrid-greedtok 1\nab 0\n", "'ab 0' is not a type"),
        ("greedtok", "#seggrid-greedtok 1\nab inf\n", "'ab inf' is not a type"),
        ("greedtok", "#seggrid-greedtok 1\nab 3\nab 3\n", "model:3: the type 'ab' again"),
        ("greedtok", "#seggrid-greedtok 1\nab 3\nbc 4\n", "model:3: a gain of 4 after one of 3"),
        ("picky", "#seggrid-picky 2\n", "not a model of merges and removals"),
        ("picky", PICKY + "a b c\n", "model:2: 'a b c' is neither"),
        ("picky", PICKY + "a  b\n", "neither merge nor removal"),
        ("picky", PICKY + "ab c\n", "model:2: 'ab', which no earlier line makes"),
        ("picky", PICKY + "a b\nab\nab c\n", "model:4: 'ab', which no earlier"),
        ("picky", PICKY + "a\n", "model:2: 'a', which no earlier"),
        ("superbpe", "#seggrid-superbpe 1\n#across\n", "not a model of merges within and across"),
        ("superbpe", SUPER + "a b\n", "not a model of merges within and across words"),
        ("superbpe", SUPER + "a b\n#across\n#across\n", "model:4: '#across' is not a merge"),
        ("superbpe", SUPER + "a b c\n#across\n", "model:2: 'a b c' is not a merge"),
        ("superbpe", SUPER + "a  b\n#across\n", "is not a merge"),
        ("superbpe", SUPER + "ab c\n#across\n", "model:2: 'ab', which no earlier line makes"),
        ("superbpe", SUPER + "a b\n#across\nab ▁cd\n", "model:4: '▁cd', which no earlier line"),
        ("superbpe", SUPER + "a b\n#across\na b\n", "model:4: a second merge that makes 'ab'"),
        ("superbpe", SUPER + "▁a ▁b\n#across\n", "model:2: '▁a ▁b' crosses words before"),
        ("superbpe", WHOLE + "#across\n▁a b\n", "model:3: '▁a b', a part of which is not a word"),
    ],
)
def test_a_bad_line_is_refused(tmp_path, name, text, message):
    path = tmp_path / "model"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        FILES[name][1](path)


@pytest.mark.parametrize("name", FILES)
def test_a_file_of_lone_carriage_returns_is_refused(tmp_path, name):
    write, read, model = FILES[name]
    path = tmp_path / "model"
    write(model, path)
    if name == "tokenizer.json":
        path.write_text(json.dumps({"model": {"type": "BPE", "merges": [["a\r", "b"]]}}))
    else:
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r"))
    with pytest.raises(InputError):
        read(path)
