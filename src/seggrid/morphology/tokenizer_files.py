"""A pruned tokenizer in the files of Hugging Face tokenizers, as far as these can hold it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from seggrid.data.files import atomic_write
from seggrid.data.lines import write_lines
from seggrid.morphology.tokenizer import write_byte_level
from seggrid.morphology.word_segmentation import ByteLevelModel, Model
from seggrid.segment.bpe.formats import write_merges, write_tokenizer, write_vocabulary
from seggrid.segment.bpe.model import BPEModel, write_model

MODEL_FILE = "pruned.model"
"""A model that was learned here, where the other files cannot hold it."""


def write_tokenizer_files(
    model: Model, before: Model, folder: str | Path, alphabet: Iterable[str] = ()
) -> list[str]:
    """Write `tokenizer.json`, `merges.txt` and `vocab.json` into a folder.

    What pruning left keeps its id. Hugging Face tokenizers knows merges of two parts alone, and no types
    that are split again. A byte-level tokenizer that has others is written all the same, a merge with all
    its parts in `tokenizer.json` and on its line of `merges.txt`: this package reads the files, the other one
    refuses them. One that was learned here is then written as `pruned.model`, and nothing else.

    Args:
        model: what is written.
        before: the same before pruning.
        folder: where; made if need be.
        alphabet: characters of the text of a model that was learned here; see
            `seggrid.segment.bpe.formats.write_tokenizer`.

    Returns:
        What is to be said of the files, a line each.
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
