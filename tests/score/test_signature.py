"""Signatures: two scorings that differ in anything never share one."""

import runpy

import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from seggrid.grid.axes import path
from seggrid.score.metrics import METRICS
from seggrid.score.signature import signature
from seggrid.text.gold import gold_from_links, write_gold
from seggrid.text.link_notation import GoldLink, Notation

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


def test_the_case_is_that_of_both_sides(root, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    gold = tmp_path / path("gold", pair="p")
    gold.parent.mkdir(parents=True)
    write_gold(gold, gold_from_links({0: [GoldLink(0, 0, True, 1)]}))
    lower, keep = "words+case=lower", "words+case=keep"
    sides = [(lower, keep), (keep, keep), (keep, lower)]
    rows = [{"pair": "p", "source": a, "target": b, "status": "ok"} for a, b in sides]
    # The column of the axis has the case of one side only.
    scores = pd.DataFrame(rows).assign(case="keep")
    collate = runpy.run_path(str(root / "workflow/scripts/collate.py"))
    found = collate["with_signatures"](scores, {"p": ("g", 0)})["signature"]
    cases = [text.split("|case:")[1].split("|")[0] for text in found]
    assert cases == ["lower+keep", "keep", "keep+lower"]
