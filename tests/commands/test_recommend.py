"""`seggrid recommend`, on a few sentences."""

import pytest

from seggrid.commands import main
from seggrid.commands.aligner import Aligner
from seggrid.commands.recommendation import MERGES, candidates
from seggrid.grid.recipes import read_recipe


@pytest.fixture
def texts(builtin):
    return builtin(60)


@pytest.fixture
def two_trials(monkeypatch):
    """Only the default and words are tried."""
    monkeypatch.setattr(
        "seggrid.commands.recommendation.candidates", lambda *given: candidates(*given)[:2]
    )


@pytest.mark.tier("check")
@pytest.mark.parametrize("gold", [[], ["--gold", "gold"]])
def test_a_recipe_is_recommended_and_can_be_used(texts, capsys, gold):
    assert main(["recommend", "eng", "deu", *gold, "-o", "mine.yaml"]) == 0
    out, err = capsys.readouterr()
    header, default, *rows = [line.split("\t") for line in out.splitlines() if "\t" in line]
    assert header[2:] == ["F1" if gold else "consensus", "low", "high", "gain", "better"]
    assert default[0] == "BPE 1,000"
    assert default[5:] == ["", ""]
    # A gain without gold is 1.59 times that in consensus; all have three digits.
    gained = [(float(row[2]) - float(default[2]), float(row[5])) for row in rows]
    assert all(
        gain == pytest.approx((1 if gold else 1.59) * more, abs=0.002) for more, gain in gained
    )
    labels = [row[0] for row in rows]
    assert labels[0] == "words"
    assert {"unigram 1,000", "WordPiece 1,000", "BPE with dropout 1,000"} < {*labels}
    assert "\nrecommended: " in out
    unclear = [row[0] for row in rows if 10 < int(row[6].rstrip("%")) < 90]
    said = [line for line in out.splitlines() if line.startswith("no difference from the default")]
    assert all(label in said[0] for label in unclear)
    assert ("note: 60 sentence pairs: how good a choice" in err) == (not gold)
    cell = read_recipe(texts / "mine.yaml").cells("p")[0]
    assert cell.aggregate.startswith("mutual-")
    assert main(["align", "eng", "deu", "--recipe", "mine.yaml", "-o", "links"]) == 0
    assert len((texts / "links").read_text().splitlines()) == 60


@pytest.mark.tier("check")
@pytest.mark.parametrize(("lines", "warned"), [(999, True), (1000, False)])
@pytest.mark.usefixtures("two_trials")
def test_texts_smaller_than_those_measured_get_a_warning(
    builtin, capsys, monkeypatch, lines, warned
):
    builtin(lines)
    monkeypatch.setattr("seggrid.commands.recommendation.RESAMPLES", 10)
    assert main(["recommend", "eng", "deu", "-o", "mine.yaml"]) == 0
    assert ("not on so small ones" in capsys.readouterr().err) == warned


def sides(folder):
    return [
        [line.split() for line in (folder / name).read_text().splitlines()]
        for name in ("eng", "deu")
    ]


def test_sizes_that_no_text_has_are_not_tried_twice(texts):
    tried = [
        trial.recipe.values["merges"]
        for trial in candidates(*sides(texts), 300)
        if "BPE " in trial.label
    ]
    assert tried[0] == 1000
    assert len({*tried[:-1]}) == len(tried) - 1 < len(MERGES)


def test_sizes_near_that_of_the_default_are_tried_first(builtin):
    folder = builtin(1000)
    labels = [trial.label for trial in candidates(*sides(folder), 15000)]
    assert labels[:5] == ["BPE 2,000", "words", "BPE 1,000", "BPE 4,000", "BPE 500"]


@pytest.mark.tier("check")
@pytest.mark.usefixtures("two_trials")
def test_a_tokenizer_of_ones_own_is_a_candidate(texts, capsys):
    assert main(["learn", "eng", "--merges", "50", "-o", "eng.model"]) == 0
    assert (
        main(["convert", "eng.model", "--to", "tokenizer", "--text", "eng", "-o", "eng.json"]) == 0
    )
    assert main(["recommend", "eng", "deu", "--tokenizer", "eng.json", "-o", "mine.yaml"]) == 0
    rows = [line.split("\t")[0] for line in capsys.readouterr().out.splitlines()]
    assert rows[1:4] == ["BPE 1,000", "words", "eng.json"]


def test_a_budget_is_kept_and_what_it_leaves_out_is_said(texts, capsys, monkeypatch):
    """By a clock on which each alignment takes a second."""
    clock = [0.0]

    def run(self, *given, **how):
        clock[0] += self.cell.samples
        return Aligner.run(self, *given, **how)

    class Timed(Aligner):
        pass

    Timed.run = run
    monkeypatch.setattr("seggrid.commands.recommendation.Aligner", Timed)
    monkeypatch.setattr("seggrid.commands.recommendation.time.monotonic", lambda: clock[0])
    assert main(["recommend", "eng", "deu", "--budget", "4.5s", "-o", "mine.yaml"]) == 0
    assert clock[0] == 4
    out = capsys.readouterr().out
    assert "\nWordPiece 1,000\t" in out
    assert "note: not tried within 4.5s: BPE with dropout 1,000\n" in out
    assert main(["recommend", "eng", "deu", "--budget", "4", "-o", "mine.yaml"]) == 2
    assert "'4' is not a time (write 90s, 30m or 2h)" in capsys.readouterr().err


def test_gold_in_which_words_are_right_recommends_words(texts, two_trials):
    assert main(["align", "eng", "deu", "--recipe", "words", "-o", "own"]) == 0
    assert main(["recommend", "eng", "deu", "--gold", "own", "-o", "mine.yaml"]) == 0
    assert read_recipe(texts / "mine.yaml").values["segmenter"] == "words"


def test_without_an_output_nothing_is_written(texts, capsys, two_trials):
    before = sorted(texts.iterdir())
    assert main(["recommend", "eng", "deu"]) == 0
    assert "\nrecommended: " in capsys.readouterr().out
    assert sorted(texts.iterdir()) == before
