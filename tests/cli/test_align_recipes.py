"""`seggrid align` with a recipe, and options over it."""

import pytest

from seggrid.cli import main


@pytest.fixture
def folder(builtin):
    return builtin(20)


def align(capsys, *arguments):
    """The error output of aligning the pair of the folder."""
    capsys.readouterr()
    assert main(["align", "eng", "deu", "-o", "links", *arguments]) == 0
    return capsys.readouterr().err


def test_an_aligner_without_probabilities_leaves_out_the_threshold_of_the_recipe(folder, capsys):
    (folder / "r.yaml").write_text("cell: {merges: 9, aligner: gibbs, aggregate: posterior-0.4}\n")
    ask = ("--recipe", "r.yaml", "--aligner", "fast_align")
    note = align(capsys, *ask)
    assert note.startswith(
        "note: fast_align gives no probabilities of links: the recipe's aggregate"
    )
    assert note.endswith("posterior-0.4 is left out\n")
    assert align(capsys, *ask, "--aggregate", "0.5") == ""
    assert align(capsys, "--recipe", "r.yaml") == ""


def test_a_recipe_that_contradicts_itself_is_refused(folder, capsys):
    (folder / "r.yaml").write_text("cell: {aligner: fast_align, aggregate: posterior-0.4}\n")
    assert main(["align", "eng", "deu", "--recipe", "r.yaml", "-o", "links"]) == 2
    err = capsys.readouterr().err
    assert err.startswith("error: r.yaml:1: cell.aggregate: posterior-0.4: fast_align gives no")
    assert not (folder / "links").exists()
