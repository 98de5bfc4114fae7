"""A model does not say on which case it was learned: segment remarks on a text that does not fit it."""

import pytest

from seggrid.cli import main
from seggrid.segment.bpe.model import BPEModel

NOTE = "note: model: no upper-case letters, but the text has some: if it was learned on lower-cased text, "


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "text").write_text("I think that he thinks\nThe thin man And I\n" * 3)
    (tmp_path / "lower").write_text("i think that he thinks\nthe thin man and i\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def learned(segmenter, case):
    ask = ["--segmenter", segmenter, "--merges", "20", "--case", case, "-o", "model"]
    assert main(["learn", "text", *ask]) == 0


@pytest.mark.parametrize(
    ("text", "case", "noted"),
    [
        ("text", "keep", True),
        ("text", "first", True),
        ("text", "lower", False),
        ("lower", "keep", False),
    ],
)
@pytest.mark.parametrize("segmenter", ["bpe", "unigram"])
def test_a_model_of_lower_case_and_a_text_that_is_not(folder, capsys, segmenter, text, case, noted):
    learned(segmenter, "lower")
    capsys.readouterr()
    assert main(["segment", "-m", "model", "--segmenter", segmenter, text, "--case", case]) == 0
    assert capsys.readouterr().err == (NOTE + "give --case lower\n" if noted else "")


def test_no_remark_where_the_model_has_both_cases_or_none(folder, capsys):
    learned("bpe", "keep")
    capsys.readouterr()
    assert main(["segment", "text", "-m", "model"]) == 0
    (folder / "text").write_text("日本 の 日本 A\n" * 3)
    BPEModel([("▁日", "本")]).write(folder / "model")
    assert main(["segment", "text", "-m", "model"]) == 0
    assert not capsys.readouterr().err
