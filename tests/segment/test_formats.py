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
from seggrid.base.errors import InputError
from seggrid.base.json_file import read_json
from seggrid.morphology import word_segmentation
from seggrid.segment.bpe import MARKINGS
from seggrid.segment.bpe.apply import apply
from seggrid.segment.bpe.model import BPEModel, learn
from seggrid.segment.byte_level import ByteLevelModel
from seggrid.segment.formats.merges import write_merges
from seggrid.segment.formats.tokenizer_json import parse_tokenizer, read_byte_level
from seggrid.segment.formats.tokenizer_writer import write_tokenizer, write_vocabulary
from sides import read_merges


def read_model(path):
    """A tokenizer.json of characters as a model of seggrid's own, as `convert` reads it."""
    try:
        return parse_tokenizer(read_json(path), path)
    except InputError:
        if path.name == "pruned.model":
            return word_segmentation.read_word_model(path)
        raise


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


def test_a_tokenizer_is_read_back_after_hugging_face_wrote_it_too(tmp_path, model):
    write_tokenizer(model, tmp_path / "ours.json")
    Tokenizer.from_file(str(tmp_path / "ours.json")).save(str(tmp_path / "theirs.json"))
    for name in ("ours.json", "theirs.json"):
        assert read_model(tmp_path / name) == model


def test_dropout_goes_with_the_tokenizer(tmp_path):
    model = BPEModel([("▁a", "b")], dropout=0.25)
    write_tokenizer(model, tmp_path / "tokenizer.json")
    assert Tokenizer.from_file(str(tmp_path / "tokenizer.json")).model.dropout == 0.25
    with pytest.raises(InputError, match=r"a dropout of 0\.25"):
        read_model(tmp_path / "tokenizer.json")


def test_merges_and_vocabulary_are_read_back(tmp_path, model):
    write_merges(model, tmp_path / "merges.txt")
    write_vocabulary(model, tmp_path / "vocab.json", "xyz")
    if model.spaces:
        assert read_merges(tmp_path / "merges.txt", model.marking) == model
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
    assert read_model(folder / "tokenizer.json") == model


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
        ("a b\n", 1, "neither merges that begin"),
        ("#version: 0.1\na b\n", 1, "neither merges that begin"),
        ("#version: 0.2\na b 900\nb c</w> 8\n", 1, "take this line away"),
        ("#version: 0.2\na b\nb </w>\n", 3, "is not a merge"),
        ("#version: 0.2\na b\nc\n", 3, "is not a merge"),
        ("#version: 0.2\na b\t900\n", 2, "not a tab"),
        ("a b\t900\n", 1, "neither merges that begin"),
        ("a b 9\na b 8\n", 2, "is merge 1 again"),
    ],
)
def test_says_which_line_of_the_merges_is_bad(tmp_path, text, line, message):
    path = tmp_path / "codes"
    path.write_text(text)
    with pytest.raises(InputError, match=message) as caught:
        read_merges(path)
    assert caught.value.line == line


SPACES = {"type": "Split", "pattern": {"String": " "}, "behavior": "Removed"}
METASPACE = {"type": "Metaspace"}
BYTES = {"pre_tokenizer": {"type": "ByteLevel"}}


def tokenizer_with(cutter=SPACES, end="</w>", **changes):
    """The content of a tokenizer that marks ends of words, with another `model` if changes are given."""
    model = {"type": "BPE", "end_of_word_suffix": end, "merges": [["a", "b</w>"]]}
    return {"pre_tokenizer": cutter, "model": model | changes}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([], "not a tokenizer with merges"),
        ({"model": {"type": "WordPiece"}}, "of type WordPiece"),
        ({"normalizer": {"type": "Lowercase"}, "model": {"merges": []}}, "changes the text first"),
        (tokenizer_with(ignore_merges=True), "looks words up whole"),
        (tokenizer_with(byte_fallback=True), "spells unknown characters by bytes"),
        (tokenizer_with(end=1), "not a tokenizer with merges: TypeError"),
        (tokenizer_with(dropout=2), "model.dropout is 2"),
        (tokenizer_with(merges=["a"]), "merge 1, 'a', is not a merge"),
        (tokenizer_with(merges=["a b c"]), "merge 1, .*, has not two parts"),
        (tokenizer_with(merges=[["a", "b"], "a b"]), "merge 2, 'a b', is merge 1 again"),
        (tokenizer_with(merges=[["a", " b"]]), "merge 1, .*, has a space or line end in a part"),
        (tokenizer_with(vocab=[1]), "not a JSON object"),
        (tokenizer_with(vocab={"a": 0, "b": 0}), "the id 0 of 'b'"),
        (tokenizer_with(None), "does not mark words"),
        (tokenizer_with({**METASPACE, "prepend_scheme": "never"}, None), "does not mark words"),
        (tokenizer_with({**SPACES, "behavior": "Isolated"}), "may cut words before"),
        (tokenizer_with({**SPACES, "pattern": {"String": "-"}}), "may cut words .*Split"),
        (tokenizer_with() | {"added_tokens": [{"content": "x"}]}, "the added token 'x'"),
        (tokenizer_with() | BYTES, "byte-level tokenizer with end_of_word"),
        (tokenizer_with({"type": "ByteLevel", "use_regex": False}, None), "use_regex: false"),
        (tokenizer_with(end=None) | BYTES, "'ab</w>', which .* makes, has no id"),
        (tokenizer_with(end=None) | BYTES | {"split": ["x"]}, "split has 'x', which no merge"),
    ],
)
def test_refuses_tokenizers_that_segment_otherwise(tmp_path, content, message):
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps(content))
    with pytest.raises(InputError, match=message) as caught:
        read_model(path)
    assert caught.value.file == path
    assert "InputError" not in str(caught.value)


@pytest.mark.parametrize(
    ("merges", "vocabulary", "message"),
    [
        ("#version: 0.2\nu n\nun\n", "{}", "merges.txt:3: merge 2, 'un', is not a merge"),
        (" ".join("u" * 1001) + "\n", "{}", "is not a merge"),
        ("u n\n", '{"u": 0, "n": 1}', "'un', which the merge 'u n' makes, has no id"),
        ("u n\n", "[]", "not a JSON object"),
        ("u n\n", '{"un": 0,\n', "vocab.json:2: not JSON"),
        *(
            ("u n\n", f'{{"un": {id}}}', "the id .* of 'un'")
            for id in ('"0"', "-1", "true", "1.0", "4294967296")
        ),
        ("u n\n", '{"un": 3, "u": 4, "n": 3}', "the id 3 of 'n'"),
    ],
)
def test_malformed_merges_and_vocabulary_of_bytes(tmp_path, merges, vocabulary, message):
    (tmp_path / "merges.txt").write_text(merges)
    (tmp_path / "vocab.json").write_text(vocabulary)
    with pytest.raises(InputError, match=message):
        read_byte_level(tmp_path / "merges.txt", tmp_path / "vocab.json")


def test_merges_and_vocabulary_of_bytes(tmp_path):
    vocabulary = {"u": 0, "n": 1, "Ġ": 2, "un": 3, "Ġun": 4}
    (tmp_path / "merges.txt").write_text("#version-mine\nu n\nĠ un\n")
    (tmp_path / "vocab.json").write_text(json.dumps(vocabulary))
    model = read_byte_level(tmp_path / "merges.txt", tmp_path / "vocab.json")
    assert model == ByteLevelModel([("u", "n"), ("Ġ", "un")], vocabulary)


def test_reads_merges_written_as_strings_and_another_boundary(tmp_path):
    path = tmp_path / "tokenizer.json"
    cutter = {"type": "Metaspace", "replacement": "_"}
    path.write_text(json.dumps(tokenizer_with(cutter, None, merges=["_ a", "_a b"])))
    assert read_model(path) == BPEModel([("▁", "a"), ("▁a", "b")], marking="own")
