"""Tag the words of one side of a pair with their parts of speech."""

from pathlib import Path
from typing import Literal

from seggrid.grid.jobs.script import timed
from seggrid.text.pos import LANGUAGES, write_tags
from seggrid.text.tagger import tag_words
from seggrid.text.text_files import read_text


def main(corpus: Path, language: Literal[*LANGUAGES], output: Path) -> None:
    """Tag a text."""
    sentences, _ = read_text(corpus, "lines")
    with timed():
        tags = tag_words(sentences, language)
    write_tags(output, sentences, tags, language)
