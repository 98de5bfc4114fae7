"""What gibbs counts in the other parts of a text: sums and differences of counts, against counts one by one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_corpora import CORPORA, sides

from counted_twin import counted_together
from seggrid.align import gibbs
from seggrid.align.gibbs import Options, align_and_keep, align_with_posteriors
from seggrid.align.gibbs._known import taught_of
from seggrid.align.gibbs.others import Others, sum_counts, write_counts
from seggrid.align.gibbs.priors import DirectionPriors, Priors
from seggrid.errors import InputError

counts = st.integers(0, 5)
SOURCE, TARGET = "abcd\u00a0", "wxyz\u00e9"


def parts_of(samplers):
    """Priors of the samplers of one part; of all types that have links there are tokens."""

    def direction(letters):
        def with_tokens(jumps, fertilities):
            return DirectionPriors(jumps, {(e, 0): 1 for e in letters} | fertilities)

        kinds = st.tuples(st.sampled_from(letters), st.integers(0, 9))
        return st.builds(
            with_tokens,
            st.dictionaries(st.integers(-9, 9), counts, max_size=5),
            st.dictionaries(kinds, counts, max_size=5),
        )

    letters = st.lists(st.sampled_from(SOURCE), min_size=1, unique=True)
    others = st.lists(st.sampled_from(TARGET), min_size=1, unique=True)

    def of_letters(own):
        pairs = st.tuples(*map(st.sampled_from, own))
        lexical = st.dictionaries(pairs, counts, max_size=6)
        one = st.builds(Priors, lexical, *map(direction, own))
        return st.lists(one, min_size=samplers, max_size=samplers)

    return st.tuples(letters, others).flatmap(of_letters)


PARTS = st.integers(1, 3).flatmap(
    lambda samplers: st.lists(parts_of(samplers), min_size=1, max_size=5)
)


@given(PARTS, st.permutations([*SOURCE, "q"]), st.permutations([*TARGET, "q"]), st.data())
def test_each_part_is_taught_what_is_counted_in_all_others(
    tmp_path_factory, parts, source, target, data
):
    folder = tmp_path_factory.mktemp("counts")
    files = [folder / f"{k}.npz" for k in range(len(parts))]
    for file, part in zip(files, parts, strict=True):
        write_counts(part, file)
    sum_counts(files, folder / "sum.npz")
    own = data.draw(st.integers(0, len(parts) - 1))
    # The text has all types of the part.
    e, f = (
        [text for text in types if text in used or data.draw(st.booleans())]
        for types, used in (
            (source, kinds_of(parts[own], "forward")),
            (target, kinds_of(parts[own], "reverse")),
        )
    )
    found = Others(folder / "sum.npz", files[own]).taught(e, f)
    rest = [part for k, part in enumerate(parts) if k != own]
    none = [Priors()] * len(parts[0])
    expected = taught_of(
        [counted_together(*of_one) for of_one in zip(none, *rest, strict=True)], e, f
    )
    for ours, theirs in zip(flat(found), flat(expected), strict=True):
        assert ours.dtype == theirs.dtype == np.int64
        assert np.array_equal(ours, theirs)


def kinds_of(part, way):
    return {e for one in part for e, _ in getattr(one, way).fertilities}


def flat(value):
    """The arrays of nested tuples."""
    return [array for one in value for array in flat(one)] if isinstance(value, tuple) else [value]


@pytest.mark.tier("test")
@pytest.mark.parametrize("large", [False, True])
@given(st.lists(CORPORA, min_size=2, max_size=3))
def test_a_part_is_aligned_as_with_the_priors_of_the_others(tmp_path_factory, large, corpora):
    folder = tmp_path_factory.mktemp("counts")
    with pytest.MonkeyPatch.context() as patch:
        if large:
            patch.setattr(gibbs, "LARGE", 0)
        given = {"options": Options(relative_iterations=2e-3), "seed": 1}
        texts = [sides(corpus) for corpus in corpora]
        learned = [align_and_keep(*text, **given)[1] for text in texts]
        files = [folder / f"{k}.npz" for k in range(len(learned))]
        for file, model in zip(files, learned, strict=True):
            write_counts(model, file)
        sum_counts(files, folder / "sum.npz")
        for k, text in enumerate(texts):
            rest = [model for other, model in enumerate(learned) if other != k]
            one_by_one = [counted_together(*of_one) for of_one in zip(*rest, strict=True)]
            found, expected = (
                align_with_posteriors(*text, **given, priors=priors, floor=0)[:2]
                for priors in (Others(folder / "sum.npz", files[k]), one_by_one)
            )
            assert [links.lines() for links in found[0]] == [links.lines() for links in expected[0]]
            for ours, theirs in zip(found[1], expected[1], strict=True):
                assert ours.probability.tolist() == theirs.probability.tolist()


def test_counts_of_other_texts_are_refused(tmp_path):
    one, other = (
        Priors(
            {("a", "x"): n}, DirectionPriors({}, {("a", n): 1}), DirectionPriors({}, {("x", n): 1})
        )
        for n in (1, 2)
    )
    write_counts([one], tmp_path / "sum.npz")
    write_counts([other], tmp_path / "own.npz")
    with pytest.raises(InputError, match="not a part of .*sum.npz") as error:
        Others(tmp_path / "sum.npz", tmp_path / "own.npz").taught(["a"], ["x"])
    assert str(error.value).startswith(str(tmp_path / "own.npz"))
