"""`seggrid filter`: leave out sentence pairs by score, length and share of unaligned words."""

from __future__ import annotations

import argparse
import re
from typing import Any

from seggrid.api.filtering import filter_pairs, read_scores
from seggrid.base.lines import LARGEST_TEXT, read_lines
from seggrid.cli.arguments import (
    PairOfTexts,
    add_input,
    add_links_notation,
    add_output,
    add_pair,
    add_written,
    read_links_of,
    read_pair,
    share,
    whole_number,
    write_lines,
)
from seggrid.corpus.pair import pair_format
from seggrid.errors import InputError, note, one_line


def add_filter(parser: argparse.ArgumentParser) -> None:
    """Add the options: texts, their links and scores, rules, outputs."""
    add_pair(parser, training=False, empty_lines=False)
    group = parser.add_argument_group("what is known of the sentence pairs")
    add_input(group, "--links", help="their links, for --unaligned")
    add_links_notation(group)
    add_input(group, "--scores", help="what align --scores wrote, for --least-score")
    add_input(
        group,
        "--models",
        metavar="FOLDER",
        help="in place of these, align and score with the models that align --keep wrote",
    )
    group = parser.add_argument_group(
        "rules",
        "A sentence pair with an empty side, or with what no text may hold, is always dropped.",
    )
    group.add_argument(
        "--shortest",
        type=whole_number(1),
        default=1,
        metavar="N",
        help="smallest number of words of a side",
    )
    group.add_argument(
        "--longest", type=whole_number(1), metavar="N", help="largest number of words of a side"
    )
    group.add_argument(
        "--ratio",
        type=_ratio,
        metavar="R",
        help="largest ratio of the longer to the shorter side in words, such as 3; at least 1",
    )
    group.add_argument(
        "--unaligned",
        type=share,
        metavar="P",
        help="largest share of the words of both sides that have no link, such as 0.5",
    )
    group.add_argument(
        "--least-score",
        type=number,
        metavar="S",
        help="smallest log-probability per word, in the worse direction, such as -16",
    )
    add_output(
        parser,
        "the pairs that are kept, `source ||| target`, or with a tab if the name ends in .tsv",
    )
    add_written(parser, "--outputs", nargs=2, help="in place of --output, a file for each side")
    add_written(
        parser,
        "--rules",
        help="write for each sentence pair of the text the rule that dropped it, or an empty line",
    )


def number(text: str) -> float:
    """The type of an option that is a decimal number."""
    if not re.fullmatch(r"[+-]?\d{1,9}(\.\d{1,9})?", text, re.ASCII):
        raise argparse.ArgumentTypeError(f"{one_line(text)!r} is not a number such as -8 or 2.5")
    return float(text)


def _ratio(text: str) -> float:
    """The type of an option that is a ratio of the larger to the smaller of two numbers."""
    if (value := number(text)) < 1:
        raise argparse.ArgumentTypeError(f"{one_line(text)!r} is below 1, which no ratio is")
    return value


def run_filter(arguments: argparse.Namespace) -> None:
    """Filter, write, and say how many pairs each rule dropped."""
    if arguments.output and arguments.outputs:
        raise InputError("--output together with --outputs", hint="leave one of the two out")
    pair = read_pair(arguments.texts, arguments, tokens=True, bad_lines="drop")
    rules = ("shortest", "longest", "ratio", "unaligned", "least_score")
    found = filter_pairs(
        pair.source,
        pair.target,
        malformed=pair.bad,
        **_known(arguments, pair),
        **{rule: getattr(arguments, rule) for rule in rules},
    )
    source, target = (
        [" ".join(words) for words, kept in zip(side, found.kept, strict=True) if kept]
        for side in (pair.source, pair.target)
    )
    if arguments.outputs:
        for file, lines in zip(arguments.outputs, (source, target), strict=True):
            write_lines(file, lines)
    else:
        between = "\t" if pair_format(arguments.output or "") == "columns" else " ||| "
        both = zip(source, target, strict=True)
        write_lines(arguments.output, (between.join(lines) for lines in both))
    if arguments.rules:
        write_lines(arguments.rules, found.rules)
    note([repr(found)])


def _known(arguments: argparse.Namespace, pair: PairOfTexts) -> dict[str, Any]:
    """The links and scores that the rules need, from files or computed by models."""
    if arguments.models:
        if arguments.links or arguments.scores:
            raise InputError(
                "--models together with --links or --scores", hint="leave one of them out"
            )
        # It takes a while to import.
        from seggrid.api.aligner import Aligner

        aligner = Aligner.load(arguments.models)
        with_scores = arguments.least_score is not None
        aligned = aligner.align(pair.source, pair.target, scores=with_scores)
        return {"links": aligned.links, "scores": aligned.mean_scores}
    options: dict[str, Any] = {}
    if arguments.links:
        options["links"] = read_links_of(arguments.links, arguments, pair.known).links
    if arguments.scores:
        lines = read_lines(arguments.scores, limit=LARGEST_TEXT)
        options["scores"] = read_scores(lines, arguments.scores)
    return options
