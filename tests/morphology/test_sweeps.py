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
    knocked_out_positions,
    leaf_shares,
    morphemes_per_word,
    selection_sweep,
    threshold_sweep,
    token_changes,
)
from seggrid.segment.bpe.learn import learn
from seggrid.segment.bpe.model import BPEModel

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


def test_threshold_sweep(model, reference):
    rows = threshold_sweep(model, reference, [Fraction(1, 10), Fraction(1, 2), Fraction(1)])
    for row in rows:
        same = evaluate(model, reference, f"blame-{row['threshold']:g}")[0]
        assert {key: row[key] for key in ("vocabulary", "precision", "recall", "f1")} == {
            key: same[key] for key in ("vocabulary", "precision", "recall", "f1")
        }
        assert row["removed"] == round(same["pruned"] * len(model.merges))
    assert rows[0]["removed"] >= rows[1]["removed"] >= rows[2]["removed"] > 0


def test_selection_sweep(model, reference):
    rows = selection_sweep(model, reference, [Fraction(0), Fraction(1, 5)], repeats=3)
    assert [(row["selection"], row["share"]) for row in rows] == [
        ("random", 0.0), ("random", 0.2), ("latest", 0.0), ("latest", 0.2), ("leaves", 0.0), ("leaves", 0.2),
    ]  # fmt: skip
    base = evaluate(model, reference)[0]
    latest = evaluate(model, reference, "latest-0.2")[0]
    random = evaluate(model, reference, "random-0.2", repeats=3)[0]
    leaves = evaluate(model, reference, "leaves-0.2")[0]
    for measure in ("precision", "recall", "f1"):
        assert rows[5][measure] == leaves[measure]
        assert rows[0][measure] == rows[2][measure] == base[measure]
        assert rows[1][measure] == pytest.approx(random[measure])
        assert rows[3][measure] == latest[measure]


def test_knocked_out_positions(model, reference):
    rows = knocked_out_positions(model, reference, bins=4)
    row = evaluate(model, reference, "blame-0.5")[0]
    base = evaluate(model, reference)[0]["vocabulary"]
    assert rows[0]["first"] == 0
    assert rows[-1]["last"] == base - 1
    assert all(a["last"] + 1 == b["first"] for a, b in pairwise(rows))
    assert sum(row["removed"] for row in rows) == base - row["vocabulary"]


def test_token_changes(model, reference):
    rows = token_changes(model, reference)
    row = evaluate(model, reference, "blame-0.5")[0]
    assert sum(r["entries"] for r in rows) == len(reference)
    assert sum(r["share"] for r in rows) == pytest.approx(1)
    total = sum(r["change"] * r["entries"] for r in rows)
    difference = row["tokens_per_word"] - row["tokens_per_word_before"]
    assert total / len(reference) == pytest.approx(difference)
    assert token_changes(model, reference, "none") == [
        {"change": 0, "entries": len(reference), "share": 1.0}
    ]


def test_shares_of_more_merges_than_make_leaves_are_left_out_and_refused(model, reference):
    leaves = leaf_merges(model.merges).mean()
    shares = [Fraction(step, 20) for step in range(1, 20)]
    rows = selection_sweep(model, reference, shares, repeats=1)
    expected = [float(share) for share in shares if share <= leaves]
    assert [row["share"] for row in rows if row["selection"] == "leaves"] == expected
    with pytest.raises(InputError, match=r"leaves-0.99 asks for .* the model has") as refused:
        prune(model, "leaves-0.99")
    most = re.search(r"at most ([\d.]+)", refused.value.hint)[1]
    kept = prune(model, f"leaves-{most}").merges
    assert len(model.merges) - len(kept) <= leaf_merges(model.merges).sum()


def test_leaf_shares(model):
    rows = leaf_shares(model, [Fraction(1, 5), Fraction(1, 2)])
    assert [row["share"] for row in rows] == [0.2, 0.5, 1]
    for row in rows:
        count = round(row["share"] * len(model.merges) + 1e-9)
        latest = model.merges[len(model.merges) - count :]
        used = {part for merge in model.merges for part in merge}
        assert row["leaves"] == sum("".join(m) not in used for m in latest) / count


def test_morphemes_per_word(reference):
    assert morphemes_per_word(reference) == [
        {"morphemes": 1, "entries": len(STEMS), "share": 1 / len(ENDINGS)},
        {"morphemes": 2, "entries": 5 * len(STEMS), "share": pytest.approx(5 / len(ENDINGS))},
    ]


def test_chains_count_the_types_of_words_alone(tmp_path):
    """bibliotheken of the paper's Figure 9, in small: three types serve no other."""
    (tmp_path / "words.tsv").write_text("bibliotheken\tbiblio theken\nbibber\tbibber\n")
    merges = [("▁b", "ib"), ("i", "b"), ("l", "i"), ("▁bib", "li"), ("▁bibli", "o"), ("t", "h")]
    merges += [("▁biblio", "th"), ("▁biblioth", "e"), ("▁bibliothe", "k")]
    merges = [merges[1], merges[0], *merges[2:]]
    rows = chains(BPEModel(merges), read_reference(tmp_path / "words.tsv", "surface"))
    # ▁bib is a token of bibber; on the way to ▁bibliothek lie li, ▁bibli, ▁biblio, th, ▁biblioth
    # and ▁bibliothe, on the way to ▁bib lies ib.
    assert rows == [{"stones": 1, "types": 1}, {"stones": 6, "types": 1}]
