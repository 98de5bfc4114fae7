"""Tag the words of one side of a pair with their parts of speech."""

import argparse
from pathlib import Path

from seggrid.corpus.pos import LANGUAGES
from seggrid.corpus.tagging import tag
from seggrid.corpus.tags import write_tags
from seggrid.corpus.text import read_text
from seggrid.workflow.jobs.script import run, timed


def main() -> None:
    """Parse the arguments, tag, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--language", choices=LANGUAGES, required=True)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    sentences, _ = read_text(arguments.corpus, "lines")
    with timed():
        tags = tag(sentences, arguments.language)
    write_tags(arguments.output, sentences, tags, arguments.language)


if __name__ == "__main__":
    run(main)
