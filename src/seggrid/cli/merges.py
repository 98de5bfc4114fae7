"""`seggrid prune` and `tree`: remove the merges of a BPE that a morphological reference blames; how merges
of BPE, morphemes of CELEX and segments of `wordmap` build words."""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Collection
from pathlib import Path
from typing import Any

from seggrid.api.texts import words_in
from seggrid.base.folders import fresh_folder
from seggrid.base.lines import UNSEEN
from seggrid.cli.arguments import REFERENCES, add_input, add_seed, add_written
from seggrid.cli.files import output_folder
from seggrid.errors import InputError, note
from seggrid.morphology.knockout import prune
from seggrid.morphology.merge_graph import merge_trees, morpheme_tree, neighbors
from seggrid.morphology.references import (
    Reference,
    as_in_text,
    celex_trees,
    forms_in_text,
    read_reference,
)
from seggrid.morphology.word_segmentation import count_types, read_model
from seggrid.segment.bpe.model import BPEModel
from seggrid.segment.formats.tokenizer_json import write_folder, write_tokenizer
from seggrid.segment.lexical import Lexical
from seggrid.segment.model_file import kind_of_file
from seggrid.segment.wordmap import Wordmap, ranked_covers

_REFERENCE = (
    "the reference; surface: words as a text has them, each cut into morphemes; celex: lemmas (library, not "
    "libraries)"
)


def add_prune(parser: argparse.ArgumentParser) -> None:
    """Add the options: model, reference, variant, outputs."""
    add_input(
        parser,
        "model",
        help="a model of seggrid learn, a tokenizer.json of BPE, or a merges.txt over bytes",
    )
    add_input(parser, "--vocab", help="vocab.json that belongs to merges.txt")
    parser.add_argument(
        "--knockout", default="blame-0.5", help="the variant of pruning; see docs/knockout.md"
    )
    add_input(parser, "--morphemes", help=_REFERENCE)
    parser.add_argument(
        "--morphemes-format", choices=REFERENCES, default="surface", help="format of the reference"
    )
    add_input(
        parser,
        "--text",
        help="a text whose words are counted, for variants that need counts, and whose characters get ids in "
        "--folder",
    )
    add_seed(parser, "random pruning")
    add_written(parser, "-o", "--output", help="the pruned model, in a format that seggrid reads")
    parser.add_argument(
        "--folder",
        type=output_folder,
        metavar="DIR",
        help="new folder for tokenizer.json, merges.txt and vocab.json, in which types keep their ids; "
        "Hugging Face tokenizers loads them unless a merge has more than two parts (--knockout "
        "reify-0.5x1 leaves few)",
    )


def run_prune(arguments: argparse.Namespace) -> None:
    """Prune and write."""
    if not (arguments.output or arguments.folder):
        raise InputError("no output is given", hint="give -o FILE, --folder DIR, or both")
    model: Any = read_model(arguments.model, arguments.vocab)
    reference = None
    if arguments.morphemes:
        reference = read_reference(arguments.morphemes, arguments.morphemes_format)
    sentences = words_in(arguments.text) if arguments.text else []
    words = Counter(word for sentence in sentences for word in sentence)
    if arguments.folder and not words and isinstance(model, BPEModel):
        raise InputError(
            "characters that are in no merge would become <unk>",
            hint="give the text that will be segmented with --text",
        )
    if reference and words:
        reference = as_in_text(reference, words)
    if reference:
        note(_unlike(reference, words, model))
    pruned = prune(
        model,
        arguments.knockout,
        reference,
        frequencies=words or None,
        counts=count_types(model, words) if words else None,
        seed=arguments.seed,
    )
    if arguments.output:
        if isinstance(pruned, BPEModel):
            pruned.write(arguments.output)
        else:
            write_tokenizer(pruned, arguments.output)
    if arguments.folder:
        alphabet = {character for word in words for character in word}
        with fresh_folder(arguments.folder, digests=True) as folder:
            programs = write_folder(pruned, model, folder, alphabet)
        print(*programs, sep="\n")


def _unlike(reference: Reference, words: Collection[str], model: Any) -> list[str]:
    """Remarks if the reference spells words in another form than the text, or than the text of the model."""
    if words:
        return [message] if (message := forms_in_text(reference, words)) else []
    upper = sum(word != word.lower() for word in reference.words)
    parts = {part for merge in model.merges for part in merge}
    if not upper or not isinstance(model, BPEModel) or any(part != part.lower() for part in parts):
        return []
    hint = "if it was learned on lower-cased text, lower-case the reference, too"
    return [
        f"{reference.file}: {upper:,} words have upper-case letters, and the model none: {hint}"
    ]


PICTURES = (".svg", ".png")
_MOST = 1000
"""The most ways to cut a word that are printed."""
_BAD = re.compile(rf"\s|[{UNSEEN}]")


def add_tree(parser: argparse.ArgumentParser) -> None:
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


def run_tree(arguments: argparse.Namespace) -> None:
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
        from seggrid.report.figures import save_as, styled
        from seggrid.report.trees import draw_around, draw_trees

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
        from seggrid.report.figures import save_as, styled
        from seggrid.report.trees import draw_covers

        with styled():
            figure = draw_covers([(word, [cover for cover, _ in covers]) for word, covers in found])
            save_as(figure, Path(arguments.output))
