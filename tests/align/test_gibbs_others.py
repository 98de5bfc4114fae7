"""What gibbs counts in the other parts of a text, against counts that are added one by one."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_corpora import priors_of, sides

from counted_twin import counted_in, counted_together, model_of
from seggrid.align.gibbs import Gibbs, Options
from seggrid.align.gibbs.others import (
    Others,
    read_sampler_counts,
    sum_sampler_counts,
    write_sampler_counts,
)
from seggrid.align.gibbs.priors import KEYS
from seggrid.base.errors import InputError

SOURCE, TARGET = "abcd\u00a0", "wxyz\u00e9"

# The counts of the samplers of some parts.
PARTS = st.integers(1, 3).flatmap(
    lambda samplers: st.lists(
        st.lists(
            priors_of(st.sampled_from(SOURCE), st.sampled_from(TARGET), st.integers(0, 5)),
            min_size=samplers,
            max_size=samplers,
        ),
        min_size=1,
        max_size=5,
    )
)
TYPES = st.tuples(
    *(st.lists(st.sampled_from([*side, "q"]), unique=True) for side in (SOURCE, TARGET))
)


@given(PARTS, TYPES, st.data())
def test_sums_and_differences_are_what_is_counted_in_the_parts(
    tmp_path_factory, parts, types, data
):
    folder = tmp_path_factory.mktemp("counts")
    files = [folder / f"{k}.npz" for k in range(len(parts))]
    for file, part in zip(files, parts, strict=True):
        write_sampler_counts(model_of(*part), file)
    every = folder / "sum.npz"
    sum_sampler_counts(files, every)
    check(read_sampler_counts(every).of_types(types), parts, types)
    own = data.draw(st.sampled_from(range(len(parts))))
    others = Others(every, files[own]).of_types(types)
    check(others, parts[:own] + parts[own + 1 :] or [[{}] * others.samplers], types)


def check(found, parts, types):
    """The counts of parts, which are counted one by one."""
    expected = [Counter() for _ in range(found.samplers)]
    totals = [Counter(), Counter()]
    for k, (name, *key), count in (
        (k, key, count)
        for part in parts
        for k, own in enumerate(part)
        for key, count in own.items()
    ):
        known = {side: key[at] in types[side] for at, side in enumerate(KEYS[name][1])}
        if name.startswith("FER"):
            key[1] = min(key[1], 7)  # more links are counted as seven
        expected[k][name, *key] += count * all(known.values())
        for way in known if name == "LEX" else ():
            totals[way][k, key[way]] += count * known[way]
    assert found.types == types
    assert counted_in(found) == expected
    for side, total, ((numbers,), counts) in zip(types, totals, found.totals, strict=True):
        rows = zip(numbers.tolist(), counts.tolist(), strict=True)
        assert {(k, side[e]): n for e, row in rows for k, n in enumerate(row) if n} == +total


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
        found, expected = (
            aligner.align_sample(*text, seed=1, model=priors, probabilities=True)
            for priors in (Others(tmp_path / "sum.npz", files[k]), counted_together(*rest))
        )
        for ours, theirs in zip(found[1], expected[1], strict=True):
            assert ours.links.lines() == theirs.links.lines()
            assert ours.probability.tolist() == theirs.probability.tolist()


def test_counts_of_another_text_are_refused(tmp_path):
    every, own = tmp_path / "sum.npz", tmp_path / "own.npz"
    one = {("LEX", "a", "x"): 1, ("FERF", "a", 1): 1, ("FERR", "x", 1): 1, ("HMMF", 1): 1}
    write_sampler_counts(model_of(one), every)
    write_sampler_counts(model_of(one), own)
    assert not Others(every, own).of_types([["a"], ["x"]]).pairs.counts.size
    for others in ([one | {("LEX", "a", "x"): 2}], [one | {("HMMF", 1): 2}], [one, one]):
        write_sampler_counts(model_of(*others), own)
        with pytest.raises(InputError, match=r"not a part of .*sum\.npz") as error:
            Others(every, own).of_types([["a"], ["x"]])
        assert str(error.value).startswith(f"{own}: ")
