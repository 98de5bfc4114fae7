"""`seggrid tree`: how merges of BPE, morphemes of CELEX and segments of `wordmap` build words."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from os import fspath
from pathlib import Path
from typing import Annotated, Any

from seggrid.base.errors import InputError
from seggrid.base.lines import UNSEEN
from seggrid.base.parameters import AnyPath, Help, InputFile, Output, Rule, VocabFile, checked
from seggrid.morphology.merge_graph import merge_trees, morpheme_tree, neighbors
from seggrid.morphology.references import celex_trees
from seggrid.morphology.word_segmentation import READ, read_word_model
from seggrid.segment.lexical import Lexical
from seggrid.segment.model_file import kind_of_file
from seggrid.segment.wordmap import Wordmap, ranked_covers

PICTURES = (".svg", ".png")
_MOST = 1000
"""The most ways to cut a word that are printed."""
_BAD = re.compile(rf"\s|[{UNSEEN}]")


_WORDS = Rule(
    lambda value: isinstance(value, list | tuple) and all(isinstance(word, str) for word in value),
    "a list of words",
)


@dataclass(frozen=True)
class Trees:
    """How a model builds words: its lines, as `seggrid tree` prints them, and a function that draws it."""

    lines: list[str]
    _draw: Callable[[], Any] = field(repr=False)

    def __str__(self) -> str:
        return "\n".join(self.lines)

    @checked
    def save(self, picture: AnyPath) -> None:
        """Draw a picture, `.svg` or `.png`."""
        _check_picture(fspath(picture))
        # It takes a second to import.
        from seggrid.grid.report.figures import figure_style, save_as

        with figure_style():
            save_as(self._draw(), Path(picture))


@checked
def tree(
    model: AnyPath,
    words: Annotated[Sequence[str], _WORDS] = (),
    *,
    vocab: AnyPath | None = None,
    around: str | None = None,
    morphemes: AnyPath | None = None,
) -> Trees:
    """How a model builds words, as `seggrid tree` shows it.

    Args:
        model: a file: what `seggrid learn` wrote, a tokenizer.json or a sentencepiece model of BPE, or a
            merges.txt over bytes; with a model of wordmap or lexical, all ways to cut a word into its
            segments are shown.
        words: the words.
        vocab: vocab.json that belongs to merges.txt.
        around: a type, whose merges are told, too; without words, the picture shows them.
        morphemes: CELEX's file, for each word's tree of morphemes.
    """
    if not words and not around:
        raise InputError("nothing to show", hint="give words, or a type by --around")
    if bad := next((word for word in words if _BAD.search(word)), None):
        hint = "give words one by one, without spaces and control characters"
        raise InputError(f"{bad!r} is not a word", hint=hint)
    path = fspath(model)
    kind = kind_of_file(path)  # None for a pipe
    if kind in (Wordmap.name, Lexical.name):
        given = {"around": around, "morphemes": morphemes, "vocab": vocab}
        if name := next((name for name, value in given.items() if value), None):
            raise InputError(f"--{name} with a model without merges", hint="leave it out")
        is_map = kind == Wordmap.name
        return _covers(words, Wordmap.read(path).numbers if is_map else Lexical.read(path).segments)
    read: Any = read_word_model(path, None if vocab is None else fspath(vocab))
    lines, nearby = [], None
    if around:
        nearby = neighbors(read, around)
        for title, merges in (
            ("made by", nearby.made_by),
            ("used by", nearby.used_by),
            ("spelled in", nearby.spelled_in),
        ):
            for rank, merge in merges:
                lines.append(f"{title}\t{rank}\t{' + '.join(merge)}\t{''.join(merge)}")
    built = merge_trees(read, words)
    if morphemes:
        analyses = celex_trees(fspath(morphemes), words)
        parts = [list(map(morpheme_tree, analyses[word])) for word in words]
        built = [trees for pair in zip(built, parts, strict=True) for trees in pair]
    lines += [" ".join(map(str, trees)) for trees in built]

    def draw() -> Any:
        from seggrid.grid.report.trees import draw_around, draw_trees

        return draw_around(around, nearby) if around and nearby and not built else draw_trees(built)

    return Trees(lines, draw)


def command(
    model: Annotated[
        InputFile,
        Help(
            f"what seggrid learn wrote, {READ}; with a model of wordmap or lexical, all ways to cut a word "
            "into its segments are shown, with their weights, the chosen one first"
        ),
    ],
    words: Annotated[tuple[str, ...], Help("words whose tokens are shown", metavar="WORD")] = (),
    /,
    *,
    vocab: VocabFile | None = None,
    around: Annotated[
        str | None,
        Help(
            "print also the merges that give this type, those that use it, and those in which several parts "
            "spell it; without words, the picture shows these merges",
            metavar="TYPE",
        ),
    ] = None,
    morphemes: Annotated[
        InputFile | None,
        Help(
            "CELEX's file, which has lemmas (library, not libraries): also show each word's tree of morphemes"
        ),
    ] = None,
    output: Annotated[
        Output | None,
        Help(f"a picture ({', '.join(PICTURES)}) of the words, or of the merges around the type"),
    ] = None,
) -> None:
    """Print trees, and draw them if requested."""
    if output:
        _check_picture(output)
    found = tree(model, words, vocab=vocab, around=around, morphemes=morphemes)
    if found.lines:
        print(found)
    if output:
        found.save(output)


def _check_picture(file: str) -> None:
    """Refuse a file that is no picture."""
    if Path(file).suffix not in PICTURES:
        raise InputError("no kind of picture", file=file, hint=f"one of {', '.join(PICTURES)}")


def _covers(words: Sequence[str], segments: Collection[str]) -> Trees:
    """The ways to cut words into segments."""
    found = [(word, ranked_covers(word, segments, _MOST)) for word in words]
    lines = []
    for word, covers in found:
        if not covers:
            lines.append(f"{word}\tno segments cover it")
        lines += [f"{word}\t{weight:.3f}\t{' '.join(cover)}" for cover, weight in covers]

    def draw() -> Any:
        from seggrid.grid.report.trees import draw_covers

        return draw_covers([(word, [cover for cover, _ in covers]) for word, covers in found])

    return Trees(lines, draw)
