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


def test_merges_are_learned_within_morphemes(folder, tmp_path, refused, capsys):
    morphemes = "tests\ttest s\nUntie\tUn tie\n"
    (tmp_path / "morphemes").write_text(morphemes)
    (tmp_path / "text").write_text("Untie tests tests\nUntie test\n")
    ask = ["learn", "text", "--case", "lower", "--morphemes", "morphemes"]
    assert main([*ask, "-o", "within"]) == 0
    assert "morphemes: 2 of 3 distinct words; the others are whole" in capsys.readouterr().err
    with pytest.warns(Note, match="2 of 3"):
        learned = seggrid.Segmenter.learn("text", case="lower", morphemes="morphemes")
    assert learned.model == BPEModel.read("within")
    assert learned.segment(["tests untie"]) == [["▁test", "s", "▁un", "tie"]]
    fewer = ["learn", "text", "--merges", "3", "--from", "within", "-o", "more"]
    assert "the model has 6 merges already" in refused(*fewer)
    more = seggrid.Segmenter.learn("text", case="lower", after=learned)
    assert more.segment(["tests untie"]) == [["▁tests", "▁untie"]]
    (tmp_path / "celex").write_text("tests\t((test)[N],(s)[N|N.])[N]\n")
    assert main([*ask[:-1], "celex", "--morphemes-format", "celex", "-o", "lemmas"]) == 0
    assert seggrid.Segmenter.load("lemmas").segment(["tests"]) == [["▁test", "s"]]


@pytest.mark.parametrize(("written", "spaces"), [("yes", True), ("no", False), ("hidden",) * 2])
def test_learning_goes_on(builtin, written, spaces):
    builtin(30)
    for merges, more in ((20, []), (50, ["--from", "20"]), (60, [])):
        ask = ["learn", "eng", "--spaces", written, "--merges", str(merges), *more]
        assert main([*ask, "-o", str(merges)]) == 0
    assert BPEModel.read("50") == BPEModel.read("60").prefix(50)
    before = seggrid.Segmenter.load("50", spaces=spaces)
    after = seggrid.Segmenter.learn("eng", spaces=spaces, merges=60, after=before)
    assert after.model == BPEModel.read("60")


def test_learning_does_not_go_on_from_tokens_of_another_kind():
    words = seggrid.Segmenter.load(segmenter="words")
    with pytest.raises(InputError, match="from a bpe alone"):
        seggrid.Segmenter.learn(["a b"], after=words)
