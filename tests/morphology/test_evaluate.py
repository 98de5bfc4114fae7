import numpy as np
import pytest

from seggrid.errors import InputError
from seggrid.morphology.cuts import Cuts
from seggrid.morphology.evaluate import compare, evaluate
from seggrid.morphology.references import read_reference
from seggrid.morphology.word_segmentation import segment, spell
from seggrid.segment.bpe.learn import learn
from seggrid.segment.bpe.model import BPEModel
from seggrid.segment.bytelevel import ByteLevelModel

MODEL = BPEModel([("▁h", "o"), ("e", "s"), ("▁ho", "r"), ("▁hor", "s"), ("h", "o"), ("ho", "e")])


def test_a_worked_example(read):
    """The example of section 4.1: in horseshoe, e+s deletes the boundary after the fifth letter.

    horseshoe is cut after 4 and 6 letters, horse after 4.
    """
    reference = read("horseshoe\thorse shoe\nhorse\thorse\n")
    tokens = segment(MODEL.merges, spell(MODEL, reference.words)).words()
    assert tokens == [["▁hors", "es", "hoe"], ["▁hors", "e"]]
    (row,) = evaluate(MODEL, reference)
    assert (row["true_positives"], row["predicted"], row["positives"]) == (0, 3, 1)
    assert row["tests"] == 8 + 4
    assert (row["precision"], row["recall"], row["f1"]) == (0, 0, 0)
    assert row["tokens_per_word"] == row["tokens_per_word_before"] == 2.5
    # e+s deletes the only morpheme boundary, so it is pruned: ▁hors, e, s, hoe.
    (row,) = evaluate(MODEL, reference, "blame-0.5")
    assert (row["true_positives"], row["predicted"], row["positives"]) == (1, 4, 1)
    assert (row["precision"], row["recall"], row["f1"]) == (1 / 4, 1, 2 / 5)
    assert row["tokens_per_word"] == 3
    # The alphabet of the merges is ▁h o r s e h.
    assert row["vocabulary"] == 6 + 5
    assert row["pruned"] == 1 / 6
    assert row["effective_dropout"] == 1 / 9


def test_tokens_weigh_each_word(read):
    reference = read("horseshoe\thorse shoe\nhorse\thorse\n")
    types, tokens = evaluate(MODEL, reference, frequencies={"horse": 10})
    assert (types["unit"], tokens["unit"]) == ("types", "tokens")
    assert (tokens["true_positives"], tokens["predicted"], tokens["positives"]) == (0, 12, 1)
    assert tokens["tests"] == 8 + 40
    assert tokens["tokens_per_word"] == 23 / 11


def test_dropout_and_random_are_means(read):
    reference = read("horseshoe\thorse shoe\nhorse\thorse\n")
    (row,) = evaluate(MODEL, reference, dropout=0.5, repeats=4, seed=3)
    single = [evaluate(MODEL, reference, dropout=0.5, repeats=1, seed=3 + k)[0] for k in range(4)]
    assert (row["runs"], row["dropout_kind"]) == (4, "queue")
    for measure in ("precision", "recall", "f1", "tokens_per_word"):
        assert row[measure] == pytest.approx(np.mean([run[measure] for run in single]))
    assert row["positives"] == 1
    (row,) = evaluate(MODEL, reference, "random-0.5", repeats=3)
    assert (row["runs"], row["pruned"], row["dropout_kind"]) == (3, 0.5, "")
    (row,) = evaluate(MODEL, reference, "random-0.5-seed1", repeats=3)
    assert row["runs"] == 1
    (row,) = evaluate(MODEL, reference, "dropout-0.5", repeats=3)
    assert row["runs"] == 3
    assert row["dropout"] == row["effective_dropout"] == pytest.approx(1 / 9)


def test_a_measure_without_cases_is_0(read):
    reference = read("ab\tab\n")
    nothing = compare(Cuts.from_pieces([["ab"]]), reference.morphemes, reference, np.array([1]))
    assert (nothing["precision"], nothing["recall"], nothing["f1"]) == (0, 0, 0)


def test_mistakes(read):
    reference = read("ab\ta b\n")
    with pytest.raises(InputError, match="not an evaluation"):
        evaluate(MODEL, reference, evaluation="holdout")
    with pytest.raises(InputError, match=r"holdout-0\.5 leaves no entry"):
        evaluate(MODEL, reference, evaluation="holdout-0.5")


def test_an_unknown_byte_is_refused_by_its_line(read):
    model = ByteLevelModel([("a", "b")], {"Ġ": 0, "a": 1, "b": 2, "ab": 3})
    with pytest.raises(InputError, match=r"reference\.tsv:3: the tokenizer has no byte 0x63"):
        evaluate(model, read("ab\ta b\n\nabc\tab c\n"), "blame-0.5")


def test_a_token_that_begins_within_a_letter_makes_no_cut():
    """é is Ã© in byte symbols and is split."""
    model = ByteLevelModel([("Ġ", "a"), ("©", "t")])
    cuts = segment(model.merges, spell(model, ["aét", "éa"])).cuts()
    assert (cuts.word(0), cuts.word(1)) == ([1], [1])


# The built-in pair, whose morphemes are known exactly, on held-out words


@pytest.mark.parametrize("language", ["eng", "deu"])
def test_knockout_finds_more_morphemes_and_random_knockout_does_not(root, language):
    folder = root / "resources" / "builtin"
    sentences = [line.split() for line in (folder / f"{language}.txt").read_text().splitlines()]
    reference = read_reference(folder / f"{language}.morphemes.tsv", "surface")
    model = learn(sentences, 1000)
    base, blamed, random = (
        evaluate(model, reference, knockout, "holdout-0.5", repeats=10)[0]
        for knockout in ("none", "blame-0.5", "random-0.1")
    )
    for measure in ("precision", "recall", "f1"):
        assert blamed[measure] > base[measure]
        assert blamed[measure] > random[measure]
    assert random["precision"] < base["precision"]
    assert random["f1"] < base["f1"]
