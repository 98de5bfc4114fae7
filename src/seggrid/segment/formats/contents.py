"""What the files of other programs amount to as a `tokenizer.json`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from seggrid.base.errors import InputError
from seggrid.base.json_file import parse_json
from seggrid.base.lines import split_lines
from seggrid.segment.formats.ranks import PATTERNS, parse_ranks, tokenizer_of_ranks
from seggrid.segment.formats.tokenizer_json import read_byte_level
from seggrid.segment.formats.tokenizer_writer import content_of_model, special_tokens
from seggrid.segment.model_file import kind_of

_PATTERN_OF = {50_256: "gpt2", 50_280: "gpt2", 100_256: "cl100k", 199_998: "o200k"}
"""The regular expression of the files that OpenAI published (r50k and p50k, cl100k, o200k), by their number
of ranks."""
_BESIDE = ("vocab.json", "encoder.json")


def content_of(text: str, path: str | Path) -> Any:
    """The content of a `tokenizer.json`, of ranks of tiktoken, or of a `merges.txt` over bytes with the
    `vocab.json` beside it, from the text of the file."""
    kind = kind_of(text)
    if kind == "ranks":
        ranks = parse_ranks(split_lines(text, path), path)
        if (pattern := _PATTERN_OF.get(len(ranks))) is None:
            raise InputError(
                "ranks of tiktoken, which do not say by which expression the text is cut",
                file=path,
                hint=f"seggrid convert --to tokenizer --pattern {'|'.join(PATTERNS)}, and give what it "
                "writes",
            )
        return tokenizer_of_ranks(ranks, pattern)
    if kind == "byte_merges":
        beside = (Path(path).parent / name for name in _BESIDE)
        if (vocabulary := next(filter(Path.is_file, beside), None)) is None:
            raise InputError(
                f"merges over bytes, and no {_BESIDE[0]} beside them",
                file=path,
                hint="put the vocabulary there, or give the tokenizer.json",
            )
        return content_of_model(read_byte_level(path, vocabulary))
    content = parse_json(text, path)
    if isinstance(content, dict) and content and all(type(v) is int for v in content.values()):
        hint = "give the merges.txt beside it, or the tokenizer.json"
        raise InputError("a vocabulary, which does not say how text is cut", file=path, hint=hint)
    return content


def is_encoding(tokenizer: Any) -> bool:
    """Whether an object is a `tiktoken.Encoding`, whose parts have private names."""
    return hasattr(tokenizer, "_mergeable_ranks")


def content_of_encoding(encoding: Any) -> Mapping[str, Any]:
    """The same of a `tiktoken.Encoding`."""
    content = tokenizer_of_ranks(encoding._mergeable_ranks, encoding._pat_str)
    return content | {"added_tokens": special_tokens(encoding._special_tokens)}
