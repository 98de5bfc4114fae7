"""`seggrid symmetrize` notices links of the other direction, and links with the target word first."""

from pathlib import Path

import pytest

from seggrid.commands import main

FORWARD = "0-2 1-0 2-1\n0-0 1-2 1-1\n"
"""At most one link for each target token; a source token has several."""
REVERSE = "0-2 1-0 2-0\n0-0 1-2 2-2\n"
"""At most one link for each source token."""
JOINED = "0-2 1-0 2-0 2-1\n0-0 1-1 1-2 2-2\n"


def swapped(lines):
    rows = ([link.split("-")[::-1] for link in line.split()] for line in lines.splitlines())
    return "".join(" ".join(f"{i}-{j}" for i, j in row) + "\n" for row in rows)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, lines in (("f", FORWARD), ("r", REVERSE)):
        (tmp_path / name).write_text(lines)
        (tmp_path / f"{name}.swapped").write_text(swapped(lines))


@pytest.mark.parametrize(
    "ask",
    [
        "f r",
        "f r.swapped --links-swapped reverse",
        "f.swapped r --links-swapped forward",
        "f.swapped r.swapped --links-swapped both",
    ],
)
def test_directions_are_joined(folder, capsys, ask):
    assert main(["symmetrize", *ask.split(), "--symmetrization", "union"]) == 0
    assert capsys.readouterr() == (JOINED, "")


def test_sentences_without_links_are_not_in_a_file_of_naacl(folder, capsys):
    Path("f").write_text("1 1 1\n3 1 2\n")
    Path("r").write_text("1 1 1\n4 1 1\n")
    ask = ["symmetrize", "f", "r", "--links-base", "1", "--symmetrization", "union"]
    assert main(ask) == 0
    assert capsys.readouterr().out == "0-0\n\n0-1\n0-0\n"


def test_words_of_several_tokens_may_have_several_links(folder, capsys):
    with open("r", "a") as file:
        file.write("0-0 0-1 1-0 2-0 3-0\n")
    with open("f", "a") as file:
        file.write("0-0\n")
    assert main(["symmetrize", "f", "r", "--symmetrization", "union"]) == 0
    out, err = capsys.readouterr()
    assert out == JOINED + "0-0 0-1 1-0 2-0 3-0\n"
    assert (
        err
        == "note: r: 1 links of a source word that has another, as words of several tokens may have\n"
    )
