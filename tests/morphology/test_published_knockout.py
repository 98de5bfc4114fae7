"""BPE-knockout's published figures, for each language whose files are there.

A language is a table `published/bpe_knockout_{lang}.csv`, its tokenizer `bpe-40k-{lang}` and its
CELEX file; English is, others are tested the same way as soon as they are.
"""

import csv
import os
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import pytest

from seggrid.morphology.evaluate import evaluate, evaluate_ideal, unreachable_types
from seggrid.morphology.knockout import blame_merges, prune
from seggrid.morphology.references import Reference, read_reference
from seggrid.morphology.tokenizer import read_byte_level
from seggrid.morphology.word_segmentation import ByteLevelModel

CELEX_CODES = {"eng": "en", "deu": "de", "nld": "nl"}
TABLE_8 = {
    "eng": ("4.681%", "8.017%"),
    "deu": ("5.174%", "10.270%"),
    "nld": ("5.025%", "11.261%"),
}
VARIANTS = {
    "base": ("none", "full"),
    "knockout": ("blame-0.5", "full"),
    "holdout": ("blame-0.5", "holdout-0.5"),
}


@dataclass
class Language:
    code: str
    model: ByteLevelModel
    reference: Reference
    rows: list[dict[str, str]]


# English is required; any other language is tested if its table is there.
_MIRROR = Path(os.environ.get("SEGGRID_MIRROR", Path(__file__).parents[3] / "shared" / "data"))
LANGUAGES = [
    code
    for code in CELEX_CODES
    if code == "eng" or (_MIRROR / "published" / f"bpe_knockout_{code}.csv").exists()
]


@pytest.fixture(scope="module", params=LANGUAGES)
def language(request, shared_data: Path) -> Language:
    table = shared_data / "published" / f"bpe_knockout_{request.param}.csv"
    folder = shared_data / f"bpe-40k-{request.param}"
    celex = shared_data / "celex" / f"celex_morphology_{CELEX_CODES[request.param]}.txt"
    with table.open() as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    model = read_byte_level(folder / "merges.txt", folder / "vocab.json")
    return Language(request.param, model, read_reference(celex, "celex"), rows)


def _compare(found: dict, expected: dict[str, str], tolerance: float) -> None:
    assert found["vocabulary"] == int(expected["vocabulary"])
    for count in ("true_positives", "predicted", "positives", "tests"):
        if expected[count]:
            assert found[count] == int(expected[count]), count
    for measure in ("precision", "recall", "f1"):
        printed = float(expected[measure])
        if tolerance:
            assert 100 * found[measure] == pytest.approx(printed, abs=tolerance), measure
        else:
            assert round(100 * found[measure], 1) == printed, measure


@pytest.mark.parametrize("name", ["base", "knockout", "holdout", "dropout", "ideal"])
def test_table_2_and_7(language, name):
    expected = [row for row in language.rows if row["row"].split()[0] == name]
    if not expected:
        pytest.skip(f"no such row for {language.code}")
    tolerance = 0.0
    if name == "ideal":
        found = evaluate_ideal(language.reference)
    elif name == "dropout":
        tolerance = 0.1
        found = evaluate(language.model, language.reference, dropout=0.05, repeats=10)
    else:
        found = evaluate(language.model, language.reference, *VARIANTS[name])
    by_boundary = {row["boundaries"].replace(" ", "-"): row for row in found}
    for row in expected:
        _compare(by_boundary[row["reference"].replace(" ", "-")], row, tolerance)


@pytest.fixture(scope="module")
def pruned(language) -> ByteLevelModel:
    return prune(language.model, "blame-0.5", language.reference)


def test_sizes_of_the_merges_that_are_left(language, pruned):
    sizes = Counter(map(len, pruned.merges))
    assert sum(sizes.values()) == len(pruned.vocabulary) - len(language.model.vocabulary) + len(
        language.model.merges
    )
    if language.code == "eng":
        assert sizes == {2: 33405, 3: 2970, 4: 166, 5: 12}


def test_types_that_cannot_be_tokens(language, pruned):
    assert unreachable_types(language.model) == []
    if language.code == "eng":
        assert len(unreachable_types(pruned)) == 2056


def test_cascade(language):
    row = evaluate(language.model, language.reference, "cascade-0.5")[0]
    assert row["vocabulary"] < len(language.model.vocabulary)
    if language.code == "eng":
        assert (row["vocabulary"], round(100 * row["f1"], 2)) == (32479, 63.43)


def test_table_8(language):
    blame = blame_merges(language.model, language.reference, language.reference.weights(None))
    removed = blame.at_least(Fraction(1, 2))
    assert (f"{blame.effective_dropout(removed):.3%}", f"{removed.mean():.3%}") == TABLE_8[
        language.code
    ]
