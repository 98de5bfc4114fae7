"""The stage `tag` and the segmenter that uses tags, from a config to tokens."""

import pytest

from seggrid.base.errors import InputErrors
from seggrid.grid.grid import Grid
from seggrid.grid.rules.check import check_sources
from seggrid.segment.side import parse_spec

TEXTS = {
    "deu": "Ich verstehe das Gesetz .\nWir verstehen die Gesetze .\nSie entstehen .\n",
    "eng": "I understand the law .\nWe understand laws .\nThey arise .\n",
}


def config(**target):
    return {
        "pairs": {
            "p": {
                "source": {"language": "English", "text": "eng"},
                "target": {"language": "German", "text": "deu", **target},
                "gold": {"file": "gold"},
            }
        },
        "experiments": {"x": {"segmenter": "lexical", "case": "lower", "merges": 12}},
    }


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "gold").write_text("0-0\n")
    (tmp_path / "lexicon").write_text("bestehen\tverb\n")
    return tmp_path


@pytest.mark.parametrize("language", ["Hindi", None])
def test_a_language_without_a_tagger_is_refused_before_any_job(folder, language):
    with pytest.raises(InputErrors) as caught:
        Grid(config(language=language) if language else config() | _without_language())
    assert "lexical has no tagger of parts of speech" in str(caught.value)


def _without_language():
    pairs = config()["pairs"]
    del pairs["p"]["target"]["language"]
    return {"pairs": pairs}


def test_a_damaged_lexicon_and_a_missing_tagger_are_refused_before_any_job(folder, monkeypatch):
    monkeypatch.setattr("seggrid.base.extras.find_spec", lambda name: None)
    (folder / "lexicon").write_text("bestehen\n")
    with pytest.raises(InputErrors) as caught:
        check_sources(Grid(config(lexicon="lexicon")))
    found = str(caught.value)
    assert "lexicon:1: 'bestehen' is not a word, tab and part of speech" in found
    assert "the tagger: the package hanta is not installed" in found
    (folder / "lexicon").write_text("bestehen\tverb\n")
    assert check_sources(Grid(config(lexicon="lexicon")), deployed=True) is not None


def test_only_what_looks_at_tags_reads_the_tagged_text(folder):
    grid = Grid(config(lexicon="lexicon"))
    cells = grid.experiments
    (side,) = {cell.target for cell in cells if cell.target.segmenter == "lexical"}
    own = grid.segmented("p", "target", side)
    assert own.texts == [own.text] == ["results/tag/p/target/case=lower.txt"]
    assert own.given == "lexicon"
    assert grid.segmented("p", "source", side).given is None
    other = grid.segmented("p", "target", parse_spec("bpe+case=lower"))
    assert other.text == other.corpus == own.corpus
    assert other.given is None


def test_from_config_to_tokens(folder, snakemake):
    pytest.importorskip("HanTa")
    snakemake(folder, config(lexicon="lexicon"), "--", "results/scores.csv")
    tagged = (folder / "results/tag/p/target/case=lower.txt").read_text("utf-8")
    assert "ich|PPER|other verstehe|VV(FIN)|verb das|ART|other gesetz|NN|noun " in tagged
    (model,) = folder.glob("results/learn/p/target/lexical*.model")
    assert model.read_text("utf-8").startswith("#seggrid lexical 2 fallback=wordpiece ")
