"""Notes on models that have less than is asked for or another case than the text, and on options without
effect."""

import argparse

import pytest

from seggrid.commands import VERBS, Once, main, parser_of
from seggrid.segment.bpe.model import BPEModel

LOW = "low lower lowest\n" * 2
MIXED = "I think that he thinks\nThe thin man And I\n" * 3


@pytest.fixture
def said(tmp_path, monkeypatch, capsys):
    """Call the command, which succeeds, in a folder of its own; what it says besides its result."""
    monkeypatch.chdir(tmp_path)

    def call(command: str) -> str:
        capsys.readouterr()
        assert main(command.split()) == 0
        return capsys.readouterr().err

    return call


@pytest.mark.parametrize(
    ("text", "case", "noted"),
    [
        (MIXED, "keep", True),
        (MIXED, "first", True),
        (MIXED, "lower", False),
        (MIXED.lower(), "keep", False),
    ],
)
@pytest.mark.parametrize("segmenter", ["bpe", "unigram"])
def test_a_model_of_lower_case_and_a_text_that_is_not(tmp_path, said, segmenter, text, case, noted):
    (tmp_path / "text").write_text(text)
    said(f"learn text --segmenter {segmenter} --merges 20 --case lower -o model")
    err = said(f"segment -m model --segmenter {segmenter} text --case {case}")
    assert ("note: model: no upper-case letters, but the text has some" in err) == noted
    assert err.count("\n") == noted


def test_no_remark_where_the_model_has_both_cases_or_none(tmp_path, said):
    (tmp_path / "text").write_text(MIXED)
    said("learn text --merges 20 -o model")
    assert not said("segment text -m model")
    (tmp_path / "text").write_text("日本 の 日本 A\n" * 3)
    BPEModel([("▁日", "本")]).write(tmp_path / "model")
    assert not said("segment text -m model")


def test_no_remark_on_upper_case_that_is_too_rare_to_be_learned(tmp_path, said):
    (tmp_path / "text").write_text("the house and The other\nthe thin thief\n" * 3)
    said("learn text --merges 2 -o model")
    assert not said("segment text -m model")


@pytest.mark.parametrize("segmenter", ["bpe", "wordpiece"])
def test_fewer_merges_than_asked_for_are_remarked_on(tmp_path, said, segmenter):
    (tmp_path / "text").write_text(LOW)
    ask = f"text --segmenter {segmenter} --merges"
    note = said(f"learn {ask} 500 -o model")
    assert note.startswith("note: ")
    assert " of 500 " in note
    learned = note.split()[1]
    for verb in ("segment", "measure"):
        note = said(f"{verb} {ask} 500 -m model")
        assert note.startswith(f"note: model: {learned} ")
        assert note.endswith(", fewer than the 500 asked for\n")
        assert not said(f"{verb} {ask} {learned} -m model")


def test_as_many_merges_as_asked_for_are_not_remarked_on(tmp_path, said):
    (tmp_path / "text").write_text(LOW)
    assert not said("learn text --merges 2 -o model")
    assert not said("learn text -o all")


def test_samples_of_what_is_not_random(tmp_path, said):
    (tmp_path / "text").write_text(LOW)
    note = said("segment text --segmenter words --samples 3")
    assert note == "note: --samples has no effect without dropout or sampling\n"


def test_what_changes_nothing_is_not_refused(tmp_path, said):
    (tmp_path / "text").write_text(LOW)
    said("segment text --segmenter words --dropout 0 -o o")


@pytest.mark.parametrize("verb", VERBS)
def test_an_option_of_one_value_is_given_once_or_is_a_list(verb):
    """Of several values, the last would win silently."""
    for action in parser_of(verb)._actions:
        if action.option_strings and action.nargs != 0:
            assert isinstance(action, Once | argparse._AppendAction), action.option_strings


def test_a_hint_that_two_notes_have_is_told_once(tmp_path, said):
    for name in ("eng", "deu"):
        (tmp_path / name).write_text("a small, red house.\nthe house, and the door.\n" * 20)
    err = said("align eng deu --recipe words-fast_align -o links")
    assert err.count("punctuation is part of words") == 2
    assert err.count("--tokenize") == 1
