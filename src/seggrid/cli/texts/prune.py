"""`seggrid prune`: remove the merges of a BPE that a morphological reference blames."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Collection
from typing import Any

from seggrid.api.texts import words_in
from seggrid.base.folders import fresh_folder
from seggrid.cli.arguments import REFERENCES, add_input, add_seed, add_written
from seggrid.cli.files import output_folder
from seggrid.errors import InputError, note
from seggrid.morphology.knockout import prune
from seggrid.morphology.references import Reference, as_in_text, forms_in_text, read_reference
from seggrid.morphology.word_segmentation import count_types, read_model
from seggrid.segment.bpe.model import BPEModel
from seggrid.segment.formats.tokenizer_json import write_folder, write_tokenizer

_REFERENCE = (
    "the reference; surface: words as a text has them, each cut into morphemes; celex: lemmas (library, not "
    "libraries)"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
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


def run(arguments: argparse.Namespace) -> None:
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
