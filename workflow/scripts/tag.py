"""Tag the words of one side of a pair with their parts of speech."""

from pathlib import Path
from typing import Literal

from seggrid.corpus.pos import LANGUAGES, write_tags
from seggrid.corpus.tagger import tag
from seggrid.corpus.text import read_text
from seggrid.workflow.jobs.script import timed


def main(corpus: Path, language: Literal[*LANGUAGES], output: Path) -> None:
    """Tag a text."""
    sentences, _ = read_text(corpus, "lines")
    with timed():
        tags = tag(sentences, language)
    write_tags(output, sentences, tags, language)
