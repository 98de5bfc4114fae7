"""`seggrid tree`: how the merges of a BPE, and the morphemes of CELEX, build words."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Any

from seggrid.base.lines import UNSEEN
from seggrid.cli.files import input_file, output_file
from seggrid.errors import InputError
from seggrid.morphology.merge_graph import merge_trees, morpheme_tree, neighbors
from seggrid.morphology.references import celex_trees
from seggrid.morphology.tokenizer import Tokenizer

PICTURES = (".svg", ".png")
_BAD = re.compile(rf"\s|[{UNSEEN}]")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """A model, words, a picture."""
    parser.add_argument(
        "model",
        type=input_file,
        help="what seggrid learn wrote, or a byte-level tokenizer.json or merges.txt",
    )
    parser.add_argument("words", nargs="*", metavar="WORD", help="words whose tokens are shown")
    parser.add_argument(
        "--vocabulary", type=input_file, metavar="FILE", help="vocab.json, beside merges.txt"
    )
    parser.add_argument(
        "--around",
        metavar="TYPE",
        help="print also the merges that give this type, those that use it, and those in which several parts "
        "spell it; without words, the picture is of these merges",
    )
    parser.add_argument(
        "--morphemes",
        type=input_file,
        metavar="FILE",
        help="CELEX's file, which has lemmas (library, not libraries): show each word's tree of morphemes, "
        "too",
    )
    parser.add_argument(
        "-o",
        "--output",
        type=output_file,
        metavar="FILE",
        help=f"a picture of the words, or of the merges around the type: {', '.join(PICTURES)}",
    )


def run(arguments: argparse.Namespace) -> None:
    """Print, and draw if asked for."""
    if arguments.output and Path(arguments.output).suffix not in PICTURES:
        raise InputError(
            "no kind of picture", file=arguments.output, hint=f"one of {', '.join(PICTURES)}"
        )
    if not arguments.words and not arguments.around:
        raise InputError("nothing to show", hint="give words, or a type by --around")
    if bad := next((word for word in arguments.words if _BAD.search(word)), None):
        hint = "give words one by one, without spaces and control characters"
        raise InputError(f"{bad!r} is not a word", hint=hint)
    model: Any = Tokenizer.read(arguments.model, arguments.vocabulary).model
    if arguments.around:
        found = neighbors(model, arguments.around)
        for title, merges in (
            ("made by", found.made_by),
            ("used by", found.used_by),
            ("spelled in", found.spelled_in),
        ):
            for rank, merge in merges:
                print(f"{title}\t{rank}\t{' + '.join(merge)}\t{''.join(merge)}")
    words = merge_trees(model, arguments.words)
    if arguments.morphemes:
        analyses = celex_trees(arguments.morphemes, arguments.words)
        morphemes = [list(map(morpheme_tree, analyses[word])) for word in arguments.words]
        words = [trees for pair in zip(words, morphemes, strict=True) for trees in pair]
    for trees in words:
        print(*trees)
    if arguments.output:
        # It takes a second to import.
        from seggrid.report.figures.style import save_as, styled
        from seggrid.report.figures.trees import draw_around, draw_trees

        with styled():
            figure = draw_trees(words) if words else draw_around(arguments.around, found)
            save_as(figure, Path(arguments.output))
