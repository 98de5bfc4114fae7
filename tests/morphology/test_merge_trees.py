"""Trees of merges: each node is a merge of the model, and the symbols spell the word."""

import pytest

from seggrid.corpus.text import read_text
from seggrid.errors import InputError
from seggrid.morphology.knockout import prune
from seggrid.morphology.merge_graph import merge_trees, neighbors
from seggrid.segment.bpe.learn import learn
from seggrid.segment.bpe.model import BPEModel

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
    pruned = prune(BPEModel(MERGES), "blame-0.5", read("bruids\tbruid s\n"))
    (trees,) = merge_trees(pruned, ["bruids"])
    assert " ".join(map(str, trees)) == "(((▁b r) u) (i d) s)"


def test_every_node_is_a_merge_and_the_leaves_spell_the_word(root):
    sentences, _ = read_text(root / "resources/builtin/deu.txt", "lines")
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
    with pytest.raises(InputError, match="no merge gives or uses 'idx'"):
        neighbors(BPEModel(MERGES), "idx")
