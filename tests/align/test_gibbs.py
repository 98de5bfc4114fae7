"""gibbs: a slow twin, exact marginals of small corpora, and properties that must not change links."""

import itertools
import math
from collections import Counter

import gibbs_twin
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from small_corpora import CORPORA, corpus_of, priors_of, right_of, sides
from small_corpora import gibbs_links as align

from counted_twin import counted_in, model_of
from seggrid.align.gibbs import Gibbs, Options, _rows, _training, sampling
from seggrid.align.gibbs._rows import LANES
from seggrid.align.gibbs._training import Samplers
from seggrid.align.gibbs.link_counts import LinkCounts
from seggrid.text.links import Links
from seggrid.text.segmentation import Segmentation

# Priors of one sampler or of several, with types of the corpora and with others.
PRIORS = st.none() | st.lists(
    priors_of(st.sampled_from("abcdq"), st.sampled_from("wxyzq"), st.integers(0, 5)),
    min_size=1,
    max_size=3,
)
OPTIONS = st.builds(
    Options,
    model=st.integers(1, 3),
    samplers=st.none() | st.integers(1, 5),
    relative_iterations=st.sampled_from([1e-4, 2e-3, 5e-3]),
    null_prior=st.sampled_from([0.0, 0.2, 0.9]),
    lexical_prior=st.sampled_from([None, 0.001, 0.1]),
    jump_prior=st.sampled_from([0.5, 2.0]),
    fertility_prior=st.sampled_from([0.5, 0.3, 2.0]),
)


@pytest.fixture(scope="module", autouse=True)
def every_probability():
    """Improbable links have probabilities too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sampling, "FLOOR", 0.0)
        yield


def everything(texts, options, **given):
    """Links, probabilities and the model."""
    return Gibbs(options).align_sample(*texts, probabilities=True, keep=True, **given)


def counts_of(source, target, forward, reverse):
    """The counts of samplers' links: places of generated tokens, or -1."""
    ways = (forward, target, False), (reverse, source, True)
    links = [[links_at(own, side.offsets, back) for own in places] for places, side, back in ways]
    return counted_in(LinkCounts.from_links(source, target, *links))


def links_at(places, offsets, is_reverse):
    lines = []
    for begin, end in itertools.pairwise(offsets.tolist()):
        pairs = [(i, j) for j, i in enumerate(places[begin:end]) if i >= 0]
        pairs = sorted((j, i) for i, j in pairs) if is_reverse else pairs
        lines.append(" ".join(f"{i}-{j}" for i, j in pairs))
    return Links.from_lines(lines)


def before_last(texts, options, **given):
    """Before the last sweep all samplers' links, by direction; and what is then given."""
    drawn = {}
    firsts = [sampling._key(given["seed"], 0, k) for k in range(0, options.samplers or 8, LANES)]
    train = Samplers.train

    def watched(samplers, is_shown):
        train(samplers, is_shown)
        link = samplers.lanes.link
        links = np.where(link == np.iinfo(link.dtype).max, -1, link.astype(int))
        way = 0 if samplers.lanes.key[0] in firsts else 1
        drawn.setdefault(way, []).extend(links.T.tolist())

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Samplers, "train", watched)
        found = everything(texts, options, **given)
    return [drawn[way] for way in (0, 1)], found


@pytest.mark.tier("check")
@given(CORPORA, OPTIONS, st.integers(0, 2**64 - 1), st.sampled_from([1, 2]), PRIORS)
@settings(max_examples=25)
@example([(["a"], ["w"])], Options(relative_iterations=1e-3), 0, 1, None)
@example([(["a"], list("wxyz" * 12))], Options(relative_iterations=1e-3), 1, 1, None)
@example([(list("abcd" * 12), ["w"])], Options(relative_iterations=1e-3), 2, 2, None)
@example([(list("abcd"), list("wxyz"))] * 6, Options(relative_iterations=1e-2), 4, 1, None)
@example([(list("aaaa" * 10), list("wwwwww"))], Options(relative_iterations=1e-3), 3, 1, None)
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
    model = priors and model_of(*priors)
    given = {"threads": threads, "seed": seed, "model": model}
    with pytest.MonkeyPatch.context() as patch:
        # The first of two steps has two sentence pairs, and no row is an array.
        patch.setattr(_training, "FIRST", 2)
        patch.setattr(_rows, "DENSE", 0 if seed % 2 else 64)
        few = 0 if seed % 3 else 100
        patch.setattr(_training, "FEW", few)
        drawn, (chosen, both, kept) = before_last(sides(corpus), options, **given)
        links = align(*sides(corpus), options, **given)
    of_model = options.samplers or LANES
    assert counted_in(kept) == counts_of(*sides(corpus), *(links[:of_model] for links in drawn))
    assert [one.lines() for one in chosen] == [one.lines() for one in links]
    for way, ours in enumerate(chosen):
        conditions, generated = (source, target) if way == 0 else (target, source)
        before, links, summed = gibbs_twin.run(
            conditions, generated, options, seed, way, priors, first=2, few=few
        )
        assert drawn[way][: len(before)] == [list(itertools.chain(*lane)) for lane in before]
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


SMALL = [(list("ab"), list("wx")), (["a"], ["w"]), (list("bc"), list("xyx"))]


def lexical_probability(links, options):
    """p(links and generated words) of `SMALL` in model 1, up to a factor: the Dirichlet integrals."""
    alpha, types, links = options.lexical_prior, len("wxy") + 1, iter(links)
    counts, totals, p = Counter(), Counter(), 1.0
    for e_words, f_words in SMALL:
        for f in f_words:
            i = next(links)
            e = None if i < 0 else e_words[i]
            p *= options.null_prior if e is None else 1.0
            p *= (counts[e, f] + alpha) / (totals[e] + alpha * types)
            counts[e, f] += 1
            totals[e] += 1
    return p


def marginals_of_model_1(options):
    """The probability of each link of the 6 tokens of `SMALL`, NULL last, by all assignments."""
    expected = np.zeros((6, 3))
    places = [range(-1, len(e)) for e, f in SMALL for _ in f]
    for links in itertools.product(*places):
        expected[range(6), links] += lexical_probability(links, options)
    return expected / expected.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("first", [1, 3])
def test_marginals_of_model_1_are_those_of_all_assignments(monkeypatch, first):
    """In one step and in two."""
    monkeypatch.setattr(_training, "FIRST", first)
    samplers = 300
    options = Options(
        model=1, samplers=samplers, lexical_prior=0.3, relative_iterations=0.1 * math.sqrt(3)
    )
    (forward, _), found = before_last(sides(SMALL), options, seed=1)
    drawn, expected = np.array(forward).T, marginals_of_model_1(options)
    shares = np.array([[(row == i).mean() for i in (0, 1, -1)] for row in drawn])
    bound = 4.5 * np.sqrt(expected * (1 - expected) / samplers) + 1e-6
    assert (np.abs(shares - expected) <= bound).all(), (shares, expected)
    # The probabilities of the last sweep are the same: they vary no more than draws.
    probable = found.posteriors[0]
    tokens = np.array([0, 2, 3])[probable.links.sentence_of] + probable.links.pairs[:, 1]
    means = np.zeros_like(expected)
    means[tokens, probable.links.pairs[:, 0]] = probable.probability
    assert (np.abs(means - expected)[:, :2] <= bound[:, :2]).all()


OPTIONS_OF_60 = Options(samplers=5, relative_iterations=0.05)


def test_links_do_not_depend_on_threads_nor_on_how_they_are_computed(monkeypatch):
    texts = corpus_of(60)
    (links, whole, _) = everything(texts, OPTIONS_OF_60, seed=3)
    expected = [one.lines() for one in links]
    for threads in (2, 3):
        found = align(*texts, OPTIONS_OF_60, threads=threads, seed=3)
        assert [one.lines() for one in found] == expected
    packed = _training.packed
    for where, name, value in (
        # Blocks of the last sweep, the width of counts, sweeps at once, and rows and the room for them.
        (sampling, "BLOCK", 700),
        (_training, "_most_tokens", lambda *_: 1 << 16),
        (_training, "AT_ONCE", 1),
        (_rows, "DENSE", 0),
        (_training, "packed", lambda rows, spare, *short: packed(rows, spare + 10_000, *short)),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(where, name, value)
            found, cut, _ = everything(texts, OPTIONS_OF_60, seed=3)
        assert [one.lines() for one in found] == expected
        for ours, other in zip(whole, cut, strict=True):
            assert (ours.links.pairs == other.links.pairs).all()
            assert (ours.probability == other.probability).all()


def long_pair():
    """300 words: their links take two bytes each."""
    numbers = np.random.default_rng(1).integers(0, 50, 300)
    return [f"e{k}" for k in numbers], [f"f{k}" for k in numbers[::-1]]


@pytest.mark.parametrize(("first", "more"), [(100_000, []), (40, []), (40, [long_pair()])])
def test_finds_a_permutation(monkeypatch, first, more):
    """Target token j translates the j-th source token from the end; a word may occur twice."""
    monkeypatch.setattr(_training, "FIRST", first)
    texts = [
        Segmentation.from_words([*map(text.sentence, range(200)), *(pair[side] for pair in more)])
        for side, text in enumerate(corpus_of(200))
    ]
    for links in align(*texts, seed=1):
        right = right_of(*texts, links)
        assert np.mean(right) > 0.97
        # Those of the last sentence pair too.
        assert np.mean(right[links.offsets[-2] :]) > 0.9


def test_lowercase_takes_types_that_differ_in_case_for_one():
    lines = [("A b", "W x"), ("a", "w"), ("B", "X")]
    corpus = [(source.split(), target.split()) for source, target in lines]
    lower = [([w.lower() for w in e], [w.lower() for w in f]) for e, f in corpus]
    folded = align(*sides(corpus), options=Options(lowercase=True), seed=1)
    for ours, other in zip(folded, align(*sides(lower), seed=1), strict=True):
        assert (ours.pairs == other.pairs).all()


def test_a_text_is_aligned_with_itself_as_with_its_copy():
    text = Segmentation.from_words([["a", "b", "c"], ["a", "b"], ["b"], ["a"]])
    twin = Segmentation.from_words([["a", "b", "c"], ["a", "b"], ["b"], ["a"]])
    for ours, other in zip(align(text, text, seed=1), align(text, twin, seed=1), strict=True):
        assert ours.lines() == other.lines()


def test_one_long_line_takes_few_sweeps(monkeypatch):
    """It took as many as one short line, 5,000 in the last stage, each 400 times as long."""
    asked = []
    stages_of = sampling.stages_of
    monkeypatch.setattr(
        sampling, "stages_of", lambda *given: asked.append(given[1]) or stages_of(*given)
    )
    sides = [Segmentation.from_words([["a"] * length]) for length in (500, 500)]
    options = Options(samplers=1, model=1, relative_iterations=0.05)
    forward, _ = align(*sides, options=options, seed=1)
    assert asked == [211]
    assert len(forward.pairs) <= 500


def test_counts_of_pairs_of_types_are_as_wide_as_the_highest_needs():
    """Not as their sum: a text has thousands of words that are spelled alike."""
    words = [[f"name{letter}" for letter in "abcdefghijklmnopqrst"]]
    texts = [Segmentation.from_words(words)] * 2
    job = sampling.prepared(*texts, Options(spelling_prior=1000), 0, None)
    assert 4 * job.counts.pairs.counts.sum() > 1 << 16
    assert [sampling.samplers_of(job, way)[0].rows.words for way in (0, 1)] == [1, 1]
