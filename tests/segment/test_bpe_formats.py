"""Merges in the formats of other programs, read by these programs."""

import json

import bpe_twin as twin
import pytest
from hypothesis import given
from hypothesis import strategies as st
from subword_nmt.apply_bpe import BPE
from tokenizers import Tokenizer
from tokenizers.models import BPE as HuggingFaceBPE

import builtin_pair
from seggrid.errors import InputError
from seggrid.segment.bpe.apply import apply
from seggrid.segment.bpe.formats import (
    read_merges,
    read_tokenizer,
    write_merges,
    write_tokenizer,
    write_vocabulary,
)
from seggrid.segment.bpe.learn import learn
from seggrid.segment.bpe.model import MARKINGS, BPEModel

WAYS = [*((True, marking) for marking in MARKINGS), (False, "start")]


@pytest.fixture(scope="module")
def english():
    return builtin_pair.words_of("eng")[:500]


@pytest.fixture(scope="module", params=WAYS, ids=lambda way: f"spaces={way[0]}-{way[1]}")
def model(request, english):
    spaces, marking = request.param
    return learn(english, 400, spaces=spaces, marking=marking)


def spelled(token, model):
    """A token in the spelling of Hugging Face's BPE."""
    if model.spaces and model.marking == "start":
        return token[1:] if token.startswith("▁") else "##" + token
    return token


def test_hugging_face_segments_alike(tmp_path, english, model):
    write_tokenizer(model, tmp_path / "tokenizer.json", {c for s in english for w in s for c in w})
    tokenizer = Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    segmentation = apply(model, english)
    for s, words in enumerate(english):
        tokens = [spelled(token, model) for token in segmentation.sentence(s)]
        assert tokenizer.encode(" ".join(words)).tokens == tokens


def test_tokenizer_is_read_back(tmp_path, model):
    write_tokenizer(model, tmp_path / "tokenizer.json")
    assert read_tokenizer(tmp_path / "tokenizer.json") == model


def test_tokenizer_is_read_after_hugging_face_wrote_it(tmp_path, model):
    write_tokenizer(model, tmp_path / "ours.json")
    Tokenizer.from_file(str(tmp_path / "ours.json")).save(str(tmp_path / "theirs.json"))
    assert read_tokenizer(tmp_path / "theirs.json") == model


def test_dropout_goes_with_the_tokenizer(tmp_path):
    model = BPEModel([("▁a", "b")], dropout=0.25)
    write_tokenizer(model, tmp_path / "tokenizer.json")
    assert Tokenizer.from_file(str(tmp_path / "tokenizer.json")).model.dropout == 0.25
    with pytest.raises(InputError, match=r"a dropout of 0\.25"):
        read_tokenizer(tmp_path / "tokenizer.json")


def test_merges_and_vocabulary_are_read_back(tmp_path, model):
    write_merges(model, tmp_path / "merges.txt")
    write_vocabulary(model, tmp_path / "vocab.json", "xyz")
    again = read_merges(tmp_path / "merges.txt", marking=model.marking, spaces=model.spaces)
    assert again == model
    vocabulary, merges = HuggingFaceBPE.read_file(
        str(tmp_path / "vocab.json"), str(tmp_path / "merges.txt")
    )
    assert len(merges) == len(model.merges)
    assert sorted(vocabulary.values()) == list(range(len(vocabulary)))
    for merge in model.merges:
        assert {spelled(token, model) for token in (*merge, "".join(merge))} <= set(vocabulary)


def test_subword_nmt_segments_alike(tmp_path, english):
    model = learn(english, 400, marking="end")
    write_merges(model, tmp_path / "codes")
    assert (tmp_path / "codes").read_text(encoding="utf-8").startswith("#version: 0.2\n")
    with open(tmp_path / "codes", encoding="utf-8") as codes:
        theirs = BPE(codes, separator="")
    segmentation = apply(model, english)
    for s, words in enumerate(english):
        tokens = [token.removesuffix("</w>") for token in segmentation.sentence(s)]
        assert theirs.segment_tokens(words) == tokens


def test_codes_of_fastbpe_cut_as_it_does(tmp_path):
    """It joins the pair of the lowest line in characters of which the last has the mark."""
    (tmp_path / "codes").write_text("t h 900\ne r</w> 800\nth e 700\nth e</w> 600\n")
    model = read_merges(tmp_path / "codes")
    assert model == BPEModel(
        [("t", "h"), ("e", "r</w>"), ("th", "e"), ("th", "e</w>")], marking="end"
    )
    words = ["the", "other", "then"]
    assert apply(model, [words]).sentence(0) == ["the</w>", "o", "th", "er</w>", "the", "n</w>"]
    slowly = [twin.segment(twin.initial_symbols(word, "end"), model.merges) for word in words]
    assert apply(model, [words]).sentence(0) == [token for tokens, _ in slowly for token in tokens]


parts = st.text("ab\u3000\x85é", min_size=1, max_size=3)


@given(merges=st.lists(st.tuples(parts, parts), unique=True, max_size=8))
def test_any_characters_are_kept(tmp_path_factory, merges):
    folder = tmp_path_factory.mktemp("formats")
    model = BPEModel(merges, marking="own")
    write_merges(model, folder / "merges.txt")
    assert read_merges(folder / "merges.txt", marking="own") == model
    write_tokenizer(model, folder / "tokenizer.json")
    assert read_tokenizer(folder / "tokenizer.json") == model


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (BPEModel([("a", "b", "c")]), "do not know the merge 'a b c'"),
        (BPEModel([("a", "b")], split=frozenset(["ab"])), "do not know types that are split"),
        (BPEModel([("▁##", "b")]), "begins with ##"),
    ],
)
@pytest.mark.parametrize("write", [write_merges, write_vocabulary, write_tokenizer])
def test_refuses_what_others_do_not_know(tmp_path, model, message, write):
    with pytest.raises(InputError, match=message):
        write(model, tmp_path / "file")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("\n", 1, "'' is not a merge"),
        ("a b\n", 1, "without a header that tells their version"),
        ("a b</w>\n", 1, "without a header that tells their version"),
        ("#version: 0.1\na b\n", 2, "codes of version 0.1"),
        ("a b\nb </w>\n", 2, "codes of version 0.1"),
        ("#version: 0.2\na b\nb </w>\n", 3, "codes of version 0.1"),
        ("#version: 0.2\na b 900\nb c</w> 8\n", 1, "as fastBPE writes them"),
        ("a b 9\nb c</w>\n", 1, "'a b 9' is not a merge"),
        ("a b 9\na b 8\n", 2, "again, after line 1"),
        ("#version: 0.2\na b\nc\n", 3, "'c' is not a merge"),
        ("#version: 0.2\na b\na  b\n", 3, "'a  b' is not a merge"),
        ("#version: 0.2\na b\na b\n", 3, "again, after line 2"),
    ],
)
def test_says_which_line_of_the_merges_is_bad(tmp_path, text, line, message):
    path = tmp_path / "codes"
    path.write_text(text)
    with pytest.raises(InputError, match=message) as caught:
        read_merges(path)
    assert caught.value.line == line


SPACES = {"type": "Split", "pattern": {"String": " "}, "behavior": "Removed"}


def tokenizer_with(**changes):
    model = {"type": "BPE", "end_of_word_suffix": "</w>", "merges": [["a", "b</w>"]]}
    return json.dumps({"pre_tokenizer": changes.pop("cutter", None), "model": model | changes})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON"),
        ("[]", "not a tokenizer with merges"),
        ('{"model": {"type": "WordPiece"}}', "not a tokenizer with merges"),
        (tokenizer_with(type="Unigram"), "of type Unigram"),
        (tokenizer_with(ignore_merges=True), "looks words up whole"),
        (tokenizer_with(cutter={"type": "ByteLevel"}), "over bytes"),
        (tokenizer_with(merges=["a b c"]), "merge 1, .*, has not two parts"),
        (tokenizer_with(merges=["a b", "a b"]), "merge 2, 'a b', is merge 1 again"),
        (tokenizer_with(merges=[["a", " b"]]), "merge 1, .*, has a space or line end in a part"),
        (
            tokenizer_with(
                end_of_word_suffix=None, merges=[["a", "b\n"]], cutter={"type": "Metaspace"}
            ),
            "merge 1, .*, has a space or line end in a part",
        ),
        (tokenizer_with(dropout=0.5, cutter=SPACES), r"a dropout of 0\.5"),
        (tokenizer_with(cutter=None), "does not mark words"),
        (tokenizer_with(cutter={**SPACES, "behavior": "Isolated"}), "may cut words before"),
        (
            json.dumps(
                {**json.loads(tokenizer_with(cutter=SPACES)), "added_tokens": [{"content": "x"}]}
            ),
            "the added token 'x'",
        ),
        (tokenizer_with(byte_fallback=True), "spells unknown characters by bytes"),
        (tokenizer_with(end_of_word_suffix=1), "end_of_word_suffix is 1, not text"),
        (tokenizer_with(continuing_subword_prefix=["##"]), "not text or null"),
        (tokenizer_with(dropout=2), "model.dropout is 2"),
        (tokenizer_with(cutter={"type": "Whitespace"}), "may cut words .*Whitespace"),
        (tokenizer_with(cutter={"type": "Split", "pattern": {"String": "-"}}), "may cut words"),
        (
            tokenizer_with(end_of_word_suffix=None, cutter={"type": "Metaspace", "replacement": 1}),
            "replacement is 1",
        ),
        ('{"normalizer": {"type": "Lowercase"}, "model": {"merges": []}}', "changes the text"),
        (tokenizer_with(end_of_word_suffix=None), "does not mark words"),
        (
            tokenizer_with(
                end_of_word_suffix=None, cutter={"type": "Metaspace", "prepend_scheme": "never"}
            ),
            "does not mark words",
        ),
    ],
)
def test_refuses_tokenizers_that_segment_otherwise(tmp_path, text, message):
    path = tmp_path / "tokenizer.json"
    path.write_text(text)
    with pytest.raises(InputError, match=message) as caught:
        read_tokenizer(path)
    assert caught.value.file == path


def test_reads_merges_written_as_strings_and_another_boundary(tmp_path):
    path = tmp_path / "tokenizer.json"
    cutter = {"type": "Metaspace", "replacement": "_"}
    path.write_text(tokenizer_with(end_of_word_suffix=None, merges=["_ a", "_a b"], cutter=cutter))
    assert read_tokenizer(path) == BPEModel([("▁", "a"), ("▁a", "b")], marking="own")


@pytest.mark.parametrize("read", [read_merges, read_tokenizer])
def test_says_that_there_is_no_file(tmp_path, read):
    with pytest.raises(InputError, match="no such file"):
        read(tmp_path / "nothing")
