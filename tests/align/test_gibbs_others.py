"""What gibbs counts in the other parts of a text, against counts that are added one by one."""

from functools import reduce

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_corpora import priors_of, sides

from counted_twin import counted_together
from seggrid.align.gibbs import Gibbs, Options
from seggrid.align.gibbs._prior_counts import type_counts_of
from seggrid.align.gibbs.others import (
    Others,
    added,
    counts_difference,
    counts_of,
    restricted,
    sum_sampler_counts,
    write_sampler_counts,
)
from seggrid.align.gibbs.priors import DirectionPriors, Priors
from seggrid.base.errors import InputError

SOURCE, TARGET = "abcd\u00a0", "wxyz\u00e9"


def parts_of(samplers):
    """Priors of the samplers of one part, which has some of the letters; it has tokens of all of them."""

    def of_letters(letters):

        def with_tokens(priors):
            for way, own in zip((priors.forward, priors.reverse), letters, strict=True):
                way.fertilities.update({(letter, 0): 1 for letter in own} | way.fertilities)
            return priors

        one = priors_of(*map(st.sampled_from, letters), st.integers(1, 5))
        return st.lists(one.map(with_tokens), min_size=samplers, max_size=samplers)

    sides = (st.lists(st.sampled_from(of), min_size=1, unique=True) for of in (SOURCE, TARGET))
    return st.tuples(*sides).flatmap(of_letters)


PARTS = st.integers(1, 3).flatmap(
    lambda samplers: st.lists(parts_of(samplers), min_size=1, max_size=5)
)


@given(PARTS, st.permutations([*SOURCE, "q"]), st.permutations([*TARGET, "q"]), st.data())
def test_sums_and_differences_are_what_is_counted_in_the_parts(parts, source, target, data):
    own = data.draw(st.integers(0, len(parts) - 1))
    # The text has all types of its part.
    e, f = (
        [text for text in types if text in used or data.draw(st.booleans())]
        for types, used in zip((source, target), types_of(parts[own]), strict=True)
    )
    every = reduce(added, map(counts_of, parts))
    others = [part for k, part in enumerate(parts) if k != own]
    check(restricted(every, e, f), parts, e, f)
    mine = restricted(counts_of(parts[own]), e, f)
    check(counts_difference(restricted(every, e, f), mine, len(f)), others, e, f)


def check(found, parts, source, target):
    """The counts of parts, which are counted one by one."""
    none = [Priors()] * found.samplers
    together = [counted_together(*of_one) for of_one in zip(none, *parts, strict=True)]
    expected = type_counts_of(together, source, target)
    for ours, theirs in zip(flat(found), flat(expected), strict=True):
        assert ours.dtype == theirs.dtype == np.int64
        assert np.array_equal(ours, theirs)


def types_of(part):
    """Source and target types with tokens."""
    ways = ([one.forward for one in part], [one.reverse for one in part])
    return [{e for one in way for e, _ in one.fertilities} for way in ways]


def flat(value):
    """The arrays of nested sequences."""
    is_array = isinstance(value, np.ndarray)
    return [value] if is_array else [array for one in value for array in flat(one)]


CORPUS = [(list("abca"), list("wxyw")), (list("bc"), list("xy")), (list("cad"), list("ywz"))] * 2


@pytest.mark.tier("check")
def test_a_part_is_aligned_as_with_the_priors_of_the_others(tmp_path):
    options = Options(relative_iterations=5e-3, samplers=2)
    texts = [sides(CORPUS[a:b]) for a, b in ((0, 1), (1, 3), (3, 6))]
    aligner = Gibbs(options)
    learned = [aligner.align_sample(*text, seed=1, keep=True).model for text in texts]
    files = [tmp_path / f"{k}.npz" for k in range(3)]
    for file, model in zip(files, learned, strict=True):
        write_sampler_counts(model, file)
    sum_sampler_counts(files, tmp_path / "sum.npz")
    for k, text in enumerate(texts):
        rest = [model for other, model in enumerate(learned) if other != k]
        one_by_one = [counted_together(*of_one) for of_one in zip(*rest, strict=True)]
        found, expected = (
            aligner.align_sample(*text, seed=1, model=priors, probabilities=True)
            for priors in (Others(tmp_path / "sum.npz", files[k]), one_by_one)
        )
        for ours, theirs in zip(found[1], expected[1], strict=True):
            assert ours.links.lines() == theirs.links.lines()
            assert ours.probability.tolist() == theirs.probability.tolist()


def test_counts_of_another_text_are_refused(tmp_path):
    every, own = tmp_path / "sum.npz", tmp_path / "own.npz"
    write_sampler_counts([PRIORS], every)
    write_sampler_counts([PRIORS], own)
    assert not Others(every, own).type_counts(["a"], ["x"]).links.size
    write_sampler_counts([counted_together(PRIORS, PRIORS)], own)
    with pytest.raises(InputError, match=r"not a part of .*sum\.npz") as error:
        Others(every, own).type_counts(["a"], ["x"])
    assert str(error.value).startswith(f"{own}: ")


PRIORS = Priors(
    {("a", "x"): 1}, DirectionPriors({1: 1}, {("a", 1): 1}), DirectionPriors({1: 1}, {("x", 1): 1})
)
