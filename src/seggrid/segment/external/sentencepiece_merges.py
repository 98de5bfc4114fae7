"""The merges that a BPE of sentencepiece stands for: it keeps types alone, each with its priority.

Two neighbours are merged if what they spell is a type, that of the highest score first, from left to right
(sentencepiece's `bpe_model.cc`). So each way to put a type together from two others is a merge, and the order
of merges is that of scores.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Collection
from importlib import import_module
from pathlib import Path
from typing import Any

from seggrid.base.errors import InputError
from seggrid.segment.external.sentencepiece import SentencePiece
from seggrid.segment.external.tokenizer_file import tokenizer_of
from seggrid.segment.formats.tokenizer_writer import metaspace, special_tokens, tokenizer_json
from seggrid.text.boundary import BOUNDARY


def merging_of_sentencepiece(path: str | Path) -> dict[str, Any]:
    """The content of the `tokenizer.json` that cuts text as the `.model` of a sentencepiece BPE.

    Raises:
        InputError: for a model of another kind, with settings that a `tokenizer.json` cannot say, or whose
            own types the merges would cut in another way than sentencepiece.
    """
    model = SentencePiece.read(path)
    if not model.bpe:
        hint = "only a BPE has merges; it can be measured, and text cut with it"
        raise InputError("a model of sentencepiece that is no BPE", file=path, hint=hint)
    proto = import_module("sentencepiece.sentencepiece_model_pb2").ModelProto()
    proto.ParseFromString(model.data)
    if proto.trainer_spec.treat_whitespace_as_suffix:
        hint = "learn it without --treat_whitespace_as_suffix"
        raise InputError("a model that marks the ends of words by ▁", file=path, hint=hint)
    if any(piece.type == proto.SentencePiece.UNUSED for piece in proto.pieces):
        hint = "give the model before --vocabulary or SetVocabulary left types out"
        raise InputError("a model with types that are never used", file=path, hint=hint)
    content = _content(model, proto)
    _check_equal(content, model, path)
    return content


def _content(model: SentencePiece, proto: Any) -> dict[str, Any]:
    kinds, ids = proto.SentencePiece, {text: id for id, text in enumerate(model.types)}
    symbols = [piece.piece for piece in proto.pieces if piece.type == kinds.USER_DEFINED]
    merged = (kinds.NORMAL, kinds.USER_DEFINED)
    own = {piece.piece: piece.score for piece in proto.pieces if piece.type in merged}
    order = sorted(own, key=lambda text: (-own[text], ids[text]))
    merging = {
        "vocab": ids,
        "merges": [merge for text in order for merge in _ways(text, own)],
        "unk_token": model.unknown,
        "fuse_unk": True,
        "byte_fallback": any(piece.type == kinds.BYTE for piece in proto.pieces),
    }
    spec = proto.normalizer_spec
    cuts = not any(BOUNDARY in text[1:] or " " in text for text in own)
    content = tokenizer_json(metaspace(spec.add_dummy_prefix) | {"split": cuts}, None, merging)
    if spec.precompiled_charsmap:
        table = base64.b64encode(spec.precompiled_charsmap).decode()
        content["normalizer"] = {"type": "Precompiled", "precompiled_charsmap": table}
    # Control symbols stay out: sentencepiece does not find them in a text.
    found = special_tokens({text: ids[text] for text in symbols})
    content["added_tokens"] = [{**one, "special": False} for one in found]
    return content


def _ways(text: str, types: Collection[str]) -> list[list[str]]:
    """Each way to put a text together from two types, that with the longest first part last."""
    cuts = ((text[:at], text[at:]) for at in range(1, len(text)))
    return [[left, right] for left, right in cuts if left in types and right in types]


def _check_equal(content: dict[str, Any], model: SentencePiece, path: str | Path) -> None:
    """Compare what both libraries make of the model's own types, as words of a text."""
    words = [text.replace(BOUNDARY, "") for text in model.types]
    words = [word for word in dict.fromkeys(words) if word and not word.isspace()]
    merging = tokenizer_of(json.dumps(content), content, path)
    ours, theirs = (one.segment([[word] for word in words]) for one in (merging, model))
    for i, word in enumerate(words):
        if (own := ours.sentence(i)) != (other := theirs.sentence(i)):
            raise InputError(
                f"merges would cut {word!r} into {own}, and sentencepiece cuts it into {other}",
                file=path,
                hint="its types can be measured, and text cut with it",
            )
