"""Paths name the axes that a file depends on, and no others."""

import dataclasses
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from seggrid.base.axis import escape, unescape
from seggrid.grid.axes import STAGES, path, pattern
from seggrid.grid.cell import Cell
from seggrid.grid.jobs.logs import job_logs
from seggrid.segment.side import parse_spec
from sides import side_of

BPE = {
    "segmenter": "bpe",
    "case": "first",
    "sentences": "all",
    "spaces": True,
    "scoring": "frequency",
    "joint": False,
    "vocabulary": "none",
    "merges": 1000,
    "knockout": "none",
    "application": "rank",
    "dropout": 0.1,
    "dropout_kind": "merge",
    "dropout_weight": "uniform",
}

sides = st.builds(
    lambda values: side_of(**values),
    st.fixed_dictionaries(
        {
            "segmenter": st.sampled_from(["words", "characters", "bpe"]),
            "case": st.sampled_from(["keep", "first", "lower"]),
            "sentences": st.sampled_from(["all", 2000, 5000]),
            "spaces": st.booleans(),
            "scoring": st.sampled_from(["frequency", "likelihood"]),
            "joint": st.booleans(),
            "vocabulary": st.sampled_from(["none", "none", 500, 8000]),
            "merges": st.integers(0, 100_000),
            "knockout": st.sampled_from(["none", "blame-0.5", "random-0.1-seed3"]),
            "application": st.sampled_from(["rank", "replace"]),
            "dropout": st.sampled_from([0.0, 0.1, "1/3", 1.0]),
            "dropout_kind": st.sampled_from(["occurrence", "merge", "nested"]),
            "dropout_weight": st.sampled_from(["uniform", "rank", "blame"]),
        }
    ),
)


@given(sides)
def test_a_spec_is_read_back_as_the_side_that_it_spells(side):
    assert parse_spec(side.spec()) == side


@given(sides)
def test_only_nested_dropout_has_seeds_that_all_sizes_share(side):
    size = "merges" if side.vocabulary is None else "vocabulary"
    if side.dropout_kind == "nested":
        assert side.seed_spec == dataclasses.replace(side, **{size: 5}).seed_spec
    else:
        assert side.seed_spec == str(side)


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
@example("1of3")
@example("alpha-1/3-best-8")
@example("%2F")
def test_any_text_is_read_back_from_a_part_of_a_path(text):
    assert unescape(escape(text)) == text
    assert not set(escape(text)) & set("/+={} ")


@given(sides, sides)
def test_unlike_sides_have_unlike_specs(one, other):
    assert (one == other) == (str(one) == str(other))


def test_a_stage_before_an_axis_does_not_name_it():
    side = side_of(**BPE)
    other = dataclasses.replace(side, dropout=0.3, merges=2000, application="replace")
    assert side.spec("learn", learned=20000) == other.spec("learn", learned=20000)
    pruned = dataclasses.replace(side, knockout="blame-0.5")
    assert side.spec("prune") != pruned.spec("prune")
    assert "dropout" not in pruned.spec("prune")


def test_weights_of_merges_are_part_of_a_pruned_model_whatever_the_rate():
    side = side_of(**BPE | {"dropout_weight": "rank"})
    other = side_of(**BPE | {"dropout_weight": "rank", "dropout": 0.3})
    assert side.pruned
    assert side.spec("prune") == other.spec("prune")
    assert parse_spec(side.spec("prune")).dropout_weight == "rank"
    assert not side_of(**BPE).pruned
    assert "dropout_weight" not in str(side_of(**BPE))
    assert side.plain() == side_of(**BPE | {"dropout": 0})


def test_a_vocabulary_takes_the_place_of_merges_from_learning_on():
    side = side_of(**BPE | {"vocabulary": 800})
    assert (side.merges, side.vocabulary) == (None, 800)
    assert "vocabulary=800" in side.spec("learn", learned=None)
    assert "learned" not in side.spec("learn", learned=None)
    assert "vocabulary" not in side.spec("corpus")
    assert parse_spec(str(side)) == side
    assert (side.plain().vocabulary, side.plain().merges) == (800, None)


def test_a_joint_model_is_told_by_the_paths_from_learning_on():
    side = side_of(**BPE | {"joint": True})
    assert "joint=yes" in side.spec("learn", learned=20000)
    assert "joint" not in side.spec("corpus")
    assert "joint" not in str(side_of(**BPE))
    assert side.plain().joint
    other = side_of(**BPE | {"joint": True, "merges": 500, "knockout": "trim-5"})
    assert other.model_spec == side.model_spec
    assert side_of(**BPE | {"joint": True, "case": "keep"}).model_spec != side.model_spec


@pytest.mark.parametrize("stage", STAGES)
def test_a_pattern_has_a_wildcard_for_each_axis(stage):
    axes = STAGES[stage].axes
    values = {axis: f"<{axis}>" for axis in axes}
    assert pattern(stage).format(**values) == path(stage, **values)
    assert all(pattern(stage).count(f"{{{axis}}}") == 1 for axis in axes)


def test_what_a_segmenter_does_not_read_is_not_in_its_spec():
    words = side_of(**BPE | {"segmenter": "words"})
    assert str(words) == "words+case=first"
    assert side_of(**BPE).words() == words


def test_all_of_a_text_is_in_no_path_and_part_of_it_in_every_one():
    whole, part = side_of(**BPE), side_of(**BPE | {"sentences": 2000})
    assert whole.spec("corpus") == "case=first"
    for stage in ("corpus", "prune", "segment"):
        assert "sentences" not in whole.spec(stage)
        assert "case=first+sentences=2000" in part.spec(stage)


def test_a_cell_is_measured_against_others_of_the_same_text():
    side = side_of(**BPE | {"sentences": 2000})
    cell = Cell("p", side, side, "fast_align", "union", 1, 10, "0.5")
    assert str(cell.baseline().source) == "words+case=first+sentences=2000"
    assert cell.plain().source.sentences == 2000
    assert cell.plain().source.dropout == 0
    assert cell.columns()["sentences"] == cell.baseline().columns()["sentences"] == 2000
    whole = Cell("p", *2 * [side_of(**BPE)], "fast_align", "union", 1, 10, "0.5")
    assert whole.columns()["sentences"] == whole.baseline().columns()["sentences"] == "all"


def test_a_cell_without_dropout_and_knockout_is_its_own_plain_cell():
    side = side_of(**BPE | {"dropout": 0.0})
    cell = Cell("p", side, side, "fast_align", "union")
    assert cell.plain() == cell
    sampled = Cell("p", side_of(**BPE), side, "fast_align", "union", 1, 10, "0.5")
    assert sampled.plain() == cell
    pruned = dataclasses.replace(cell, source=dataclasses.replace(side, knockout="blame-0.5"))
    assert pruned.plain() == cell
    assert sampled.baseline().sides == "none"
    assert sampled.sides == "mixed"


def test_the_logs_of_an_aligner_with_axes_are_found():
    side = side_of(segmenter="words")
    cell = Cell(
        "p", side, side, "embeddings", "intersect", own=(("layer", 8), ("extraction", "argmax"))
    )
    row = {name: str(value) for name, value in cell.columns().items()}
    logs = job_logs({**row, "file": cell.path("score")})
    assert Path(cell.path("align", replicate=0, part="*-*")).with_suffix("") in [
        Path("results", own.stage, own.pattern) for own in logs
    ]
