from fractions import Fraction
from itertools import pairwise

import knockout_oracle as oracle
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_celex import trees

from seggrid.base.errors import InputError
from seggrid.morphology.cuts import Cuts
from seggrid.morphology.evaluate import compare, evaluate, evaluate_ideal
from seggrid.morphology.references import read_reference
from seggrid.morphology.word_segmentation import segment_entries, spell
from seggrid.segment.bpe.model import BPEModel
from seggrid.segment.byte_level import ByteLevelModel

MODEL = BPEModel([("▁h", "o"), ("e", "s"), ("▁ho", "r"), ("▁hor", "s"), ("h", "o"), ("ho", "e")])


def test_a_worked_example(read):
    """The example of section 4.1: in horseshoe, e+s deletes the boundary after the fifth letter.

    horseshoe is cut after 4 and 6 letters, horse after 4.
    """
    reference = read("horseshoe\thorse shoe\nhorse\thorse\n")
    tokens = segment_entries(MODEL.merges, spell(MODEL, reference.words)).words()
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


# Any entries of CELEX and any merges, compared with the slow twin


def expected(entries, merges):
    """True positives, predicted and positives, for morphemes and for whole words."""
    sums = np.zeros((2, 3), dtype=int)
    for word, analysis in entries:
        predicted = oracle.predicted_cuts(word, oracle.tokenize(word, merges)[0])
        for row, pieces in enumerate(oracle.celex_pieces(word, analysis)):
            gold = oracle.cuts(pieces)
            sums[row] += len(set(gold) & set(predicted)), len(predicted), len(gold)
    return sums.tolist()


compounds = st.lists(trees, min_size=2, max_size=4).map(lambda parts: f"({','.join(parts)})[N]")


def entry_of(analysis, end):
    """An entry of CELEX: the morphemes in a row, some of whose letters have accents."""
    return "".join(oracle.leaves(oracle.parse(analysis))).replace("d", "é") + end, analysis


def merges_within(words, numbers):
    """Merges that are applied in words, one after the other."""
    merges = []
    for number in numbers:
        cut = [oracle.tokenize(word, merges)[0] for word in words]
        pairs = sorted({pair for tokens in cut for pair in pairwise(tokens)})
        new = [pair for pair in pairs if "".join(pair) not in map("".join, merges)]
        merges += [new[number % len(new)]] if new else []
    return merges


@given(
    st.lists(st.builds(entry_of, compounds, st.sampled_from(["", "s"])), min_size=2, max_size=6),
    st.lists(st.integers(0, 99), min_size=8, max_size=16),
)
def test_base_knockout_and_holdout_of_any_entries(tmp_path_factory, entries, numbers):
    merges = merges_within([word for word, _ in entries], numbers)
    path = tmp_path_factory.mktemp("celex") / "celex.txt"
    path.write_text("".join(f"{word}\t{analysis}\n" for word, analysis in entries), "utf-8")
    model, reference = ByteLevelModel(merges), read_reference(path, "celex")
    assert reference.words == [word for word, _ in entries]
    pieces = [oracle.celex_pieces(word, analysis)[0] for word, analysis in entries]

    def counts(rows):
        return [[row["true_positives"], row["predicted"], row["positives"]] for row in rows]

    assert counts(evaluate(model, reference)) == expected(entries, merges)
    learned = np.random.default_rng(0).random(len(entries)) < 0.5
    for evaluation, chosen in (("full", learned | True), ("holdout-0.5", learned)):
        gold = [(entries[e][0], oracle.cuts(pieces[e])) for e in np.flatnonzero(chosen)]
        applied, blamed = oracle.blame(gold, merges)
        gone = oracle.chosen(applied, blamed, Fraction(1, 2))
        pruned = oracle.knock_out(merges, gone)
        test = [entry for entry, own in zip(entries, chosen, strict=True) if not own] or entries
        rows = evaluate(model, reference, "blame-0.5", evaluation)
        assert counts(rows) == expected(test, pruned)
        assert rows[0]["tests"] == sum(len(word) - 1 for word, _ in test)
        share = sum(applied[m] for m in gone) / max(sum(applied), 1)
        assert rows[0]["effective_dropout"] == share
    (ideal, *_) = evaluate_ideal(reference)
    assert ideal["vocabulary"] == len({piece for word in pieces for piece in word})
    assert ideal["true_positives"] == ideal["predicted"] == sum(len(word) - 1 for word in pieces)
