import re
from fractions import Fraction
from itertools import pairwise

import pytest

from seggrid.errors import InputError
from seggrid.morphology.evaluate import evaluate
from seggrid.morphology.knockout import prune
from seggrid.morphology.merge_graph import leaf_merges
from seggrid.morphology.references import read_reference
from seggrid.morphology.sweeps import (
    chains,
    figure_table,
    leaf_shares,
    morphemes_per_word,
    pruned_positions,
    selection_sweep,
    threshold_sweep,
    token_changes,
)
from seggrid.segment.bpe.learn import learn
from seggrid.segment.bpe.model import BPEModel

STEMS = ["walk", "talk", "want", "land", "sing", "ring"]
ENDINGS = ["", "s", "ed", "ing", "er", "ers"]
SCORES = ("precision", "recall", "f1")


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    path = tmp_path_factory.mktemp("figures") / "surface.tsv"
    path.write_text("".join(f"{s + e}\t{s} {e}".rstrip() + "\n" for s in STEMS for e in ENDINGS))
    return read_reference(path, "surface")


@pytest.fixture(scope="module")
def model(reference):
    return learn([reference.words] * 3, 45)


def bars(rows):
    return [(row["low"], row["high"], row["count"]) for row in rows]


def test_the_table_holds_all_figures(model, reference, documented):
    table = figure_table(model, reference, "toy", "words", repeats=2)
    documented("knockout.csv", table)
    assert (set(table.tokenizer), set(table.reference)) == ({"toy"}, {"words"})
    assert set(table.figure) == {
        *("threshold", "selection", "position", "change"),
        *("leaves", "morphemes", "stepping_stones"),
    }


def test_thresholds_and_selections_are_those_of_the_evaluation(model, reference):
    rows = threshold_sweep(model, reference, [Fraction(1, 10), Fraction(1, 2), Fraction(1)])
    rows += selection_sweep(model, reference, [Fraction(0), Fraction(1, 5)], repeats=3)
    assert [row["knockout"] for row in rows] == [
        *("blame-0.1", "blame-0.5", "blame-1"),
        *("none", "random-0.2", "none", "latest-0.2", "none", "leaves-0.2"),
    ]
    for row in rows:
        same = evaluate(model, reference, row["knockout"], repeats=3)[0]
        for name in (*SCORES, "pruned"):
            assert row[name] == pytest.approx(same[name], abs=1e-12), (row["knockout"], name)
    assert rows[0]["pruned"] >= rows[1]["pruned"] >= rows[2]["pruned"] > 0


def test_positions_of_pruned_types_cover_the_vocabulary(model, reference):
    rows = pruned_positions(model, reference, bins=4)
    size = evaluate(model, reference)[0]["vocabulary"]
    assert (rows[0]["low"], rows[-1]["high"]) == (0, size)
    assert all(a["high"] == b["low"] for a, b in pairwise(rows))
    left = evaluate(model, reference, "blame-0.5")[0]["vocabulary"]
    assert sum(row["count"] for row in rows) == size - left


def test_the_position_of_a_type_is_that_of_its_merge(read):
    merges = [("▁h", "o"), ("e", "s"), ("▁ho", "r"), ("▁hor", "s"), ("h", "o"), ("ho", "e")]
    reference = read("horseshoe\thorse shoe\nhorse\thorse\n")
    # e+s is pruned, the second merge after an alphabet of six.
    (row,) = (row for row in pruned_positions(BPEModel(merges), reference) if row["count"])
    assert row["low"] <= 7 < row["high"]
    # horseshoe gets one more token.
    assert bars(token_changes(BPEModel(merges), reference)) == [(-0.5, 0.5, 1), (0.5, 1.5, 1)]


def test_changes_of_words_add_up(model, reference):
    rows = token_changes(model, reference)
    row = evaluate(model, reference, "blame-0.5")[0]
    assert sum(r["count"] for r in rows) == len(reference)
    total = sum((r["low"] + 0.5) * r["count"] for r in rows)
    difference = row["tokens_per_word"] - row["tokens_per_word_before"]
    assert total / len(reference) == pytest.approx(difference)


def test_shares_of_more_merges_than_make_leaves_are_left_out_and_refused(model, reference):
    leaves = leaf_merges(model.merges).mean()
    shares = [Fraction(step, 20) for step in range(1, 20)]
    rows = selection_sweep(model, reference, shares, repeats=1)
    expected = [float(share) for share in shares if share <= leaves]
    assert [row["pruned"] for row in rows if row["knockout"].startswith("leaves")] == expected
    with pytest.raises(InputError, match=r"leaves-0.99 asks for .* the model has") as refused:
        prune(model, "leaves-0.99")
    most = re.search(r"at most ([\d.]+)", refused.value.hint)[1]
    kept = prune(model, f"leaves-{most}").merges
    assert len(model.merges) - len(kept) <= leaf_merges(model.merges).sum()


def test_leaf_shares(model):
    rows = leaf_shares(model, [Fraction(1, 5), Fraction(1, 2)])
    assert [row["pruned"] for row in rows] == [0.2, 0.5, 1]
    for row in rows:
        count = round(row["pruned"] * len(model.merges) + 1e-9)
        latest = model.merges[len(model.merges) - count :]
        used = {part for merge in model.merges for part in merge}
        assert row["leaves"] == sum("".join(m) not in used for m in latest) / count


def test_morphemes_per_word(reference):
    size = len(STEMS)
    assert bars(morphemes_per_word(reference)) == [(0.5, 1.5, size), (1.5, 2.5, 5 * size)]


def test_chains_count_the_types_of_words_alone(read):
    """bibliotheken of the paper's Figure 9, in small: three types serve no other."""
    merges = [("▁b", "ib"), ("i", "b"), ("l", "i"), ("▁bib", "li"), ("▁bibli", "o"), ("t", "h")]
    merges += [("▁biblio", "th"), ("▁biblioth", "e"), ("▁bibliothe", "k")]
    merges = [merges[1], merges[0], *merges[2:]]
    rows = chains(BPEModel(merges), read("bibliotheken\tbiblio theken\nbibber\tbibber\n"))
    # ▁bib is a token of bibber; on the way to ▁bibliothek lie li, ▁bibli, ▁biblio, th, ▁biblioth
    # and ▁bibliothe, on the way to ▁bib lies ib.
    assert bars(rows) == [(0.5, 1.5, 1), (5.5, 6.5, 1)]
