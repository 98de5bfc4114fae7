"""`seggrid.prune`, `tree` and `convert` do what the commands do."""

import pytest

import seggrid
from seggrid.base.errors import InputError, Note
from seggrid.commands import main
from seggrid.segment.bpe.model import BPEModel

MERGES = [("n", "d"), ("▁l", "a"), ("▁la", "nd"), ("▁land", "s")]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    BPEModel(MERGES).write("model")
    (tmp_path / "ref").write_text("lands\tland s\nland\tland\n")
    (tmp_path / "text").write_text("lands land\n")


def test_a_model_is_pruned_as_by_the_command(folder):
    assert (
        main(
            [
                "prune",
                "model",
                "--morphemes",
                "ref",
                "--text",
                "text",
                "-o",
                "pruned",
                "--folder",
                "all",
            ]
        )
        == 0
    )
    with pytest.warns(Note, match="pruned, . left, by 2 words of ref"):
        pruned = seggrid.prune("model", "ref", text=["lands land"])
    pruned.save("again")
    pruned.save_folder("alike")
    for one, other in (("pruned", "again"), ("all/tokenizer.json", "alike/tokenizer.json")):
        with open(one, "rb") as first, open(other, "rb") as second:
            assert first.read() == second.read()
    with pytest.warns(Note):
        bare = seggrid.prune("model", "ref")
    with pytest.raises(InputError, match="would become <unk>"):
        bare.save_folder("none")


def test_trees_are_those_that_the_command_prints(folder, capsys):
    assert main(["tree", "model", "lands", "--around", "nd", "-o", "tree.svg"]) == 0
    found = seggrid.tree("model", ["lands"], around="nd")
    assert f"{found}\n" == capsys.readouterr().out
    found.save("again.svg")
    with open("tree.svg", "rb") as first, open("again.svg", "rb") as second:
        assert first.read() == second.read()
    with pytest.raises(InputError, match="no kind of picture"):
        found.save("tree.gif")


def test_a_model_is_converted_as_by_the_command(folder):
    assert main(["convert", "model", "--to", "tokenizer", "--text", "text", "-o", "one"]) == 0
    seggrid.convert("model", to="tokenizer", text=["lands land"], output="other")
    with open("one", "rb") as first, open("other", "rb") as second:
        assert first.read() == second.read()
    with pytest.raises(InputError, match="to='x' \\(give 'model'"):
        seggrid.convert("model", to="x", output="other")
