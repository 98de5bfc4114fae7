"""Read, write and apply tokenizers, pruned or not.

from seggrid.morphology.tokenizer import Tokenizer
tokenizer = Tokenizer.read("pruned.json")
tokenizer.tokenize(["unhappiness", "stirrup-cup"])
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from seggrid.base.files import atomic_write
from seggrid.base.json_file import parse_json, read_json
from seggrid.base.lines import read_lines, read_utf8, split_lines, write_lines
from seggrid.errors import InputError
from seggrid.morphology.word_segmentation import ByteLevelModel, Model, segment, spell
from seggrid.segment.bpe.formats import write_merges, write_tokenizer, write_vocabulary
from seggrid.segment.bpe.merge_table import MergeTable
from seggrid.segment.bpe.model import BPEModel, check_merges, parse_model, write_model
from seggrid.segment.bpe.tokenizer_json import parse_tokenizer_json, read_vocabulary, tokenizer_json
from seggrid.segment.bytelevel import byte_symbols
from seggrid.segment.model_text import read_model_text


class Tokenizer:
    """A model prepared for segmenting words.

    Attributes:
        model: a byte-level model, or a model that was learned by seggrid.
    """

    def __init__(self, model: ByteLevelModel | BPEModel) -> None:
        self.model = model
        # The symbols of bytes do not depend on the words, so merges can be numbered once.
        is_fixed = isinstance(model, ByteLevelModel)
        self._table = MergeTable(model.merges, byte_symbols()) if is_fixed else None

    @classmethod
    def read(cls, path: str | Path, vocabulary: str | Path | None = None) -> Tokenizer:
        """Read a tokenizer.

        Args:
            path: a byte-level tokenizer if it is JSON or a vocabulary is given; otherwise a model that was
                learned by seggrid.
            vocabulary: the `vocab.json` that belongs to a `merges.txt`.
        """
        if vocabulary is not None:
            return cls(read_byte_level(path, vocabulary))
        # Recognized by its content too, since a pipe has no file ending; read only once.
        content = read_model_text(path)
        if Path(path).suffix == ".json" or content.lstrip().startswith("{"):
            return cls(_with_ids(_parse_tokenizer(content, path), path))
        return cls(parse_model(split_lines(content, path), path))

    def write(self, path: str | Path) -> None:
        """Write the tokenizer to one file, in a format that `read` reads."""
        if isinstance(self.model, BPEModel):
            write_model(self.model, path)
        else:
            write_byte_level(self.model, path)

    def tokenize(self, words: Sequence[str], seed: int = 0) -> list[list[str]]:
        """The tokens of each word, segmented by itself.

        Args:
            words: the words; an empty word has no token.
            seed: seed of dropout, if the model has a rate.
        """
        rows = [i for i, word in enumerate(words) if word]
        tokens: list[list[str]] = [[] for _ in words]
        if rows:
            spelling = spell(self.model, [words[i] for i in rows])
            segmented = segment(
                self.model.merges,
                spelling,
                split=self.model.split,
                dropout=self.model.dropout,
                seed=seed,
                table=self._table,
            )
            for i, row in zip(rows, segmented.words(), strict=True):
                tokens[i] = row
        return tokens

    def count(self, occurrences: Mapping[str, int]) -> Counter[str]:
        """Occurrences of each type in words, by the occurrences of the words."""
        counts: Counter[str] = Counter()
        for tokens, n in zip(self.tokenize(list(occurrences)), occurrences.values(), strict=True):
            for token in tokens:
                counts[token] += n
        return counts

    def encode(self, words: Sequence[str], seed: int = 0) -> list[list[int]]:
        """Like `tokenize`, but returns ids of the vocabulary. Types that remain after pruning keep their ids.

        Raises:
            InputError: the model has no vocabulary.
        """
        vocabulary = getattr(self.model, "vocabulary", None)
        if not vocabulary:
            raise InputError("the model has no vocabulary", hint="use the tokens themselves")
        return [[vocabulary[token] for token in row] for row in self.tokenize(words, seed)]


def read_byte_level(path: str | Path, vocabulary: str | Path | None = None) -> ByteLevelModel:
    """Read a byte-level BPE tokenizer with GPT-2's pre-tokenization, as RoBERTa and others have.

    Args:
        path: `tokenizer.json`, as Hugging Face's tokenizers and `write_byte_level` write it; or `merges.txt`:
            a header that begins with `#version`, then one merge per line.
        vocabulary: the `vocab.json` that belongs to `merges.txt`: an object of types and their ids.
    """
    if vocabulary is not None:
        lines = read_lines(path)
        skipped = 1 if lines and lines[0].startswith("#version") else 0
        merges = [tuple(line.split(" ")) for line in lines[skipped:]]
        check_merges(merges, path, first_line=skipped + 1)
        model = ByteLevelModel(merges, read_vocabulary(read_json(vocabulary), vocabulary))
    else:
        model = _parse_tokenizer(read_utf8(path, hint="give a JSON file"), path)
    return _with_ids(model, vocabulary or path)


def _with_ids(model: ByteLevelModel, file: str | Path) -> ByteLevelModel:
    """The model itself, after checking that all its products have ids."""
    for merge in model.merges:
        if "".join(merge) not in model.vocabulary and "".join(merge) not in model.split:
            raise InputError(
                f"{''.join(merge)!r}, which the merge {' '.join(merge)!r} makes, has no id",
                file=file,
                hint="take the vocabulary and the merges of one tokenizer",
            )
    return model


def write_byte_level(model: ByteLevelModel, path: str | Path) -> None:
    """Write a byte-level tokenizer in the layout of `tokenizer.json`.

    If it was read from such a file, only merges, vocabulary, dropout and types to split are changed.
    Hugging Face's tokenizers reads the result too, unless a merge has more than two parts or there are types
    to split.
    """
    old = _NEW if model.content is None else model.content
    # The library numbers added tokens anew unless the vocabulary has them, too.
    added = [one for one in old.get("added_tokens") or [] if isinstance(one, dict)]
    ids = {str(one["content"]): one["id"] for one in added}
    merging = {
        "dropout": model.dropout or None,
        "vocab": {**model.vocabulary, **ids},
        "merges": [list(merge) for merge in model.merges],
    }
    content = {**old, "model": {**old["model"], **merging}}
    content.pop("split", None)
    if model.split:
        content["split"] = sorted(model.split)
    with atomic_write(path) as file:
        json.dump(content, file, ensure_ascii=False, separators=(",", ":"))
        file.write("\n")


def _parse_tokenizer(content: str, path: str | Path) -> ByteLevelModel:
    parsed = parse_json(content, path)
    read = parse_tokenizer_json(parsed, path)
    kind = read.pre_tokenizer["type"]
    if kind != "ByteLevel":
        raise InputError(
            f"a tokenizer with the pre-tokenizer {kind}",
            file=path,
            hint="give one that is byte-level: ByteLevel, with GPT-2's pattern",
        )
    if not read.pre_tokenizer.get("use_regex", True):
        raise InputError(
            "a byte-level tokenizer that does not cut text by GPT-2's pattern (use_regex: false)",
            file=path,
            hint="give one with use_regex: true",
        )
    if read.prefix or read.suffix:
        key = "continuing_subword_prefix" if read.prefix else "end_of_word_suffix"
        raise InputError(f"a byte-level tokenizer with {key}", file=path)
    if unknown := sorted(read.split.difference(map("".join, read.merges))):
        raise InputError(f"split has {unknown[0]!r}, which no merge makes", file=path)
    return ByteLevelModel(read.merges, read.vocabulary, read.split, read.dropout, parsed)


_BYTE_LEVEL = {"type": "ByteLevel", "trim_offsets": True, "use_regex": True}
_NEW = tokenizer_json(
    {**_BYTE_LEVEL, "add_prefix_space": False},
    {**_BYTE_LEVEL, "add_prefix_space": True},
    {"vocab": {}},
)
"""The parts of a `tokenizer.json` that was not read from one."""
MODEL_FILE = "pruned.model"
"""Name of the file of a model that was learned by seggrid, if the other formats cannot represent it."""


def write_tokenizer_files(
    model: Model, before: Model, folder: str | Path, alphabet: Iterable[str] = ()
) -> list[str]:
    """Write `tokenizer.json`, `merges.txt` and `vocab.json` into a folder.

    Types that remain after pruning keep their ids. Hugging Face's tokenizers supports neither merges of more
    than two parts nor types that are split after segmentation. A byte-level tokenizer with either is written
    nevertheless, with all parts of a merge in `tokenizer.json` and in its line of `merges.txt`: seggrid reads
    these files, Hugging Face's tokenizers refuses them. A model that was learned by seggrid is in that case
    written only as `pruned.model`.

    Args:
        model: the pruned model.
        before: the model before pruning.
        folder: the folder, which is made if it is missing.
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
    loaded = "Hugging Face tokenizers loads the files; ids are those before pruning"
    return [refused if reasons else loaded]
