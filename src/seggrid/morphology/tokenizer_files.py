"""Write a pruned tokenizer in the formats of Hugging Face tokenizers, as far as these can represent it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from seggrid.base.files import atomic_write
from seggrid.base.lines import write_lines
from seggrid.morphology.tokenizer import write_byte_level
from seggrid.morphology.word_segmentation import ByteLevelModel, Model
from seggrid.segment.bpe.formats import write_merges, write_tokenizer, write_vocabulary
from seggrid.segment.bpe.model import BPEModel, write_model

MODEL_FILE = "pruned.model"
"""Name of the file of a model that was learned by seggrid, if the other formats cannot represent it."""


def write_tokenizer_files(
    model: Model, before: Model, folder: str | Path, alphabet: Iterable[str] = ()
) -> list[str]:
    """Write `tokenizer.json`, `merges.txt` and `vocab.json` into a folder.

    Types that pruning leaves keep their ids. Hugging Face tokenizers has only merges of two parts, and no
    types that are split after segmentation. A byte-level tokenizer with longer merges or such types is
    written nevertheless, a merge with all its parts in `tokenizer.json` and on its line of `merges.txt`:
    seggrid reads these files, Hugging Face tokenizers refuses them. A model that was learned by seggrid is
    in that case written as `pruned.model` only.

    Args:
        model: the pruned model.
        before: the model before pruning.
        folder: the folder, which is made if there is none.
        alphabet: characters of the text, for a model that was learned by seggrid; see
            `seggrid.segment.bpe.formats.write_tokenizer`.

    Returns:
        Lines that tell the user which programs read the files.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    longer = sum(len(merge) != 2 for merge in model.merges)
    reasons = [f"{longer:,} merges of three or more parts"] * bool(longer)
    reasons += [f"{len(model.split):,} types that are split again"] * bool(model.split)
    if isinstance(model, ByteLevelModel):
        write_byte_level(model, folder / "tokenizer.json")
        write_lines(folder / "merges.txt", ["#version: 0.2", *map(" ".join, model.merges)])
        with atomic_write(folder / "vocab.json") as file:
            json.dump(model.vocabulary, file, ensure_ascii=False)
        what = "tokenizer.json" if model.split else "the files"
        refused = f"{' and '.join(reasons)}: seggrid reads {what}, Hugging Face tokenizers cannot"
    else:
        assert isinstance(before, BPEModel)
        refused = (
            f"{' and '.join(reasons)}: Hugging Face tokenizers knows none, so {MODEL_FILE} alone is "
            "written"
        )
        if reasons:
            write_model(model, folder / MODEL_FILE)
        else:
            write_tokenizer(model, folder / "tokenizer.json", alphabet, before)
            write_merges(model, folder / "merges.txt")
            write_vocabulary(model, folder / "vocab.json", alphabet, before)
    said = "Hugging Face tokenizers loads the files; ids are those before pruning"
    return [refused if reasons else said]
