"""Read Hugging Face's `tokenizer.json` of a BPE over characters or bytes, or `merges.txt` and `vocab.json`.

A tokenizer of characters is a `BPEModel`, one of bytes a `ByteLevelModel`. A pruned byte-level tokenizer may
have merges of several parts, and `split`, a list of types that are split after segmentation; the library does
not read these.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast

from seggrid.base.errors import InputError
from seggrid.base.json_file import read_json
from seggrid.base.lines import read_lines
from seggrid.segment.bpe.model import BPEModel
from seggrid.segment.byte_level import ByteLevelModel, TokenizerModel
from seggrid.segment.formats.merge_lines import check_merges, spelled_start, unspelled
from seggrid.text.boundary import BOUNDARY, WORD_END

T = TypeVar("T")
Tokenizer = TypeVar("Tokenizer", bound=TokenizerModel)
LARGEST_ID = 2**31 - 1
SPLIT_AT_SPACES: dict[str, Any] = {
    "type": "Split",
    "pattern": {"String": " "},
    "behavior": "Removed",
    "invert": False,
}
"""The pre-tokenizer that cuts text at spaces."""
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
