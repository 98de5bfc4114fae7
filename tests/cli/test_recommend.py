"""`seggrid recommend`, on a few sentences."""

from dataclasses import replace

import pytest

from seggrid.api.recommendation import MERGES, candidates
from seggrid.cli import main
from seggrid.grid.recipes import read_recipe
from seggrid.grid.run import align_cell


@pytest.fixture
def texts(builtin):
    return builtin(60)


@pytest.mark.parametrize("gold", [[], ["--gold", "gold"]])
def test_a_recipe_is_recommended_and_can_be_used(texts, capsys, gold):
    assert main(["recommend", "eng", "deu", *gold, "-o", "mine.yaml"]) == 0
    out, err = capsys.readouterr()
    header, *rows, last = [line for line in out.splitlines() if not line.startswith("note: ")]
    assert header.split("\t")[2] == ("F1" if gold else "consensus")
    assert rows[0].startswith("words\t")
    assert last.startswith("recommended: ")
    assert "% of resamples" in last
    assert ("warning: 60 sentence pairs: how good a choice" in err) == (not gold)
    assert ("note: on four pairs with gold, of 1,212 to 10,508 sentence pairs" in out) == (not gold)
    assert "and 8,000 merges are not tried: their tokens are those of" in out
    cell = read_recipe(texts / "mine.yaml").cell("p")
    assert cell.aggregate.startswith("posterior-")
    assert main(["align", "eng", "deu", "--recipe", "mine.yaml", "-o", "links"]) == 0
    assert len((texts / "links").read_text().splitlines()) == 60


@pytest.mark.parametrize(
    ("lines", "warned"), [(999, True), pytest.param(1000, False, marks=pytest.mark.tier("check"))]
)
def test_texts_smaller_than_those_measured_get_a_warning(
    builtin, capsys, monkeypatch, lines, warned
):
    builtin(lines)
    monkeypatch.setattr("seggrid.api.recommendation.RESAMPLES", 10)
    monkeypatch.setattr("seggrid.api.recommendation.MERGES", (20,))
    assert main(["recommend", "eng", "deu", "-o", "mine.yaml"]) == 0
    assert ("not on so small ones" in capsys.readouterr().err) == warned


def test_sizes_that_no_text_has_are_not_tried_twice(texts):
    sides = [
        [line.split() for line in (texts / name).read_text().splitlines()]
        for name in ("eng", "deu")
    ]
    tried = [recipe.values.get("merges") for recipe in candidates(*sides)]
    assert tried[:2] == [None, MERGES[0]]
    assert len(tried) < len(MERGES) + 1


def test_options_of_the_recipe_are_those_of_every_size(texts, monkeypatch):
    shipped = {name: read_recipe(name) for name in ("words", "bpe")}
    options = {"gibbs": {"samplers": 1}}
    given = []

    def align(*args, options, **others):
        given.append(options)
        return align_cell(*args, options=options, **others)

    monkeypatch.setattr(
        "seggrid.api.recommendation.read_recipe",
        lambda name: replace(shipped[name], options=options if name == "bpe" else {}),
    )
    monkeypatch.setattr("seggrid.api.recommendation.align_cell", align)
    assert main(["recommend", "eng", "deu", "-o", "mine.yaml"]) == 0
    assert len(given) > 1
    assert given == [None, *[options["gibbs"]] * (len(given) - 1)]


def test_mistakes(texts, capsys):
    (texts / "bad").write_text("0-99\n")
    assert main(["recommend", "eng", "deu", "--gold", "bad", "-o", "r"]) == 2
    assert (
        "bad:1: a link from word 0 to word 99 in sentence 0, which has" in capsys.readouterr().err
    )


@pytest.mark.parametrize(
    "gold", [[], pytest.param(["--gold", "gold"], marks=pytest.mark.tier("check"))]
)
def test_the_order_of_the_candidates_changes_nothing(texts, monkeypatch, gold):
    monkeypatch.setattr("seggrid.api.recommendation.MERGES", (20, 60))
    monkeypatch.setattr("seggrid.api.recommendation.RESAMPLES", 20)
    for name, step in (("one", 1), ("two", -1)):
        monkeypatch.setattr(
            "seggrid.api.recommendation.candidates",
            lambda *sides, by=step: candidates(*sides)[::by],
        )
        assert main(["recommend", "eng", "deu", *gold, "-o", name]) == 0
    assert (texts / "one").read_text() == (texts / "two").read_text()
