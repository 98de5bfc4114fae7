"""Entities of labeled words, against conlleval's rules as a table and against the library seqeval."""

import random

import pytest

from seggrid.language_model.tasks import count_entities, entities, is_entity_label


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ("O O", []),
        ("B-X I-X I-X", [(0, 2, "X")]),
        ("I-X I-X", [(0, 1, "X")]),
        ("B-X B-X", [(0, 0, "X"), (1, 1, "X")]),
        ("B-X I-Y", [(0, 0, "X"), (1, 1, "Y")]),
        ("S-X I-X", [(0, 0, "X"), (1, 1, "X")]),
        ("B-X E-X E-X", [(0, 1, "X"), (2, 2, "X")]),
        ("B-X O I-X", [(0, 0, "X"), (2, 2, "X")]),
        ("B-X S-X B-X", [(0, 0, "X"), (1, 1, "X"), (2, 2, "X")]),
        ("B-A-B I-A-B", [(0, 1, "A-B")]),
    ],
)
def test_entities_are_those_of_conlleval(labels, expected):
    assert sorted(entities(labels.split())) == expected


@pytest.mark.tier("check")
def test_entities_are_those_of_seqeval():
    install = "needs seqeval: pip install seqeval"
    seqeval = pytest.importorskip("seqeval.metrics.sequence_labeling", reason=install)
    generator = random.Random(1)
    labels = ["O", *(f"{prefix}-{kind}" for prefix in "BIES" for kind in "XY")]
    assert all(map(is_entity_label, labels))
    for _ in range(3000):
        own, other = ([generator.choice(labels) for _ in range(6)] for _ in range(2))
        twin = {(first, last, kind) for kind, first, last in seqeval.get_entities(own)}
        assert entities(own) == twin, own
        ((right, given, predicted),) = count_entities([own], [other])
        precision, recall = right / max(1, predicted), right / max(1, given)
        f1 = 2 * precision * recall / (precision + recall) if right else 0.0
        assert f1 == pytest.approx(seqeval.f1_score([own], [other], zero_division=0))
