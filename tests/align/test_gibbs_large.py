"""gibbs for large texts: a slow twin, the exact distribution of a token, and what must not change links."""

import itertools
import math

import gibbs_lean_twin
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from small_corpora import CORPORA, sides
from small_corpora import gibbs_links as align
from test_gibbs import (
    OPTIONS,
    PRIORS,
    SMALL,
    check_draws_of_model_1,
    corpus_of,
    counts_of,
    every_probability,  # noqa: F401
    everything,
)

from seggrid.align.gibbs import Options, _ramp, sampling
from seggrid.align.gibbs._ramp import Ramp
from seggrid.align.gibbs._vectors import LANES
from seggrid.data.segmentation import Segmentation


@pytest.fixture(autouse=True)
def steps_of_two(monkeypatch):
    """All texts are large, and the first step has two sentence pairs."""
    monkeypatch.setattr(sampling, "LARGE", 0)
    monkeypatch.setattr(_ramp, "FIRST", 2)


def before_last(monkeypatch, texts, options, **keywords):
    """Before the last sweep all samplers' links, by direction; and what is then given."""
    drawn = {}
    keys = [sampling._key(keywords["seed"], 0, lane, "links") for lane in range(1000)]
    train = Ramp.train

    def watched(ramp, is_shown):
        train(ramp, is_shown)
        none = np.iinfo(ramp.lanes.link.dtype).max
        links = np.where(ramp.lanes.link == none, -1, ramp.lanes.link.astype(int))
        way = 0 if ramp.lanes.key[0] in keys else 1
        drawn.setdefault(way, []).extend(links[lane::LANES].tolist() for lane in range(LANES))

    with monkeypatch.context() as patch:
        patch.setattr(Ramp, "train", watched)
        found = everything(texts, options, **keywords)
    return (drawn[0], drawn[1]), found


@pytest.mark.tier("test")
@given(CORPORA, OPTIONS, st.integers(0, 2**64 - 1), st.sampled_from([1, 2]), PRIORS)
@settings(max_examples=25)
@example([(["a"], ["w"])], Options(relative_iterations=1e-3), 0, 1, None)
@example([(["a"], list("wxyz" * 12))], Options(relative_iterations=1e-3), 1, 1, None)
@example([(list("abcd" * 12), ["w"])], Options(relative_iterations=1e-3), 2, 2, None)
@example([(list("abcd"), list("wxyz"))] * 6, Options(relative_iterations=1e-2), 4, 1, None)
@example(  # what is sure when it is drawn for the first time does not sleep
    [(list(a), list(b)) for a, b in map(str.split, ("a w", "a w", "aaab wx", "a w", "aaa ww"))],
    Options(
        model=2, relative_iterations=0.005, null_prior=0.2, lexical_prior=0.001, jump_prior=0.5,
        fertility_prior=0.5,
    ),
    0,
    1,
    None,
)  # fmt: skip
def test_equals_the_slow_twin_draw_by_draw(corpus, options, seed, threads, priors):
    source, target = ([pair[side] for pair in corpus] for side in (0, 1))
    given = {"threads": threads, "seed": seed, "model": priors}
    with pytest.MonkeyPatch.context() as patch:
        drawn, (chosen, both, kept) = before_last(patch, sides(corpus), options, **given)
    assert kept == counts_of(*sides(corpus), *drawn)
    links = align(*sides(corpus), options, **given)
    assert [one.lines() for one in chosen] == [one.lines() for one in links]
    for way, ours in enumerate(chosen):
        conditions, generated = (source, target) if way == 0 else (target, source)
        before, links, summed = gibbs_lean_twin.run(
            conditions, generated, options, seed, way, priors, first=2
        )
        assert drawn[way] == [list(itertools.chain(*lane)) for lane in before]
        for s, expected in enumerate(links):
            found = {pair[1 - way]: pair[way] for pair in ours.sentence(s)}
            assert [found.get(j, -1) for j in range(len(expected))] == expected
        lanes = len(before)
        expected = {
            (s, *((i, j) if way == 0 else (j, i))): min(total / np.float32(lanes), 1)
            for s, tokens in enumerate(summed)
            for j, row in enumerate(tokens)
            for i, total in enumerate(row[:-1])
        }
        pairs = both[way].links
        keys = [(s, *pair) for s in range(len(corpus)) for pair in pairs.sentence(s)]
        found = [np.float32(p) for p in both[way].probability]
        assert dict(zip(keys, found, strict=True)) == expected


def test_marginals_of_model_1_are_those_of_all_assignments(monkeypatch):
    monkeypatch.setattr(_ramp, "FIRST", 3)
    corpus = [(source.split(), target.split()) for source, target in SMALL]
    options = Options(
        model=1, samplers=300, lexical_prior=0.3, relative_iterations=400 / 5000 * math.sqrt(3)
    )
    (forward, _), _ = before_last(monkeypatch, sides(corpus), options, seed=1)
    check_draws_of_model_1(np.array(forward).T, corpus, options)


OPTIONS_OF_60 = Options(samplers=4, relative_iterations=0.05)


def test_links_do_not_depend_on_threads_nor_on_how_they_are_computed(monkeypatch):
    texts = corpus_of(60)
    (links, whole, _) = everything(texts, OPTIONS_OF_60, seed=3)
    expected = [one.lines() for one in links]
    assert [one.lines() for one in align(*texts, OPTIONS_OF_60, threads=2, seed=3)] == expected
    rebuilt = _ramp.rebuilt
    for where, name, value in (
        # Blocks of the last sweep, the width of counts, and the room for them.
        (sampling, "BLOCK", 700),
        (_ramp, "tokens_of_types", lambda _, types: np.full(types, 1 << 16)),
        (_ramp, "rebuilt", lambda *given: rebuilt(given[0], given[1] + 10_000)),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(where, name, value)
            found, cut, _ = everything(texts, OPTIONS_OF_60, seed=3)
        assert [one.lines() for one in found] == expected
        for ours, other in zip(whole, cut, strict=True):
            assert (ours.links.pairs == other.links.pairs).all()
            assert (ours.probability == other.probability).all()


def check_permutation(source, target):
    """Nearly all links are between words of the same number."""
    for links in align(source, target, seed=1):
        i, j = links.pairs.T
        sentence = links.sentence_of
        e, f = source.ids[source.offsets[sentence] + i], target.ids[target.offsets[sentence] + j]
        right = [source.types[a][1:] == target.types[b][1:] for a, b in zip(e, f, strict=True)]
        assert np.mean(right) > 0.97
        # Those of the last sentence pair too.
        assert np.mean(right[links.offsets[-2] :]) > 0.9


def test_finds_a_permutation(monkeypatch):
    monkeypatch.setattr(_ramp, "FIRST", 40)
    check_permutation(*corpus_of(200))


@pytest.mark.tier("check")
def test_sentences_of_more_than_255_tokens(monkeypatch):
    """Their links take two bytes each."""
    monkeypatch.setattr(_ramp, "FIRST", 40)
    shorter = [[text.sentence(s) for s in range(200)] for text in corpus_of(200)]
    long = np.random.default_rng(1).integers(0, 50, 300)
    shorter[0].append([f"e{k}" for k in long])
    shorter[1].append([f"f{k}" for k in long[::-1]])
    check_permutation(*(Segmentation.from_words(side) for side in shorter))
