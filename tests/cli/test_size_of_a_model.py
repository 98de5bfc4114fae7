"""What is asked for and what a model has: learn, segment and measure say where it has less."""

import pytest

from seggrid.cli import main


@pytest.fixture
def text(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text").write_text("low lower lowest\nlow lower lowest\n")


@pytest.mark.parametrize("segmenter", ["bpe", "wordpiece"])
def test_fewer_merges_than_asked_for_are_remarked_on(text, capsys, segmenter):
    ask = ["--segmenter", segmenter, "--merges"]
    assert main(["learn", "text", *ask, "500", "-o", "model"]) == 0
    said = capsys.readouterr().err
    assert said.startswith("note: ")
    assert " of 500 " in said
    learned = said.split()[1]
    for verb in ("segment", "measure"):
        assert main([verb, "text", *ask, "500", "-m", "model"]) == 0
        said = capsys.readouterr().err
        assert said.startswith(f"note: model: {learned} ")
        assert said.endswith(", fewer than the 500 asked for\n")
        assert main([verb, "text", *ask, learned, "-m", "model"]) == 0
        assert not capsys.readouterr().err


def test_as_many_merges_as_asked_for_are_not_remarked_on(text, capsys):
    assert main(["learn", "text", "--merges", "2", "-o", "model"]) == 0
    assert main(["learn", "text", "-o", "all"]) == 0
    assert not capsys.readouterr().err


def test_a_tokenizer_json_in_place_of_a_model_is_told_how_it_is_read(text, tmp_path, capsys):
    (tmp_path / "mine.json").write_text('{\n  "version": "1.0"\n}\n')
    assert main(["measure", "text", "-m", "mine.json"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("error: mine.json: JSON (its format is huggingface")
    assert "--segmenter external --model-format huggingface" in said
