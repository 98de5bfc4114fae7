"""`seggrid prune`: prune a learned BPE by a morphological reference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from os import PathLike, fspath
from typing import Annotated, Any

from seggrid.base.errors import InputError, note
from seggrid.base.folders import fresh_folder
from seggrid.base.parameters import (
    AnyPath,
    FormatOfMorphemes,
    Help,
    InputFile,
    Output,
    OutputFolder,
    Seed,
    VocabFile,
    checked,
)
from seggrid.commands.texts import Texts, without_characters, words_in
from seggrid.morphology.evaluate import texts_of_types
from seggrid.morphology.knockout import prune_model as pruned_by
from seggrid.morphology.references import Reference, read_reference
from seggrid.morphology.respelling import as_in_text, forms_in_text, in_form_of
from seggrid.morphology.word_segmentation import READ, count_types, cut_each_word, read_word_model
from seggrid.segment.bpe.model import BPEModel
from seggrid.segment.formats.tokenizer_writer import beyond_library, write_folder, write_tokenizer
from seggrid.segment.model_file import kind_of_file
from seggrid.text.boundary import BOUNDARY

Knockout = Annotated[
    str,
    Help(
        "the rule of pruning: blame-0.5 (BPE-knockout), leaves-0.1, residues-0.1, random-0.1, and others of "
        "docs/knockout.md",
        ("--rule", "--knockout"),
    ),
]


@dataclass(frozen=True)
class Pruned:
    """A pruned BPE.

    Attributes:
        model: the pruned model, of the kind of `learned`.
        learned: the model before.
        words: how often the text has each word; empty without a text.
    """

    model: Any
    learned: Any
    words: Counter[str]

    @checked
    def save(self, file: AnyPath) -> None:
        """Write the model in the format of the model that was pruned; of sentencepiece, a tokenizer.json."""
        if isinstance(self.model, BPEModel):
            self.model.write(fspath(file))
        else:
            write_tokenizer(self.model, fspath(file))
        note([f"{fspath(file)}: {told}"] if (told := beyond_library(self.model)) else [])

    @checked
    def save_folder(self, folder: AnyPath) -> list[str]:
        """Write tokenizer.json, merges.txt and vocab.json, in which types keep their ids, to a new folder.
        The characters of the text get ids. Returns which program reads which file, one line each."""
        self.check_characters()
        alphabet = {character for word in self.words for character in word}
        with fresh_folder(fspath(folder), digests=True) as made:
            return list(write_folder(self.model, self.learned, made, alphabet))

    def check_characters(self) -> None:
        """Refuse a folder of a model whose single characters are not known."""
        if not self.words and isinstance(self.model, BPEModel):
            raise without_characters()

    def __repr__(self) -> str:
        return f"<Pruned: {len(self.model.merges):,} of {len(self.learned.merges):,} merges>"


@checked
def prune(
    model: AnyPath,
    morphemes: AnyPath | None = None,
    *,
    knockout: Knockout = "blame-0.5",
    format: FormatOfMorphemes = "surface",
    text: Texts | None = None,
    vocab: AnyPath | None = None,
    seed: Seed = 1,
) -> Pruned:
    """Prune a learned BPE, as `seggrid prune` does.

    Args:
        model: its file: what `seggrid learn` wrote, a tokenizer.json or a sentencepiece model of BPE, or a
            merges.txt over bytes.
        morphemes: the file of a morphological reference, for all variants that are not random.
        knockout: the variant, see docs/knockout.md.
        format: the format of that file.
        text: a text whose words are counted, for variants that need counts and for `Pruned.save_folder`.
        vocab: vocab.json that belongs to merges.txt.
        seed: seed of random pruning.
    """
    return _prune(
        _read(model, vocab),
        None if morphemes is None else fspath(morphemes),
        knockout,
        format,
        text,
        seed,
    )


def _read(model: str | PathLike[str], vocab: str | PathLike[str] | None) -> Any:
    file = fspath(model)
    found = read_word_model(file, None if vocab is None else fspath(vocab))
    if vocab is None and kind_of_file(file) == "sentencepiece":
        note([f"{file}: a model of sentencepiece has no merges, so a tokenizer.json is written"])
    return found


def _prune(
    learned: Any,
    morphemes: str | None,
    knockout: str,
    format: str,
    text: Texts | None,
    seed: int,
    *,
    folder: bool = False,
) -> Pruned:
    """As `prune`, of a model that was read; refused before all work if a `folder` could not be written."""
    reference = None if morphemes is None else read_reference(morphemes, format)
    words = Counter(
        word for sentence in words_in([] if text is None else text) for word in sentence
    )
    if folder:
        Pruned(learned, learned, words).check_characters()
    if reference:
        reference = (
            as_in_text(reference, words)
            if words
            else in_form_of(reference, texts_of_types(learned))
        )
        note(_unlike(reference, words, learned))
    pruned = pruned_by(
        learned,
        knockout,
        reference,
        frequencies=words or None,
        counts=count_types(learned, words) if words else None,
        seed=seed,
    )
    note(_done(learned, pruned, reference))
    return Pruned(pruned, learned, words)


def command(
    model: Annotated[
        InputFile,
        Help(f"a model of seggrid learn, {READ}"),
    ],
    /,
    *,
    vocab: VocabFile | None = None,
    knockout: Knockout = "blame-0.5",
    morphemes: Annotated[InputFile | None, Help("the morphological reference")] = None,
    morphemes_format: FormatOfMorphemes = "surface",
    text: Annotated[
        InputFile | None,
        Help(
            "a text whose words are counted, for variants that need counts, and whose characters get ids in "
            "--folder"
        ),
    ] = None,
    seed: Annotated[Seed, Help("seed of random pruning")] = 1,
    output: Annotated[
        Output | None,
        Help("the pruned model, in the format of the model; of sentencepiece, a tokenizer.json"),
    ] = None,
    folder: Annotated[
        OutputFolder | None,
        Help(
            "new folder for tokenizer.json, merges.txt and vocab.json, in which types keep their ids; "
            "Hugging Face tokenizers loads them unless a merge has more than two parts (--knockout "
            "reify-0.5x1 leaves few)",
            metavar="DIR",
        ),
    ] = None,
) -> None:
    """Prune and write."""
    if not (output or folder):
        raise InputError("no output is given", hint="give -o FILE, --folder DIR, or both")
    how = (morphemes, knockout, morphemes_format, text, seed)
    found = _prune(_read(model, vocab), *how, folder=bool(folder))
    if output:
        found.save(output)
    if folder:
        print(*found.save_folder(folder), sep="\n")


_FEW, _LEAST = 0.1, 100
"""A model has this share of its types, or of as many words of a reference as there are, as whole words of its
own language; of another one it had .01 to .09, of its own .27 to .68 (4,000 and 500 merges on English)."""


def _done(model: Any, pruned: Any, reference: Reference | None) -> list[str]:
    """What was pruned, and by which words; and a remark if hardly any is a word of the model."""
    merges, after = len(model.merges), len(pruned.merges)
    if pruned.dropout != model.dropout:
        what = f"dropout of {pruned.dropout:.4g}"
    elif pruned.split:
        what = f"{len(pruned.split):,} types are split again"
    else:
        what = f"{max(merges - after, 0):,} pruned, {after:,} left"
    if reference is None:
        return [f"{merges:,} merges, {what}"]
    mark = (BOUNDARY, "Ġ")
    whole = sum(
        len([t for t in own if t not in mark]) == 1 for own in cut_each_word(model, reference.words)
    )
    told = f"{merges:,} merges, {what}, by {len(reference):,} words of {reference.file}"
    most = min(merges, len(reference))
    if most < _LEAST or whole >= _FEW * most:
        return [told]
    return [
        told,
        f"only {whole:,} of these words are one token: is the reference in the model's language?",
    ]


def _unlike(reference: Reference, words: Collection[str], model: Any) -> list[str]:
    """Remarks if the reference spells words in another form than the text, or than the text of the model."""
    found = [message] if words and (message := forms_in_text(reference, words)) else []
    shared = set(reference.words).intersection(words) if words else reference.words
    upper = sum(word != word.lower() for word in shared)
    parts = {part for merge in model.merges for part in merge}
    if upper and isinstance(model, BPEModel) and all(part == part.lower() for part in parts):
        it = "the reference and --text" if words else "the reference"
        hint = f"if it was learned on lower-cased text, lower-case {it}, too"
        found.append(
            f"{reference.file}: {upper:,} words have upper-case letters, and the model none: {hint}"
        )
    return found
