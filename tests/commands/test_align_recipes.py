"""`seggrid align` with a recipe, and options over it."""

from pathlib import Path

import pytest

import seggrid
from seggrid.commands import main
from seggrid.grid.recipes import read_recipe


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
    assert note.startswith("note: fast_align gives no probabilities of links: the recipe's")
    assert note.endswith("posterior-0.4 is left out\n")
    assert "left out" not in align(capsys, *ask, "--aggregate", "0.5")
    assert align(capsys, "--recipe", "r.yaml") == ""


def test_the_aggregate_of_the_recipe_can_be_left_out(folder, capsys):
    """Then the links of the two directions are symmetrized, by the heuristic that is asked for."""
    found = {}
    for heuristic in ("intersect", "union"):
        ask = ("--merges", "9", "--aggregate", "none", "--symmetrization", heuristic)
        assert align(capsys, *ask) == ""
        found[heuristic] = [
            set(line.split()) for line in (folder / "links").read_text().split("\n")
        ]
    pairs = list(zip(found["intersect"], found["union"], strict=True))
    assert all(one <= other for one, other in pairs)
    assert any(one < other for one, other in pairs)


@pytest.mark.parametrize(
    ("options", "description"),
    [
        ([], "Mine."),
        (["--merges", "7"], "The recipe r.yaml, changed."),
        (["--set", "gibbs.samplers=1"], "Mine, with other options of its aligner."),
    ],
)
def test_a_kept_recipe_is_described_as_it_is(folder, capsys, options, description):
    cell = "{merges: 9, case: lower, aligner: gibbs, aggregate: posterior-0.4}"
    (folder / "r.yaml").write_text(f"description: Mine.\ncell: {cell}\n")
    align(capsys, "--recipe", "r.yaml", "--keep", "kept", *options)
    assert read_recipe("kept/recipe.yaml").description == description


@pytest.mark.parametrize(
    ("options", "axis"),
    [
        ("--merges 9 --samples 3", "samples"),
        ("--aggregate mutual-0.35 --symmetrization union", "symmetrization"),
    ],
)
def test_options_without_effect_are_remarked_on(folder, capsys, options, axis):
    err = align(capsys, *options.split())
    assert err.startswith(f"note: options: {axis}: has no effect")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "options", ["--samples 1", "--recipe words --vocabulary none", "--recipe words --spaces yes"]
)
def test_values_that_change_nothing_pass_without_a_word(folder, capsys, options):
    assert align(capsys, *options.split()) == ""


def test_axes_of_the_aligner_of_the_recipe_go_with_it(folder, capsys):
    (folder / "r.yaml").write_text("cell: {segmenter: words, aligner: embeddings, layer: 3}\n")
    assert align(capsys, "--recipe", "r.yaml", "--aligner", "fast_align") == ""


def links_of(file, kept):
    """The links of a file of probabilities for which these are `kept`."""
    rows = ([w.split(":") for w in line.split()] for line in file.read_text().splitlines())
    return [" ".join(link for link, p in row if kept(float(p))) for row in rows]


def test_models_give_probabilities_too(folder, capsys):
    """They are those of the links that the models give without being asked for probabilities."""
    align(capsys, "--recipe", "words", "--keep", "kept")
    for more in ([], ["--probabilities", "p"]):
        assert (
            main(["align", "eng", "deu", "--models", "kept", "-o", f"links{len(more)}", *more]) == 0
        )
    links = (folder / "links0").read_text()
    assert (folder / "links2").read_text() == links
    assert links_of(folder / "p", lambda p: p > 0.35) == links.splitlines()


def test_a_vote_links_and_says_how_probable_its_links_are(folder):
    """Probabilities are rounded, so that what is just above the bound may be equal to it."""
    more = ["--probabilities", "p", "--set", "gibbs.samplers=1"]
    assert main(["align", "eng", "deu", "--recipe", "vote-small", "-o", "links", *more]) == 0
    kept = links_of(folder / "p", lambda p: p >= 0.35)
    assert kept == (folder / "links").read_text().splitlines()


def test_a_vote_is_kept_and_links_other_text(folder, capsys):
    more = ["--set", "gibbs.samplers=1", "--keep", "kept"]
    for _ in range(2):
        assert main(["align", "eng", "deu", "--recipe", "vote-small", "-o", "links", *more]) == 0
    assert read_recipe("kept/recipe.yaml", pruned=True).vote[0]["merges"] == [500, 1000, 2000]
    assert {file.name for file in Path("kept").iterdir()} == {
        *("recipe.yaml", "SHA256SUMS", "cell-0", "cell-1", "cell-2")
    }
    (folder / "e").write_text("the red house\n")
    (folder / "d").write_text("das rote haus\n")
    assert main(["align", "e", "d", "--models", "kept", "-o", "links"]) == 0
    aligner = seggrid.Aligner.load("kept")
    assert repr(aligner) == "<Aligner: a vote of 3 cells; learned>"
    assert aligner.align("e", "d").lines() == (folder / "links").read_text().splitlines()
    capsys.readouterr()
    assert main(["align", "e", "d", "--models", "kept", "--scores", "s", "-o", "links"]) == 2
    assert "a vote gives no scores of sentence pairs" in capsys.readouterr().err


def test_the_kept_recipe_has_the_merges_that_were_learned(folder, capsys):
    align(capsys, "--keep", "kept")
    assert read_recipe("kept/recipe.yaml").values["merges"] == 1000
