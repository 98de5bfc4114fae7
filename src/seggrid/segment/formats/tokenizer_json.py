"""Hugging Face's `tokenizer.json` of a BPE over characters or bytes, its `merges.txt` and `vocab.json`; and
that of a vocabulary which is cut by a rule.

A tokenizer of characters is a `BPEModel`, one of bytes a `ByteLevelModel`. A pruned byte-level tokenizer may
have merges of several parts, and `split`, a list of types that are split after segmentation; the library does
not read these.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast

from seggrid.base.errors import InputError
from seggrid.base.files import atomic_write
from seggrid.base.json_file import read_json
from seggrid.base.lines import read_lines, write_lines
from seggrid.segment.bpe.model import BPEModel
from seggrid.segment.byte_level import ByteLevelModel, TokenizerModel
from seggrid.segment.formats.merge_lines import (
    CONTINUES,
    VERSION,
    check_merges,
    spelled_start,
    unspelled,
)
from seggrid.segment.formats.merges import marks, spelled_merges, write_merges
from seggrid.segment.trie import worth_of
from seggrid.segment.vocabulary import NEVER
from seggrid.text.boundary import BOUNDARY, WORD_END

T = TypeVar("T")
Tokenizer = TypeVar("Tokenizer", bound=TokenizerModel)
LARGEST_ID = 2**31 - 1
UNKNOWN = "<unk>"
MODEL_FILE = "pruned.model"
"""Name of the file of a model that was learned by seggrid, if the other formats cannot represent it."""
SPLIT_AT_SPACES: dict[str, Any] = {
    "type": "Split",
    "pattern": {"String": " "},
    "behavior": "Removed",
    "invert": False,
}
"""The pre-tokenizer that cuts text at spaces."""
_BYTE_LEVEL = {"type": "ByteLevel", "trim_offsets": True, "use_regex": True}
_LONGEST_WORD = 10**6
# A score of the library's Unigram is a whole number: the worth of a type, in steps of 2^-32, minus `_TOKEN`.
# Sums of up to 128 tokens are exact, and no difference in worth outweighs a token.
_STEP, _TOKEN = 2**8, 2**45
_LEAST = -(2**52)
PREFIX, SUFFIX = "continuing_subword_prefix", "end_of_word_suffix"
"""The keys of a model with the marks of words."""


def parse_tokenizer(content: Any, path: str | Path) -> BPEModel | ByteLevelModel:
    """The model in the content of a `tokenizer.json` of type BPE."""
    return _read(_parsed, content, path)


def parse_merging(content: Any, path: str | Path) -> TokenizerModel:
    """The BPE in the content of a `tokenizer.json`, whatever else its library does."""
    return _read(_merging, content, path)


def _read(parse: Callable[[Any, str | Path], T], content: Any, path: str | Path) -> T:
    """Parse the content; what is no tokenizer with merges is a mistake of the user."""
    try:
        return parse(content, path)
    except InputError:
        raise
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        hint = "give the tokenizer.json of a BPE"
        raise InputError(f"not a tokenizer with merges: {error!r}", file=path, hint=hint) from None


def _merging(content: Any, path: str | Path) -> TokenizerModel:
    merging = content["model"]
    if (kind := merging.get("type", "BPE")) != "BPE":
        hint = "only a BPE has merges; it can be measured, and text cut with it"
        raise InputError(f"a tokenizer of type {kind}", file=path, hint=hint)
    if merging.get("ignore_merges"):
        hint = "only merging is done here: give one without ignore_merges"
        raise InputError(
            "a tokenizer that looks words up whole (ignore_merges)", file=path, hint=hint
        )
    cutter = content.get("pre_tokenizer") or {}
    as_gpt2 = cutter.get("type") == "ByteLevel" and cutter.get("use_regex", True)
    if as_gpt2 and not (content.get("normalizer") or merging.get("byte_fallback")):
        return cast(ByteLevelModel, _parsed(content, path))
    merges, vocabulary, dropout = _parts(merging, path)
    if spaced := next((merge for merge in merges if " " in "".join(merge)), None):
        hint = "give one that marks spaces, by ▁ or Ġ, before it merges"
        raise InputError(f"the merge {list(spaced)}, which has a space", file=path, hint=hint)
    prefix = merging.get(PREFIX) or ""
    spell = partial(unspelled, prefix=prefix)
    if twice := next(
        (t for t in vocabulary if prefix and spelled_start(spell(t), prefix) != t), None
    ):
        raise InputError(f"the type {twice!r}, which has {BOUNDARY} after {prefix}", file=path)
    split = frozenset(map(spell, content.get("split") or ()))
    ids = {spell(text): id for text, id in vocabulary.items()}
    model = TokenizerModel(
        [tuple(map(spell, merge)) for merge in merges],
        ids,
        split,
        dropout,
        content,
        prefix,
    )
    return _with_ids(model, path)


def _parts(
    merging: dict[str, Any], path: str | Path
) -> tuple[list[tuple[str, ...]], dict[str, int], float]:
    """The merges, the vocabulary and the rate of dropout of the model of a `tokenizer.json`."""
    rows = merging["merges"]
    merges = [tuple(row.split(" ") if isinstance(row, str) else row) for row in rows]
    check_merges(merges, path)
    vocabulary = _vocabulary(merging.get("vocab") or {}, path)
    dropout = float(merging.get("dropout") or 0)
    if not 0 <= dropout <= 1:
        hint = "give a rate from 0 to 1, or null"
        raise InputError(f"model.dropout is {dropout}", file=path, hint=hint)
    return merges, vocabulary, dropout


def _parsed(content: Any, path: str | Path) -> BPEModel | ByteLevelModel:
    merging = content["model"]
    if (kind := merging.get("type", "BPE")) != "BPE":
        raise InputError(f"a tokenizer of type {kind}", file=path, hint="give one of type BPE")
    for where, key, effect in (
        (content, "normalizer", "changes the text first"),
        (merging, "ignore_merges", "looks words up whole"),
        (merging, "byte_fallback", "spells unknown characters by bytes"),
    ):
        if where.get(key):
            hint = f"only merging is done here: give one without {key}"
            raise InputError(f"a tokenizer that {effect} ({key})", file=path, hint=hint)
    merges, vocabulary, dropout = _parts(merging, path)
    prefix, suffix = (merging.get(key) or "" for key in (PREFIX, SUFFIX))
    cutter = {"type": None, **(content.get("pre_tokenizer") or {})}
    if cutter["type"] != "ByteLevel":
        _check_expressible(content, dropout, path)
        return _of_characters(merges, cutter, prefix, suffix, path)
    if not cutter.get("use_regex", True):
        raise InputError(
            "a byte-level tokenizer that does not cut text by GPT-2's pattern (use_regex: false)",
            file=path,
            hint="give one with use_regex: true",
        )
    if prefix or suffix:
        raise InputError(f"a byte-level tokenizer with {PREFIX if prefix else SUFFIX}", file=path)
    split = frozenset(content.get("split") or ())
    if unknown := sorted(split.difference(map("".join, merges))):
        raise InputError(f"split has {unknown[0]!r}, which no merge makes", file=path)
    return _with_ids(ByteLevelModel(merges, vocabulary, split, dropout, content), path)


def _vocabulary(content: Any, path: str | Path) -> dict[str, int]:
    """Check the content of a `vocab.json`: an object of types and their distinct ids."""
    if not isinstance(content, dict):
        raise InputError("not a JSON object of types and their ids", file=path)
    type_of: dict[int, str] = {}
    for type_, id in content.items():
        is_id = type(id) is int and 0 <= id <= LARGEST_ID
        if not is_id or type_of.setdefault(id, type_) != type_:
            raise InputError(
                f"the id {id!r} of {type_!r}",
                file=path,
                hint=f"give each type a whole number of its own, from 0 to {LARGEST_ID}",
            )
    return content


def _check_expressible(content: dict[str, Any], dropout: float, path: str | Path) -> None:
    """Refuse what a list of merges cannot say. Special tokens may stand in no text and do not matter."""
    if dropout:
        raise InputError(
            f"a dropout of {dropout:g}, with which words are cut at random",
            file=path,
            hint="set model.dropout to null, and give --dropout where text is cut",
        )
    if plain := [one for one in added_tokens(content) if not one.get("special")]:
        raise InputError(
            f"the added token {plain[0].get('content')!r}, which is found before merging",
            file=path,
            hint="cut with the file itself: --segmenter external --model-format huggingface",
        )


def added_tokens(content: dict[str, Any]) -> list[dict[str, Any]]:
    """The added tokens in the content of a `tokenizer.json`."""
    return [one for one in content.get("added_tokens") or [] if isinstance(one, dict)]


def special_tokens(ids: Mapping[str, int]) -> list[dict[str, Any]]:
    """Added tokens that are no part of texts, with their ids."""
    return [
        {"id": id, "content": text, "special": True}
        | dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
        for text, id in ids.items()
    ]


def _of_characters(
    merges: list[tuple[str, ...]],
    cutter: dict[str, Any],
    prefix: str,
    suffix: str,
    path: str | Path,
) -> BPEModel:
    """The model of a tokenizer whose symbols are characters."""
    kind = cutter["type"]
    at_spaces = SPLIT_AT_SPACES.items() <= {"invert": False, **cutter}.items()
    if kind not in (None, "Metaspace", "WhitespaceSplit") and not at_spaces:
        raise InputError(
            f"a tokenizer that may cut words before it merges (pre_tokenizer {kind})",
            file=path,
            hint="give one that cuts text at spaces alone, or one over bytes (ByteLevel)",
        )
    for number, merge in enumerate(merges, 1):
        reason = "has not two parts" if len(merge) != 2 else "has a space or line end in a part"
        if len(merge) != 2 or set("".join(merge)) & set(" \r\n"):
            raise InputError(f"merge {number}, {list(merge)}, {reason}", file=path)
    cuts = kind in ("Split", "WhitespaceSplit")
    never = cutter.get("prepend_scheme", "always") == "never"
    if cuts and prefix and not suffix:
        spelled = [tuple(unspelled(part, prefix) for part in merge) for merge in merges]
        return BPEModel(spelled, marking="start")
    if cuts and suffix and not prefix:
        spelled = [tuple(_with_end(part, suffix) for part in merge) for merge in merges]
        return BPEModel(spelled, marking="end")
    if kind == "Metaspace" and cutter.get("split", True) != never and not (prefix or suffix):
        mark = cutter.get("replacement", BOUNDARY)
        spelled = [tuple(part.replace(mark, BOUNDARY) for part in merge) for merge in merges]
        return BPEModel(spelled, not never, marking="start" if never else "own")
    raise InputError(
        "a tokenizer that does not mark words",
        file=path,
        hint=f"give one that cuts at spaces and has {PREFIX} or {SUFFIX}, or one with Metaspace",
    )


def _with_end(part: str, suffix: str) -> str:
    return part.removesuffix(suffix) + WORD_END if part.endswith(suffix) else part


def read_byte_level(merges: str | Path, vocabulary: str | Path) -> ByteLevelModel:
    """Read a byte-level BPE with GPT-2's pre-tokenization from its `merges.txt`, which may begin with a line
    `#version…`, and `vocab.json`."""
    lines = read_lines(merges)
    skipped = 1 if lines and lines[0].startswith("#version") else 0
    parts = [tuple(line.split(" ")) for line in lines[skipped:]]
    check_merges(parts, merges, first_line=skipped + 1)
    model = ByteLevelModel(parts, _vocabulary(read_json(vocabulary), vocabulary))
    return _with_ids(model, vocabulary)


def _with_ids(model: Tokenizer, file: str | Path) -> Tokenizer:
    """The model itself, after checking that all its products have ids."""
    for merge in model.merges:
        if (product := "".join(merge)) not in model.vocabulary and product not in model.split:
            raise InputError(
                f"{product!r}, which the merge {' '.join(merge)!r} makes, has no id",
                file=file,
                hint="take the vocabulary and the merges of one tokenizer",
            )
    return model


def characters_of(content: Any) -> set[str]:
    """The single characters in the vocabulary of the `tokenizer.json` of a `BPEModel`."""
    model = content["model"]
    texts = set(model["vocab"])
    for mark in filter(None, {model.get(PREFIX), model.get(SUFFIX)}):
        texts |= {text.removeprefix(mark).removesuffix(mark) for text in texts}
    return {text for text in texts if len(text) == 1}


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
