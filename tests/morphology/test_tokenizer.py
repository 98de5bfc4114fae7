import json

import pytest
from tokenizers import AddedToken, decoders, models, pre_tokenizers, processors, trainers
from tokenizers import Tokenizer as Peer

from seggrid.errors import InputError
from seggrid.morphology.knockout import prune
from seggrid.morphology.tokenizer import Tokenizer, read_byte_level, write_byte_level
from seggrid.morphology.word_segmentation import ByteLevelModel
from seggrid.segment.bpe.model import BPEModel
from seggrid.segment.bytelevel import byte_symbols

MERGES = [
    ("u", "n"),
    ("Ġ", "un"),
    ("a", "b"),
    ("l", "e"),
    ("ab", "le"),
    ("Ġun", "able"),
    ("Ã", "©"),
]


def byte_level(merges=MERGES, **fields) -> ByteLevelModel:
    types = ["<s>", *byte_symbols(), *map("".join, merges)]
    return ByteLevelModel(list(merges), {type_: i for i, type_ in enumerate(types)}, **fields)


def test_three_lines(tmp_path):
    write_byte_level(byte_level(MERGES[:5]), tmp_path / "pruned.json")
    tokenizer = Tokenizer.read(tmp_path / "pruned.json")
    assert tokenizer.tokenize(["unable", "", "unit-able"]) == [
        ["Ġun", "able"],
        [],
        ["Ġun", "i", "t", "-", "able"],
    ]
    assert tokenizer.tokenize([]) == []


def test_tokens_concatenate_to_the_word(root):
    lines = (root / "resources/builtin/deu.morphemes.tsv").read_text("utf-8").splitlines()
    words = [line.split("\t")[0] for line in lines]
    symbols = byte_symbols()
    for model in (byte_level(), prune(byte_level(), "latest-0.2")):
        for word, tokens in zip(words, Tokenizer(model).tokenize(words), strict=True):
            assert "".join(tokens) == "".join(symbols[byte] for byte in f" {word}".encode())


@pytest.mark.parametrize(
    "model",
    [
        byte_level(),
        byte_level([*MERGES, ("Ġ", "a", "b", "Ã©")]),
        byte_level(split=frozenset({"able"})),
        byte_level(dropout=0.25),
        BPEModel([("▁u", "n"), ("a", "b", "c")], split=frozenset({"▁un"})),
        BPEModel([("n", "▁")], spaces=False, dropout=0.5),
    ],
)
def test_written_and_read_back(tmp_path, model):
    path = tmp_path / ("model.json" if isinstance(model, ByteLevelModel) else "pruned.model")
    Tokenizer(model).write(path)
    assert Tokenizer.read(path).model == model


def test_survivors_keep_their_ids(tmp_path):
    model = byte_level()
    Tokenizer(prune(model, "latest-0.2")).write(tmp_path / "pruned.json")
    pruned = Tokenizer.read(tmp_path / "pruned.json")
    kept = pruned.model.vocabulary
    assert set(model.vocabulary) - set(kept) == {"Ã©"}
    assert all(model.vocabulary[type_] == id for type_, id in kept.items())
    assert pruned.encode(["unable", "é"]) == [
        [model.vocabulary["Ġunable"]],
        [model.vocabulary[s] for s in ["Ġ", "Ã", "©"]],
    ]


def test_huggingface_reads_it_while_merges_are_pairs(tmp_path):
    write_byte_level(byte_level(), tmp_path / "tokenizer.json")
    peer = Peer.from_file(str(tmp_path / "tokenizer.json"))
    words = ["unable", "unéable", "tables", "stirrup-cup"]
    ours = Tokenizer.read(tmp_path / "tokenizer.json")
    assert ours.tokenize(words) == [peer.encode(f" {word}").tokens for word in words]
    assert ours.encode(words) == [peer.encode(f" {word}").ids for word in words]


def test_split_types_are_never_tokens():
    tokenizer = Tokenizer(byte_level(split=frozenset({"Ġunable", "able"})))
    assert tokenizer.tokenize(["unable", "able"]) == [["Ġun", "ab", "le"], ["Ġ", "ab", "le"]]


def test_dropout_depends_on_the_seed_alone():
    tokenizer = Tokenizer(byte_level(dropout=0.5))
    words = ["unable", "stable"] * 20
    assert tokenizer.tokenize(words, seed=1) == tokenizer.tokenize(words, seed=1)
    assert tokenizer.tokenize(words, seed=1) != tokenizer.tokenize(words, seed=2)


def test_models_learned_here():
    tokenizer = Tokenizer(BPEModel([("▁u", "n"), ("a", "b")]))
    assert tokenizer.tokenize(["unab", "ab"]) == [["▁un", "ab"], ["▁a", "b"]]
    with pytest.raises(InputError, match="no vocabulary"):
        tokenizer.encode(["ab"])


def test_a_byte_that_the_vocabulary_lacks_is_refused():
    model = byte_level()
    del model.vocabulary["Ã"]
    with pytest.raises(InputError, match="no byte 0xc3, of 'é'"):
        Tokenizer(model).tokenize(["a", "é"])


def test_merges_and_vocabulary(tmp_path):
    merges, vocabulary = tmp_path / "merges.txt", tmp_path / "vocab.json"
    merges.write_text("#version: 0.2\nu n\nĠ un\n")
    vocabulary.write_text(json.dumps({"u": 0, "n": 1, "Ġ": 2, "un": 3, "Ġun": 4}))
    model = read_byte_level(merges, vocabulary)
    assert model.merges == [("u", "n"), ("Ġ", "un")]
    assert model.vocabulary["Ġun"] == 4


@pytest.mark.parametrize(
    ("merges", "vocabulary", "message"),
    [
        ("#version: 0.2\nu n\nun\n", "{}", "merges.txt:3: 'un' is not a merge"),
        ("u n\n", '{"u": 0, "n": 1}', "'un', which the merge 'u n' makes, has no id"),
        ("u n\n", '{"un": "0"}', "not a whole number"),
        ("u n\n", '{"un": 0,\n', "vocab.json:2: not JSON"),
        ("u n\n", "[]", "not a JSON object"),
        ("u n\n", '{"un": -1}', "the id -1 of 'un' is not"),
        ("u n\n", '{"un": true}', "the id True of 'un' is not"),
        ("u n\n", '{"un": 1.0}', "the id 1.0 of 'un' is not"),
        ("u n\n", '{"un": 4294967296}', "the id 4294967296 of 'un' is not"),
        ("u n\n", '{"un": 3, "u": 4, "n": 3}', "the id 3 twice, of 'un' and of 'n'"),
        ("u n\n", '{"un": 3, "un": 4}', "the key 'un' twice"),
        ("u n\n", '{"un": ' + "9" * 5000 + "}", "a number of 5,000 digits"),
        ("u n\n", "[" * 100_000, "nested too deep"),
        (" ".join("u" * 1001) + "\n", "{}", "is not a merge"),
    ],
)
def test_malformed_merges_and_vocabulary(tmp_path, merges, vocabulary, message):
    (tmp_path / "merges.txt").write_text(merges)
    (tmp_path / "vocab.json").write_text(vocabulary)
    with pytest.raises(InputError, match=message):
        read_byte_level(tmp_path / "merges.txt", tmp_path / "vocab.json")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"model": {"type": "Unigram", "merges": []}}, "of type Unigram"),
        ({"model": {}}, "not a tokenizer with merges"),
        ({"model": [1]}, "not a tokenizer with merges"),
        ({"model": "BPE"}, "not a tokenizer with merges"),
        ({"model": {"merges": 1}}, "model.merges is 1, not a list"),
        ({"model": {"merges": {"a b": 1}}}, "model.merges is .*, not a list"),
        ({"model": {"merges": [1]}}, "merge 1, 1: neither text"),
        ({"model": {"merges": [["a", 1]]}}, "neither text"),
        ({"model": {"merges": [["a", ""]]}}, "neither text"),
        ({"model": {"merges": [["a", "b"], "a b"]}}, "merge 2, 'a b', is merge 1 again"),
        ({"model": {"merges": [], "vocab": [1]}}, "model.vocab is .*, not an object"),
        ({"model": {"merges": [], "vocab": {"a": 0, "b": 0}}}, "the id 0 twice"),
        ({"model": {"merges": [], "dropout": "0.1"}}, "model.dropout is '0.1'"),
        ({"model": {"merges": [], "dropout": True}}, "model.dropout is True"),
        ({"model": {"merges": [], "dropout": 1.5}}, "model.dropout is 1.5"),
        ({"model": {"merges": [], "dropout": [0.1]}}, "model.dropout is "),
        ({"pre_tokenizer": [1]}, "pre_tokenizer is .*, not an object"),
        ({"pre_tokenizer": "ByteLevel"}, "pre_tokenizer is 'ByteLevel', not an object"),
        ({"pre_tokenizer": {"type": ["ByteLevel"]}}, "pre-tokenizer"),
        ({"pre_tokenizer": {"type": "ByteLevel", "use_regex": False}}, "use_regex: false"),
        ({"split": "able"}, "split is 'able', not a list"),
        ({"split": [1]}, "split has 1, which is not text"),
        ({"split": ["x"]}, "split has 'x', which no merge makes"),
        ({"pre_tokenizer": {"type": "Whitespace"}}, "pre-tokenizer Whitespace"),
        ({"pre_tokenizer": None}, "pre-tokenizer None"),
        ({"normalizer": {"type": "NFC"}}, "changes the text first"),
        ({"model": {"type": "BPE", "merges": [], "end_of_word_suffix": "</w>"}}, "end_of_word"),
        ({"model": {"type": "BPE", "merges": [], "ignore_merges": True}}, "ignore_merges"),
        ({"model": {"type": "BPE", "merges": ["a"], "vocab": {}}}, "merge 1, 'a': 1 parts"),
    ],
)
def test_other_tokenizers_are_refused(tmp_path, change, message):
    path = tmp_path / "tokenizer.json"
    write_byte_level(byte_level(), path)
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises(InputError, match=message):
        read_byte_level(path)


def test_pruning_keeps_what_it_does_not_prune(tmp_path):
    """As of RoBERTa: special tokens at the ends, a space before the text, a token that takes the space before
    it."""
    peer = Peer(models.BPE())
    peer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    trainer = trainers.BpeTrainer(
        vocab_size=290,
        show_progress=False,
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        special_tokens=["<s>", "</s>", "<unk>"],
    )
    peer.train_from_iterator(["the students asked the teachers"] * 9, trainer)
    peer.add_special_tokens([AddedToken("<mask>", lstrip=True)])
    peer.add_tokens(["student"])
    peer.decoder = decoders.ByteLevel()
    peer.post_processor = processors.RobertaProcessing(("</s>", 1), ("<s>", 0))
    peer.save(str(tmp_path / "t.json"))
    model = Tokenizer.read(tmp_path / "t.json").model
    Tokenizer(prune(model, "latest-0.3")).write(tmp_path / "pruned.json")
    before, after = (json.loads((tmp_path / f).read_text()) for f in ("t.json", "pruned.json"))
    assert len(after["model"]["merges"]) < len(before["model"]["merges"])
    for part in ("merges", "vocab"):
        del before["model"][part], after["model"][part]
    assert after == before
    pruned = Peer.from_file(str(tmp_path / "pruned.json"))
    ids = peer.encode("a student <mask>").ids
    assert pruned.encode("a student <mask>").ids == ids
    assert pruned.encode("the").tokens[1].startswith("Ġ")
