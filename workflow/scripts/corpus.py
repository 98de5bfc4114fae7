"""Read one side of a pair in the user's format, and write it in the format of all later stages.

Output: one sentence per line, words separated by one space, in the case that --case says.
"""

import argparse
import sys
from pathlib import Path

from seggrid.base.files import atomic_write
from seggrid.corpus.gold import read_gold_lines
from seggrid.corpus.selection import select_lines
from seggrid.corpus.text import apply_case
from seggrid.data.words import Words, filled_pairs
from seggrid.workflow.jobs.layout import add_layout_arguments, given_texts
from seggrid.workflow.jobs.script import run, timed


def main() -> None:
    """Parse the arguments, read, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_layout_arguments(parser)
    parser.add_argument("--case", choices=["keep", "first", "lower"], default="keep")
    parser.add_argument("--sentences", type=int, help="how many are kept; needs --gold-lines")
    parser.add_argument("--gold-lines", type=Path, help="the sentences that are always kept")
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    parts = []
    with timed():
        for text, other in given_texts(arguments):
            read = text.read_words()
            for remark in read.remarks:
                print(remark, file=sys.stderr)
            words = read.words
            if other is not None:
                filled = filled_pairs(read, other.read_words())
                print(f"{len(words) - len(filled)} sentence pairs left out", file=sys.stderr)
                words = words.take(filled)
            parts.append(words)
    sentences = Words.joined(parts)
    if arguments.sentences is not None:
        gold = read_gold_lines(arguments.gold_lines)
        kept = select_lines(gold, len(sentences), arguments.sentences)
        sentences = sentences.take(kept)
    with atomic_write(arguments.output) as file:
        file.writelines(" ".join(words) + "\n" for words in apply_case(sentences, arguments.case))


if __name__ == "__main__":
    run(main)
