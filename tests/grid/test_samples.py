"""Samples in parts: existing parts are used, missing samples are made, none twice."""

from hypothesis import given
from hypothesis import strategies as st

from seggrid.grid.samples import (
    Part,
    cover,
    parts_in,
    sample_seeds,
)


@given(
    samples=st.integers(1, 40),
    before=st.lists(st.integers(1, 40), max_size=4),
    batch=st.integers(1, 12),
)
def test_parts_cover_every_sample_once_whatever_was_run_before(samples, before, batch):
    present = set()
    for n in before:
        present |= set(cover(n, present, batch))
    parts = cover(samples, present, batch)
    covered = [k for first, last in parts for k in range(first, last + 1)]
    assert covered == list(range(len(covered)))
    assert len(covered) >= samples
    new = [part for part in parts if part not in present]
    # A part that is made contains no existing sample, and none that is not needed.
    there = {k for first, last in present for k in range(first, last + 1)}
    assert not there & {k for first, last in new for k in range(first, last + 1)}
    assert all(last < samples and last - first < batch for first, last in new)


@given(
    samples=st.integers(1, 40),
    before=st.lists(st.tuples(st.integers(1, 40), st.integers(1, 12)), max_size=4),
    batch=st.integers(1, 12),
    data=st.data(),
)
def test_what_a_run_has_made_so_far_does_not_change_its_plan(samples, before, batch, data):
    present = set()
    for n, size in before:
        present |= set(cover(n, present, size))
    parts = cover(samples, present, batch)
    made = data.draw(st.sets(st.sampled_from(parts)))
    assert cover(samples, present | made, batch) == parts
    assert cover(samples, present | set(parts), data.draw(st.integers(1, 12))) == parts


def test_names(tmp_path):
    assert Part.from_text(str(Part(4, 7))) == (4, 7)
    for name in ("0-4.npz", "5-9.npz", ".0-4.npz.x.part", "notes.txt"):
        (tmp_path / name).touch()
    assert sorted(parts_in(tmp_path, ".npz")) == [(0, 4), (5, 9)]
    assert parts_in(tmp_path / "none", ".npz") == []


def test_a_seed_depends_on_the_sample_and_the_segmentation_not_on_the_part():
    whole = sample_seeds(1, ["pair", "source", "spec"], (0, 4))
    assert whole[2:] == sample_seeds(1, ["pair", "source", "spec"], (2, 4))
    assert len(set(whole)) == 5
    assert not set(whole) & set(sample_seeds(1, ["pair", "target", "spec"], (0, 4)))
    assert not set(whole) & set(sample_seeds(2, ["pair", "source", "spec"], (0, 4)))
