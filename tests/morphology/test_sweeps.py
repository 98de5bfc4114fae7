from fractions import Fraction
from itertools import pairwise

import pytest

from seggrid.morphology.evaluate import evaluate
from seggrid.morphology.references import read_reference
from seggrid.morphology.sweeps import (
    knocked_out_positions,
    selection_sweep,
    threshold_sweep,
    token_changes,
)
from seggrid.segment.bpe.learn import learn

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
        ("random", 0.0), ("random", 0.2), ("latest", 0.0), ("latest", 0.2),
    ]  # fmt: skip
    base = evaluate(model, reference)[0]
    latest = evaluate(model, reference, "latest-0.2")[0]
    random = evaluate(model, reference, "random-0.2", repeats=3)[0]
    for measure in ("precision", "recall", "f1"):
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
