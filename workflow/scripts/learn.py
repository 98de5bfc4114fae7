"""Learn a segmenter's model on one side of a pair, or a joint one on both."""

from pathlib import Path

from seggrid.grid.jobs.script import timed
from seggrid.grid.jobs.side_inputs import read_tagged
from seggrid.segment.bpe.model import ready_model
from seggrid.segment.side import Side
from seggrid.segment.side_segmenter import learn_model
from seggrid.text.pos import read_lexicon
from seggrid.text.text_files import read_text


def main(
    corpus: list[Path],
    spec: Side,
    output: Path,
    size: int | None = None,
    tags: Path | None = None,
    lexicon: Path | None = None,
    ready: Path | None = None,
) -> None:
    """Learn a model on a text, or a joint one on both, the source first. If `spec` has no vocabulary size,
    `size` is the number of merges or types. Segmenters that read tags have a lexicon of further words. Merges
    that are `ready` are only read."""
    if ready:
        ready_model(ready, spec).prefix(size).write(output)
        return
    sentences = [words for file in corpus for words in read_text(file, "lines")[0]]
    tagged = read_tagged(tags, sentences)
    if lexicon:
        tagged["lexicon"] = read_lexicon(lexicon)
    with timed():
        model = learn_model(sentences, spec, size=size, **tagged)
    model.write(output)
