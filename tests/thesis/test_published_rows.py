"""resources/published contains all published figures, as published."""

import csv

import pytest

METRICS = ("precision", "recall", "f1", "aer")


def rows_of(path):
    lines = [line for line in path.read_text("utf-8").splitlines() if not line.startswith("#")]
    return list(csv.DictReader(lines))


def figures(row, metrics, scale=1.0):
    return tuple(float(row[m]) / scale if row[m] else None for m in metrics)


@pytest.fixture
def thesis(root):
    return rows_of(root / "resources" / "published" / "thesis.csv")


@pytest.fixture(params=["eng", "deu"])
def knockout(root, request):
    return request.param, rows_of(
        root / "resources" / "published" / f"bpe_knockout_{request.param}.csv"
    )


def test_merges_are_one_less_than_symbols(thesis):
    assert thesis
    for row in thesis:
        assert (row["merges"] == "") == (row["segmenter"] == "words")
        assert row["merges"] == "" or int(row["merges"]) == int(row["num_symbols"]) - 1


def test_printed_digits_follow_from_the_counts(knockout):
    counted = [row for row in knockout[1] if row["true_positives"]]
    assert counted
    for row in counted:
        hits, predicted, positives = (
            int(row[count]) for count in ("true_positives", "predicted", "positives")
        )
        ratios = hits / predicted, hits / positives, 2 * hits / (predicted + positives)
        assert figures(row, METRICS[:3]) == tuple(round(ratio, 3) for ratio in ratios)


@pytest.mark.needs_mirror
def test_thesis(thesis, shared_data):
    tables = [
        rows_of(shared_data / "published" / f"{name}.csv") for name in ("thesis", "thesis_more")
    ]
    published = [row for rows in tables for row in rows if row["pair"] in ("eng-deu", "deu-eng")]
    places = [(r["source_file"].removesuffix(".csv"), int(r["num_symbols"])) for r in published]
    figures_of = dict(zip(places, (figures(row, METRICS) for row in published), strict=True))
    assert len(thesis) == len(published) == len(figures_of) == 202
    for row in thesis:
        assert figures_of.pop((row["table"], int(row["num_symbols"] or 0))) == figures(row, METRICS)


@pytest.mark.needs_mirror
@pytest.mark.parametrize(("pair", "rows"), [("eng-hin", 24), ("eng-ron", 26)])
def test_the_other_pairs_of_the_thesis(root, shared_data, pair, rows):
    published = rows_of(shared_data / "published" / "thesis_more.csv")
    figures_of = {
        (row["source_file"].removesuffix(".csv"), row["num_symbols"]): figures(row, METRICS)
        for row in published
        if row["pair"] == pair
    }
    ours = rows_of(root / "resources" / "published" / f"thesis-{pair}.csv")
    test_merges_are_one_less_than_symbols(ours)
    assert len(ours) == len(figures_of) == rows
    for row in ours:
        assert figures_of[row["table"], row["num_symbols"]] == figures(row, METRICS)


@pytest.mark.needs_mirror
def test_bpe_knockout(knockout, shared_data):
    """The paper's Tables 2 and 7; the shared table contains those over word types, with their counts."""
    language, rows = knockout
    names = {
        ("none", "full", "0"): "base",
        ("none", "full", "0.05"): "dropout",
        ("blame-0.5", "full", "0"): "knockout",
        ("blame-0.5", "holdout-0.5", "0"): "holdout",
        ("ideal", "full", "0"): "ideal",
    }
    ours = {}
    for row in rows:
        if row["unit"] == "types":
            name = names[row["knockout"], row["evaluation"], row["dropout"]]
            ours[name, row["boundaries"]] = row
    assert len(rows) == 2 * len(ours) == 20
    published = rows_of(shared_data / "published" / f"bpe_knockout_{language}.csv")
    for original in published:
        row = ours[original["row"].split()[0], original["reference"]]
        for column in ("vocabulary", "true_positives", "predicted", "positives", "tests"):
            assert row[column] == original[column]
        assert figures(row, METRICS[:3]) == pytest.approx(figures(original, METRICS[:3], 100))
