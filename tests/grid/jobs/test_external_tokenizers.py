"""Tokenizers from elsewhere in the workflow: from the config, through checks, to scores."""

from pathlib import Path

import pandas as pd
import pytest
import sentencepiece
from tokenizers import Tokenizer

import builtin_pair
from seggrid.base.arrays import read_arrays
from seggrid.base.errors import InputError
from seggrid.grid.config import check_config
from seggrid.grid.grid import Grid
from seggrid.grid.rules.check import check_sources
from seggrid.grid.rules.files import Files
from seggrid.text.segmentation import unpack_segmentations
from tokenizer_kinds import trained_on_bytes

LINES = 40
CUT = "the first half"
BROKEN = {
    "cut JSON": ("bert", "tokenizer.json", CUT, "not JSON"),
    "cut model": ("spm", "target.model", CUT, "model of sentencepiece"),
    "other text": ("cut", "target.cut", "other\n" * LINES, "target.cut:1: the token 'other'"),
    "fewer lines": ("cut", "target.cut", "another text\n", "1 lines of tokens for a text of 40"),
}
"""For each: which tokenizer it is, its file, what is written there, and what is said of it."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A pair of a few lines, a tokenizer of each format, and the config that runs them."""
    folder = tmp_path_factory.mktemp("external")
    texts = {}
    for side, code in (("source", "eng"), ("target", "deu")):
        texts[side] = builtin_pair.lines_of(code)[:LINES]
        (folder / f"{side}.txt").write_text("\n".join(texts[side]) + "\n", "utf-8")
        with (folder / f"{side}.model").open("wb") as model:
            sentencepiece.SentencePieceTrainer.train(
                sentence_iterator=iter(texts[side]),
                model_writer=model,
                vocab_size=250,
                character_coverage=1.0,
                num_threads=1,
                minloglevel=2,
            )
        cut = sentencepiece.SentencePieceProcessor(model_file=str(folder / f"{side}.model"))
        rows = (" ".join(cut.Encode(line, out_type=str)) for line in texts[side])
        (folder / f"{side}.cut").write_text("\n".join(rows) + "\n", "utf-8")
    lines = [*texts["source"], *texts["target"]]
    trained_on_bytes(lines, 500).save(str(folder / "tokenizer.json"))
    gold = builtin_pair.lines_of("gold")[:LINES]
    (folder / "gold.txt").write_text("\n".join(gold) + "\n")
    return folder


def side(name):
    return {
        "text": f"{name}.txt",
        "tokenizers": {
            "bert": {"file": "tokenizer.json", "format": "huggingface"},
            "spm": {"file": f"{name}.model", "format": "sentencepiece"},
            "cut": {"file": f"{name}.cut", "format": "tokens-▁"},
        },
    }


def config(**experiment):
    values = {"segmenter": "external", "tokenizer": ["bert", "spm", "cut"], **experiment}
    return {
        "pairs": {
            "p": {"source": side("source"), "target": side("target"), "gold": {"file": "gold.txt"}}
        },
        "experiments": {"x": values},
        "report": {"resamples": 100, "viewer_cells": 2},
    }


def test_each_kind_from_the_config_to_its_scores(folder, snakemake):
    """The workflow's files contain the tokens of the library."""
    values = config()
    values["experiments"]["sampled"] = {
        **{"segmenter": "external", "tokenizer": "spm", "sampling": "alpha-0.3"},
        **{"samples": 2, "aggregate": [0.5]},
    }
    snakemake(folder, values, "results/scores.csv")
    scores = pd.read_csv(folder / "results/scores.csv").fillna({"tokenizer": ""})
    assert set(scores["tokenizer"]) == {"", "bert", "spm", "cut"}
    assert (scores["status"] == "ok").all()
    plain = scores[scores["aggregate"] == "mutual-0.35"].set_index("tokenizer")
    # A model and a file of its tokens give the same tokens.
    assert plain.loc["spm", "f1"] == plain.loc["cut", "f1"]
    assert plain.loc["bert", "vocabulary_use_source"] > 0
    assert pd.isna(plain.loc["cut", "vocabulary_use_source"])
    assert set(scores["sampling"]) == {"none", "alpha-0.3"}

    theirs = Tokenizer.from_file(str(folder / "tokenizer.json"))
    spec = "results/segment/p/target/external+tokenizer=bert+case=keep/0-0.npz"
    (ours,) = unpack_segmentations(read_arrays(folder / spec))
    for s, line in enumerate((folder / "target.txt").read_text("utf-8").splitlines()):
        assert ours.sentence(s) == theirs.encode(line).tokens


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_file_is_one_line_before_any_job(folder, monkeypatch, case):
    """Whoever uses it: a cell, an evaluation, a language model."""
    monkeypatch.chdir(folder)
    name, file, content, said = BROKEN[case]
    values = config(tokenizer=name)
    if name != "cut":
        values["experiments"]["x"] = {"segmenter": "words"}
        own = {"segmenter": "external", "tokenizer": name}
        Path("reference.tsv").write_text("Haus\tHaus\n", "utf-8")
        learned = {"pair": "p", "side": "target", **own}
        evaluated = {"m": {"reference": {"file": "reference.tsv"}, "learned": learned}}
        model = {"m": {"pair": "p", "side": "target", "segmentation": own, "steps": 0}}
        users = [values | {"morphology": evaluated}, values | {"language_models": model}]
    else:
        users = []
    whole = Path(file).read_bytes()
    Path(file).write_bytes(whole[: len(whole) // 2] if content == CUT else content.encode())
    try:
        for checked in (config(tokenizer=name), *users):
            with pytest.raises(InputError) as error:
                check_sources(Grid(checked), deployed=True)
            (line,) = str(error.value).split("\n")
            assert said in line
            assert file in line
    finally:
        Path(file).write_bytes(whole)


def test_what_cannot_be_sampled_is_refused_before_any_job(folder, monkeypatch):
    monkeypatch.chdir(folder)
    with pytest.raises(InputError, match="the tokenizer bert cannot be sampled by sampling"):
        check_sources(Grid(config(tokenizer="bert", sampling="alpha-0.1")))
    with pytest.raises(InputError, match="the tokenizer spm cannot be sampled by dropout"):
        check_sources(Grid(config(tokenizer="spm", dropout=0.1)))


def test_another_tokenizer_is_another_content(folder, monkeypatch):
    """The file is a tracked input: its digest is a parameter of the jobs that read it."""
    monkeypatch.chdir(folder)
    grid = Grid(config(tokenizer="spm"))
    own, _ = grid.both(next(iter(grid.experiments)))
    (file,) = Files(grid.config).of(own.tokenizer)
    assert file == "source.model"
    assert own.model is None
    before = Files(grid.config).content(file)
    whole = Path(file).read_bytes()
    Path(file).write_bytes(whole + b"x")
    assert Files(grid.config).content(file) != before
    Path(file).write_bytes(whole)


@pytest.mark.parametrize(
    ("experiment", "said"),
    [
        ({"tokenizer": "brt"}, "no tokenizer 'brt' for the source side of p"),
        ({"tokenizer": "none"}, "external needs the name of a tokenizer"),
        ({"tokenizer": "spm", "sampling": "beta"}, "'beta' is not a way to sample"),
        ({"tokenizer": "spm", "merges": 5}, "external would ignore it"),
        ({"segmenter": "bpe", "tokenizer": "spm"}, "bpe would ignore it"),
    ],
)
def test_mistakes_in_a_config(experiment, said):
    with pytest.raises(InputError) as error:
        check_config(config(**experiment))
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("learned", "more", "said"),
    [
        (
            {"segmenter": "external", "tokenizer": "bert"},
            {"dropout": 0.1},
            "bert cannot be sampled by dropout",
        ),
        ({"segmenter": "bpe", "merges": 5, "sentences": 3}, {}, "3 sentences"),
    ],
)
def test_what_an_evaluation_cannot_have_is_found_before_any_job(
    folder, monkeypatch, learned, more, said
):
    monkeypatch.chdir(folder)
    values = config()
    values["experiments"]["x"] = {"segmenter": "words"}
    learned = {"pair": "p", "side": "target", **learned}
    values["morphology"] = {"m": {"reference": {"file": "source.txt"}, "learned": learned, **more}}
    with pytest.raises(InputError, match=said):
        check_sources(Grid(values))
