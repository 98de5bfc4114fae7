"""Combining samples: the thesis's worked example, and exactness at the threshold."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seggrid.score.votes import EXPECTED, HITS, LINKS, LinkVotes, Means, consensus, evidence
from seggrid.text.links import Links, Posteriors
from seggrid.text.ragged import each_block


def aggregate(samples, name):
    return LinkVotes.from_samples(samples).keep(name)


# Thesis, section 4.3.
FILES = ["0-0 0-1 1-1 1-2 2-3", "0-0 0-1 1-2", "0-0 1-1 1-3"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("union", "0-0 0-1 1-1 1-2 1-3 2-3"),
        ("intersection", "0-0"),
        ("0.5", "0-0 0-1 1-1 1-2"),
    ],
)
def test_the_thesis_example(name, expected):
    samples = [Links.from_lines([line]) for line in FILES]
    assert aggregate(samples, name).lines() == [expected]


def test_a_link_must_be_in_more_than_the_threshold():
    samples = [Links.from_lines(["0-0" if k < 7 else ""]) for k in range(10)]
    assert aggregate(samples, "0.7").lines() == [""]
    assert aggregate(samples, "0.69").lines() == ["0-0"]
    # In binary, 0.1 * 3 is a little more than 0.3; the comparison is exact nevertheless.
    thirds = [Links.from_lines(["0-0" if k < 3 else ""]) for k in range(30)]
    assert aggregate(thirds, "0.1").lines() == [""]


link_sets = st.lists(
    st.sets(st.tuples(st.integers(0, 3), st.integers(0, 3))), min_size=3, max_size=3
)


@given(st.lists(link_sets, min_size=1, max_size=6))
def test_agrees_with_sets(samples):
    links = [Links.from_sets(sentences) for sentences in samples]
    n = len(samples)
    for s in range(3):
        union = set().union(*(sample[s] for sample in samples))
        common = set.intersection(*(sample[s] for sample in samples))
        half = {x for x in union if 2 * sum(x in sample[s] for sample in samples) > n}
        for name, expected in (("union", union), ("intersection", common), ("0.5", half)):
            assert set(aggregate(links, name).sentence(s)) == expected
        # As in the thesis's tables: with 10 samples or fewer, 0.9 is the intersection.
        assert set(aggregate(links, "0.9").sentence(s)) == common


def test_one_sample_needs_no_aggregate():
    links = Links.from_lines(["0-0", "1-1"])
    assert aggregate([links], "none") is links
    with pytest.raises(ValueError, match="2 samples"):
        aggregate([links, links], "none")


def probable(line, *probability):
    return Posteriors(Links.from_lines([line, ""]), np.array(probability, dtype=np.float32))


def test_a_probability_of_32_bits_is_compared_as_it_is():
    """The nearest such number to 0.4 is larger, that to 0.7 smaller."""
    means = Means.from_samples([probable("0-0 0-1", 0.4, 0.7)])
    assert means.keep("posterior-0.4").lines()[0] == "0-0 0-1"
    assert means.keep("posterior-0.7").lines()[0] == ""


@given(
    st.lists(
        st.dictionaries(
            st.tuples(st.integers(0, 3), st.integers(0, 3)), st.floats(0, 1, width=16)
        ).filter(bool),
        min_size=1,
        max_size=5,
    )
)
def test_means_agree_with_dictionaries(samples):
    known = [
        Posteriors(
            Links.from_sets([sample]),
            np.array([sample[link] for link in sorted(sample)], dtype=np.float32),
        )
        for sample in samples
    ]
    links = {link for sample in samples for link in sample}
    for threshold in ("0", "1/8", "0.5", "1"):
        least = Fraction(threshold) * len(samples)
        expected = {link for link in links if sum(one.get(link, 0) for one in samples) > least}
        found = Means.from_samples(known).keep(f"posterior-{threshold}")
        assert set(found.sentence(0)) == expected


# The consensus of a cell with others, without gold: by hand, and compared with the F1 that it predicts


def means(*sentences):
    """Probabilities of links, one dict per sentence."""
    links = Links.from_sets(sentences)
    values = [row[pair] for row in sentences for pair in sorted(row)]
    return Means(links, np.array(values, dtype=float))


def test_evidence_by_hand():
    a = means({(0, 0): 0.9, (1, 1): 0.3}, {})
    b = means({(0, 0): 0.8}, {(2, 2): 0.5})
    c = means({(0, 0): 1.0, (0, 1): 0.4}, {(2, 2): 0.1})
    found = evidence([a, b, c], ["posterior-0.5", "posterior-0.2"])
    assert found.shape == (3, 2, 2, 3)
    # For a at 0.5: one link, to which the others give 0.9; they expect 0.9 + 0.2 links in this sentence, 0.3
    # in the next.
    assert found[0, 0, 0] == pytest.approx([0.9, 1, 1.1])
    assert found[0, 0, 1] == pytest.approx([0, 0, 0.3])
    assert found[0, 1, 0] == pytest.approx([0.9, 2, 1.1])
    assert (found[..., HITS] <= found[..., LINKS] + 1e-12).all()
    assert (found[..., HITS] <= found[..., EXPECTED] + 1e-12).all()
    assert consensus(found.sum(axis=2))[0, 0] == pytest.approx(1.8 / (1 + 1.4))


def test_cells_that_agree_are_borne_out_and_one_that_is_merely_sure_is_not():
    right = {(k, k): 0.7 for k in range(4)}
    wrong = {(k, 3 - k): 1.0 for k in range(4)}
    values = consensus(
        evidence([means(right), means(right), means(wrong)], ["posterior-0.5"]).sum(axis=2)
    )
    assert values[0, 0] == values[1, 0] > values[2, 0] == 0


def test_nothing_at_all_is_zero():
    assert consensus([0, 0, 0]) == 0


# Links of a word compete


@given(
    st.lists(
        st.lists(st.lists(st.floats(0.001, 1), min_size=3, max_size=3), max_size=4), max_size=5
    )
)
def test_mutual_probabilities_are_those_of_a_table(sentences):
    """By brute force: each sentence is a table of source words by three target words."""
    rows = [
        {(i, j): p for i, row in enumerate(own) for j, p in enumerate(row)} for own in sentences
    ]
    found = means(*rows).mutual()
    expected = [
        p * p / max(own[i]) * p / max(row[j] for row in own)
        for own in sentences
        for i, line in enumerate(own)
        for j, p in enumerate(line)
    ]
    assert found.probability.dtype == np.float64
    assert found.probability.tolist() == pytest.approx(expected)


def test_of_links_that_compete_those_of_another_sentence_do_not_count():
    """The second sentence has the same words by number, and a link without a rival keeps its probability."""
    both = means({(0, 0): 0.4, (1, 0): 0.8}, {(0, 0): 0.4}, {}, {(5, 2): 0.3, (5, 7): 0.3})
    assert both.mutual().probability.tolist() == pytest.approx([0.2, 0.8, 0.4, 0.3, 0.3])
    assert both.keep("mutual-0.25").lines() == ["1-0", "0-0", "", "5-2 5-7"]
    assert both.keep("posterior-0.25").lines() == ["0-0 1-0", "0-0", "", "5-2 5-7"]
    # Exactly the threshold is not above it.
    assert both.keep("mutual-0.4").lines() == ["1-0", "", "", ""]


def test_links_of_probability_zero_may_compete():
    both = means({(0, 0): 0.0, (0, 1): 0.0, (1, 1): 0.5})
    assert both.mutual().probability.tolist() == [0.0, 0.0, 0.5]
    assert both.keep("mutual-0").lines() == ["1-1"]


def test_links_compete_in_any_number_of_blocks(monkeypatch):
    rng = np.random.default_rng(5)
    rows = [
        {(int(i), int(j)): float(rng.random()) for i, j in rng.integers(0, 6, (8, 2))}
        for _ in range(40)
    ]
    whole = means(*rows).mutual().probability
    monkeypatch.setitem(Means.mutual.__globals__, "each_block", lambda all: each_block(all, 7))
    assert means(*rows).mutual().probability.tolist() == whole.tolist()
