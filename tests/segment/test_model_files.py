"""All model files: line ends, first lines, refusals."""

import pytest

from seggrid.errors import InputError
from seggrid.morphology.word_segmentation import read_model
from seggrid.segment.bpe.model import BPEModel
from seggrid.segment.formats.merges import write_merges
from seggrid.segment.formats.tokenizer_json import write_tokenizer
from seggrid.segment.greedtok import GreedTok
from seggrid.segment.lexical import Lexical
from seggrid.segment.mingram import MinGram
from seggrid.segment.model_file import refuse
from seggrid.segment.morfessor import Morfessor
from seggrid.segment.picky import Picky
from seggrid.segment.superbpe import SuperBPE
from seggrid.segment.unigram import Unigram
from seggrid.segment.wordmap import Wordmap
from sides import read_merges

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
    "tokenizer.json": (write_tokenizer, read_model, MERGES),
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


@pytest.mark.parametrize(("name", "converted"), [("boundless", True), ("picky", False)])
def test_the_hint_for_a_model_of_another_segmenter_is_a_way_that_there_is(name, converted):
    assert ("seggrid convert" in str(refuse(name, "file"))) == converted


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
