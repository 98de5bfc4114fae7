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
    def key(row, sides, num_symbols, table):
        axes = (row[k] for k in ("pair", "spaces", "dropout", "samples", "aggregate", "aligner"))
        return (*axes, sides, int(num_symbols), table.removesuffix(".csv"))

    published = {
        key(row, row["sides"].replace("none", "both"), row["num_symbols"], row["source_file"]): row
        for row in rows_of(shared_data / "published" / "thesis.csv")
    }
    ours = {
        key(row, row["sides"], row["num_symbols"] or 0, row["table"]): row
        for row in rows_of(root / "resources" / "published" / "thesis.csv")
    }
    assert ours.keys() == published.keys()
    for place, row in ours.items():
        assert figures(row, METRICS) == figures(published[place], METRICS)
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
