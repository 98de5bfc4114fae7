"""Read a pair's gold links in any of the known formats, and write them in the format of later stages."""

import sys
from pathlib import Path

from seggrid.grid.jobs.script import timed
from seggrid.text.gold import write_gold, write_gold_lines
from seggrid.text.link_notation import Notation
from seggrid.text.pair import read_pair_gold
from seggrid.text.text_files import Text


def main(
    output: Path,
    notation: Notation,
    gold: list[Path] = [],
    texts: list[Text] = [],
    only_lines: bool = False,
) -> None:
    """Write the gold, or only which sentences have it; without any, choose some sentences instead. The texts
    are the one with ids, or both."""
    # Written before the time of the work: the last line of a log must not look like the reason of a failure.
    with timed("reading"):
        found, remarks = read_pair_gold(texts, gold, notation)
        for remark in remarks:
            print(remark, file=sys.stderr)
        (write_gold_lines if only_lines else write_gold)(output, found)
