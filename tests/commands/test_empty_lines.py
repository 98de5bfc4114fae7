"""Empty lines of a single text: refused, or skipped where they stand."""

import pytest

from seggrid.commands import main


@pytest.fixture
def folder(builtin):
    """A text, and the same with two empty lines in it."""
    folder = builtin(20, merges=30)
    lines = (folder / "eng").read_text().splitlines()
    (folder / "gaps").write_text("\n".join([*lines[:3], " ", *lines[3:], ""]) + "\n")
    return folder


def run(capsys, *arguments):
    """The standard and the error output."""
    capsys.readouterr()
    assert main(list(arguments)) == 0
    return capsys.readouterr()


NOTE = "note: gaps: 2 empty lines skipped, the first on line 4\n"


def test_an_empty_line_stays_empty_in_every_sample(folder, capsys):
    ask = ["-m", "model", "--dropout", "0.3", "--samples", "2"]
    plain = run(capsys, "segment", "eng", *ask).out.splitlines()
    found, err = run(capsys, "segment", "gaps", "--empty-lines", "skip", *ask)
    rows = [plain[:20], plain[20:]]
    assert found.splitlines() == [line for row in rows for line in [*row[:3], "", *row[3:], ""]]
    assert err == NOTE
    assert main(["segment", "gaps", *ask]) == 2
    assert "gaps:4: an empty sentence" in capsys.readouterr().err


@pytest.mark.parametrize(
    "command", ["learn TEXT --merges 9 -o OUT", "measure TEXT -m model -o OUT"]
)
def test_an_empty_line_counts_as_no_sentence(folder, capsys, command):
    run(capsys, *command.replace("TEXT", "eng").replace("OUT", "one").split())
    ask = command.replace("TEXT", "gaps --empty-lines skip").replace("OUT", "two").split()
    assert run(capsys, *ask).err == NOTE
    assert (folder / "one").read_bytes() == (folder / "two").read_bytes()


def test_a_text_that_is_only_counted_may_have_empty_lines(folder, capsys):
    for text in ("eng", "gaps"):
        run(capsys, "convert", "model", "--to", "vocabulary", "--text", text, "-o", f"{text}.json")
        ask = ["prune", "model", "--knockout", "random-0.5", "--text", text, "-o", f"{text}.model"]
        run(capsys, *ask)
    for ending in ("json", "model"):
        assert (folder / f"eng.{ending}").read_bytes() == (folder / f"gaps.{ending}").read_bytes()


def test_in_parts_a_text_is_segmented_as_whole(folder, capsys):
    (folder / "gaps").write_text((folder / "gaps").read_text() + "A B\nC\n\n")
    (folder / "lower").write_text("ab cd ef\n" * 9)
    assert main(["learn", "lower", "--merges", "9", "-o", "small"]) == 0
    for model in ("model", "small"):
        ask = ["segment", "gaps", "--empty-lines", "skip", "-m", model]
        whole = run(capsys, *ask)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("seggrid.commands.options._PART", 1)
            patch.setattr("seggrid.base.lines._BLOCK", 100)
            patch.setattr("seggrid.base.compressed._PIECE", 100)
            assert run(capsys, *ask) == whole
        assert "3 empty lines skipped, the first on line 4" in whole.err
        assert ("no upper-case letters" in whole.err) == (model == "small")


def test_a_mistake_in_the_last_part_leaves_no_file(folder, capsys, monkeypatch):
    monkeypatch.setattr("seggrid.commands.options._PART", 1)
    monkeypatch.setattr("seggrid.base.lines._BLOCK", 100)
    monkeypatch.setattr("seggrid.base.compressed._PIECE", 100)
    (folder / "wrong").write_text((folder / "eng").read_text() + "a ▁ b\n")
    assert main(["segment", "wrong", "-m", "model", "-o", "out"]) == 2
    assert "wrong:21: " in capsys.readouterr().err
    assert not [path.name for path in folder.iterdir() if "out" in path.name]
