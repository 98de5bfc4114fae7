"""The published figures in resources/ are those that were published, all of them."""

import csv

import pytest

METRICS = ("precision", "recall", "f1", "aer")


def rows_of(path):
    lines = [line for line in path.read_text("utf-8").splitlines() if not line.startswith("#")]
    return list(csv.DictReader(lines))


def figures(row, metrics, scale=1.0):
    return tuple(float(row[m]) / scale if row[m] else None for m in metrics)


def test_thesis(root, shared_data):
    published = rows_of(shared_data / "published" / "thesis.csv")
    places = [(r["source_file"].removesuffix(".csv"), int(r["num_symbols"])) for r in published]
    figures_of = dict(zip(places, (figures(row, METRICS) for row in published), strict=True))
    assert len(figures_of) == len(published)
    ours = rows_of(root / "resources" / "published" / "thesis.csv")
    assert len(ours) == len(published)
    for row in ours:
        assert figures_of.pop((row["table"], int(row["num_symbols"] or 0))) == figures(row, METRICS)
        assert (row["merges"] == "") == (row["segmenter"] == "words")
        assert row["merges"] == "" or int(row["merges"]) == int(row["num_symbols"]) - 1


def test_bpe_knockout(root, shared_data):
    published = rows_of(shared_data / "published" / "bpe_knockout_eng.csv")
    ours = rows_of(root / "resources" / "published" / "bpe_knockout_eng.csv")
    assert len(ours) == len(published)
    for row, original in zip(ours, published, strict=True):
        assert original["row"].startswith(row["model"])
        for column in ("vocabulary", "reference", "true_positives", "predicted", "positives"):
            assert row[column] == original[column]
        assert figures(row, METRICS[:3]) == pytest.approx(figures(original, METRICS[:3], 100))
