"""`seggrid tag`: tag the words of a text with their parts of speech, `word<TAB>tag<TAB>part` lines."""

from __future__ import annotations

import argparse

from seggrid.cli.arguments import (
    add_empty_lines,
    add_input,
    add_output,
    progress,
    read_sentences,
)
from seggrid.corpus.pos import LANGUAGES, write_tags
from seggrid.corpus.tagger import tag


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options: text, language, output."""
    add_input(parser, "text", help="a text; - is standard input")
    parser.add_argument("--language", choices=LANGUAGES, required=True)
    add_empty_lines(parser, "an empty line is refused, or skipped: it gets no tags")
    add_output(parser, "the tagged text", required=True)


def run(arguments: argparse.Namespace) -> None:
    """Tag and write."""
    sentences = read_sentences(arguments.text, arguments)
    progress(f"tagging {len(sentences):,} sentences")
    tags = tag(sentences, arguments.language)
    write_tags(arguments.output, sentences, tags, arguments.language)
