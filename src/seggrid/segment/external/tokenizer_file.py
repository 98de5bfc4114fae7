"""Read a `tokenizer.json`: a tokenizer of the library or, with merges that it does not know, one of ours."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from seggrid.base.errors import InputError, one_line
from seggrid.base.extras import check_installed
from seggrid.base.lines import read_utf8
from seggrid.segment.external.huggingface import HuggingFace
from seggrid.segment.formats.contents import content_of
from seggrid.segment.formats.locality import parts_of
from seggrid.segment.model_file import kind_of

MODELS = ("BPE", "WordPiece", "Unigram", "WordLevel")
_LARGEST_GROWTH = 10_000


def read_tokenizer(path: str | Path) -> HuggingFace:
    """Read a file."""
    check_installed("tokenizers", "tokenizers", user="a tokenizer.json")
    text = read_utf8(path, "give a tokenizer.json")
    content = content_of(text, path)
    if kind_of(text) != "json":
        text = json.dumps(content, ensure_ascii=False)
    model = content.get("model") if isinstance(content, dict) else None
    hint = f"give a tokenizer.json whose model is of the type {', '.join(MODELS)}"
    if not isinstance(model, dict):
        raise InputError("not a tokenizer.json: it has no model", file=path, hint=hint)
    if model.get("type", "BPE") not in MODELS:
        shown = one_line(str(model["type"]), 40)
        raise InputError(f"a tokenizer.json of the unknown type {shown!r}", file=path, hint=hint)
    if max(map(_growth, (content.get("normalizer"), content.get("decoder")))) > _LARGEST_GROWTH:
        raise InputError("replacements that make a text too long", file=path, hint=hint)
    try:
        return tokenizer_of(text, content, path)
    except (KeyboardInterrupt, SystemExit, InputError):
        raise
    # A panic in the library's Rust code is a BaseException, not an Exception.
    except BaseException as error:
        raise InputError(f"not a tokenizer.json: {error}", file=path, hint=hint) from None


def tokenizer_of(text: str, content: Mapping[str, Any], path: str | Path = "") -> HuggingFace:
    """The tokenizer of a `tokenizer.json`; with merges that the library does not know, `Merging`."""
    if content.get("split") or any(
        len(m) > 2 for m in content["model"].get("merges") or () if type(m) is list
    ):
        from seggrid.segment.external.merging import Merging

        return Merging(text, content, path)
    return HuggingFace(text, content, path)


def _growth(component: Any) -> float:
    """How many times longer a text may become by the replacements of a normalizer or decoder."""
    growth = 1.0
    for part in parts_of(component):
        pattern, text = part.get("pattern"), part.get("content")
        if part.get("type") == "Replace" and isinstance(pattern, dict) and isinstance(text, str):
            # An expression may match the empty text, before each character.
            is_plain = isinstance(pattern.get("String"), str) and pattern["String"]
            grown = len(text) / len(pattern["String"]) if is_plain else len(text) + 1
            growth *= max(1.0, grown)
    return growth
