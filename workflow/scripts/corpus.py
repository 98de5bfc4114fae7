"""Read one side of a pair in the user's format, and write it in the format of all later stages.

Output: one sentence per line, words separated by one space, in the case that --case says.
"""

import argparse
import sys
from pathlib import Path

from seggrid.base.files import atomic_write
from seggrid.corpus.gold import read_gold_lines
from seggrid.corpus.selection import select_lines
from seggrid.corpus.text import Text, apply_case
from seggrid.data.words import Words, filled_pairs
from seggrid.workflow.jobs.script import run, timed


def main() -> None:
    """Parse the arguments, read, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--text", type=Text.from_json, required=True)
    parser.add_argument(
        "--training", type=Text.from_json, help="training text that follows, without gold"
    )
    for what in ("text", "training"):
        help = "text of the other side, if empty sentence pairs are left out"
        parser.add_argument(f"--other-{what}", type=Text.from_json, help=help)
    parser.add_argument("--case", choices=["keep", "first", "lower"], default="keep")
    parser.add_argument("--sentences", type=int, help="how many are kept; needs --gold-lines")
    parser.add_argument("--gold-lines", type=Path, help="the sentences that are always kept")
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    parts = []
    with timed():
        for text, other in (
            (arguments.text, arguments.other_text),
            (arguments.training, arguments.other_training),
        ):
            if text is None:
                continue
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
