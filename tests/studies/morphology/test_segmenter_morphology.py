"""Any segmenter against morphemes: named in a config, checked before a job, run to one table."""

import shutil
from pathlib import Path
from unicodedata import normalize

import pandas as pd
import pytest

import builtin_pair
from seggrid.base.errors import InputError
from seggrid.grid.config import check_config
from seggrid.grid.grid import Grid
from seggrid.grid.rules.check import check_sources
from seggrid.morphology.evaluate import evaluate_segmentation
from seggrid.morphology.references import read_reference
from seggrid.segment.bpe.model import BPEModel
from seggrid.segment.side import parse_spec
from seggrid.segment.side_segmenter import learn_model, segment_words
from seggrid.studies.morphology.evaluations import TokenizerInputs
from seggrid.studies.morphology.study import evaluated
from tokenizer_kinds import trained_on_bytes

LINES = 120
MERGES = 150
TREES = {
    "gehen": "((geh)[V],(en)[V|V.])[V]",
    "Haus": "(Haus)[N]",
    "stehen": "((steh)[V],(en)[V|V.])[V]",
}

CELEX = {"reference": {"file": "celex.txt", "format": "celex"}}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("morphology")
    builtin_pair.write_pair(folder, LINES, ".txt")
    shutil.copy(builtin_pair.FOLDER / "deu.morphemes.tsv", folder)
    (folder / "celex.txt").write_text("".join(f"{w}\t{t}\n" for w, t in TREES.items()))
    text = (folder / "deu.txt").read_text("utf-8")
    trained_on_bytes(text.splitlines(), 400).save(str(folder / "tokenizer.json"))
    (folder / "deu.cut").write_text(text, "utf-8")
    return folder


def config(**entries):
    pair = builtin_pair.in_config(ending=".txt")
    pair["target"] |= {
        "language": "German",
        "tokenizers": {
            "hf": {"file": "tokenizer.json", "format": "huggingface"},
            "cut": {"file": "deu.cut", "format": "tokens-@@"},
        },
    }
    return {
        "pairs": {"p": pair},
        "experiments": {"x": {"segmenter": "words"}},
        "morphology": {
            name: {"reference": {"file": "deu.morphemes.tsv"}} | entry
            for name, entry in entries.items()
        },
    }


def learned(segmenter, **axes):
    return {"learned": {"pair": "p", "side": "target", "segmenter": segmenter, **axes}}


def test_from_the_config_to_one_table(folder, snakemake, documented):
    """Rows as the same calls give them, those of a BPE that can be pruned beside them."""
    axes = {"merges": MERGES}
    values = config(
        words=learned("words"),
        bpe=learned("bpe", **axes),
        most=learned("bpe", merges=30_000) | {"knockout": "none"},
        sized=learned("bpe", vocabulary=150) | {"knockout": "none"},
        longest=learned("bpe", application="longest", **axes) | {"dropout": [0, 0.2]},
        unigram=learned("unigram", sampling="alpha-0.3", **axes) | {"repeats": 3},
        piece=learned("sentencepiece_bpe", **axes) | {"dropout": 0.1, "repeats": 2},
        morfessor=learned("morfessor", **axes),
        lexical=learned("lexical", **axes) | CELEX,
        hf=learned("external", tokenizer="hf"),
        outside={"tokenizer": {"file": "tokenizer.json", "format": "huggingface"}},
        pruned={"tokenizer": {"tokenizer": "tokenizer.json"}, "knockout": "none"},
    )
    snakemake(folder, values, "results/morphology.csv")
    table = pd.read_csv(folder / "results/morphology.csv")
    documented("morphology.csv", table)
    kept = table[table["knockout"] != "ideal"]
    rows = {name: own.reset_index(drop=True) for name, own in kept.groupby("tokenizer")}
    assert {name: len(own) for name, own in rows.items()} == {
        **{"words": 2, "bpe": 4, "most": 2, "sized": 2, "longest": 3, "unigram": 2, "piece": 3},
        **{"morfessor": 2, "lexical": 4, "hf": 2, "outside": 2, "pruned": 2},
    }
    assert list(rows["words"]["predicted"]) == [0, 0]
    assert set(rows["words"]["macro_precision"]) == {1}
    assert rows["words"]["vocabulary"].isna().all()
    # One tokenizer in three ways. Its halves of an umlaut count as letters where it can be pruned.
    scores = ["true_positives", "predicted", "macro_precision", "macro_recall", "tokens_per_word"]
    assert rows["outside"][scores].equals(rows["hf"][scores])
    assert rows["pruned"]["tokens_per_word"].equals(rows["hf"]["tokens_per_word"])
    assert rows["pruned"]["predicted"][0] == pytest.approx(rows["hf"]["predicted"][0], rel=0.01)
    assert list(rows["longest"]["dropout"]) == [0, 0, 0.2]
    assert list(rows["longest"]["runs"]) == [1, 1, 10]
    assert list(rows["unigram"]["runs"]) == [3, 3]
    assert rows["unigram"]["tokens_per_word"][0] > rows["unigram"]["tokens_per_word_before"][0]

    said = {name: set(own["remark"].fillna("")) for name, own in rows.items()}
    assert said["bpe"] == said["words"] == said["unigram"] == {""}
    (remark,) = said["most"]
    assert remark.endswith(" of 30000 merges, all that its text has")
    (remark,) = said["morfessor"]
    # The column is of floats, since words have no vocabulary.
    types = int(rows["morfessor"]["vocabulary"][0])
    assert f" morphs are {types} types: one that begins" in remark
    assert set(table[table["knockout"] == "ideal"]["remark"].fillna("")) == {""}

    side = parse_spec(f"morfessor+case=keep+merges={MERGES}")
    sentences = [line.split() for line in (folder / "deu.txt").read_text("utf-8").splitlines()]
    reference = read_reference(folder / "deu.morphemes.tsv", "surface")
    model = learn_model(sentences, side)
    (plain,) = segment_words(side, model, reference.words, [0])
    (ours,) = evaluate_segmentation(plain, reference)
    for name in ("true_positives", "predicted", "positives", "macro_f1"):
        assert rows["morfessor"][name][0] == pytest.approx(ours[name])


def test_its_inputs_are_the_model_and_the_text_that_a_cell_has(folder, monkeypatch):
    monkeypatch.chdir(folder)
    grid = Grid(config(u=learned("unigram", merges=20, case="lower"), w=learned("words")))
    unigram, words = (evaluated(grid, name) for name in "uw")
    assert unigram.corpus == "results/corpus/p/target/case=lower.txt"
    learned_file = "results/learn/p/target/unigram+case=lower+spaces=yes+learned=20.model"
    assert unigram.model == learned_file
    assert words.model is None


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (learned("bpe", spaces=False), "m.learned.spaces: units across words, where words are"),
        (learned("wordpiece", spaces="hidden"), "m.learned.spaces: units across words"),
        (learned("words", merges=5), "m.learned.merges: words would ignore it"),
        (learned("external"), "m.learned.segmenter: external needs the name of a tokenizer"),
        (learned("external", tokenizer="no"), "m.learned.tokenizer: no tokenizer 'no'"),
        (learned("external", tokenizer="cut"), "m.learned.tokenizer: cut is the tokens of a text"),
        (
            learned("lexical"),
            "m.learned.pos: the reference does not say which of its words are verbs",
        ),
        (learned("unigram") | {"knockout": "blame-0.5"}, "m.knockout: only a BPE whose merges are"),
        (learned("unigram") | {"figures": True}, "m.figures: only a BPE whose merges are"),
        (learned("wordpiece") | {"write": True}, "m.write: only a BPE whose merges are"),
        # A BPE that can be pruned is evaluated by its merges alone.
        (learned("bpe", sampling="grampa-1") | {"write": True}, "m.write: only a BPE whose merges"),
        (learned("unigram") | {"dropout": 0.1}, "m.dropout: unigram has none"),
        (learned("bpe", application="replace") | {"dropout": 0.1}, "m.dropout: replace has no"),
        ({"tokenizer": {"tokenizer": "t", "format": "huggingface"}}, "m.tokenizer.format: without"),
        (
            {"tokenizer": {"file": "t", "format": "huggingface", "merges": "m"}},
            "m.tokenizer: file is a tokenizer by itself",
        ),
    ],
)
def test_what_cannot_be_evaluated_is_one_line(entry, said):
    with pytest.raises(InputError) as error:
        check_config(config(m=entry))
    (line,) = str(error.value).split("\n")
    assert f"morphology.{said}" in line


def test_lexical_is_evaluated_where_parts_of_speech_are_known():
    check_config(config(m=learned("lexical") | CELEX))
    check_config(config(m=learned("lexical", pos="any")))
    with pytest.raises(InputError, match="which of its words are names"):
        check_config(config(m=learned("lexical", pos="name") | CELEX))


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({"tokenizer": {"file": "bad", "format": "huggingface"}}, "bad"),
        ({"tokenizer": {"tokenizer": "bad"}}, "bad"),
        ({"tokenizer": {"merges": "merges", "vocabulary": "vocabulary"}}, "'ab', which the merge"),
        (
            {"tokenizer": {"file": "tokenizer.json", "format": "huggingface"}, "dropout": 0.1},
            "cannot be sampled by dropout",
        ),
    ],
)
def test_a_broken_file_is_one_line_before_any_job(folder, monkeypatch, entry, said):
    monkeypatch.chdir(folder)
    Path("bad").write_bytes(b"cut")
    Path("merges").write_text("a b\n")
    Path("vocabulary").write_text('{"a": 0, "b": 1}')
    with pytest.raises(InputError) as error:
        check_sources(Grid(config(m=entry)))
    (line,) = str(error.value).split("\n")
    assert said in line


def test_a_study_of_morphology_alone_needs_no_experiments_and_no_target(folder, snakemake):
    values = config(bpe=learned("bpe", merges=20) | {"knockout": "none"})
    values["experiments"] = {}
    pair = values["pairs"]["p"]
    values["pairs"]["p"] = {"source": pair["target"]}
    values["morphology"]["bpe"]["learned"]["side"] = "source"
    study = {key: value for key, value in values.items() if value} | {"study": "alone"}
    snakemake(folder, study)
    made = {file.name for file in (folder / "results/studies/alone").iterdir()}
    assert made == {"morphology", "morphology.csv", "knockout.csv", "logs", "run.json"}
    with pytest.raises(InputError, match="no target"):
        check_config(study | {"experiments": {"x": {"merges": 5}}})
    for lacking in ({"side": "target"}, {"side": "source", "joint": True}):
        study["morphology"]["bpe"]["learned"] |= lacking
        with pytest.raises(InputError, match="no target"):
            check_config(study)


def test_without_a_text_a_reference_is_in_the_unicode_form_of_the_model(tmp_path):
    BPEModel([("u", "\u0308"), ("▁f", "u\u0308")]).write(tmp_path / "model")
    for own in ("NFC", "NFD"):
        (tmp_path / own).write_text(normalize(own, "für\tf ür\n"), "utf-8")
        inputs = TokenizerInputs(tmp_path / own, "surface", model=tmp_path / "model")
        reference = inputs.read_all().reference
        assert reference.words == [normalize("NFD", "für")]
        assert reference.morphemes.word(0) == [1]
