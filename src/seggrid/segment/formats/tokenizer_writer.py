"""Write a model as Hugging Face's `tokenizer.json`, `merges.txt` and `vocab.json`, and a vocabulary that is
cut by a rule as `tokenizer.json`."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from seggrid.base.errors import InputError
from seggrid.base.files import atomic_write
from seggrid.base.lines import write_lines
from seggrid.segment.bpe.model import BPEModel
from seggrid.segment.byte_level import TokenizerModel
from seggrid.segment.formats.merge_lines import CONTINUES, VERSION, spelled_start
from seggrid.segment.formats.merges import marks, spelled_merges, write_merges
from seggrid.segment.formats.tokenizer_json import PREFIX, SPLIT_AT_SPACES, SUFFIX, added_tokens
from seggrid.segment.trie import worth_of
from seggrid.segment.vocabulary import NEVER
from seggrid.text.boundary import BOUNDARY, WORD_END

UNKNOWN = "<unk>"
MODEL_FILE = "pruned.model"
"""Name of the file of a model that was learned by seggrid, if the other formats cannot represent it."""
_BYTE_LEVEL = {"type": "ByteLevel", "trim_offsets": True, "use_regex": True}
_LONGEST_WORD = 10**6
# A score of the library's Unigram is a whole number: the worth of a type, in steps of 2^-32, minus `_TOKEN`.
# Sums of up to 128 tokens are exact, and no difference in worth outweighs a token.
_STEP, _TOKEN = 2**8, 2**45
_LEAST = -(2**52)


def special_tokens(ids: Mapping[str, int]) -> list[dict[str, Any]]:
    """Added tokens that are no part of texts, with their ids."""
    return [
        {"id": id, "content": text, "special": True}
        | dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
        for text, id in ids.items()
    ]


def tokenizer_json(
    pre_tokenizer: dict[str, Any], decoder: dict[str, Any] | None, model: dict[str, Any]
) -> dict[str, Any]:
    """The content of a `tokenizer.json` that only cuts text and merges. Unless one is given, its decoder
    joins the tokens of a word by the marks of its model."""
    if pre_tokenizer["type"] == "Metaspace":
        decoder = decoder or pre_tokenizer
    elif suffix := model.get(SUFFIX):
        decoder = decoder or {"type": "BPEDecoder", "suffix": suffix}
    elif prefix := model.get(PREFIX):
        decoder = decoder or {"type": "WordPiece", "prefix": prefix, "cleanup": False}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": pre_tokenizer,
        "post_processor": None,
        "decoder": decoder,
        "model": {"type": "BPE", **model},
    }


def metaspace(prepend: bool) -> dict[str, Any]:
    """The pre-tokenizer that turns spaces into `▁`; it puts one before the text and cuts at each, or not."""
    scheme = "always" if prepend else "never"
    return {
        "type": "Metaspace",
        "replacement": BOUNDARY,
        "prepend_scheme": scheme,
        "split": prepend,
    }


def write_tokenizer(
    model: BPEModel | TokenizerModel,
    path: str | Path,
    alphabet: Iterable[str] = (),
    before: BPEModel | None = None,
) -> None:
    """Write a `tokenizer.json` that segments text, its words separated by spaces, as the model does.

    Of a model that was read from one, only merges, vocabulary, dropout and types to split are changed; one of
    characters maps those that are neither in merges nor in `alphabet` to `<unk>`. Types keep the ids that
    they have in the model `before` pruning.
    """
    if isinstance(model, BPEModel):
        write_json(tokenizer_json_of(model, ids_of(model, alphabet, before)), path)
        return
    with atomic_write(path) as file:
        json.dump(content_of_model(model), file, ensure_ascii=False, separators=(",", ":"))
        file.write("\n")


def write_json(content: Any, path: str | Path, indent: int = 1) -> None:
    """Write the content of a `tokenizer.json`, atomically."""
    with atomic_write(path) as file:
        json.dump(content, file, ensure_ascii=False, indent=indent)


def write_vocabulary(
    model: BPEModel,
    path: str | Path,
    alphabet: Iterable[str] = (),
    before: BPEModel | None = None,
) -> None:
    """Write the `vocab.json` that belongs to a `merges.txt`; see `write_tokenizer`."""
    write_json(ids_of(model, alphabet, before), path, indent=0)


def write_byte_merges(model: TokenizerModel, path: str | Path) -> None:
    """Write the merges of a tokenizer from elsewhere as its library's `merges.txt`, atomically."""
    merges = content_of_model(model)["model"]["merges"]
    write_lines(path, [VERSION, *map(" ".join, merges)])


def write_folder(
    model: BPEModel | TokenizerModel,
    before: BPEModel | TokenizerModel,
    folder: str | Path,
    alphabet: Iterable[str] = (),
) -> list[str]:
    """Write `tokenizer.json`, `merges.txt` and `vocab.json` of a pruned model into a folder.

    Types that remain keep their ids. A byte-level tokenizer is written even if the library refuses it; a
    model that was learned by seggrid is in that case written only as `pruned.model`. Returns lines that tell
    the user which programs read the files. The other arguments are as for `write_tokenizer`.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    reasons = _beyond(model)
    if isinstance(model, TokenizerModel):
        write_tokenizer(model, folder / "tokenizer.json")
        own = content_of_model(model)["model"]
        write_byte_merges(model, folder / "merges.txt")
        with atomic_write(folder / "vocab.json") as file:
            json.dump(own["vocab"], file, ensure_ascii=False)
        what = "tokenizer.json" if model.split else "the files"
        refused = f"seggrid reads {what}, Hugging Face tokenizers cannot"
    else:
        assert isinstance(before, BPEModel)
        refused = f"Hugging Face tokenizers knows none, so {MODEL_FILE} alone is written"
        if reasons:
            model.write(folder / MODEL_FILE)
        else:
            write_tokenizer(model, folder / "tokenizer.json", alphabet, before)
            write_merges(model, folder / "merges.txt")
            write_vocabulary(model, folder / "vocab.json", alphabet, before)
    if reasons:
        return [f"{' and '.join(reasons)}: {refused}"]
    return ["Hugging Face tokenizers loads the files; ids are those before pruning"]


def _beyond(model: BPEModel | TokenizerModel) -> list[str]:
    """What a model has that no library knows."""
    longer = sum(len(merge) != 2 for merge in model.merges)
    reasons = [f"{longer:,} merges of three or more parts"] if longer else []
    if model.split:
        reasons.append(f"{len(model.split):,} types that are split again")
    return reasons


def beyond_library(model: BPEModel | TokenizerModel) -> str | None:
    """That a library cannot read a model from elsewhere once it is written, and what is near that it can."""
    if isinstance(model, BPEModel) or not (reasons := _beyond(model)):
        return None
    near = "--knockout cascade-0.5, which removes what is built on pruned merges, too, gives what it reads"
    return f"{' and '.join(reasons)}, which seggrid reads and the tokenizer's own library cannot: {near}"


def content_of_model(model: TokenizerModel) -> dict[str, Any]:
    """The content of the `tokenizer.json` of a tokenizer from elsewhere."""
    spell = partial(spelled_start, prefix=model.prefix)
    old = model.content or tokenizer_json(
        {**_BYTE_LEVEL, "add_prefix_space": False},
        {**_BYTE_LEVEL, "add_prefix_space": True},
        {"vocab": {}},
    )
    # The library numbers added tokens anew unless the vocabulary has them, too.
    ids = {str(one["content"]): one["id"] for one in added_tokens(old)}
    merging = {
        "dropout": model.dropout or None,
        "vocab": {**{spell(text): id for text, id in model.vocabulary.items()}, **ids},
        "merges": [list(map(spell, merge)) for merge in model.merges],
    }
    content = {**old, "model": {**old["model"], **merging}}
    content.pop("split", None)
    return content | ({"split": sorted(map(spell, model.split))} if model.split else {})


def spelled_tokenizer(model: BPEModel, types: Sequence[str], plain: Collection[str]) -> str:
    """The text of a `tokenizer.json` as `write_tokenizer` writes it, but with the ids of these types, as this
    package spells them; the `plain` ones are no part of words and keep their spelling, such as `<unk>`."""
    spell = spelled_start if marks(model, "start") else str
    vocabulary: dict[str, int] = {}
    for id, text in enumerate(types):
        own = text if text in plain else spell(text)
        if vocabulary.setdefault(own, id) != id:
            raise InputError(f"two types that other programs spell {own!r}")
    return json.dumps(tokenizer_json_of(model, vocabulary), ensure_ascii=False)


def tokenizer_json_of(model: BPEModel, vocabulary: dict[str, int]) -> dict[str, Any]:
    """The content of the `tokenizer.json` of a model of characters, with the id of each type."""
    in_text = not model.spaces or model.marking == "own"
    merging = {
        "dropout": model.dropout or None,
        "unk_token": UNKNOWN,
        PREFIX: CONTINUES if marks(model, "start") else None,
        SUFFIX: WORD_END if marks(model, "end") else None,
        "fuse_unk": False,
        "byte_fallback": False,
        "ignore_merges": False,
        "vocab": vocabulary,
        "merges": spelled_merges(model),
    }
    return tokenizer_json(metaspace(model.spaces) if in_text else SPLIT_AT_SPACES, None, merging)


def ids_of(
    model: BPEModel, alphabet: Iterable[str], before: BPEModel | None = None
) -> dict[str, int]:
    """The id of each token: `<unk>`, then initial symbols by their text, then products by rank.

    Tokens of a pruned model keep their ids, and new ones get ids after the last.
    """
    spelled_merges(model)  # refuses merges that cannot be spelled
    products = ["".join(merge) for merge in model.merges]
    symbols = {part for merge in model.merges for part in merge}.difference(products)
    for character in alphabet:
        symbols.add(character)
        if marks(model, "start"):
            symbols.add(BOUNDARY + character)
        if marks(model, "end"):
            symbols.add(character + WORD_END)
    if not model.spaces or model.marking == "own":
        symbols.add(BOUNDARY)
    spell = spelled_start if marks(model, "start") else str
    tokens = dict.fromkeys([UNKNOWN, *sorted(map(spell, symbols)), *map(spell, products)])
    if before is None:
        return {token: number for number, token in enumerate(tokens)}
    numbers = ids_of(before, alphabet)
    kept = {token: number for token, number in numbers.items() if token in tokens}
    new = (token for token in tokens if token not in numbers)
    return kept | {token: number for number, token in enumerate(new, max(numbers.values()) + 1)}


def wordpiece_tokenizer(types: Iterable[str], alphabet: Iterable[str]) -> dict[str, Any]:
    """The content of a `tokenizer.json` that cuts words, separated by spaces, by the rule `left`.

    It is of the library's WordPiece, which takes the longest type from the left. A word with a character that
    is in no type becomes `<unk>`.
    """
    texts = [*_singles(types, alphabet), *sorted(types)]
    spelled = dict.fromkeys([UNKNOWN, *map(spelled_start, dict.fromkeys(texts))])
    if len(spelled) != len({*texts}) + 1:
        hint = "learn on a text without ## and <unk>"
        raise InputError("two types that other programs spell alike", hint=hint)
    model = {
        "type": "WordPiece",
        "unk_token": UNKNOWN,
        "continuing_subword_prefix": spelled_start(""),
        "max_input_chars_per_word": _LONGEST_WORD,
        "vocab": {text: id for id, text in enumerate(spelled)},
    }
    return tokenizer_json(SPLIT_AT_SPACES, None, model)


def unigram_tokenizer(
    types: Iterable[str], alphabet: Iterable[str], log_p: Mapping[str, float] | None = None
) -> dict[str, Any]:
    """The content of a `tokenizer.json` that cuts words, separated by spaces, by the rule `least`; with
    probabilities, as MinGram.

    It is of the library's Unigram, which takes the greatest sum of scores, among equal sums the longest last
    token; if all scores are equal and negative, that means the fewest tokens. Logarithms of probabilities,
    `NEVER` for types without one, become whole numbers that order segmentations in the same way, up to
    differences of 2^-32. A character that is in no type becomes `<unk>`.
    """
    texts = [*dict.fromkeys([*_singles(types, alphabet), *sorted(types)])]
    worth = worth_of([(log_p or {}).get(text, NEVER if log_p else 0.0) for text in texts])
    scores = [int(own) // _STEP - _TOKEN for own in worth]
    return _unigram(dict(zip(texts, map(float, scores), strict=True)))


def probable_tokenizer(
    log_p: Mapping[str, float], alphabet: Iterable[str], unknown: float
) -> dict[str, Any]:
    """The content of a `tokenizer.json` that cuts words, separated by spaces, in the most probable way;
    single symbols without a probability have the logarithm `unknown`."""
    return _unigram(dict.fromkeys(_singles(log_p, alphabet), unknown) | {**log_p})


def _unigram(scores: Mapping[str, float]) -> dict[str, Any]:
    # The library scores an unknown character by the least score: unless this is far below all others, it
    # would prefer an unknown character to many tokens.
    pieces = [[UNKNOWN, float(_LEAST)], *map(list, scores.items())]
    model = {"type": "Unigram", "unk_id": 0, "vocab": pieces, "byte_fallback": False}
    return tokenizer_json(metaspace(True), None, model)


def _singles(types: Iterable[str], alphabet: Iterable[str]) -> list[str]:
    """The single symbols: each character as it is inside words, and as it is at their beginning."""
    letters = {c for text in types for c in text}.union(alphabet) - {BOUNDARY}
    return [mark + letter for mark in ("", BOUNDARY) for letter in sorted(letters)]
