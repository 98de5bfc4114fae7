"""`seggrid tree`: how merges of BPE, morphemes of CELEX and segments of `wordmap` build words."""

from __future__ import annotations

import argparse
import re
from collections.abc import Collection
from pathlib import Path
from typing import Any

from seggrid.base.lines import UNSEEN
from seggrid.cli.arguments import add_input, add_written
from seggrid.errors import InputError
from seggrid.morphology.merge_graph import merge_trees, morpheme_tree, neighbors
from seggrid.morphology.references import celex_trees
from seggrid.morphology.word_segmentation import read_model
from seggrid.segment.lexical import Lexical
from seggrid.segment.model_file import kind_of_file
from seggrid.segment.wordmap import Wordmap, ranked_covers

PICTURES = (".svg", ".png")
_MOST = 1000
"""The most ways to cut a word that are printed."""
_BAD = re.compile(rf"\s|[{UNSEEN}]")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options: a model, words, a picture."""
    add_input(
        parser,
        "model",
        help="what seggrid learn wrote, a tokenizer.json of BPE, or a merges.txt over bytes; with a model of "
        "wordmap or lexical, all ways to cut a word into its segments are shown, with their weights, the "
        "chosen one first",
    )
    parser.add_argument("words", nargs="*", metavar="WORD", help="words whose tokens are shown")
    add_input(parser, "--vocab", help="vocab.json that belongs to merges.txt")
    parser.add_argument(
        "--around",
        metavar="TYPE",
        help="print also the merges that give this type, those that use it, and those in which several parts "
        "spell it; without words, the picture shows these merges",
    )
    add_input(
        parser,
        "--morphemes",
        help="CELEX's file, which has lemmas (library, not libraries): also show each word's tree of "
        "morphemes",
    )
    add_written(
        parser,
        "-o",
        "--output",
        help=f"a picture ({', '.join(PICTURES)}) of the words, or of the merges around the type",
    )


def run(arguments: argparse.Namespace) -> None:
    """Print trees, and draw them if requested."""
    if arguments.output and Path(arguments.output).suffix not in PICTURES:
        raise InputError(
            "no kind of picture", file=arguments.output, hint=f"one of {', '.join(PICTURES)}"
        )
    if not arguments.words and not arguments.around:
        raise InputError("nothing to show", hint="give words, or a type by --around")
    if bad := next((word for word in arguments.words if _BAD.search(word)), None):
        hint = "give words one by one, without spaces and control characters"
        raise InputError(f"{bad!r} is not a word", hint=hint)
    if (segments := _segments(arguments.model)) is not None:
        _show_covers(arguments, segments)
        return
    model: Any = read_model(arguments.model, arguments.vocab)
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


def _segments(file: str) -> Collection[str] | None:
    """The segments of a model of `wordmap` or `lexical`; None for another model, or for a pipe."""
    kind = kind_of_file(file)
    if kind == Wordmap.name:
        return Wordmap.read(file).numbers
    return Lexical.read(file).segments if kind == Lexical.name else None


def _show_covers(arguments: argparse.Namespace, segments: Collection[str]) -> None:
    """Print the ways to cut words into segments, and draw them if requested."""
    for name in ("around", "morphemes", "vocab"):
        if getattr(arguments, name):
            raise InputError(f"--{name} with a model without merges", hint="leave it out")
    found = [(word, ranked_covers(word, segments, _MOST)) for word in arguments.words]
    for word, covers in found:
        if not covers:
            print(f"{word}\tno segments cover it")
        for cover, weight in covers:
            print(f"{word}\t{weight:.3f}\t{' '.join(cover)}")
    if arguments.output:
        from seggrid.report.figures.style import save_as, styled
        from seggrid.report.figures.trees import draw_covers

        with styled():
            figure = draw_covers([(word, [cover for cover, _ in covers]) for word, covers in found])
            save_as(figure, Path(arguments.output))
