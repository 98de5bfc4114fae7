"""Tokenizers, pruned or not: words in their tokens, and the files of a pruned one, which Hugging Face's
tokenizers loads if it can."""

import json

import pytest
from tokenizers import (
    AddedToken,
    ByteLevelBPETokenizer,
    decoders,
    models,
    pre_tokenizers,
    processors,
    trainers,
)
from tokenizers import Tokenizer as Peer

from seggrid.commands import main
from seggrid.morphology.knockout import prune_model
from seggrid.morphology.word_segmentation import cut_each_word, read_word_model
from seggrid.segment.bpe.model import BPEModel
from seggrid.segment.byte_level import ByteLevelModel, byte_symbols
from seggrid.segment.formats.tokenizer_json import read_byte_level
from seggrid.segment.formats.tokenizer_writer import MODEL_FILE, write_folder, write_tokenizer

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


def test_words_in_tokens(tmp_path):
    write_tokenizer(byte_level(MERGES[:5]), tmp_path / "pruned.json")
    model = read_word_model(tmp_path / "pruned.json")
    assert cut_each_word(model, ["unable", "", "unit-able"]) == [
        ["Ġun", "able"],
        [],
        ["Ġun", "i", "t", "-", "able"],
    ]
    assert cut_each_word(model, []) == []
    learned = BPEModel([("▁u", "n"), ("a", "b")])
    assert cut_each_word(learned, ["unab", "ab"]) == [["▁un", "ab"], ["▁a", "b"]]
    split = byte_level(split=frozenset({"Ġunable", "able"}))
    assert cut_each_word(split, ["unable", "able"]) == [["Ġun", "ab", "le"], ["Ġ", "ab", "le"]]


@pytest.mark.parametrize(
    "model",
    [
        byte_level(),
        byte_level([*MERGES, ("Ġ", "a", "b", "Ã©")]),
        byte_level(split=frozenset({"able"})),
        byte_level(dropout=0.25),
    ],
)
def test_written_and_read_back(tmp_path, model):
    write_tokenizer(model, tmp_path / "t.json")
    assert read_word_model(tmp_path / "t.json") == model


@pytest.mark.parametrize("marking", ["start", "end", "own"])
def test_a_converted_tokenizer_is_pruned_and_shown_as_trees(tmp_path, monkeypatch, capsys, marking):
    monkeypatch.chdir(tmp_path)
    merges = {"start": ("▁h", "o"), "end": ("s", "e</w>"), "own": ("▁", "h")}
    BPEModel([merges[marking]], marking=marking).write("learned")
    (tmp_path / "text").write_text("horse\n")
    convert = "convert learned --to tokenizer --text text -o t.json"
    (tmp_path / "reference").write_text("horse\thors e\n")
    for line in (convert, "prune t.json --morphemes reference -o pruned", "tree t.json horse"):
        assert main(line.split()) == 0
    shown = {"start": "(▁h o) r s e", "end": "h o r (s e</w>)", "own": "(▁ h) o r s e"}
    assert capsys.readouterr().out.splitlines()[-1] == shown[marking]
    assert len(read_word_model("pruned").merges) == (marking != "end")


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
    pruned = prune_model(read_word_model(tmp_path / "t.json"), "latest-0.3")
    write_tokenizer(pruned, tmp_path / "pruned.json")
    before, after = (json.loads((tmp_path / f).read_text()) for f in ("t.json", "pruned.json"))
    assert len(after["model"]["merges"]) < len(before["model"]["merges"])
    for part in ("merges", "vocab"):
        del before["model"][part], after["model"][part]
    assert after == before
    pruned = Peer.from_file(str(tmp_path / "pruned.json"))
    ids = peer.encode("a student <mask>").ids
    assert pruned.encode("a student <mask>").ids == ids
    assert pruned.encode("the").tokens[1].startswith("Ġ")


SHOES = [("h", "o"), ("e", "s"), ("r", "s"), ("ho", "rs"), ("s", "h"), ("es", "h"), ("Ġ", "ho")]
WORDS = ["horseshoe", "horse", "shoes", "hose"]


@pytest.fixture
def model():
    types = [*sorted({"Ġ", *"".join(WORDS)}), *map("".join, SHOES)]
    return ByteLevelModel(SHOES, {type_: 7 + i for i, type_ in enumerate(types)})


@pytest.fixture
def reference(read):
    return read("horseshoe\thorse shoe\nhorse\thorse\nshoes\tshoe s\n")


def test_pairs_load_elsewhere_with_the_ids_they_had(tmp_path, model):
    """`latest` prunes merges whose results no other merge needs."""
    pruned = prune_model(model, "latest-0.3")
    assert [len(m) for m in pruned.merges] == [2] * 5
    (said,) = write_folder(pruned, model, tmp_path)
    assert said == "Hugging Face tokenizers loads the files; ids are those before pruning"
    whole = Peer.from_file(str(tmp_path / "tokenizer.json"))
    files = [str(tmp_path / name) for name in ("vocab.json", "merges.txt")]
    parts = ByteLevelBPETokenizer(*files, add_prefix_space=True)
    for theirs in (whole, parts):
        for word in WORDS:
            found = theirs.encode(word if theirs is parts else f" {word}")
            assert found.tokens == cut_each_word(pruned, [word])[0]
            assert found.ids == [model.vocabulary[token] for token in found.tokens]


def test_merges_of_more_parts_are_written_whole_and_said(tmp_path, model, reference):
    pruned = prune_model(model, "blame-0.5", reference)
    assert ("e", "s", "h") in pruned.merges
    (said,) = write_folder(pruned, model, tmp_path)
    assert said == (
        "1 merges of three or more parts: seggrid reads the files, Hugging Face tokenizers cannot"
    )
    for read in (
        read_word_model(tmp_path / "tokenizer.json"),
        read_byte_level(tmp_path / "merges.txt", tmp_path / "vocab.json"),
    ):
        assert read == pruned
    with pytest.raises(Exception, match=r"\S"):
        Peer.from_file(str(tmp_path / "tokenizer.json"))


def test_reified_tuples_load_elsewhere(tmp_path, model, reference):
    pruned = prune_model(model, "reify-0.5x1", reference)
    assert all(len(merge) == 2 for merge in pruned.merges)
    write_folder(pruned, model, tmp_path)
    theirs = Peer.from_file(str(tmp_path / "tokenizer.json"))
    assert [theirs.encode(f" {word}").tokens for word in WORDS] == cut_each_word(pruned, WORDS)
    vocabulary = json.loads((tmp_path / "vocab.json").read_text("utf-8"))
    new = set(vocabulary) - set(model.vocabulary)
    assert {t: i for t, i in vocabulary.items() if t not in new}.items() <= model.vocabulary.items()
    assert all(vocabulary[type_] > max(model.vocabulary.values()) for type_ in new)


def test_a_learned_model(tmp_path):
    before = BPEModel([("▁h", "o"), ("r", "s"), ("▁ho", "rs"), ("s", "e")])
    after = BPEModel([("▁h", "o"), ("▁ho", "rs"), ("s", "e"), ("r", "se")])
    write_folder(before, before, tmp_path / "before", "horse")
    write_folder(after, before, tmp_path / "after", "horse")
    first, second = (
        json.loads((tmp_path / name / "vocab.json").read_text("utf-8"))
        for name in ("before", "after")
    )
    assert {t: i for t, i in second.items() if t in first}.items() <= first.items()
    assert set(second) - set(first) == {"##rse"}
    assert second["##rse"] == max(first.values()) + 1
    assert read_word_model(tmp_path / "after" / "tokenizer.json").merges == after.merges
    theirs = Peer.from_file(str(tmp_path / "after" / "tokenizer.json"))
    assert theirs.encode("horse").tokens == ["ho", "##rse"]


def test_a_learned_model_that_they_cannot_hold(tmp_path):
    before = BPEModel([("r", "s"), ("▁ho", "rs")])
    for after in (
        BPEModel([("▁ho", "r", "s")]),
        BPEModel(before.merges, split=frozenset(["rs"])),
    ):
        (said,) = write_folder(after, before, tmp_path)
        assert said.endswith(
            f"Hugging Face tokenizers knows none, so {MODEL_FILE} alone is written"
        )
        assert [path.name for path in tmp_path.iterdir()] == [MODEL_FILE]
        assert read_word_model(tmp_path / MODEL_FILE) == after
