"""Cells chosen within a budget, against all choices of small grids."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seggrid.base.errors import InputError
from seggrid.base.rational import read_time
from seggrid.grid.grid import Grid
from seggrid.grid.run.dry_run import PlannedJob
from seggrid.grid.run.planning import (
    axis_values_of_cells,
    choose_most_gain,
    experiments_of,
    upstream,
)


def gain(chosen, values):
    """The values that some chosen cell has, the pairs of values, and the cells."""
    covered = {value for cell in chosen for value in values[cell]}
    pairs = {pair for cell in chosen for pair in combinations(sorted(values[cell]), 2)}
    return len(covered), len(pairs), len(chosen)


def best_by_trying(values, needs, costs, budget):
    """The largest gain of any choice."""
    places = range(len(values))
    choices = (chosen for size in range(len(values) + 1) for chosen in combinations(places, size))
    return max(gain(chosen, values) for chosen in choices if cost(chosen, needs, costs) <= budget)


def cost(chosen, needs, costs):
    return sum(costs[job] for job in set().union(*(needs[cell] for cell in chosen)))


@st.composite
def grids(draw):
    """Up to six cells on two or three axes, which share some of up to six jobs of whole seconds."""
    axes = draw(st.integers(2, 3))
    cell = st.lists(st.sampled_from("123"), min_size=axes, max_size=axes)
    cells = draw(st.lists(cell, min_size=1, max_size=6))
    costs = draw(st.lists(st.integers(1, 9), min_size=6, max_size=6))
    needs = [draw(st.sets(st.integers(0, 5), min_size=1)) for _ in cells]
    rows = [dict(enumerate(values)) for values in cells]
    named = [{str(axis): value for axis, value in row.items()} for row in rows]
    return axis_values_of_cells(named, [str(axis) for axis in range(axes)]), needs, costs


@settings(max_examples=25)
@given(grids(), st.integers(1, 40))
def test_no_choice_within_the_budget_gains_more(grid, budget):
    values, needs, costs = grid
    chosen = choose_most_gain(values, needs, costs, budget)
    assert cost(chosen, needs, costs) <= budget
    assert gain(chosen, values) == best_by_trying(values, needs, costs, budget)


def test_a_shared_job_costs_once():
    """Two cells that share their dear job, and one with a job of its own: the two fit, no other two do."""
    values = axis_values_of_cells([{"a": "1"}, {"a": "2"}, {"a": "3"}], ["a"])
    assert choose_most_gain(values, [{0}, {0}, {1}], [10, 9], 12) == [0, 1]
    assert choose_most_gain(values, [{0}, {0}, {1}], [10, 9], 9) == [2]
    assert choose_most_gain(values, [{0}, {0}, {1}], [10, 9], 8) == []
    # Less than what belongs to no cell costs.
    assert choose_most_gain(values, [{0}, {0}, {1}], [10, 9], -4) == []


def test_the_jobs_of_a_file_are_those_that_lead_to_it():
    jobs = [
        PlannedJob("learn", (), ("m",)),
        PlannedJob("segment", ("m", "text"), ("s",)),
        PlannedJob("align", ("s",), ("l",)),
        PlannedJob("segment", ("m",), ("t",)),
    ]
    assert upstream(jobs, ["l"]) == {0, 1, 2}
    assert upstream(jobs, ["t", "text"]) == {0, 3}


@pytest.mark.parametrize("text", ["", "h", "2", "-1h", "infh", "2 days"])
def test_what_is_no_time_is_refused(text):
    with pytest.raises(InputError, match="is not a time"):
        read_time(text)


def test_a_config_of_chosen_cells_has_these_cells():
    """Each cell of a grid with all kinds of axes, written as an experiment of its own."""
    side = {"text": "t", "morphemes": {"file": "m"}}
    config = {
        "pairs": {
            "p": {"source": side, "target": side, "gold": {"file": "g"}},
            "q": {"source": side, "target": side, "gold": {"file": "g"}},
        },
        "experiments": {
            "a": {
                "merges": [10, 20],
                "spaces": [True, False],
                "sides": ["both", "source", "target"],
            },
            "b": {"merges": 10, "dropout": 0.1, "samples": [2, 3], "aggregate": ["union", 0.5]},
            "c": {"merges": 10, "knockout": "blame-0.5", "aligner": "gibbs", "replicates": 2},
            "d": {"segmenter": "unigram", "source": {"merges": 30}, "target": {"merges": 40}},
            "e": {"merges": 10, "aligner": "gibbs", "aggregate": "posterior-0.4", "sentences": 50},
            "f": {"vocabulary": 100, "joint": True, "case": "lower", "symmetrization": "union"},
        },
    }
    cells = [cell for cell, names in Grid(config).experiments.items() if names]
    assert len(cells) > 20
    again = Grid({**config, "experiments": experiments_of(cells)})
    assert [cell for cell, names in again.experiments.items() if names] == cells
