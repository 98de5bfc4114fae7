from collections import Counter
from itertools import chain

import numpy as np
import pytest

import builtin_pair
from seggrid.base.errors import InputError
from seggrid.morphology.knockout import prune_model
from seggrid.morphology.merge_graph import final_shares, merge_trees
from seggrid.morphology.word_segmentation import count_types, cut_each_word, segment_entries, spell
from seggrid.segment.bpe.apply import apply
from seggrid.segment.bpe.model import BPEModel, learn
from seggrid.segment.byte_level import ByteLevelModel

# The lexicon of section A.5, and a word in which i+d deletes a morpheme boundary, too.
IDS = BPEModel(
    [("i", "d"), ("id", "s"), ("▁g", "ids"), ("▁b", "r"), ("▁br", "u"), ("▁bru", "ids"), ("l", "e")]
)


@pytest.fixture
def reference(read):
    return read("bruids\tbruid s\ngids\tgids\nbeleids\tbeleid s\n")


def test_none_changes_nothing(reference):
    assert prune_model(IDS, "none") is IDS
    assert prune_model(IDS, "none", reference) is IDS


def test_blame(reference):
    """id+s deletes a morpheme boundary in 2 of its 3 applications, ▁bru+ids in none."""
    assert prune_model(IDS, "blame-0.5", reference).merges == [
        ("i", "d"),
        ("▁g", "id", "s"),
        ("▁b", "r"),
        ("▁br", "u"),
        ("▁bru", "id", "s"),
        ("l", "e"),
    ]
    assert prune_model(IDS, "blame-0.7", reference) == IDS
    often = {"gids": 30, "bruids": 10, "beleids": 10}
    assert prune_model(IDS, "blame-0.5-tokens", reference, frequencies=often) == IDS


def test_cascade(reference):
    assert prune_model(IDS, "cascade-0.5", reference).merges == [
        ("i", "d"), ("▁b", "r"), ("▁br", "u"), ("l", "e"),
    ]  # fmt: skip


def test_iterate(reference):
    """Section 8.2: the second round prunes ▁bruid+s and keeps ▁gid+s."""
    assert prune_model(IDS, "iterate-0.5x1", reference) == prune_model(IDS, "blame-0.5", reference)
    merges = prune_model(IDS, "iterate-0.5x2", reference).merges
    assert merges == [
        ("i", "d"),
        ("▁g", "id"),
        ("▁gid", "s"),
        ("▁b", "r"),
        ("▁br", "u"),
        ("▁bru", "id"),
        ("l", "e"),
    ]
    assert cut_each_word(BPEModel(merges), ["bruids", "gids"]) == [["▁bruid", "s"], ["▁gids"]]


def test_dropout_at_the_effective_rate(reference):
    """Of 11 boundaries deleted, id+s deleted 3."""
    pruned = prune_model(IDS, "dropout-0.5", reference)
    assert pruned.merges == IDS.merges
    assert pruned.dropout == pytest.approx(3 / 11)


def test_latest_and_random():
    assert prune_model(IDS, "latest-0.3").merges == IDS.merges[:5]
    assert prune_model(IDS, "latest-0.01") == IDS
    assert prune_model(IDS, "latest-1").merges == []
    sizes = {len(prune_model(IDS, "random-0.3", seed=seed).merges) for seed in range(20)}
    assert sizes == {5}
    assert prune_model(IDS, "random-0.3", seed=1) == prune_model(IDS, "random-0.3", seed=1)
    assert prune_model(IDS, "random-0.3-seed4", seed=1) == prune_model(IDS, "random-0.3", seed=4)


def test_as_many_as_are_blamed(reference):
    """id+s is blamed, one merge of eight; the seed of the name is stronger than the cell's."""
    assert len(prune_model(IDS, "blame-0.5", reference).merges) == len(IDS.merges) - 1
    pruned = [prune_model(IDS, "random-blame-0.5", reference, seed=seed) for seed in range(60)]
    assert {len(one.merges) for one in pruned} == {len(IDS.merges) - 1}
    # Any merge can be the one.
    kept = Counter("".join(merge) for one in pruned for merge in one.merges)
    assert len(kept) == len(IDS.merges)
    assert max(kept.values()) < 60
    assert prune_model(IDS, "random-blame-0.5-seed4", reference, seed=1) == pruned[4]
    assert prune_model(IDS, "random-blame-0.5", reference, seed=4) == prune_model(
        IDS, "random-0.125-seed4"
    )


def test_residues_are_the_types_that_are_nearly_only_stages():
    """Of nine tokens with `▁ab`, eight are `▁abc`; `▁abc` is a stage of `▁abcd` in two cases of eight."""
    model = BPEModel([("▁a", "b"), ("▁ab", "c"), ("▁abc", "d"), ("c", "d")])
    counts = {"▁ab": 1, "▁abc": 6, "▁abcd": 2, "cd": 1}
    assert final_shares(model.merges, counts).tolist() == [1 / 9, 6 / 8, 1, 1]
    pruned = prune_model(model, "residues-0.25", counts=counts)
    assert pruned.merges == [("▁a", "b", "c"), ("▁abc", "d"), ("c", "d")]
    assert prune_model(model, "residues-0.5", counts=counts).merges == [
        ("▁a", "b", "c", "d"),
        ("c", "d"),
    ]
    with pytest.raises(InputError, match="3 merges of stages, and the model has 2"):
        prune_model(model, "residues-0.75", counts=counts)


def test_final_shares_count_the_merges_of_a_text():
    """Twin: the nodes of the trees of all words of the built-in text."""
    words = Counter(word for line in builtin_pair.words_of("eng") for word in line)
    model = learn([[word] * n for word, n in words.items()], 300)
    final, inner = Counter(), Counter()
    for trees, n in zip(merge_trees(model, [*words]), words.values(), strict=True):
        stack = [(tree, True) for tree in trees]
        while stack:
            tree, is_token = stack.pop()
            (final if is_token else inner)[tree.text] += n
            stack += [(part, False) for part in tree.parts]
    expected = [final[t] / (final[t] + inner[t]) for t in map("".join, model.merges)]
    assert final_shares(model.merges, count_types(model, words)).tolist() == expected
    assert min(expected) < 0.05


def test_each_rule_of_a_share_prunes_as_many():
    words = Counter(word for line in builtin_pair.words_of("eng") for word in line)
    model = learn([[word] * n for word, n in words.items()], 200)
    counts = count_types(model, words)
    for rule in ("random", "latest", "leaves", "residues"):
        assert len(prune_model(model, f"{rule}-0.1", counts=counts).merges) == 180


def test_trim_splits_what_is_rare():
    model = BPEModel([("▁a", "b"), ("▁ab", "c"), ("▁abc", "d"), ("c", "d")])
    counts = {"▁abcd": 4, "▁abc": 5, "▁ab": 9, "▁a": 1}
    pruned = prune_model(model, "trim-5", counts=counts)
    assert pruned.merges == model.merges
    assert pruned.split == {"▁abcd", "cd"}
    assert prune_model(model, "trim-6", counts=counts).split == {"▁abcd", "▁abc", "cd"}
    tokens = segment_entries(
        pruned.merges, spell(pruned, ["abcd", "abc"]), split=frozenset({"▁abcd", "▁abc"})
    ).words()
    assert tokens == [["▁ab", "c", "d"], ["▁ab", "c"]]


@pytest.mark.parametrize("spaces", [True, False])
def test_pruned_models_segment_sentences_as_they_do_words(read, spaces):
    """The grid's segmenter and the evaluation agree, also with longer merges and types that are split
    again."""
    stems, endings = ["walk", "talk", "want", "land"], ["", "s", "ed", "ing", "er", "ers"]
    words = [stem + ending for stem in stems for ending in endings]
    reference = read("".join(f"{s + e}\t{s} {e}\n" for s in stems for e in endings))
    model = learn([words, words[::-1]] * 3, 40, spaces=spaces)
    types = Counter(apply(model, [words]).sentence(0))
    for knockout in ("blame-0.5", "iterate-0.5x2", "cascade-0.5", "random-0.3", "trim-5"):
        pruned = prune_model(model, knockout, reference, counts=types)
        sentence = apply(pruned, [["talked", "landers"]]).sentence(0)
        assert "".join(sentence) == ("▁talked▁landers" if spaces else "talked▁landers")
        assert not pruned.split & set(sentence)
        if spaces:
            assert sentence == [*chain.from_iterable(cut_each_word(pruned, ["talked", "landers"]))]


@pytest.mark.parametrize(
    ("knockout", "said"),
    [
        *((f"{name}-0.5", "needs a morphological reference") for name in ("blame", "dropout")),
        *(
            (f"{name}-0.5", "needs a morphological reference")
            for name in ("cascade", "random-blame")
        ),
        ("iterate-0.5x2", "needs a morphological reference"),
        ("trim-5", "needs the frequencies of types"),
        ("residues-0.5", "needs the frequencies of types"),
        ("blame-0.5-tokens", r"needs word frequencies .*blame-0\.5"),
        ("blame", "not a knockout"),
    ],
)
def test_what_is_needed(reference, knockout, said):
    with pytest.raises(InputError, match=said):
        prune_model(IDS, knockout, None if "reference" in said else reference)


def test_vocabulary_of_new_types(reference):
    merges = [("i", "d"), ("id", "s"), ("Ġ", "g"), ("Ġg", "ids"), ("r", "u"), ("ru", "ids")]
    types = [*"bdegilrsuĠ", *map("".join, merges)]
    model = ByteLevelModel(merges, {type_: 10 * i for i, type_ in enumerate(types)})
    pruned = prune_model(model, "iterate-0.5x2", reference)
    assert pruned.vocabulary == {
        **{t: i for t, i in model.vocabulary.items() if t not in ("ids", "ruids")},
        "Ġgid": 151,
        "ruid": 152,
    }


def test_an_empty_model():
    empty = BPEModel([])
    assert prune_model(empty, "latest-0.5") == empty
    assert prune_model(empty, "random-0.5") == empty
    assert np.array_equal(segment_entries([], spell(empty, ["ab"])).cuts().positions, [1])
