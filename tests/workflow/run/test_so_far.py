"""The page of a run that goes on."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from seggrid.workflow.run.so_far import EVERY, EXPECTED, SHARE, Schedule


@given(st.integers(1, 64), st.lists(st.floats(0.5, EXPECTED), min_size=1, max_size=20))
def test_pages_take_at_most_their_share_and_come_at_most_once_a_minute(cores, seconds):
    schedule, pages = Schedule(cores), [0]
    for cpu in seconds:
        now = next(now for now in range(pages[-1], 100_000) if schedule.is_due(now))
        schedule.wrote(now, cpu)
        pages.append(now)
    assert all(later - earlier >= EVERY for earlier, later in pairwise(pages))
    *before, _ = seconds
    assert sum(before) <= SHARE * cores * pages[-1]
