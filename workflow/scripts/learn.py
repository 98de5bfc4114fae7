"""Learn a segmenter's model on one side of a pair, or a joint one on both."""

from pathlib import Path

from seggrid.grid.jobs.script import timed
from seggrid.segment import SEGMENTERS
from seggrid.segment.segmenter import Segmenter
from seggrid.segment.side import Side
from seggrid.segment.side_segmenter import learn_model
from seggrid.text.text_files import read_text


def main(
    corpus: list[Path],
    spec: Side,
    output: Path,
    size: int | None = None,
    given: Path | None = None,
) -> None:
    """Learn a model on a text, or a joint one on both, the source first. If `spec` has no vocabulary size,
    `size` is the number of merges or types. A segmenter may learn with a given file; if that is a model, it
    is only read."""
    more = SEGMENTERS[spec.segmenter].read_given(given, spec) if given else None
    if isinstance(more, Segmenter):
        more.prefix(size).write(output)
        return
    sentences = [words for file in corpus for words in read_text(file, "lines")[0]]
    with timed():
        model = learn_model(sentences, spec, size=size, given=more)
    model.write(output)
