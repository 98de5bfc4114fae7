"""Files of pruned tokenizers, which Hugging Face tokenizers loads if it can."""

import json

import pytest

from seggrid.morphology.knockout import prune
from seggrid.morphology.tokenizer import (
    MODEL_FILE,
    Tokenizer,
    read_byte_level,
    write_tokenizer_files,
)
from seggrid.morphology.word_segmentation import ByteLevelModel
from seggrid.segment.bpe.formats import read_tokenizer
from seggrid.segment.bpe.model import BPEModel, read_model

MERGES = [("h", "o"), ("e", "s"), ("r", "s"), ("ho", "rs"), ("s", "h"), ("es", "h"), ("Ġ", "ho")]
WORDS = ["horseshoe", "horse", "shoes", "hose"]


@pytest.fixture
def model():
    types = [*sorted({"Ġ", *"".join(WORDS)}), *map("".join, MERGES)]
    return ByteLevelModel(MERGES, {type_: 7 + i for i, type_ in enumerate(types)})


@pytest.fixture
def reference(read):
    return read("horseshoe\thorse shoe\nhorse\thorse\nshoes\tshoe s\n")


def test_pairs_load_elsewhere_with_the_ids_they_had(tmp_path, model):
    """`latest` prunes merges whose results no other merge needs."""
    tokenizers = pytest.importorskip("tokenizers")
    pruned = prune(model, "latest-0.3")
    assert [len(m) for m in pruned.merges] == [2] * 5
    (said,) = write_tokenizer_files(pruned, model, tmp_path)
    assert said == "Hugging Face tokenizers loads the files; ids are those before pruning"
    ours = Tokenizer(pruned)
    whole = tokenizers.Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    files = [str(tmp_path / name) for name in ("vocab.json", "merges.txt")]
    parts = tokenizers.ByteLevelBPETokenizer(*files, add_prefix_space=True)
    for theirs in (whole, parts):
        for word in WORDS:
            found = theirs.encode(word if theirs is parts else f" {word}")
            assert found.tokens == ours.tokenize([word])[0]
            assert found.ids == ours.encode([word])[0]
            assert all(
                model.vocabulary[t] == i for t, i in zip(found.tokens, found.ids, strict=True)
            )


def test_merges_of_more_parts_are_written_whole_and_said(tmp_path, model, reference):
    tokenizers = pytest.importorskip("tokenizers")
    pruned = prune(model, "blame-0.5", reference)
    assert ("e", "s", "h") in pruned.merges
    (said,) = write_tokenizer_files(pruned, model, tmp_path)
    assert said == (
        "1 merges of three or more parts: seggrid reads the files, Hugging Face tokenizers cannot"
    )
    for read in (
        read_byte_level(tmp_path / "tokenizer.json"),
        read_byte_level(tmp_path / "merges.txt", tmp_path / "vocab.json"),
    ):
        assert read == pruned
    with pytest.raises(Exception, match=r"\S"):
        tokenizers.Tokenizer.from_file(str(tmp_path / "tokenizer.json"))


def test_reified_tuples_load_elsewhere(tmp_path, model, reference):
    tokenizers = pytest.importorskip("tokenizers")
    pruned = prune(model, "reify-0.5x1", reference)
    assert all(len(merge) == 2 for merge in pruned.merges)
    write_tokenizer_files(pruned, model, tmp_path)
    theirs = tokenizers.Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    assert [theirs.encode(f" {word}").tokens for word in WORDS] == Tokenizer(pruned).tokenize(WORDS)
    vocabulary = json.loads((tmp_path / "vocab.json").read_text("utf-8"))
    new = set(vocabulary) - set(model.vocabulary)
    assert {t: i for t, i in vocabulary.items() if t not in new}.items() <= model.vocabulary.items()
    assert all(vocabulary[type_] > max(model.vocabulary.values()) for type_ in new)


def test_a_learned_model(tmp_path):
    tokenizers = pytest.importorskip("tokenizers")
    before = BPEModel([("▁h", "o"), ("r", "s"), ("▁ho", "rs"), ("s", "e")])
    after = BPEModel([("▁h", "o"), ("▁ho", "rs"), ("s", "e"), ("r", "se")])
    write_tokenizer_files(before, before, tmp_path / "before", "horse")
    write_tokenizer_files(after, before, tmp_path / "after", "horse")
    first, second = (
        json.loads((tmp_path / name / "vocab.json").read_text("utf-8"))
        for name in ("before", "after")
    )
    assert {t: i for t, i in second.items() if t in first}.items() <= first.items()
    assert set(second) - set(first) == {"##rse"}
    assert second["##rse"] == max(first.values()) + 1
    assert read_tokenizer(tmp_path / "after" / "tokenizer.json").merges == after.merges
    theirs = tokenizers.Tokenizer.from_file(str(tmp_path / "after" / "tokenizer.json"))
    assert theirs.encode("horse").tokens == ["ho", "##rse"]


def test_a_learned_model_that_they_cannot_hold(tmp_path):
    before = BPEModel([("r", "s"), ("▁ho", "rs")])
    for after in (
        BPEModel([("▁ho", "r", "s")]),
        BPEModel(before.merges, split=frozenset(["rs"])),
    ):
        (said,) = write_tokenizer_files(after, before, tmp_path)
        assert said.endswith(
            f"Hugging Face tokenizers knows none, so {MODEL_FILE} alone is written"
        )
        assert [path.name for path in tmp_path.iterdir()] == [MODEL_FILE]
        assert read_model(tmp_path / MODEL_FILE) == after
