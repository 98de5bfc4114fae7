"""gibbs: a slow twin, exact marginals of small corpora, and properties that must not change links."""

import itertools
import math

import gibbs_twin
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from small_corpora import CORPORA, sides
from small_corpora import gibbs_links as align

from seggrid.align.gibbs import Gibbs, Options, sampling
from seggrid.align.gibbs._random import gamma, log, random_bits
from seggrid.align.gibbs.priors import DirectionPriors, Priors
from seggrid.align.threads import Workers
from seggrid.data.links import Links
from seggrid.data.segmentation import Segmentation


def tables(keys):
    return st.dictionaries(keys, st.integers(0, 5), max_size=8)


def direction_priors(letters):
    kinds = st.tuples(st.sampled_from(letters), st.integers(0, 9))
    return st.builds(DirectionPriors, tables(st.integers(-50, 50)), tables(kinds))


# Priors of one sampler or of several, with types of the corpora and with others.
PRIORS = st.none() | st.lists(
    st.builds(
        Priors,
        tables(st.tuples(st.sampled_from("abcdq"), st.sampled_from("wxyzq"))),
        direction_priors("abcdq"),
        direction_priors("wxyzq"),
    ),
    min_size=1,
    max_size=3,
)
OPTIONS = st.builds(
    Options,
    model=st.integers(1, 3),
    samplers=st.integers(1, 5),
    relative_iterations=st.sampled_from([1e-4, 2e-3, 5e-3]),
    null_prior=st.sampled_from([0.0, 0.2, 0.9]),
    lexical_prior=st.sampled_from([0.001, 0.1]),
    jump_prior=st.sampled_from([0.5, 2.0]),
    fertility_prior=st.sampled_from([0.5, 0.3, 2.0]),
)


@pytest.mark.tier("test")
@given(CORPORA, OPTIONS, st.integers(0, 2**64 - 1), st.sampled_from([1, 4]), PRIORS)
@example([(["a"], ["w"])], Options(relative_iterations=1e-3), 0, 1, None)
@example([(["a"], list("wxyz" * 12))], Options(relative_iterations=1e-3), 1, 1, None)
@example([(list("abcd" * 12), ["w"])], Options(relative_iterations=1e-3), 2, 4, None)
@example([(list("aaaa" * 10), list("wwwwww"))], Options(relative_iterations=1e-3), 3, 1, None)
def test_equals_the_slow_twin_draw_by_draw(corpus, options, seed, threads, priors):
    source, target = ([pair[side] for pair in corpus] for side in (0, 1))
    texts = sides(corpus)
    drawn = [[], []]
    for way, direction in enumerate(sampled(*texts, options, seed, threads, priors)):
        for chains in direction.groups:
            lanes = len(chains.key)
            drawn[way] += [chains.link[lane::lanes].tolist() for lane in range(lanes)]
    forward, reverse = align(*texts, options=options, threads=threads, seed=seed, priors=priors)
    chosen, both, kept = everything(texts, options, threads=threads, seed=seed, model=priors)
    assert [links.lines() for links in chosen] == [forward.lines(), reverse.lines()]
    assert kept == counts_of(*texts, *drawn)
    for way, ours in enumerate((forward, reverse)):
        conditions, generated = (source, target) if way == 0 else (target, source)
        before, links, summed = gibbs_twin.run(conditions, generated, options, seed, way, priors)
        assert drawn[way] == [list(itertools.chain(*sampler)) for sampler in before]
        for s, expected in enumerate(links):
            found = {pair[1 - way]: pair[way] for pair in ours.sentence(s)}
            assert [found.get(j, -1) for j in range(len(expected))] == expected
        found = [np.float32(p) for p in both[way].probability]
        pairs = both[way].links
        expected = {
            (s, *((i, j) if way == 0 else (j, i))): min(total / np.float32(options.samplers), 1)
            for s, tokens in enumerate(summed)
            for j, row in enumerate(tokens)
            for i, total in enumerate(row[:-1])
        }
        keys = [(s, *pair) for s in range(len(corpus)) for pair in pairs.sentence(s)]
        assert dict(zip(keys, found, strict=True)) == expected


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
    return [
        Priors.from_links(
            source,
            target,
            links_at(places, target.offsets, is_reverse=False),
            links_at(others, source.offsets, is_reverse=True),
        )
        for places, others in zip(forward, reverse, strict=True)
    ]


def links_at(places, offsets, is_reverse):
    lines = []
    for begin, end in itertools.pairwise(offsets.tolist()):
        pairs = [(i, j) for j, i in enumerate(places[begin:end]) if i >= 0]
        pairs = sorted((j, i) for i, j in pairs) if is_reverse else pairs
        lines.append(" ".join(f"{i}-{j}" for i, j in pairs))
    return Links.from_lines(lines)


def sampled(source, target, options, seed, threads=1, priors=None):
    """Both directions before their last sweep."""
    job = sampling.prepared(source, target, options, seed, priors)
    with Workers(threads) as workers:
        return list(itertools.chain.from_iterable(sampling._sample(job, workers)))


SMALL = [("a b", "w x"), ("a", "w"), ("b c", "x y x")]


def every_assignment(corpus):
    """All possible sets of links of a corpus, token by token; -1 is NULL."""
    places = [range(-1, len(e)) for e, f in corpus for _ in f]
    return itertools.product(*places)


def lexical_probability(corpus, links, options):
    """p(links and generated words) of model 1, up to a factor: the Dirichlet integrals."""
    types = len({f for _, words in corpus for f in words}) + 1
    alpha, links = options.lexical_prior, iter(links)
    counts, totals, p = {}, {}, 1.0
    for e_words, f_words in corpus:
        for f in f_words:
            i = next(links)
            e = None if i < 0 else e_words[i]
            p *= options.null_prior if e is None else 1.0
            p *= (counts.get((e, f), 0) + alpha) / (totals.get(e, 0) + alpha * types)
            counts[e, f] = counts.get((e, f), 0) + 1
            totals[e] = totals.get(e, 0) + 1
    return p


def expected_of_model_1(corpus, options):
    """The probability of each link of the tokens of `SMALL`, NULL last, by all assignments."""
    expected = np.zeros((6, 3))
    for links in every_assignment(corpus):
        expected[range(6), links] += lexical_probability(corpus, links, options)
    return expected / expected.sum(axis=1, keepdims=True)


def check_draws_of_model_1(drawn, corpus, options):
    """Links of independent samplers, shape (6, samplers), against the probabilities."""
    expected, samplers = expected_of_model_1(corpus, options), drawn.shape[1]
    found = np.array([[(row == i).mean() for i in (0, 1, -1)] for row in drawn])
    deviation = np.sqrt(expected * (1 - expected) / samplers)
    assert (np.abs(found - expected) <= 4.5 * deviation + 1e-9).all(), (found, expected)


def test_marginals_of_model_1_are_those_of_all_assignments():
    corpus = [(source.split(), target.split()) for source, target in SMALL]
    options = Options(
        model=1, samplers=300, lexical_prior=0.3, relative_iterations=200 / 5000 * math.sqrt(3)
    )
    # The samplers' draws before the last sweep are independent of one another.
    forward, _ = sampled(*sides(corpus), options, 1)
    drawn = np.concatenate([chains.link.reshape(6, -1) for chains in forward.groups], axis=1)
    check_draws_of_model_1(drawn, corpus, options)


@pytest.mark.parametrize("model", [1, 2, 3])
@pytest.mark.parametrize("way", [0, 1])
def test_distribution_of_a_token_is_its_full_conditional(model, way):
    """The distribution of the first token, from the formula and the counts of all other links, in double
    precision."""
    texts = corpus_of(8)
    options = Options(model=model, samplers=1, relative_iterations=2e-3, null_prior=0.4)
    given, generated = (
        [text.sentence(s) for s in range(8)] for text in (texts[way], texts[1 - way])
    )
    direction = sampled(*texts, options, 5)[way]
    chains = direction.groups[0]
    links = np.split(chains.link.copy(), texts[1 - way].offsets[1:-1])
    _, _, summed = next(sampling._last_sweep(direction))
    links = [sentence.tolist() for sentence in links]
    places = [[i for i in sentence if i >= 0] for sentence in links]
    places[0] = [i for i in links[0][1:] if i >= 0]
    word, *_ = generated[0]
    linked = [
        (e[i] if i >= 0 else None, f)
        for e, fs, sentence in zip(given, generated, links, strict=True)
        for i, f in zip(sentence, fs, strict=True)
    ][1:]
    jumps = [
        right - left
        for e, sentence in zip(given, places, strict=True)
        for left, right in itertools.pairwise([-1, *sentence, len(e)])
    ]

    def lexical(e):
        total = sum(other == e for other, _ in linked)
        return (linked.count((e, word)) + 0.001) / (total + 0.001 * (len(texts[1 - way].types) + 1))

    def jump(d):
        return 0.5 + jumps.count(d) if model >= 2 else 1.0

    def fertility(i):
        if model < 3:
            return 1.0
        first = texts[way].ids[i] * 8 + places[0].count(i)
        return float(chains.variate[first + 1]) / float(chains.variate[first])

    after = places[0][0] if places[0] else len(given[0])
    weights = [
        lexical(e) * jump(i + 1) * jump(after - i) * fertility(i) for i, e in enumerate(given[0])
    ]
    every = 50 + len(jumps) if model >= 2 else 1.0
    weights.append(0.4 * lexical(None) * every * jump(after + 1))
    assert summed[: len(weights)] == pytest.approx(np.array(weights) / sum(weights), rel=1e-5)


@pytest.mark.parametrize("shape", [0.3, 0.5, 1.0, 1.5, 7.5, 200.5])
def test_gamma_variates_have_the_moments_of_their_distribution(shape):
    drawn = np.array(
        [gamma(np.uint64(random_bits(np.uint64(7), np.uint64(k))), shape) for k in range(40_000)]
    )
    # Of 40,000: mean shape, variance shape, skewness 2 / sqrt(shape); at five deviations.
    assert drawn.mean() == pytest.approx(shape, abs=5 * math.sqrt(shape / 40_000))
    fourth = 3 + 6 / shape
    assert drawn.var() == pytest.approx(shape, abs=5 * shape * math.sqrt((fourth - 1) / 40_000))


@given(st.floats(1e-300, 1e300))
def test_logarithm(x):
    assert log(x) == pytest.approx(math.log(x), rel=1e-14, abs=1e-15)


def corpus_of(size, seed=1):
    random = np.random.default_rng(seed)
    words = [[f"{side}{k}" for k in range(50)] for side in "ef"]
    corpus = []
    for _ in range(size):
        picked = random.integers(0, 50, random.integers(1, 25))
        corpus.append(([words[0][k] for k in picked], [words[1][k] for k in picked[::-1]]))
    return sides(corpus)


def test_links_do_not_depend_on_threads():
    texts = corpus_of(60)
    options = Options(samplers=5, relative_iterations=0.05)
    one = align(*texts, options=options, seed=3)
    for threads in (2, 3, 4, 16):
        for ours, other in zip(
            one, align(*texts, options=options, threads=threads, seed=3), strict=True
        ):
            assert (ours.pairs == other.pairs).all()


@pytest.mark.parametrize(("name", "value"), [("NARROW", 0), ("BLOCK", 700)])
def test_links_do_not_depend_on_the_width_of_counts_nor_on_blocks(monkeypatch, name, value):
    texts = corpus_of(40)
    options = Options(relative_iterations=0.05)
    _, whole, _ = everything(texts, options, seed=3)
    monkeypatch.setattr(sampling, name, value)
    _, cut, _ = everything(texts, options, seed=3)
    for ours, other in zip(whole, cut, strict=True):
        assert (ours.links.pairs == other.links.pairs).all()
        assert (ours.probability == other.probability).all()


def test_other_seeds_draw_other_links():
    texts = corpus_of(40)
    options = Options(samplers=1, relative_iterations=0.01)
    drawn = {align(*texts, options=options, seed=seed)[0].pairs.tobytes() for seed in range(5)}
    assert len(drawn) == 5


def test_finds_a_permutation():
    source, target = corpus_of(200)
    forward, reverse = align(source, target, seed=1)
    for links in (forward, reverse):
        # Target token j translates the j-th source token from the end; a word may occur twice.
        right = [
            source.sentence(s)[i][1:] == target.sentence(s)[j][1:]
            for s in range(200)
            for i, j in links.sentence(s)
        ]
        assert np.mean(right) > 0.97


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


@given(st.lists(st.tuples(st.integers(1, 900), st.integers(1, 900)), min_size=1, max_size=20))
def test_only_very_long_pairs_count_as_more_than_one(lengths):
    """As they take as long as many ordinary pairs."""
    source, target = np.array(lengths).T
    cells = sum(a * b for a, b in lengths)
    found = sampling.ordinary_pairs(source, target)
    if cells <= 40_000 * len(lengths):
        assert found == len(lengths)
    else:
        assert found == len(lengths) + (cells - 40_000 * len(lengths)) // 1000


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
    assert asked == [211, 211]
    assert len(forward.pairs) <= 500
