"""A command does not write over its own input, nor one output over another."""

import os

import pytest

from seggrid.cli import main


@pytest.fixture
def folder(builtin):
    folder = builtin(20, merges=30)
    assert main(["align", "eng", "deu", "--recipe", "words-fast_align", "-o", "links"]) == 0
    os.symlink("eng", folder / "linked")
    for name, other in (("eng", "pair.en"), ("deu", "pair.de"), ("model", "tokenizer.json")):
        (folder / other).write_bytes((folder / name).read_bytes())
    return folder


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("segment eng -m model -o eng", "eng: the output would be written over this file of input"),
        ("segment eng -m model -o linked", "eng: the output would be written over"),
        ("segment eng -m model -o ./model", "model: the output would be written over"),
        ("align eng deu --training eng deu --training gold model -o model", "model: the output"),
        ("align eng deu -o new --probabilities new", "new: --output and --probabilities are one"),
        ("align eng deu -o new --keep ./new", "./new: --output and --keep are one file"),
        ("score links gold -o links", "links: the output would be written over"),
        (
            "prune tokenizer.json --knockout random-0.5 --folder .",
            "tokenizer.json: a file of input in the folder of --folder, which would be replaced",
        ),
        (
            "align pair --format moses --codes en de --recipe words-fast_align -o pair.en",
            "pair.en: the output would be written over",
        ),
    ],
)
def test_an_input_is_not_written_over(folder, capsys, command, said):
    before = {file: file.read_bytes() for file in folder.iterdir()}
    capsys.readouterr()
    assert main(command.split()) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"error: {said}")
    assert err.count("\n") == 1
    assert {file: file.read_bytes() for file in folder.iterdir()} == before


def test_a_device_takes_any_output(folder):
    ask = ["align", "eng", "deu", "--recipe", "words", "-o", "/dev/null"]
    assert main([*ask, "--probabilities", "/dev/null"]) == 0


def test_a_pipe_under_the_name_of_a_descriptor_is_written_to(folder):
    """As `-o /dev/stdout | head` and `-o >(gzip > x)`."""
    read, write = os.pipe()
    assert main(["segment", "eng", "--segmenter", "words", "-o", f"/dev/fd/{write}"]) == 0
    os.close(write)
    with open(read, encoding="utf-8") as lines:
        assert len(lines.readlines()) == 20
