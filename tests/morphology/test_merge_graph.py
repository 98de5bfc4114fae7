import knockout_oracle as oracle
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import builtin_pair
from seggrid.base.errors import InputError
from seggrid.grid.report.trees import draw_around
from seggrid.morphology.knockout import prune_model
from seggrid.morphology.merge_graph import (
    cascade,
    knock_out,
    merge_trees,
    neighbors,
    reify,
)
from seggrid.segment.bpe.model import BPEModel, learn


@st.composite
def merge_lists(draw, alphabet="abc", max_size=12):
    """Merges as learned: the parts exist before, and no result occurs twice."""
    types = list(alphabet)
    merges = []
    numbers = st.integers(0, len(alphabet) + max_size - 1)
    for left, right in draw(st.lists(st.tuples(numbers, numbers), max_size=max_size)):
        parts = (types[left % len(types)], types[right % len(types)])
        if "".join(parts) not in types:
            merges.append(parts)
            types.append("".join(parts))
    return merges


@st.composite
def prunings(draw):
    merges = draw(merge_lists())
    flags = draw(st.integers(0, 2 ** len(merges) - 1))
    return merges, np.array([flags >> i & 1 for i in range(len(merges))], dtype=np.bool_)


def test_the_example_of_the_paper():
    """Figure 1: after pruning of ids, Ġbru+id+s makes Ġbruids."""
    merges = [("i", "d"), ("id", "s"), ("Ġbru", "ids"), ("Ġg", "ids"), ("Ġbruids", "ids")]
    removed = np.array([False, True, False, False, False])
    assert knock_out(merges, removed) == [
        ("i", "d"),
        ("Ġbru", "id", "s"),
        ("Ġg", "id", "s"),
        ("Ġbruids", "id", "s"),
    ]


@given(prunings(), st.randoms(use_true_random=False))
def test_any_order_gives_the_same_merges(pruning, random):
    merges, removed = pruning
    order = np.flatnonzero(removed).tolist()
    random.shuffle(order)
    assert knock_out(merges, removed) == oracle.knock_out(merges, order)


@given(prunings())
def test_cascade_deletes_what_cannot_be_made(pruning):
    merges, removed = pruning
    left = [merge for merge, gone in zip(merges, removed, strict=True) if not gone]
    while True:
        there = set("abc") | set(map("".join, left))
        fewer = [merge for merge in left if there.issuperset(merge)]
        if fewer == left:
            break
        left = fewer
    assert cascade(merges, removed) == left


def test_reify_as_the_paper_proposes():
    """Section 8.2: Ġbru+id is inserted, so that Ġbru+id+s is binary again; i+ds would be banned."""
    merges = [("i", "d"), ("Ġbru", "id", "s"), ("Ġg", "id", "s")]
    assert reify(merges, banned={"ids"}) == [
        ("i", "d"),
        ("Ġbru", "id"),
        ("Ġbruid", "s"),
        ("Ġg", "id"),
        ("Ġgid", "s"),
    ]


def test_reify_uses_an_earlier_merge_and_no_later_one():
    earlier = [("c", "d"), ("a", "b", "c", "d")]
    assert reify(earlier, banned={"ab", "bc", "bcd"}) == [("c", "d"), ("a", "b", "cd")]
    later = [("a", "b", "c"), ("b", "c")]
    assert reify(later, banned={"ab"}) == later
    made_otherwise = [("x", "yz"), ("x", "y", "z", "w")]
    assert reify(made_otherwise, banned={"xy", "zw"}) == [("x", "yz"), ("y", "z"), ("xyz", "w")]


@given(prunings())
def test_reify_leaves_products_and_their_order(pruning):
    merges, removed = pruning
    pruned = knock_out(merges, removed)
    banned = {"".join(m) for m, gone in zip(merges, removed, strict=True) if gone}
    result = reify(pruned, banned)
    old = ["".join(merge) for merge in pruned]
    products = ["".join(merge) for merge in result]
    assert [product for product in products if product in old] == old
    assert len(set(products)) == len(products)
    assert banned.isdisjoint(products)


# Trees of merges: each node is a merge of the model, and the symbols spell the word


MERGES = [("i", "d"), ("id", "s"), ("▁b", "r"), ("▁br", "u"), ("▁bru", "ids"), ("t", "e")]


def nodes(tree):
    yield tree
    for part in tree.parts:
        yield from nodes(part)


def test_the_tree_of_a_word():
    (trees,) = merge_trees(BPEModel(MERGES), ["bruidste"])
    assert [tree.text for tree in trees] == ["▁bruids", "te"]
    assert " ".join(map(str, trees)) == "(((▁b r) u) ((i d) s)) (t e)"
    assert [tree.height for tree in trees] == [3, 1]


def test_knockout_gives_a_node_of_three_parts(read):
    """BPE-knockout, Figure 1: without ids, ▁bruids is made of ▁bru, id and s."""
    pruned = prune_model(BPEModel(MERGES), "blame-0.5", read("bruids\tbruid s\n"))
    (trees,) = merge_trees(pruned, ["bruids"])
    assert " ".join(map(str, trees)) == "(((▁b r) u) (i d) s)"


def test_every_node_is_a_merge_and_the_leaves_spell_the_word():
    sentences = builtin_pair.words_of("deu")
    model = learn(sentences[:200], 300)
    words = sorted({word for sentence in sentences[:200] for word in sentence})
    for word, trees in zip(words, merge_trees(model, words), strict=True):
        assert "".join(leaf.text for tree in trees for leaf in tree.leaves) == "▁" + word
        for tree in trees:
            for node in nodes(tree):
                assert "".join(part.text for part in node.parts) in ("", node.text)
                assert not node.parts or tuple(p.text for p in node.parts) in model.merges
                assert (node.height == 0) == (not node.parts)


def test_the_neighbors_of_a_type():
    found = neighbors(BPEModel(MERGES), "ids")
    assert found.made_by == [(2, ("id", "s"))]
    assert found.used_by == [(5, ("▁bru", "ids"))]
    assert found.spelled_in == []
    with pytest.raises(InputError, match="no merge gives or uses 'idx'"):
        neighbors(BPEModel(MERGES), "idx")


@pytest.mark.parametrize("pruned", [False, True])
def test_the_graph_around_a_type(pruned):
    gone = np.array([pruned and "".join(merge) == "ids" for merge in MERGES])
    figure = draw_around("ids", neighbors(BPEModel(knock_out(MERGES, gone)), "ids"))
    texts = [text.get_text() for text in figure.axes[0].texts]
    nodes = sorted(filter(None, texts))
    if pruned:
        assert nodes == sorted(["id", "s", "4: ▁bru + id + s", "▁bruids"])
        assert texts.count("") == 3
    else:
        assert nodes == sorted(["id", "s", "2: id + s", "ids", "5: ▁bru + ids", "▁bruids"])
        assert texts.count("") == 5


def test_a_type_of_many_merges_says_how_many_are_left_out():
    merges = [("a", "b"), *((first, "ab") for first in map(chr, range(0x4E00, 0x4E00 + 50)))]
    figure = draw_around("ab", neighbors(BPEModel(merges), "ab"))
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert "and 10 more merges that use it" in texts
    assert len([text for text in texts if text.endswith("+ ab")]) == 40


@pytest.mark.parametrize(("height", "shown"), [(100, True), (101, False), (5000, False)])
def test_a_chain_of_merges_that_is_too_deep_is_refused(height, shown):
    model = BPEModel([("▁" + "a" * n, "a") for n in range(1, height + 1)])
    if shown:
        ((tree,),) = merge_trees(model, ["a" * (height + 1)])
        assert tree.height == height
        assert str(tree).startswith("(" * height + "▁a a)")
    else:
        with pytest.raises(InputError, match="100 merges make one after another"):
            merge_trees(model, ["a" * (height + 1)])
