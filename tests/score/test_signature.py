"""Signatures: two scorings that differ in anything never share one."""

from hypothesis import given
from hypothesis import strategies as st

from seggrid.corpus.gold import gold_from_links
from seggrid.corpus.links import GoldLink, Notation
from seggrid.score.metrics import METRICS
from seggrid.score.signature import signature

position = st.integers(0, 2)
links = st.dictionaries(st.tuples(position, position), st.booleans(), max_size=3)
golds = st.dictionaries(position, links, min_size=1, max_size=2)
scorings = st.tuples(
    golds,
    st.text("a|:%\n2", max_size=4),
    st.sampled_from([0, 1]),
    st.sampled_from(["", "keep", "lower"]),
    st.lists(st.sampled_from(METRICS), min_size=1, unique=True),
)


def signed(scoring):
    gold, *rest = scoring
    rows = {
        sentence: [GoldLink(*pair, sure, 1) for pair, sure in row.items()]
        for sentence, row in gold.items()
    }
    return signature(gold_from_links(rows), *rest)


@given(scorings, scorings)
def test_two_scorings_share_a_signature_only_if_they_are_the_same(one, other):
    assert (signed(one) == signed(other)) == (one == other)
    gold, name, base, case, metrics = one
    for changed in (
        ({**gold, 7: {}}, name, base, case, metrics),
        (gold, f"{name}|", base, case, metrics),
        (gold, name, 1 - base, case, metrics),
        (gold, name, base, f"{case}2", metrics),
        (gold, name, base, case, [*metrics, "p"]),
    ):
        assert signed(changed) != signed(one)


def test_the_base_is_that_of_the_format_unless_it_is_given():
    bases = [Notation("tsinghua").first, Notation("pharaoh").first, Notation("pharaoh", 1).first]
    assert bases == [1, 0, 1]
