"""fast_align: the program's output, a slow twin, ties, and properties that must not change links."""

import gzip
import math

import numpy as np
import pytest
from fast_align_twin import Twin
from hypothesis import example, given
from hypothesis import strategies as st
from small_corpora import CORPORA

from seggrid.align.fast_align import Model, Options, _way, training
from seggrid.align.fast_align.training import (
    align_by_fast_align,
    force_align,
    train_fast_align,
)
from seggrid.align.symmetrize import combine_directions
from seggrid.base.errors import InputError
from seggrid.text.links import Links
from seggrid.text.segmentation import Segmentation

# Two implementations may break a tie differently if it is a tie only up to rounding.
TIE = 1e-9


def segmented(*lines):
    return Segmentation.from_words([line.split() for line in lines])


OPTIONS = st.builds(
    Options,
    iterations=st.integers(1, 6),
    p0=st.sampled_from([0.0, 0.08, 0.5]),
    alpha=st.sampled_from([0.005, 0.01, 1.0]),
    tension=st.sampled_from([0.1, 4.0, 14.0]),
    fixed_tension=st.booleans(),
    no_null=st.booleans(),
    em=st.booleans(),
)


@given(CORPORA, OPTIONS)
@example([(["a"], ["w"])], Options())
@example([(["a"], list("wxyz" * 50))], Options())
@example([(list("abcd" * 50), ["w"])], Options())
@example([(list("aaaa"), list("wwwwww"))], Options())
@example([(["a"], ["w"]), (["b"], ["w"]), (["a"], ["x"])], Options(iterations=1))
def test_equals_the_slow_twin(corpus, options):
    source, target = ([pair[side] for pair in corpus] for side in (0, 1))
    ours = train_fast_align(
        Segmentation.from_words(source), Segmentation.from_words(target), options=options
    )
    forward = Twin(source, target, options).run()
    reverse = Twin(target, source, options).run()
    for twin, alignment, direction, transposed in (
        (forward, ours.forward, ours.model.directions[0], False),
        (reverse, ours.reverse, ours.model.directions[1], True),
    ):
        assert direction.tension == pytest.approx(twin.tension, rel=1e-6)
        for s, told in enumerate(twin.p):
            links = alignment.links.sentence(s)
            chosen = dict(links) if transposed else {j: i for i, j in links}
            assert len(chosen) == len(links)
            for j, p in enumerate(told):
                assert p[chosen.get(j, -1) + 1] >= max(p) * (1 - TIE)
        assert alignment.scores == pytest.approx(log_probabilities(twin), rel=1e-6)
    if options.iterations > 1:
        assert table(ours.model, 0) == pytest.approx(flat(forward.t), rel=1e-6, abs=1e-200)
        assert table(ours.model, 1) == pytest.approx(flat(reverse.t), rel=1e-6, abs=1e-200)


def log_probabilities(twin):
    """log Poisson of the generated length, plus the log probability of the generated tokens."""
    ratio = np.mean([len(told) / len(given) for given, told in twin.corpus])
    means = [0.05 + ratio * len(given) for given, _ in twin.corpus]
    return [
        len(p) * math.log(mean) - mean - math.lgamma(len(p) + 1) + sum(math.log(sum(x)) for x in p)
        for mean, p in zip(means, twin.p, strict=True)
    ]


def table(model, way):
    null, told = (
        (model.target_null, model.target_types)
        if way == 0
        else (model.source_null, model.source_types)
    )
    cells = {(None, f): p for f, p in zip(told, null, strict=True)}
    for e, source in enumerate(model.source_types):
        for c in range(model.row[e], model.row[e + 1]):
            pair = source, model.target_types[model.column[c]]
            cells[pair if way == 0 else pair[::-1]] = model.probability[c, way]
    return cells


def flat(t):
    return {(e, f): p for e, row in t.items() for f, p in row.items()}


@pytest.fixture(scope="module")
def words(texts):
    return [Segmentation.from_words(side) for side in texts.values()]


@pytest.mark.needs_mirror
def test_links_of_the_program(words, shared_data):
    thesis_links, expected = align_by_fast_align(*words, threads=2), []
    for ours, name in zip(thesis_links, ("forward", "reverse"), strict=True):
        packed = (shared_data / "fast_align" / f"eng-deu.words.{name}.gz").read_bytes()
        theirs = Links.from_lines(gzip.decompress(packed).decode().splitlines())
        assert shared(ours, theirs) >= 0.9999 * max(len(ours.pairs), len(theirs.pairs))
        expected.append(theirs)
    ours, theirs = combine_directions(*thesis_links), combine_directions(*expected)
    assert shared(ours, theirs) >= 0.9999 * max(len(ours.pairs), len(theirs.pairs))


def shared(one, other):
    sets = ({(s, *link) for s in range(len(x)) for link in x.sentence(s)} for x in (one, other))
    return len(set.intersection(*sets))


def test_threads_do_not_change_a_byte(words, monkeypatch):
    monkeypatch.setattr(_way, "PART", 5_000)
    sides = [side.take(range(300)) for side in words]
    expected = bytes_of(train_fast_align(*sides))
    for threads in (1, 2, 3, 16):
        assert bytes_of(train_fast_align(*sides, threads=threads)) == expected


@pytest.mark.parametrize("iterations", [1, 2, 3, 4, 5])
def test_what_is_computed_anew_is_what_was_kept(words, monkeypatch, iterations):
    sides, options = [side.take(range(100)) for side in words], Options(iterations=iterations)
    monkeypatch.setattr(_way, "PART", 5_000)
    expected = bytes_of(train_fast_align(*sides, options=options))
    monkeypatch.setattr(training, "SMALL", 0)
    for threads in (1, 3):
        assert bytes_of(train_fast_align(*sides, options=options, threads=threads)) == expected
    links = align_by_fast_align(*sides, options=options)
    trained = train_fast_align(*sides, options=options)
    assert [way.lines() for way in links] == [
        way.links.lines() for way in (trained.forward, trained.reverse)
    ]


def bytes_of(trained):
    parts = [trained.model.probability, np.array(trained.model.directions)]
    for alignment in (trained.forward, trained.reverse):
        parts += [alignment.links.offsets, alignment.links.pairs, alignment.scores]
    return b"".join(part.tobytes() for part in parts)


def test_an_exact_tie_goes_to_the_first():
    # m = 2, n = 4: target token 1 is equally far from source tokens 1 and 3, which are the same word.
    source = segmented("a b a c", "a", "a", "b", "b", "c", "c")
    target = segmented("x y", "x", "x", "z", "z", "y", "y")
    forward, _ = align_by_fast_align(source, target, options=Options(fixed_tension=True))
    assert (0, 0) in forward.sentence(0)
    assert (2, 0) not in forward.sentence(0)


def test_null_wins_a_tie():
    # A single pass decodes with equal t, so the only source token has 1 - p0 and NULL has p0.
    source, target = segmented("a"), segmented("x")
    for p0, lines in ((0.5, [""]), (0.499, ["0-0"])):
        assert (
            align_by_fast_align(source, target, options=Options(iterations=1, p0=p0))[0].lines()
            == lines
        )


def test_types_that_do_not_occur_change_nothing():
    source, target = segmented("a b", "a", "b c"), segmented("x y", "x", "y z")
    wider = Segmentation(
        ["unused", *source.types, "never"],
        source.ids + 1,
        source.offsets,
        source.first,
        source.last,
    )
    one, other = train_fast_align(source, target), train_fast_align(wider, target)
    assert one.forward.links.lines() == other.forward.links.lines()
    assert one.reverse.scores.tolist() == other.reverse.scores.tolist()


def test_a_trained_model_aligns_its_own_corpus_as_in_training(words, tmp_path):
    sides = [side.take(range(200)) for side in words]
    trained = train_fast_align(*sides)
    trained.model.save(tmp_path / "model.npz")
    for model in (trained.model, Model.load(tmp_path / "model.npz")):
        # The second corpus has types of its own, in another order, and only half of the sentences.
        half = [
            Segmentation.from_words([side.sentence(s) for s in range(199, 99, -1)])
            for side in sides
        ]
        for now, before in zip(
            force_align(model, *half, threads=2), (trained.forward, trained.reverse), strict=True
        ):
            assert now.links.lines() == before.links.take(range(199, 99, -1)).lines()
            assert now.scores == pytest.approx(before.scores[199:99:-1], rel=1e-12)


def test_unseen_tokens_follow_the_diagonal():
    model = train_fast_align(segmented("a b"), segmented("x y")).model
    forward, reverse = force_align(model, segmented("p q r"), segmented("s t u"))
    assert forward.links.lines() == reverse.links.lines() == ["0-0 1-1 2-2"]


def test_refuses_no_threads():
    with pytest.raises(InputError, match="threads is 0"):
        align_by_fast_align(segmented("a"), segmented("x"), threads=0)


@pytest.mark.parametrize("content", [b"", b"no model"])
def test_refuses_what_is_no_model(tmp_path, content):
    path = tmp_path / "model.npz"
    with pytest.raises(InputError, match=r"model\.npz: no such file"):
        Model.load(path)
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"model\.npz: not a saved model"):
        Model.load(path)
