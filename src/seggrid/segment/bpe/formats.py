"""Read and write merges in the formats of subword-nmt (codes) and Hugging Face tokenizers.

How symbols are spelled depends on how words are marked (see `BPEModel.marking`): with `end` and `own` the
other programs spell them as this package does; with `start` they write `##` before every symbol that does not
begin a word, and nothing before symbols that do. Only merges of two parts can be written, since the other
programs have no longer ones.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

from seggrid.base.files import atomic_write
from seggrid.base.json_file import read_json
from seggrid.base.lines import read_lines, write_lines
from seggrid.data.boundary import BOUNDARY, WORD_END
from seggrid.errors import InputError
from seggrid.segment.bpe.model import BPEModel, check_merges
from seggrid.segment.bpe.tokenizer_json import parse_tokenizer_json, tokenizer_json

_HEADER = "#version:"
_VERSION = f"{_HEADER} 0.2"
_CONTINUES = "##"
UNKNOWN = "<unk>"
SPLIT_AT_SPACES: dict[str, Any] = {
    "type": "Split",
    "pattern": {"String": " "},
    "behavior": "Removed",
    "invert": False,
}
"""The pre-tokenizer that cuts text at spaces."""
# Pre-tokenizers that cut text only at spaces, or not at all.
_CUTTERS = (None, "Metaspace", "Split", "WhitespaceSplit")


def write_merges(model: BPEModel, path: str | Path) -> None:
    """Write a `merges.txt`, or subword-nmt's codes if the model marks the ends of words.

    Raises:
        InputError: the model cannot be expressed in the other program's format.
    """
    lines = [_VERSION, *(f"{left} {right}" for left, right in _spelled_merges(model))]
    if model.dropout:
        raise InputError(
            f"the rate of dropout {model.dropout:g}, which a list of merges cannot store",
            hint="write a tokenizer, or keep it as a model of seggrid's own",
        )
    write_lines(path, lines)


def read_merges(path: str | Path, *, marking: str = "end", spaces: bool = True) -> BPEModel:
    """Read a `merges.txt`, subword-nmt's codes of version 0.2, or fastBPE's codes.

    Args:
        path: the file.
        marking: how the program marks words, which the file does not say: `"end"` for subword-nmt and
            fastBPE.
        spaces: whether words are units in that program.
    """
    return model_of_merges(read_lines(path), path, marking=marking, spaces=spaces)


def model_of_merges(
    lines: Sequence[str], path: str | Path, *, marking: str = "end", spaces: bool = True
) -> BPEModel:
    """The model in the lines of a file; arguments and errors as in `read_merges`."""
    merges, first_line = _pairs(lines, path)
    check_merges(merges, path, first_line)
    if marking == "end":
        _check_ends(merges, path, first_line)
    elif spaces:
        _check_no_ends(merges, path, first_line, marking)
    if spaces and marking == "start":
        merges = [tuple(_unspelled(part, _CONTINUES) for part in merge) for merge in merges]
    return BPEModel(merges, spaces, marking=marking)


def _pairs(lines: Sequence[str], path: str | Path) -> tuple[list[tuple[str, ...]], int]:
    """The merges of a file, and the number of the line with the first.

    fastBPE writes a pair and its count on each line, without a header.
    """
    header = next(iter(lines), "")
    first_line = 2 if header.startswith(_HEADER) else 1
    rows = [tuple(line.split(" ")) for line in lines[first_line - 1 :]]
    counted = bool(rows) and all(len(row) == 3 and row[2].isdecimal() for row in rows)
    for line, row in enumerate(rows, first_line):
        if WORD_END in row or (first_line == 2 and not header.startswith(_VERSION)):
            raise InputError(
                f"codes of version 0.1 of subword-nmt, in which {WORD_END} is a symbol of its own",
                file=path,
                line=line,
                hint="learn them again with a newer subword-nmt, or give the text that it cut: --segmenter "
                "external --model-format tokens-@@",
            )
        if len(row) != 2 + counted or "" in row:
            raise InputError(
                f"{' '.join(row)!r} is not a merge",
                file=path,
                line=line,
                hint="give two parts, separated by one space",
            )
    if counted and first_line == 2:
        raise InputError(
            "pairs with counts, as fastBPE writes them without a header",
            file=path,
            line=1,
            hint="take this line away if fastBPE learned them",
        )
    if not counted and first_line == 1:
        raise InputError(
            "merges without a header that tells their version",
            file=path,
            line=1,
            hint=f"begin them with `{_VERSION}` if the program that learned them writes this line; "
            "subword-nmt takes codes without it for version 0.1",
        )
    return [row[:2] for row in rows], first_line


def _check_ends(merges: Sequence[tuple[str, ...]], path: str | Path, first_line: int) -> None:
    """Refuse merges that mark words in another way than at their ends: they would never apply."""
    if any(part.endswith(WORD_END) for merge in merges for part in merge):
        return
    for line, merge in enumerate(merges, first_line):
        if any(part.startswith("\u0120") for part in merge):
            raise InputError(
                f"no {WORD_END} in any merge, but {' '.join(merge)!r}, as in merges over bytes",
                file=path,
                line=line,
                hint="give merges of characters",
            )
        for other, marked in (
            ("start", any(len(part) > 2 and part.startswith(_CONTINUES) for part in merge)),
            ("own", any(BOUNDARY in part for part in merge)),
        ):
            if marked:
                raise InputError(
                    f"no {WORD_END} in any merge, but {' '.join(merge)!r}",
                    file=path,
                    line=line,
                    hint=f"read it with the marking {other}",
                )


def _check_no_ends(
    merges: Sequence[tuple[str, ...]], path: str | Path, first_line: int, marking: str
) -> None:
    """Refuse merges that mark ends of words if the marking does not: they would never apply."""
    for line, merge in enumerate(merges, first_line):
        ends = merge[-1].endswith(WORD_END) and merge[-1] != WORD_END
        if ends and not (marking == "start" and merge[-1].startswith(_CONTINUES)):
            raise InputError(
                f"the merge {' '.join(merge)!r} ends a word, which the marking {marking} does not mark",
                file=path,
                line=line,
                hint="read it with the marking end",
            )


def write_vocabulary(
    model: BPEModel,
    path: str | Path,
    alphabet: Iterable[str] = (),
    before: BPEModel | None = None,
) -> None:
    """Write the `vocab.json` that belongs to a `merges.txt`; see `write_tokenizer`."""
    with atomic_write(path) as file:
        json.dump(_vocabulary(model, alphabet, before), file, ensure_ascii=False, indent=0)


def write_tokenizer(
    model: BPEModel,
    path: str | Path,
    alphabet: Iterable[str] = (),
    before: BPEModel | None = None,
) -> None:
    """Write a `tokenizer.json` that segments text, its words separated by spaces, as the model does.

    Args:
        model: the merges.
        path: the file.
        alphabet: characters of the text, in addition to those in merges. The tokenizer maps any other
            character to `<unk>`.
        before: the model before pruning; types keep the ids that they have in it.
    """
    write_json(tokenizer_of(model, alphabet, before), path)


def tokenizer_of(
    model: BPEModel, alphabet: Iterable[str] = (), before: BPEModel | None = None
) -> dict[str, Any]:
    """The content of a `tokenizer.json`; arguments and errors as in `write_tokenizer`."""
    return _tokenizer(model, _vocabulary(model, alphabet, before))


def write_json(content: Any, path: str | Path) -> None:
    """Write the content of a `tokenizer.json`, atomically."""
    with atomic_write(path) as file:
        json.dump(content, file, ensure_ascii=False, indent=1)


def spelled_tokenizer(model: BPEModel, types: Sequence[str], plain: Collection[str]) -> str:
    """The content of a `tokenizer.json` as `write_tokenizer` writes it, but with these ids.

    Args:
        model: the merges.
        types: the type of each id, as this package spells it.
        plain: types that are not part of words and keep their spelling, such as `<unk>`.

    Raises:
        InputError: the model cannot be expressed in the format, or two types get the same spelling.
    """
    spell = spelled_start if _marks(model, "start") else str
    vocabulary: dict[str, int] = {}
    for id, text in enumerate(types):
        own = text if text in plain else spell(text)
        if vocabulary.setdefault(own, id) != id:
            raise InputError(f"two types that other programs spell {own!r}")
    return json.dumps(_tokenizer(model, vocabulary), ensure_ascii=False)


def _tokenizer(model: BPEModel, vocabulary: dict[str, int]) -> dict[str, Any]:
    """The content of a `tokenizer.json`."""
    if not model.spaces or model.marking == "own":
        cutter: dict[str, Any] = {
            "type": "Metaspace",
            "replacement": BOUNDARY,
            "prepend_scheme": "always" if model.spaces else "never",
            "split": model.spaces,
        }
    else:
        cutter = SPLIT_AT_SPACES
    merging = {
        "dropout": model.dropout or None,
        "unk_token": UNKNOWN,
        "continuing_subword_prefix": _CONTINUES if _marks(model, "start") else None,
        "end_of_word_suffix": WORD_END if _marks(model, "end") else None,
        "fuse_unk": False,
        "byte_fallback": False,
        "ignore_merges": False,
        "vocab": vocabulary,
        "merges": _spelled_merges(model),
    }
    return tokenizer_json(cutter, None, merging)


def read_tokenizer(path: str | Path) -> BPEModel:
    """Read the merges of a `tokenizer.json` of type BPE whose symbols are characters."""
    return model_of_tokenizer(read_json(path), path)


def model_of_tokenizer(content: Any, path: str | Path) -> BPEModel:
    """The model in the content of a `tokenizer.json`; errors as in `read_tokenizer`."""
    read = parse_tokenizer_json(content, path)
    _check_expressible(content, read.dropout, path)
    merges, cutter = read.merges, read.pre_tokenizer
    kind, scheme = cutter["type"], cutter.get("prepend_scheme", "always")
    if kind == "ByteLevel":
        raise InputError(
            "a tokenizer over bytes", file=path, hint="give one that merges characters"
        )
    at_spaces = SPLIT_AT_SPACES.items() <= {"invert": False, **cutter}.items()
    if kind not in _CUTTERS or (kind == "Split" and not at_spaces):
        raise InputError(
            f"a tokenizer that may cut words before it merges (pre_tokenizer {kind})",
            file=path,
            hint="give one that cuts text at spaces alone",
        )
    for number, merge in enumerate(merges, 1):
        if len(merge) != 2 or not _is_symbol(merge):
            reason = "has not two parts" if len(merge) != 2 else "has a space or line end in a part"
            raise InputError(f"merge {number}, {list(merge)}, {reason}", file=path)
    spaces = True
    cuts = kind in ("Split", "WhitespaceSplit")
    if cuts and read.prefix and not read.suffix:
        marking = "start"
        merges = [tuple(_unspelled(part, read.prefix) for part in merge) for merge in merges]
    elif cuts and read.suffix and not read.prefix:
        marking = "end"
        merges = [tuple(_with_end(part, read.suffix) for part in merge) for merge in merges]
    elif (
        kind == "Metaspace"
        and cutter.get("split", True) != (scheme == "never")
        and not (read.prefix or read.suffix)
    ):
        spaces = scheme != "never"
        marking = "own" if spaces else "start"
        replacement = cutter.get("replacement", BOUNDARY)
        if not isinstance(replacement, str) or len(replacement) != 1:
            raise InputError(f"pre_tokenizer.replacement is {replacement!r}", file=path)
        merges = [tuple(part.replace(replacement, BOUNDARY) for part in m) for m in merges]
    else:
        raise InputError(
            "a tokenizer that does not mark words",
            file=path,
            hint="give one that cuts at spaces and has continuing_subword_prefix or end_of_word_suffix, "
            "or one with Metaspace",
        )
    return BPEModel(merges, spaces, marking=marking)


def _check_expressible(content: dict[str, Any], dropout: float, path: str | Path) -> None:
    """Refuse what a list of merges cannot say. Special tokens may stand in no text and do not matter."""
    if dropout:
        raise InputError(
            f"a dropout of {dropout:g}, with which words are cut at random",
            file=path,
            hint="set model.dropout to null, and give --dropout where text is cut",
        )
    added = content.get("added_tokens") or []
    plain = [one for one in added if isinstance(one, dict) and not one.get("special")]
    if plain:
        raise InputError(
            f"the added token {plain[0].get('content')!r}, which is found before merging",
            file=path,
            hint="cut with the file itself: --segmenter external --model-format huggingface",
        )


def characters_of(content: Any) -> set[str]:
    """The single characters in the vocabulary of a `tokenizer.json` that `model_of_tokenizer` accepts."""
    model = content["model"]
    marks = {model.get("continuing_subword_prefix"), model.get("end_of_word_suffix")}
    texts = set(model["vocab"])
    for mark in filter(None, marks):
        texts |= {text.removeprefix(mark).removesuffix(mark) for text in texts}
    return {text for text in texts if len(text) == 1}


def _marks(model: BPEModel, marking: str) -> bool:
    return model.spaces and model.marking == marking


def _is_symbol(merge: tuple[str, ...]) -> bool:
    return all(part and not set(part) & set(" \r\n") for part in merge)


def _with_end(part: str, suffix: str) -> str:
    return part.removesuffix(suffix) + WORD_END if part.endswith(suffix) else part


def _unspelled(part: str, prefix: str) -> str:
    return part.removeprefix(prefix) if part.startswith(prefix) else BOUNDARY + part


def spelled_start(part: str) -> str:
    """How other programs spell a symbol or type that is marked as with `start`."""
    return part.removeprefix(BOUNDARY) if part.startswith(BOUNDARY) else _CONTINUES + part


def _spelled_merges(model: BPEModel) -> list[tuple[str, ...]]:
    """The merges as the other programs spell them."""
    longer = next((merge for merge in model.merges if len(merge) != 2), None)
    if longer or model.split or model.weights:
        what = f"the merge {' '.join(longer)!r}" if longer else "types that are split"
        what = what if longer or model.split else "weights of merges in dropout"
        raise InputError(
            f"other programs do not know {what}", hint="keep it as a model of seggrid's own"
        )
    if not _marks(model, "start"):
        return model.merges
    if any(part.startswith(BOUNDARY + _CONTINUES) for merge in model.merges for part in merge):
        raise InputError(
            f"a symbol that begins with {_CONTINUES}", hint="learn the model with another marking"
        )
    return [tuple(map(spelled_start, merge)) for merge in model.merges]


def _vocabulary(
    model: BPEModel, alphabet: Iterable[str], before: BPEModel | None = None
) -> dict[str, int]:
    """The id of each token: `<unk>`, then initial symbols by their text, then products by rank.

    Tokens of a pruned model keep their ids, and new ones get ids after the last.
    """
    _spelled_merges(model)  # refuses merges that cannot be spelled
    products = ["".join(merge) for merge in model.merges]
    symbols = {part for merge in model.merges for part in merge}.difference(products)
    for character in alphabet:
        symbols.add(character)
        if _marks(model, "start"):
            symbols.add(BOUNDARY + character)
        if _marks(model, "end"):
            symbols.add(character + WORD_END)
    if not model.spaces or model.marking == "own":
        symbols.add(BOUNDARY)
    spell = spelled_start if _marks(model, "start") else str
    tokens = dict.fromkeys([UNKNOWN, *sorted(map(spell, symbols)), *map(spell, products)])
    if before is None:
        return {token: number for number, token in enumerate(tokens)}
    numbers = _vocabulary(before, alphabet)
    kept = {token: number for token, number in numbers.items() if token in tokens}
    new = (token for token in tokens if token not in numbers)
    return kept | {token: number for number, token in enumerate(new, max(numbers.values()) + 1)}
