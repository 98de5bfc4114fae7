"""Learning further merges from a pruned model."""

import pytest

from seggrid.errors import InputError
from seggrid.morphology.evaluate import evaluate
from seggrid.morphology.knockout import learn_on, prune
from seggrid.morphology.word_segmentation import ByteLevelModel
from seggrid.segment.bpe.learn import learn
from seggrid.segment.bpe.model import BPEModel

WORDS = {"lower": 5, "lowest": 3, "newer": 6, "wider": 3, "aaaa": 2}


def test_from_characters_it_is_bpe():
    sentences = [[word] * n for word, n in WORDS.items()]
    expected = learn(sentences, 12).merges
    units = [["▁" + word[0], *word[1:]] for word in WORDS]
    assert learn_on(units, list(WORDS.values()), 12) == expected


def test_banned_products_are_not_made():
    units = [["e", "r"], ["l", "e", "r"]]
    assert learn_on(units, [5, 2], 5)[0] == ("e", "r")
    assert learn_on(units, [5, 2], 5, {"er", "ler"}) == [("l", "e")]
    assert learn_on(units, [1, 1], 5, {"er"}) == []
    assert learn_on(units, [5, 2], 0) == []
    assert learn_on([], [], 3) == []


@pytest.fixture
def reference(read):
    return read("horses\thorse s\nshoes\tshoe s\nhorseshoes\thorse shoe s\n")


def test_the_variant(reference):
    merges = [("e", "s"), ("h", "o"), ("r", "s")]
    types = [*sorted({"Ġ", *"horse"}), *map("".join, merges)]
    model = ByteLevelModel(merges, {type_: i for i, type_ in enumerate(types)})
    with pytest.raises(InputError, match="relearn needs word frequencies"):
        prune(model, "relearn-0.5", reference)
    frequencies = {"horses": 9, "shoes": 4, "horseshoes": 1}
    pruned = prune(model, "relearn-0.5", reference, frequencies=frequencies)
    assert pruned.merges[:2] == [("h", "o"), ("r", "s")]
    assert len(pruned.merges) == 3
    assert "es" not in pruned.vocabulary
    new = "".join(pruned.merges[2])
    assert pruned.vocabulary[new] == len(types)
    (row,) = (
        row
        for row in evaluate(model, reference, "relearn-0.5", frequencies=frequencies)
        if row["unit"] == "types"
    )
    assert row["vocabulary"] == len(types)


def test_of_a_learned_model(reference):
    model = BPEModel([("e", "s"), ("▁h", "o")])
    pruned = prune(model, "relearn-0.5", reference, frequencies={"horses": 9, "shoes": 4})
    assert pruned.merges[0] == ("▁h", "o")
    assert len(pruned.merges) == 2
