"""Names of ways to sample: read as a user writes them and as a path holds them."""

import pytest

from seggrid.base.errors import InputError
from seggrid.segment.side import parse_spec
from seggrid.segment.variants import parse_sampling
from sides import side_of


@pytest.mark.parametrize(
    "name", ["alpha-0.2", "alpha-1/3-best-8", "grampa-1/3-least-2", "stochastok-0.5"]
)
def test_a_name_means_the_same_in_a_path(name):
    side = side_of(segmenter="unigram", merges=9, sampling=name)
    assert "/" not in str(side)
    assert parse_sampling(parse_spec(str(side)).sampling) == parse_sampling(name)
    assert parse_sampling(str(parse_sampling(name))) == parse_sampling(name)


@pytest.mark.parametrize(
    "name",
    [
        "alpha-0",
        "alpha-101",
        "alpha-1/0",
        "alpha-0.2-best-1",
        "beta",
        "grampa-2",
        "stochastok-1-best-2",
    ],
)
def test_other_names_are_refused(name):
    with pytest.raises(InputError, match="is not a way to sample"):
        parse_sampling(name)
