"""Tag the words of one side of a pair with their parts of speech."""

from pathlib import Path
from typing import Literal

from seggrid.base.lines import write_lines
from seggrid.grid.jobs.script import timed
from seggrid.segment.side import Side
from seggrid.text.pos import LANGUAGES, tagged
from seggrid.text.tagger import tag_words
from seggrid.text.text_files import apply_case, read_text


def main(corpus: Path, spec: Side, language: Literal[*LANGUAGES], output: Path) -> None:
    """Tag a text in its original case, and write it in the case of `spec`."""
    sentences, _ = read_text(corpus, "lines")
    with timed():
        tags = tag_words(sentences, language)
    text = tagged(apply_case(sentences, spec.case), tags, language)
    write_lines(output, list(map(" ".join, text)))
