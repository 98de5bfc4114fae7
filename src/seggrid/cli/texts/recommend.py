"""`seggrid recommend`: find the segmentation and the threshold on links that are likely best for a pair, and
write them as a recipe."""

from __future__ import annotations

import argparse
import sys

from seggrid.api.recommendation import MEASURED, MERGES, recommend
from seggrid.cli.arguments import LARGEST_SEED, add_pair, progress, read_pair, whole_number
from seggrid.cli.files import input_file, output_file
from seggrid.cli.texts.score import add_gold, read_gold_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options: texts, gold, seed, output."""
    add_pair(parser)
    group = parser.add_argument_group("gold")
    group.add_argument(
        "--gold",
        type=input_file,
        metavar="FILE",
        help="gold links; if given, the best F1 is chosen",
    )
    add_gold(group, "--gold-format")
    parser.add_argument(
        "--threads", type=whole_number(1, 1024), default=1, help="number of threads of the aligner"
    )
    parser.add_argument(
        "--seed", type=whole_number(0, LARGEST_SEED), default=1, help="seed of all random choices"
    )
    parser.add_argument("--name", default="pair", help="name of the pair, on which seeds depend")
    parser.add_argument(
        "-o", "--output", type=output_file, metavar="FILE", required=True, help="the recipe"
    )


def run(arguments: argparse.Namespace) -> None:
    """Align by each candidate, compare them, write the best as a recipe."""
    pair = read_pair(arguments.texts, arguments)
    more = [read_pair(paths, arguments, training=True) for paths in arguments.training]
    gold = read_gold_of(arguments, pair) if arguments.gold else None
    found = recommend(
        pair.source,
        pair.target,
        gold,
        training=[(one.source, one.target) for one in more],
        seed=arguments.seed,
        threads=arguments.threads,
        name=arguments.name,
        progress=progress,
    )
    tried = [merges for merges in MERGES if merges not in found.not_tried]
    if found.not_tried:
        named = " and ".join(f"{merges:,}" for merges in found.not_tried)
        print(f"note: {named} merges are not tried: their tokens are those of {tried[-1]:,}")
    if gold is None and found.sentences < MEASURED:
        print(
            f"warning: {found.sentences:,} sentence pairs: how good a choice without gold is was "
            "measured on texts of 1,212 and more, not on so small ones",
            file=sys.stderr,
        )
    print(found)
    best = found.candidates[found.best]
    by = "by consensus with the other candidates" if gold is None else "by the gold"
    described = f"{best.label}, gibbs, links of a probability above {best.threshold}"
    print(f"recommended: {described}; best {by}, in {found.share:.0%} of resamples")
    if gold is None:
        print(
            "note: on four pairs with gold, of 1,212 to 10,508 sentence pairs, the candidate chosen by "
            "consensus had an F1 0.002 to 0.014 below the best (docs/recommend.md)"
        )
    if best.recipe.values.get("merges") in (tried[0], MERGES[-1]):
        print("note: that is the smallest or largest size tried; a further one may be better")
    found.recipe.write(arguments.output)
