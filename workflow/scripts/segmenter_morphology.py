"""Evaluate any segmenter against a morphological reference, whose words it cuts one by one."""

import argparse
from pathlib import Path
from typing import Any

import pandas as pd

from seggrid.base.rational import read_rational
from seggrid.corpus.text import read_text
from seggrid.grid.samples import sample_seeds
from seggrid.morphology.evaluate import evaluate_ideal, evaluate_segmentation
from seggrid.morphology.published import canonical_evaluation
from seggrid.morphology.references import entry_parts
from seggrid.score.table import write_table
from seggrid.segment import SEGMENTERS
from seggrid.segment.measures import declared_size, remark_on_size
from seggrid.segment.side import Side, parse_spec
from seggrid.segment.side_segmenter import SideSegmenter
from seggrid.workflow.jobs.boundary_table import write_boundary_table
from seggrid.workflow.jobs.script import run, timed
from seggrid.workflow.jobs.side_arguments import add_learned_from_argument, read_learned_from
from seggrid.workflow.jobs.tokenizer_arguments import (
    add_reference_arguments,
    read_reference_arguments,
)


def main() -> None:
    """Parse the arguments, segment, evaluate, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--name", required=True, help="name of the evaluation, for the table")
    add_reference_arguments(parser)
    parser.add_argument("--spec", required=True, help="the segmentation, as in a path")
    parser.add_argument("--model", type=Path, help="a learned one, or a tokenizer's file")
    parser.add_argument("--model-format", help="format of the tokenizer's file")
    parser.add_argument("--corpus", type=Path, help="the text of the segmentation")
    add_learned_from_argument(parser)
    parser.add_argument("--evaluation", action="extend", nargs="+", required=True)
    parser.add_argument("--dropout", action="extend", nargs="+", default=[])
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--published", type=Path, help="published scores, to compare with ours")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--figures", type=Path, required=True, help="stays empty: none are pruned")
    arguments = parser.parse_args()

    # Equal settings give one row, even if they are written differently.
    evaluations = dict.fromkeys(map(canonical_evaluation, arguments.evaluation))
    side = parse_spec(arguments.spec)
    segmenter = SEGMENTERS[side.segmenter].load()
    how = [arguments.model_format] if arguments.model_format else []
    model = segmenter.read_model(arguments.model, *how) if arguments.model else None
    sentences = read_text(arguments.corpus, "lines")[0] if arguments.corpus else None
    words = None if sentences is None else {word for sentence in sentences for word in sentence}
    reference, frequencies = read_reference_arguments(arguments, words, side.case or "keep")
    tagged = {}
    if SEGMENTERS[side.segmenter].tagged:
        tagged["tags"] = [[part or "other"] for part in entry_parts(reference, arguments.format)]
    names = [arguments.name, arguments.spec]
    seeds = sample_seeds(arguments.seed, names, (0, arguments.repeats - 1))
    rates = dict.fromkeys(rate for rate in map(read_rational, arguments.dropout) if rate)
    rows = []
    with timed():
        plain_side = side.plain()
        (plain,) = SideSegmenter(plain_side).segment_words(model, reference.words, [0], **tagged)
        learned_from = read_learned_from(arguments, sentences or [])
        text = SideSegmenter(side).segmenter_input(learned_from)
        vocabulary, size = (
            declared_size(segmenter, model, side, [*text, *more])
            for more in ([], [[word] for word in reference.words])
        )
        settings = [(side, 0.0)] + [(side.with_dropout(rate), float(rate)) for rate in rates]
        for own, rate in settings:
            samples = []
            if own.sampled:
                samples = SideSegmenter(own).segment_words(model, reference.words, seeds, **tagged)
            # As for a BPE with pruned variants, dropout is evaluated on all words.
            for evaluation in ["full"] if rate else evaluations:
                rows += evaluate_segmentation(
                    plain,
                    reference,
                    evaluation,
                    samples=samples,
                    dropout=rate,
                    # Only the BPE of this package has kinds of dropout; that of sentencepiece has none.
                    dropout_kind=own.dropout_kind or "sentencepiece",
                    vocabulary=vocabulary,
                    size=size,
                    frequencies=frequencies,
                )
        rows += evaluate_ideal(reference, frequencies)
    name, reference_name = arguments.name, arguments.reference.name
    sizes = SideSegmenter(side).model_size(model, learned_from)
    remarks = [remark_on_size(side, sizes), remark_on_types(side, model, vocabulary)]
    remark = "; ".join(filter(None, remarks))
    write_boundary_table(arguments.output, rows, name, reference_name, arguments.published, remark)
    write_table(arguments.figures, pd.DataFrame())


def remark_on_types(side: Side, model: Any, vocabulary: int | None) -> str:
    """A remark on the size of a model whose units are not types, such as morphs; empty for other models."""
    registered = SEGMENTERS[side.segmenter]
    if side.merges is None or vocabulary is None or registered.size_unit in ("merges", "types"):
        return ""
    used = model.prefix(side.merges) if hasattr(model, "prefix") else model
    units = f"{registered.load().learned(used)} {registered.size_unit}"
    return (
        f"{units} are {vocabulary} types: one that begins a word is another type, and so is each "
        "single character"
    )


if __name__ == "__main__":
    run(main)
