"""Measure one side's segmentation, or the first of several samples."""

from pathlib import Path

from seggrid.grid.jobs.script import timed
from seggrid.grid.jobs.side_inputs import SideInputs, read_learned_from
from seggrid.segment.measures import segmentation_digest, tokens_of_words, write_measures
from seggrid.segment.side_segmenter import measures_of, model_size
from seggrid.text.segmentation import read_first


def main(text: SideInputs, segmentation: Path, output: Path, learned_from: list[Path] = []) -> None:
    """Measure a segmentation of `text`; `learned_from` are the texts of a joint model."""
    sentences, model = text.sentences(), text.read_model()
    first = read_first(segmentation)
    with timed():
        learned = read_learned_from(learned_from, sentences)
        measures = measures_of(text.spec, model, first, sentences, learned)
        # Words that a tokenizer left out.
        if bare := int((tokens_of_words(first, sentences) == 0).sum()):
            measures["words_without_tokens"] = bare
        measures |= model_size(text.spec, model, learned)
        digest = segmentation_digest(first, text.spec, measures)
    write_measures(output, measures, digest)
