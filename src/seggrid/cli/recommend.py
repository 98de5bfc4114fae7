"""`seggrid recommend`: find the segmentation and the threshold on links that are likely best for a pair, and
write them as a recipe."""

from __future__ import annotations

import argparse

from seggrid.api.recommendation import CERTAIN, MEASURED, recommend
from seggrid.base.rational import read_time
from seggrid.cli.arguments import (
    add_input,
    add_output,
    add_pair,
    add_seed,
    add_threads,
    progress,
    read_pair,
)
from seggrid.cli.score import add_gold, read_gold_of
from seggrid.errors import note
from seggrid.segment.external import FORMATS


def add_recommend(parser: argparse.ArgumentParser) -> None:
    """Add the options: texts, gold, seed, output."""
    add_pair(parser)
    add_gold(parser, "With gold, candidates are compared by F1.")
    group = parser.add_argument_group("candidates")
    add_input(
        group,
        "--tokenizer",
        dest="tokenizers",
        action="append",
        nargs="+",
        default=[],
        help="a further candidate: the files of the tokenizers of source and target, or of one for both; may "
        "be repeated",
    )
    group.add_argument(
        "--tokenizer-format", choices=FORMATS, help="the format of these files, as for align"
    )
    group.add_argument(
        "--budget",
        metavar="TIME",
        help="only try candidates that are expected to end within this time, such as 90s, 10m or 1h; "
        "by default, try all",
    )
    add_threads(parser)
    add_seed(parser)
    add_output(parser, "the recipe", required=True)


def run_recommend(arguments: argparse.Namespace) -> None:
    """Align with each candidate, compare them, and write the best as a recipe."""
    budget = None if arguments.budget is None else read_time(arguments.budget)
    pair = read_pair(arguments.texts, arguments)
    more = [read_pair(paths, arguments, training=True) for paths in arguments.training]
    gold = read_gold_of(arguments, pair.known) if arguments.gold else None
    found = recommend(
        pair.source,
        pair.target,
        gold,
        training=[(one.source, one.target) for one in more],
        tokenizers=arguments.tokenizers,
        tokenizer_format=arguments.tokenizer_format,
        budget=budget,
        seed=arguments.seed,
        threads=arguments.threads,
        name=arguments.name,
        progress=progress,
    )
    if gold is None and found.sentences < MEASURED:
        small = "how good a choice without gold is was measured on texts of 1,212 and more"
        note([f"{found.sentences:,} sentence pairs: {small}, not on so small ones"])
    print(found)
    if found.not_tried:
        print(f"note: not tried within {arguments.budget}: {', '.join(found.not_tried)}")
    best = found.candidates[found.best]
    by = "estimated by consensus" if gold is None else "by the gold"
    why = f"better than the default with a probability of {best.better:.0%}, {by}"
    if not found.best:
        why = f"the default segmentation; no candidate is better with a probability of {CERTAIN:.0%}, {by}"
    described = f"{best.label}, gibbs, links of a probability above {best.threshold}"
    print(f"recommended: {described}: {why}")
    if found.alike:
        print(f"no difference from the default that this text can show: {', '.join(found.alike)}")
    if best.recipe.values.get("segmenter") == "external":
        print("note: give align this tokenizer, too: the recipe does not hold its files")
    print(
        "note: on nine pairs with gold, F1 of the recipe vote-small was 0.006 to 0.023 above that of the "
        "default, at three times its CPU time (docs/recommend.md): align --recipe vote-small links with it, "
        "and --keep writes its models; vote-neural, with the encoder of the extra neural, was 0.026 to 0.112 "
        "above vote-small"
    )
    found.recipe.write(arguments.output)
