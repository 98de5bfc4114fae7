"""BPE-knockout's published figures, for each language whose files are available.

A language is a table `resources/published/bpe_knockout_{lang}.csv`, its tokenizer `bpe-40k-{lang}` and its
CELEX file.
"""

import csv
from collections import Counter
from fractions import Fraction
from types import SimpleNamespace

import pytest

from seggrid.morphology.evaluate import evaluate, evaluate_ideal
from seggrid.morphology.knockout import blame_merges, prune_model
from seggrid.morphology.references import read_reference
from seggrid.segment.formats.tokenizer_json import read_byte_level

pytestmark = pytest.mark.needs_mirror

CELEX_CODES = {"eng": "en", "deu": "de"}
TABLE_8 = {
    "eng": ("4.681%", "8.017%"),
    "deu": ("5.174%", "10.270%"),
}
VARIANTS = {
    "base": ("none", "full"),
    "knockout": ("blame-0.5", "full"),
    "holdout": ("blame-0.5", "holdout-0.5"),
    "ideal": ("ideal", "full"),
}


@pytest.fixture(scope="module", params=["eng", "deu"])
def language(request, root, shared_data):
    """Its code, tokenizer, reference, and published rows over word types."""
    code = request.param
    folder = shared_data / f"bpe-40k-{code}"
    celex = shared_data / f"celex/celex_morphology_{CELEX_CODES[code]}.txt"
    with (root / f"resources/published/bpe_knockout_{code}.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["unit"] == "types"]
    model = read_byte_level(folder / "merges.txt", folder / "vocab.json")
    reference = read_reference(celex, "celex")
    return SimpleNamespace(code=code, model=model, reference=reference, rows=rows)


@pytest.mark.parametrize("name", ["base", "knockout", "holdout", "dropout", "ideal"])
def test_table_2_and_7(language, name):
    wanted = (*VARIANTS.get(name, VARIANTS["base"]), "0.05" if name == "dropout" else "0")
    expected = [
        row
        for row in language.rows
        if (row["knockout"], row["evaluation"], row["dropout"]) == wanted
    ]
    assert len(expected) == 2
    if name == "ideal":
        found = evaluate_ideal(language.reference)
    elif name == "dropout":
        found = evaluate(language.model, language.reference, dropout=0.05, repeats=10)
    else:
        found = evaluate(language.model, language.reference, *VARIANTS[name])
    by_boundary = {row["boundaries"]: row for row in found}
    for printed in expected:
        own = by_boundary[printed["boundaries"]]
        for count in ("vocabulary", "true_positives", "predicted", "positives", "tests"):
            assert not printed[count] or own[count] == int(printed[count]), count
        # The last printed digit; or a tenth of a point, of means over runs with dropout.
        tolerance = 1e-3 if name == "dropout" else 5.001e-4
        for measure in ("precision", "recall", "f1"):
            assert own[measure] == pytest.approx(float(printed[measure]), abs=tolerance), measure


@pytest.fixture(scope="module")
def pruned(language):
    return prune_model(language.model, "blame-0.5", language.reference)


def test_sizes_of_the_merges_that_are_left(language, pruned):
    sizes = Counter(map(len, pruned.merges))
    assert sum(sizes.values()) == len(pruned.vocabulary) - len(language.model.vocabulary) + len(
        language.model.merges
    )
    if language.code == "eng":
        assert sizes == {2: 33405, 3: 2970, 4: 166, 5: 12}


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
