"""Evaluate any segmenter against a morphological reference, whose words it cuts one by one."""

from fractions import Fraction
from pathlib import Path

import pandas as pd

from seggrid.grid.jobs.script import timed
from seggrid.grid.jobs.side_inputs import SegmentationInputs, read_learned_from
from seggrid.grid.samples import sample_seeds
from seggrid.morphology.evaluate import (
    evaluate_ideal,
    evaluate_segmentation,
    known_words,
    remark_on_unknown,
)
from seggrid.morphology.names import canonical_evaluation
from seggrid.morphology.references import entry_parts
from seggrid.score.table import write_table
from seggrid.segment import SEGMENTERS
from seggrid.segment.side_segmenter import (
    model_size,
    remark_on_types,
    segment_words,
    segmenter_input,
    unknown_type,
    vocabulary_size,
)
from seggrid.studies.morphology.evaluations import BoundaryTable, ReferenceInputs
from seggrid.text.annotated import annotate
from seggrid.text.text_files import read_text


def main(
    table: BoundaryTable,
    reference: ReferenceInputs,
    segmented: SegmentationInputs,
    evaluation: list[str],
    seed: int,
    figures: Path,
    corpus: Path | None = None,
    learned_from: list[Path] = [],
    dropout: list[Fraction] = [],
    repeats: int = 10,
) -> None:
    """Evaluate a segmenter. The table of the figures is empty, since none are pruned."""
    # Equal settings give one row, even if they are written differently.
    evaluations = dict.fromkeys(map(canonical_evaluation, evaluation))
    spec, learned = segmented.spec, segmented.read_model()
    sentences = read_text(corpus, "lines")[0] if corpus else None
    words = None if sentences is None else {word for sentence in sentences for word in sentence}
    types = learned.types(spec) if learned else None
    known, frequencies = reference.read(words, spec.case or "keep", types or ())
    entries = known.words
    if SEGMENTERS[spec.segmenter].annotation:
        parts = entry_parts(known, reference.format)
        entries = [
            annotate(word, "-", part or "other") for word, part in zip(entries, parts, strict=True)
        ]
    seeds = sample_seeds(seed, [table.name, str(spec)], (0, repeats - 1))
    rates, unknown = dict.fromkeys(filter(None, dropout)), unknown_type(learned)
    rows = []
    with timed():
        (plain,) = segment_words(spec.plain(), learned, entries, [0])
        own_text = read_learned_from(learned_from, sentences or [])
        text = segmenter_input(spec, own_text)
        vocabulary = vocabulary_size(spec, learned, text)
        size = vocabulary_size(spec, learned, [*text, *([word] for word in known.words)])
        settings = [(spec, 0.0)] + [(spec.with_dropout(rate), float(rate)) for rate in rates]
        for own, rate in settings:
            samples = []
            if own.sampled:
                samples = segment_words(own, learned, entries, seeds)
            # As for a BPE with pruned variants, dropout is evaluated on all words.
            for way in ["full"] if rate else evaluations:
                rows += evaluate_segmentation(
                    plain,
                    known,
                    way,
                    samples=samples,
                    dropout=rate,
                    # Only the BPE of this package has kinds of dropout; that of sentencepiece has none.
                    dropout_kind=own.dropout_kind or "sentencepiece",
                    vocabulary=vocabulary,
                    size=size,
                    frequencies=frequencies,
                    unknown=unknown,
                )
        rows += evaluate_ideal(known, frequencies)
    sizes = model_size(spec, learned, own_text)
    remarks = [spec.remark_on_size(sizes), remark_on_types(spec, learned, vocabulary)]
    remarks.append(remark_on_unknown(known, known_words(plain, unknown)))
    remark = "; ".join(filter(None, remarks))
    table.write(rows, reference.reference, remark)
    write_table(figures, pd.DataFrame())
