"""`seggrid convert`: convert models from and into formats of subword-nmt and Hugging Face tokenizers."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable
from typing import Any

from seggrid.api.texts import words_in
from seggrid.base.json_file import parse_json
from seggrid.base.lines import UNSEEN, split_lines
from seggrid.cli.arguments import add_input, add_output
from seggrid.data.boundary import BOUNDARY
from seggrid.errors import InputError, note
from seggrid.segment import SEGMENTERS
from seggrid.segment.bpe.model import MARKINGS, BPEModel
from seggrid.segment.byte_bpe import ByteLevelModel
from seggrid.segment.formats import ranks
from seggrid.segment.formats.merges import parse_merges, write_merges
from seggrid.segment.formats.tokenizer_json import (
    characters_of,
    parse_tokenizer,
    unigram_tokenizer,
    wordpiece_tokenizer,
    write_json,
    write_tokenizer,
    write_vocabulary,
)
from seggrid.segment.mingram import MinGram
from seggrid.segment.model_file import kind_of, parse_content, read_model_text
from seggrid.segment.superbpe import SuperBPE
from seggrid.segment.wordpiece import WordPiece

_UNSEEN = re.compile(f"[{UNSEEN}]")
FORMATS = ("model", "merges", "vocabulary", "tokenizer", "tiktoken")


def add_convert(parser: argparse.ArgumentParser) -> None:
    """Add the options: input, formats, output."""
    add_input(
        parser,
        "input",
        help="a model of seggrid learn; merges.txt, or codes of subword-nmt or fastBPE; tokenizer.json; "
        "or ranks of tiktoken",
    )
    parser.add_argument(
        "--to",
        choices=FORMATS,
        required=True,
        help="seggrid's model, merges.txt (subword-nmt's codes if ends of words are marked), "
        "vocab.json, tokenizer.json, or ranks of tiktoken (of a byte-level tokenizer.json)",
    )
    parser.add_argument(
        "--marking",
        choices=MARKINGS,
        help="how the merges.txt that is read or written marks words: by </w> at their ends (end, the "
        "default: subword-nmt), by ## where they continue (start: BPE of Hugging Face tokenizers with "
        "continuing_subword_prefix ##), or by a symbol of its own (own: Metaspace)",
    )
    parser.add_argument(
        "--pattern",
        choices=tuple(ranks.PATTERNS),
        help="for ranks of tiktoken: the expression by which text is cut, of GPT-2, of GPT-4 and Llama 3 "
        "(cl100k), or of GPT-4o (o200k)",
    )
    add_input(
        parser,
        "--text",
        help="the text that will be segmented, for vocabularies and tokenizers: its characters get ids",
    )
    parser.add_argument(
        "--application",
        choices=("left", "least"),
        help="for tokenizers: split words by the vocabulary alone: the longest type from the left "
        "(WordPiece), or the fewest tokens (Unigram); by default, by the merges",
    )
    add_output(parser, "the new file", required=True)


def run_convert(arguments: argparse.Namespace) -> None:
    """Read and write."""
    content = read_model_text(arguments.input)
    kind = kind_of(content)
    if arguments.marking and kind != "merges" and arguments.to != "merges":
        raise InputError(
            "--marking says how a merges.txt marks words, and none is read or written",
            hint="leave it out",
        )
    if arguments.application and arguments.to != "tokenizer":
        raise InputError("--application says how a tokenizer cuts words", hint="leave it out")
    if bool(arguments.pattern) != (kind == "ranks"):
        raise InputError(
            "--pattern says how the text of a file of tiktoken is cut"
            if arguments.pattern
            else "ranks of tiktoken, which do not say by which expression the text is cut",
            hint="leave it out" if arguments.pattern else f"--pattern {'|'.join(ranks.PATTERNS)}",
        )
    if arguments.to == "tiktoken":
        _write_ranks(kind, content, arguments)
    elif (other := _other_tokenizer(kind, content, arguments)) is not None:
        write_json(other, arguments.output)
    else:
        _write(*_parse(kind, content, arguments.input, arguments.marking or "end"), arguments)


def _write_ranks(kind: str, content: str, arguments: argparse.Namespace) -> None:
    path = arguments.input
    model = parse_tokenizer(parse_json(content, path), path) if kind == "json" else None
    if not isinstance(model, ByteLevelModel):
        raise InputError("only a byte-level tokenizer.json has ranks", file=path)
    found, told = ranks.ranks_of_tokenizer(model, path)
    ranks.write_ranks(found, arguments.output)
    note([told])


def _write(model: BPEModel, characters: set[str], arguments: argparse.Namespace) -> None:
    """Write a model in the format that is asked for; `characters` are those of its vocabulary."""
    if arguments.to == "model":
        model.write(arguments.output)
        return
    if model.hidden:
        raise InputError(
            "learned from text without its spaces (spaces: hidden), which other programs do not leave out",
            file=arguments.input,
            hint="learn it with --spaces no or yes",
        )
    if arguments.to == "merges":
        # A model read from merges marks words as `marking` says.
        _check_marking(model, arguments.marking or "end")
        write_merges(model, arguments.output)
        return
    alphabet = _alphabet(arguments.text, characters)
    if arguments.application:
        _check_rule(model, arguments.application)
        types = {"".join(merge) for merge in model.merges}
        write_json(_by_rule(types, arguments.application, alphabet), arguments.output)
        return
    write = write_vocabulary if arguments.to == "vocabulary" else write_tokenizer
    write(model, arguments.output, alphabet)


def _parse(kind: str, content: str, path: str, marking: str) -> tuple[BPEModel, set[str]]:
    """The model in a file, and the single characters of its vocabulary, if it has one."""
    if kind == "json":
        model = parse_tokenizer(parsed := parse_json(content, path), path)
        if isinstance(model, ByteLevelModel):
            hint = "give one that merges characters, or convert it --to tiktoken"
            raise InputError("a tokenizer over bytes", file=path, hint=hint)
        return model, characters_of(parsed)
    if kind == "ranks":
        hint = "convert it --to tokenizer"
        raise InputError("ranks of tiktoken, which are no list of merges", file=path, hint=hint)
    lines = split_lines(content, path)
    if kind == "merges":
        return parse_merges(lines, path, marking), set()
    return BPEModel.parse(content, path), set()


def _alphabet(text: str | None, known: Iterable[str] = ()) -> set[str]:
    """The characters of the text that will be segmented, and the known ones."""
    found = {c for words in (words_in(text) if text else ()) for word in words for c in word}.union(
        known
    )
    if not found and text is None:
        raise InputError(
            "characters that are in no merge would become <unk>",
            hint="give the text that will be segmented with --text",
        )
    return found


def _other_tokenizer(
    kind: str, content: str, arguments: argparse.Namespace
) -> dict[str, Any] | None:
    """The `tokenizer.json` of a model that is more, or less, than a list of merges; None for others."""
    path, rule = arguments.input, arguments.application
    if arguments.to != "tokenizer":
        return None
    lines = split_lines(content, path)
    if kind == "ranks":
        return ranks.tokenizer_of_ranks(ranks.parse_ranks(lines, path), arguments.pattern)
    if kind == "wordpiece" or (kind in ("superbpe", "boundless") and not rule):
        model = SEGMENTERS[kind].of_rows(parse_content(content, path, kind))
        if isinstance(model, SuperBPE):
            return model.tokenizer(_alphabet(arguments.text))
        assert isinstance(model, WordPiece)
        _check_rule(model, rule or "left")
        return _by_rule(model.numbers, rule or "left", _alphabet(arguments.text))
    if kind == "mingram" and not rule:
        pieces = MinGram.of_rows(parse_content(content, path, kind)).numbers
        types = [piece for piece in pieces if len(piece.removeprefix(BOUNDARY)) > 1]
        return unigram_tokenizer(types, _alphabet(arguments.text, "".join(pieces)), pieces)
    return None


def _by_rule(types: Iterable[str], rule: str, alphabet: set[str]) -> dict[str, Any]:
    """The `tokenizer.json` that cuts words by a rule and a vocabulary."""
    write = wordpiece_tokenizer if rule == "left" else unigram_tokenizer
    return write(types, alphabet)


def _check_rule(model: BPEModel | WordPiece, rule: str) -> None:
    """Refuse a model whose vocabulary alone does not cut words as the model does."""
    is_other = isinstance(model, BPEModel) and (model.split or model.dropout)
    if not model.spaces or model.marking != "start" or is_other:
        raise InputError(
            f"--application {rule} is for the vocabulary of merges within words that mark their start",
            hint="leave it out",
        )


def _check_marking(model: BPEModel, marking: str) -> None:
    """Refuse to write a merges.txt that the program for which it is meant would read differently."""
    if not model.spaces:
        raise InputError(
            "merges across words, which a merges.txt cannot express",
            hint="convert it --to tokenizer",
        )
    if model.marking != marking:
        other = {"start": "## where they continue", "end": "</w>", "own": "a symbol of its own"}
        reader = "subword-nmt reads </w> alone: " if marking == "end" else ""
        raise InputError(
            f"the model marks words by {other[model.marking]}, not as --marking {marking}",
            hint=f"{reader}give --marking {model.marking} if the program that reads it can be told so, or "
            "convert it --to tokenizer",
        )

    # subword-nmt ends lines at these characters, too.
    if unseen := next((merge for merge in model.merges if _UNSEEN.search("".join(merge))), None):
        raise InputError(
            f"a control character in the merge {' '.join(unseen)!r}",
            hint="learn on a text without them, or convert it --to tokenizer",
        )
