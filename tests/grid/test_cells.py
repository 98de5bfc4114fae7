"""Experiments become cells; a cell only has the axes that affect it."""

from dataclasses import replace
from fractions import Fraction

import pytest
import yaml

import seggrid
from seggrid.grid.cell import cells_of
from seggrid.grid.config.experiments import Experiment
from seggrid.grid.config.keys import with_keys
from seggrid.grid.grid import Grid
from seggrid.segment.side import parse_spec

SIDE = {"language": "x", "text": "t"}
PAIRS = {"p": {"source": SIDE, "target": SIDE, "gold": {"file": "g"}}}


@pytest.fixture
def grid():
    def make(experiments, **rest):
        config = {"pairs": PAIRS, "experiments": yaml.safe_load(experiments), **rest}
        return Grid(config)

    return make


def rows(grid):
    return {row["cell"]: row for row in grid.table()}


def test_a_shared_cell_is_there_once_and_knows_both_experiments(grid):
    found = rows(grid("{a: {merges: [1, 2]}, b: {merges: [2, 3]}}"))
    assert sorted(row["experiment"] for row in found.values()) == ["", "a", "a;b", "b"]


def test_words_have_no_merges_and_plain_cells_no_samples(grid):
    axes = "segmenter: [words, bpe], merges: [1, 2], dropout: [0, 0.1], samples: [2, 3]"
    found = rows(grid(f"a: {{aligner: fast_align, {axes}}}")).values()
    # words; bpe at 2 sizes plain; with dropout at 2 sizes, 2 numbers of samples, 3 aggregates.
    assert len(found) == 1 + 2 + 2 * 2 * 3
    assert {row["aggregate"] for row in found if row["dropout"] == 0} == {"none"}


def test_baselines_are_added_and_belong_to_no_experiment(grid):
    found = rows(grid("a: {merges: 5, dropout: 0.1, aggregate: 0.5}"))
    (sampled,) = [row for row in found.values() if row["experiment"] == "a"]
    assert [row["sides"] for row in found.values()].count("none") == 1
    assert found[sampled["plain_cell"]]["dropout"] == 0
    assert len(found) == 3


@pytest.mark.parametrize(
    ("axes", "source", "target"),
    [
        ("sides: source", "bpe", "words"),
        ("sides: target", "words", "bpe"),
        ("source: {segmenter: words}", "words", "bpe"),
        ("target: {segmenter: characters}", "bpe", "characters"),
    ],
)
def test_each_side_has_its_own_segmentation(grid, axes, source, target):
    cells = [cell for cell in grid(f"a: {{{axes}}}").experiments if cell.sides != "none"]
    assert [(cell.source.segmenter, cell.target.segmenter) for cell in cells] == [(source, target)]


def test_axes_of_a_side_go_over_those_of_the_experiment_and_leave_the_others(grid):
    made = grid("a: {merges: [5, 6], dropout: 0.1, target: {merges: 7}, aggregate: 0.5}")
    wanted = {
        (c.source.merges, c.target.merges, c.target.dropout) for c in made.experiments if c.sampled
    }
    assert wanted == {(5, 7, Fraction(1, 10)), (6, 7, Fraction(1, 10))}


def test_thresholds_have_one_spelling(grid):
    made = grid("a: {dropout: 0.1, aggregate: [0.5, '0.50', 5e-1, 1/2, union]}")
    assert {cell.aggregate for cell in made.experiments if cell.sampled} == {"0.5", "union"}


def test_a_threshold_on_probabilities_needs_no_dropout(grid):
    made = grid(
        "a: {aligner: gibbs, dropout: [0, 0.1], aggregate: [0.5, posterior-2/4, posterior-.5]}"
    )
    found = {(cell.sampled, cell.aggregate) for cell, names in made.experiments.items() if names}
    assert found == {
        (False, "none"),
        (False, "posterior-0.5"),
        (True, "0.5"),
        (True, "posterior-0.5"),
    }
    # Each is compared with cells of the same threshold on probabilities; there are no votes of one sample.
    assert {
        (c.aggregate, c.plain().aggregate, c.baseline().aggregate) for c in made.experiments
    } == {
        ("none", "none", "none"),
        ("0.5", "none", "none"),
        ("posterior-0.5", "posterior-0.5", "posterior-0.5"),
    }
    assert {c.baseline() for c in made.experiments} <= set(made.experiments)


@pytest.mark.parametrize(
    ("axes", "settings"),
    [
        ("", {("gibbs", "lower", "mutual-0.35")}),
        (
            "aligner: [fast_align, gibbs]",
            {("fast_align", "lower", "none"), ("gibbs", "lower", "mutual-0.35")},
        ),
        ("aligner: embeddings, segmenter: words", {("embeddings", "keep", "mutual-0.4")}),
        # Links that are symmetrized in a way that is asked for have no threshold.
        ("symmetrization: union", {("gibbs", "lower", "none")}),
        ("aggregate: none, case: keep", {("gibbs", "keep", "none")}),
        ("dropout: 0.1, samples: 1, aggregate: [union, 0.5]", {("gibbs", "lower", "none")}),
        ("dropout: 0.1, aggregate: 0.5, symmetrization: union", {("gibbs", "lower", "0.5")}),
    ],
)
def test_a_cell_that_says_nothing_has_what_is_usual_for_its_aligner(grid, axes, settings):
    made = grid(f"a: {{{axes}}}")
    own = [cell for cell, names in made.experiments.items() if names]
    assert {(cell.aligner, cell.source.case, cell.aggregate) for cell in own} == settings


def test_a_tokenizer_from_elsewhere_reads_text_in_its_own_case():
    experiment = with_keys(Experiment).from_values({"segmenter": "external", "tokenizer": "mine"})
    (cell,) = cells_of(experiment, ["p"])
    assert (cell.source.case, cell.baseline().source.case) == ("keep", "keep")


@pytest.mark.parametrize("merges", [500, 1000])
def test_a_grid_begins_where_align_does(grid, merges):
    (recipe,) = seggrid.Aligner(merges=merges).cells
    (cell,) = [c for c, names in grid(f"a: {{merges: {merges}}}").experiments.items() if names]
    assert replace(cell, pair=recipe.pair) == recipe


def test_only_an_aligner_that_varies_has_replicates(grid):
    made = grid("a: {aligner: [fast_align, eflomal], replicates: 3}")
    assert {(cell.aligner, cell.replicates) for cell in made.experiments} == {
        ("fast_align", 1),
        ("eflomal", 3),
    }


def test_the_order_of_experiments_does_not_change_the_order_of_cells(grid):
    one = grid("{a: {merges: [1, 3]}, b: {merges: [2]}}")
    other = grid("{b: {merges: [2]}, a: {merges: [3, 1]}}")
    assert list(one.experiments) == list(other.experiments)


def test_rates_and_thresholds_are_exact(grid):
    made = grid("a: {dropout: [1/3, 0.33333333, 0.33333334], aggregate: [1/3, 0.3333333]}")
    sampled = [cell for cell in made.experiments if cell.sampled]
    assert len({cell.source.dropout for cell in sampled}) == 3
    assert len(sampled) == 6
    names = [str(cell) for cell in sampled]
    assert len(set(names)) == 6
    assert any("dropout=1of3" in name and name.endswith("/1of3") for name in names)
    assert {cell.aggregate for cell in sampled} == {"1/3", "0.3333333"}
    for cell in sampled:
        assert parse_spec(str(cell.source)) == cell.source
