"""Empty lines of a single text: refused, or skipped where they stand."""

import pytest

from seggrid.cli import main


@pytest.fixture
def folder(builtin):
    """A text, and the same with two empty lines in it."""
    folder = builtin(20)
    lines = (folder / "eng").read_text().splitlines()
    (folder / "gaps").write_text("\n".join([*lines[:3], " ", *lines[3:], ""]) + "\n")
    assert main(["learn", "eng", "--merges", "30", "-o", "model"]) == 0
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


def test_a_text_of_empty_lines_is_refused(folder, capsys):
    (folder / "none").write_text("\n \n")
    assert main(["segment", "none", "--segmenter", "words", "--empty-lines", "skip"]) == 2
    assert capsys.readouterr().err == "error: none: no line has a word\n"
