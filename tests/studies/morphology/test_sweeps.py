"""The data of the figures, from one table."""

import re
from itertools import pairwise

import pytest

from seggrid.base.errors import InputError
from seggrid.morphology.evaluate import evaluate
from seggrid.morphology.knockout import prune_model
from seggrid.morphology.merge_graph import leaf_merges
from seggrid.morphology.references import read_reference
from seggrid.segment.bpe.model import BPEModel, learn
from seggrid.studies.morphology.sweeps import SHARES, figure_table

STEMS = ["walk", "talk", "want", "land", "sing", "ring"]
ENDINGS = ["", "s", "ed", "ing", "er", "ers"]


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    path = tmp_path_factory.mktemp("figures") / "surface.tsv"
    path.write_text("".join(f"{s + e}\t{s} {e}".rstrip() + "\n" for s in STEMS for e in ENDINGS))
    return read_reference(path, "surface")


@pytest.fixture(scope="module")
def model(reference):
    return learn([reference.words] * 3, 45)


@pytest.fixture(scope="module")
def table(model, reference):
    return figure_table(model, reference, "toy", "words", repeats=3)


def rows_of(table, figure):
    return table[table["figure"] == figure].to_dict("records")


def bars(table, figure):
    return [(row["low"], row["high"], row["count"]) for row in rows_of(table, figure)]


def test_the_table_holds_all_figures(table, documented):
    documented("knockout.csv", table)
    assert (set(table.tokenizer), set(table.reference)) == ({"toy"}, {"words"})
    assert set(table.figure) == {
        *("threshold", "selection", "position", "change"),
        *("leaves", "morphemes", "stepping_stones"),
    }


def test_thresholds_and_selections_are_those_of_the_evaluation(table, model, reference):
    thresholds, selections = (rows_of(table, name) for name in ("threshold", "selection"))
    for row in (*thresholds[::7], *selections[::4]):
        same = evaluate(model, reference, row["knockout"], repeats=3)[0]
        for name in ("precision", "recall", "f1"):
            assert row[name] == pytest.approx(same[name], abs=1e-12), (row["knockout"], name)
        assert row["pruned"] == pytest.approx(same["pruned"], abs=0.5 / len(model.merges) + 1e-9)
    pruned = [row["pruned"] for row in thresholds]
    assert pruned == sorted(pruned, reverse=True)


def test_positions_of_pruned_types_cover_the_vocabulary(table, model, reference):
    rows = rows_of(table, "position")
    size = evaluate(model, reference)[0]["vocabulary"]
    assert (rows[0]["low"], rows[-1]["high"]) == (0, size)
    assert all(a["high"] == b["low"] for a, b in pairwise(rows))
    left = evaluate(model, reference, "blame-0.5")[0]["vocabulary"]
    assert sum(row["count"] for row in rows) == size - left


def test_the_position_of_a_type_is_that_of_its_merge(read):
    merges = [("▁h", "o"), ("e", "s"), ("▁ho", "r"), ("▁hor", "s"), ("h", "o"), ("ho", "e")]
    reference = read("horseshoe\thorse shoe\nhorse\thorse\n")
    table = figure_table(BPEModel(merges), reference, "toy", "words", repeats=1)
    # e+s is pruned, the second merge after an alphabet of six.
    (row,) = (row for row in rows_of(table, "position") if row["count"])
    assert row["low"] <= 7 < row["high"]
    # horseshoe gets one more token.
    assert bars(table, "change") == [(-0.5, 0.5, 1), (0.5, 1.5, 1)]


def test_shares_of_more_merges_than_make_leaves_are_left_out_and_refused(table, model):
    leaves = leaf_merges(model.merges).mean()
    found = [r["pruned"] for r in rows_of(table, "selection") if r["knockout"].startswith("leaves")]
    assert found == [float(share) for share in SHARES if 0 < share <= leaves]
    with pytest.raises(InputError, match=r"leaves-0.99 asks for .* the model has") as refused:
        prune_model(model, "leaves-0.99")
    most = re.search(r"at most ([\d.]+)", refused.value.hint)[1]
    kept = prune_model(model, f"leaves-{most}").merges
    assert len(model.merges) - len(kept) <= leaf_merges(model.merges).sum()


def test_leaf_shares(table, model):
    rows = rows_of(table, "leaves")
    assert rows[-1]["pruned"] == 1
    used = {part for merge in model.merges for part in merge}
    for row in rows:
        count = int(row["pruned"] * len(model.merges) + 0.5 + 1e-9)
        latest = model.merges[len(model.merges) - count :]
        assert row["leaves"] == sum("".join(m) not in used for m in latest) / count


def test_morphemes_per_word(table):
    size = len(STEMS)
    assert bars(table, "morphemes") == [(0.5, 1.5, size), (1.5, 2.5, 5 * size)]


def test_chains_count_the_types_of_words_alone(read):
    """bibliotheken of the paper's Figure 9, in small: three types serve no other."""
    merges = [("i", "b"), ("▁b", "ib"), ("l", "i"), ("▁bib", "li"), ("▁bibli", "o"), ("t", "h")]
    merges += [("▁biblio", "th"), ("▁biblioth", "e"), ("▁bibliothe", "k")]
    reference = read("bibliotheken\tbiblio theken\nbibber\tbibber\n")
    table = figure_table(BPEModel(merges), reference, "toy", "words", repeats=1)
    # ▁bib is a token of bibber; on the way to ▁bibliothek lie li, ▁bibli, ▁biblio, th, ▁biblioth
    # and ▁bibliothe, on the way to ▁bib lies ib.
    assert bars(table, "stepping_stones") == [(0.5, 1.5, 1), (5.5, 6.5, 1)]
