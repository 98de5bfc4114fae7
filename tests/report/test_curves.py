"""The curves and histograms of pruned tokenizers."""

import pytest
import synthetic

from seggrid.morphology.references import read_reference
from seggrid.morphology.sweeps import figure_table
from seggrid.report.charts.pruning import curves
from seggrid.segment.bpe.model import BPEModel


def test_curves_take_each_amount_once_from_either_table():
    morphology = synthetic.morphology()
    sweep = morphology[morphology.boundaries == "morphemes"].assign(figure="threshold")
    both = curves(morphology, sweep[["tokenizer", "reference", "figure", "knockout", "f1"]])
    assert len(both) == len(sweep)
    blame = both[both.method == "blame"]
    assert blame.amount.tolist() == pytest.approx([t / 10 for t in range(1, 10)])
    assert both[both.knockout == "none"].amount.isna().all()
    assert curves(None, None).empty


def test_a_row_is_named_by_its_tokenizer_and_reference_alone():
    """A remark or a kind of dropout that only some rows have makes no other setting of them."""
    morphology = synthetic.morphology()
    sweep = morphology[morphology.boundaries == "morphemes"].assign(figure="threshold")
    few = [None] * (len(morphology) - 1)
    said = morphology.assign(remark=["149 of 200 merges", *few], dropout_kind=[*few, "queue"])
    both = curves(said, sweep)
    assert set(both.setting) == {"bpe-40k, celex"}
    assert len(both) == len(sweep)


def test_the_curves_of_a_table_of_figures(tmp_path):
    (tmp_path / "words.tsv").write_text("horseshoe\thorse shoe\nhorse\thorse\n")
    merges = [("▁h", "o"), ("e", "s"), ("▁ho", "r"), ("▁hor", "s"), ("h", "o"), ("ho", "e")]
    reference = read_reference(tmp_path / "words.tsv", "surface")
    drawn = curves(None, figure_table(BPEModel(merges), reference, "toy", "words", repeats=2))
    assert set(drawn.method.dropna()) == {"blame", "random", "latest", "leaves"}
    half = drawn[drawn.knockout == "blame-0.5"].iloc[0]
    assert (half.precision, half.recall, half.pruned) == (1 / 4, 1, pytest.approx(1 / 6))
    assert (drawn.knockout == "none").sum() == 1
