"""Read one side of a pair in the user's format, and write it in the format of all later stages.

Output: one sentence per line, words separated by one space, in the case of the spec.
"""

import sys
from itertools import zip_longest
from pathlib import Path

from seggrid.base.files import atomic_write
from seggrid.grid.jobs.script import timed
from seggrid.segment.side import Side
from seggrid.text.gold import read_gold_lines
from seggrid.text.selection import select_lines
from seggrid.text.text_files import Text, apply_case
from seggrid.text.words import Words, filled_pairs


def main(
    texts: list[Text],
    spec: Side,
    output: Path,
    others: list[Text] = [],
    gold_lines: Path | None = None,
) -> None:
    """Write the sentences of a text and its training text, without those that are empty on either side if the
    `others` of the other side are given. If `spec` says how many, those of `gold_lines` are always kept."""
    parts = []
    with timed():
        for text, other in zip_longest(texts, others):
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
    if spec.sentences is not None:
        gold = read_gold_lines(gold_lines)
        sentences = sentences.take(select_lines(gold, len(sentences), spec.sentences))
    with atomic_write(output) as file:
        file.writelines(" ".join(words) + "\n" for words in apply_case(sentences, spec.case))
