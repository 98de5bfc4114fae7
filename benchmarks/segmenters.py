"""Time of learning and applying each segmenter of this package, against plain BPE in the same run.

    python benchmarks/segmenters.py data/thesis/eng-deu/eng_with_10k.txt

The text is `id<TAB>sentence`. Segmenters take turns, so that other load on the machine affects all alike.
Prints medians of CPU time, after one warm-up run, and their ratios to those of BPE. Parity is of the two
halves of the text.
"""

import argparse
from functools import partial
from pathlib import Path

from seggrid.segment import SEGMENTERS
from seggrid.segment.axes import AXES
from seggrid.segment.side import Side
from seggrid.segment.side_segmenter import learn_model, segment_text
from seggrid.segment.vocabulary import RULES
from seggrid.text.text_files import Text
from timing import medians, timed

PLAIN = "bpe"


def sides(merges):
    """The segmentations by name: BPE and its axes, then the other segmenters with kernels of ours."""
    of_bpe = {
        PLAIN: {},
        "spaces: no": {"spaces": False},
        **{f"application: {rule}": {"application": rule} for rule in RULES},
    }
    others = [
        name
        for name, entry in SEGMENTERS.items()
        if entry.learns and not entry.requires and not entry.annotation and name != PLAIN
    ]
    named = {**of_bpe, **{name: {"segmenter": name} for name in others}}
    defaults = {name: axis.default for name, axis in AXES.items()} | {"merges": merges}
    return {name: Side.from_values(defaults | values) for name, values in named.items()}


def main():
    """Learn and apply in turns; print medians and ratios."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("text", type=Path, help="`id<TAB>sentence`")
    parser.add_argument("--merges", type=int, default=8000, help="merges, or types (8,000)")
    parser.add_argument("--runs", type=int, default=3, help="timed runs of each (3)")
    arguments = parser.parse_args()
    sentences = Text.of(arguments.text, "tsv").read_words().words
    sentences = sentences[: len(sentences) // 2 * 2]
    wanted = sides(arguments.merges)
    learning, applying, tokens = ({name: [] for name in wanted} for _ in range(3))
    for run in range(arguments.runs + 1):
        for name, side in wanted.items():
            model, *learned = timed(partial(learn_model, sentences, side))
            (cut,), *applied = timed(partial(segment_text, sentences, side, model, [0]))
            tokens[name] = len(cut.ids)
            if run:
                learning[name].append(learned)
                applying[name].append(applied)
    of_learning, of_applying = medians(learning), medians(applying)
    print(f"{'':24}{'learn: CPU s':>14}{'/ BPE':>8}{'apply: CPU s':>14}{'/ BPE':>8}{'tokens':>10}")
    for name in wanted:
        learn, apply = of_learning[name][1], of_applying[name][1]
        ratios = (learn / of_learning[PLAIN][1], apply / of_applying[PLAIN][1])
        print(
            f"{name:24}{learn:14.3f}{ratios[0]:8.1f}{apply:14.3f}{ratios[1]:8.1f}{tokens[name]:10,}"
        )


if __name__ == "__main__":
    main()
