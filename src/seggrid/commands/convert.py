"""`seggrid convert`: read or write a BPE as merges.txt, vocab.json or tokenizer.json."""

from __future__ import annotations

import re
from collections.abc import Iterable
from os import fspath
from typing import Annotated, Any, Literal, NamedTuple

from seggrid.base.errors import InputError, note
from seggrid.base.json_file import parse_json
from seggrid.base.lines import UNSEEN, split_lines
from seggrid.base.parameters import AnyPath, Choices, Help, checked, input_file, output_file
from seggrid.commands.texts import Texts, without_characters, words_in
from seggrid.segment import SEGMENTERS
from seggrid.segment.bpe import MARKINGS
from seggrid.segment.bpe.model import BPEModel
from seggrid.segment.byte_level import ByteLevelModel
from seggrid.segment.formats import ranks
from seggrid.segment.formats.merges import parse_merges, write_merges
from seggrid.segment.formats.tokenizer_json import characters_of, parse_merging, parse_tokenizer
from seggrid.segment.formats.tokenizer_writer import (
    beyond_library,
    probable_tokenizer,
    unigram_tokenizer,
    wordpiece_tokenizer,
    write_byte_merges,
    write_json,
    write_tokenizer,
    write_vocabulary,
)
from seggrid.segment.mingram import MinGram
from seggrid.segment.model_file import kind_of, kind_of_file, read_model_text
from seggrid.segment.superbpe import SuperBPE
from seggrid.segment.unigram import Unigram
from seggrid.segment.wordpiece import WordPiece
from seggrid.text.boundary import BOUNDARY
from seggrid.text.words import distinct_words

_UNSEEN = re.compile(f"[{UNSEEN}]")

Format = Literal["model", "merges", "vocabulary", "tokenizer", "tiktoken"]


class _Asked(NamedTuple):
    """The arguments of `convert`."""

    input: str
    to: Format
    output: str
    marking: str | None
    pattern: str | None
    text: Texts | None
    application: str | None


@checked
def convert(
    input: Annotated[
        AnyPath,
        input_file,
        Help(
            "a model of seggrid learn; merges.txt, or codes of subword-nmt or fastBPE; tokenizer.json; a "
            "sentencepiece model of BPE; or ranks of tiktoken"
        ),
    ],
    /,
    *,
    to: Annotated[
        Format,
        Help(
            "seggrid's model, merges.txt (subword-nmt's codes if ends of words are marked), vocab.json, "
            "tokenizer.json, or ranks of tiktoken (of a byte-level tokenizer.json)"
        ),
    ],
    marking: Annotated[
        str | None,
        Choices(MARKINGS),
        Help(
            "how the merges.txt that is read or written marks words: by </w> at their ends (end, the "
            "default: subword-nmt), by ## where they continue (start: BPE of Hugging Face tokenizers with "
            "continuing_subword_prefix ##), or by a symbol of its own (own: Metaspace)"
        ),
    ] = None,
    pattern: Annotated[
        str | None,
        Choices(tuple(ranks.PATTERNS)),
        Help(
            "for ranks of tiktoken: the expression by which text is cut, of GPT-2, of GPT-4 and Llama 3 "
            "(cl100k), or of GPT-4o (o200k)"
        ),
    ] = None,
    text: Annotated[
        Texts | None,
        input_file,
        Help(
            "the text that will be segmented, for vocabularies and tokenizers: its characters get ids"
        ),
    ] = None,
    application: Annotated[
        Literal["left", "least"] | None,
        Help(
            "for tokenizers: split words by the vocabulary alone: the longest type from the left "
            "(WordPiece), or the fewest tokens (Unigram); by default, by the merges"
        ),
    ] = None,
    output: Annotated[AnyPath, output_file, Help("the new file", ("-o", "--output"))],
) -> None:
    """Read a BPE in one format and write it in another, as `seggrid convert` does; its options say what the
    arguments are."""
    asked = _Asked(fspath(input), to, fspath(output), marking, pattern, text, application)
    if kind_of_file(asked.input) == "sentencepiece":
        from seggrid.segment.external.sentencepiece_merges import merging_of_sentencepiece

        if asked.to != "tokenizer" or asked.application:
            hint = "--to tokenizer writes what cuts as it does"
            raise InputError(
                "a model of sentencepiece, which has no merges", file=asked.input, hint=hint
            )
        write_json(merging_of_sentencepiece(asked.input), asked.output)
        return
    content = read_model_text(asked.input)
    kind = kind_of(content)
    if asked.marking and kind != "merges" and asked.to != "merges":
        raise InputError(
            "--marking says how a merges.txt marks words, and none is read or written",
            hint="leave it out",
        )
    if asked.application and asked.to != "tokenizer":
        raise InputError("--application says how a tokenizer cuts words", hint="leave it out")
    if bool(asked.pattern) != (kind == "ranks"):
        raise InputError(
            "--pattern says how the text of a file of tiktoken is cut"
            if asked.pattern
            else "ranks of tiktoken, which do not say by which expression the text is cut",
            hint="leave it out" if asked.pattern else f"--pattern {'|'.join(ranks.PATTERNS)}",
        )
    if asked.to == "tiktoken":
        _write_ranks(kind, content, asked)
    elif (other := _other_tokenizer(kind, content, asked)) is not None:
        write_json(other, asked.output)
    elif kind != "json" or not _written_as_it_is(content, asked):
        _write(*_parse(kind, content, asked.input, asked.marking or "end"), asked)


def _write_ranks(kind: str, content: str, asked: _Asked) -> None:
    path = asked.input
    model = parse_tokenizer(parse_json(content, path), path) if kind == "json" else None
    if not isinstance(model, ByteLevelModel):
        raise InputError("only a byte-level tokenizer.json has ranks", file=path)
    found, told = ranks.ranks_of_tokenizer(model, path)
    ranks.write_ranks(found, asked.output)
    note([told])


def _written_as_it_is(content: str, asked: _Asked) -> bool:
    """Whether a tokenizer.json that no list of merges of characters says, such as one over bytes or one that
    was pruned, was written in a format that can say it; if none can, it is refused."""
    path, parsed = asked.input, parse_json(content, asked.input)
    reason = "a tokenizer over bytes, where merges of characters are needed"
    try:
        if isinstance(parse_tokenizer(parsed, path), BPEModel):
            return False
    except InputError as error:
        reason = error.message
    model = parse_merging(parsed, path)
    if asked.to == "tokenizer" and not asked.application:
        write_tokenizer(model, asked.output)
        note([f"{asked.output}: {told}"] if (told := beyond_library(model)) else [])
    elif asked.to == "vocabulary":
        write_json(parsed["model"]["vocab"], asked.output, indent=0)
    elif asked.to == "merges" and isinstance(model, ByteLevelModel) and not model.split:
        write_byte_merges(model, asked.output)
        if parsed["pre_tokenizer"].get("add_prefix_space", True):
            note([f"{asked.output} cannot say that a space is put before each text"])
    else:
        hint = "use the file as it is: measure, segment, align, prune and tree read it"
        raise InputError(reason, file=path, hint=hint)
    return True


def _write(model: BPEModel, characters: set[str], asked: _Asked) -> None:
    """Write a model in the format that is asked for; `characters` are those of its vocabulary."""
    if asked.to == "model":
        model.write(asked.output)
        return
    if model.hidden:
        raise InputError(
            "learned from text without its spaces (spaces: hidden), which other programs do not leave out",
            file=asked.input,
            hint="learn it with --spaces no or yes",
        )
    if asked.to == "merges":
        # A model read from merges marks words as `marking` says.
        _check_marking(model, asked.marking or "end")
        write_merges(model, asked.output)
        return
    if asked.application:
        found = _by_rule(model, asked.application, asked.text, characters)
        write_json(found, asked.output)
        return
    alphabet = _alphabet(asked.text, characters)
    write = write_vocabulary if asked.to == "vocabulary" else write_tokenizer
    write(model, asked.output, alphabet)


def _parse(kind: str, content: str, path: str, marking: str) -> tuple[BPEModel, set[str]]:
    """The model in a file, and the single characters of its vocabulary, if it has one."""
    if kind == "json":
        model = parse_tokenizer(parsed := parse_json(content, path), path)
        assert isinstance(model, BPEModel), "others are written as they are"
        return model, characters_of(parsed)
    if kind == "ranks":
        hint = "convert it --to tokenizer"
        raise InputError("ranks of tiktoken, which are no list of merges", file=path, hint=hint)
    if kind == "merges":
        return parse_merges(split_lines(content, path), path, marking), set()
    if kind in SEGMENTERS and not issubclass(SEGMENTERS[kind], BPEModel):
        hint = "use the file as it is: measure, segment and align read it"
        raise InputError(f"a model of {kind}, which is no list of merges", file=path, hint=hint)
    return BPEModel.parse(content, path), set()


def _alphabet(text: Texts | None, known: Iterable[str] = ()) -> set[str]:
    """The characters of the text that will be segmented, and the known ones."""
    found = {*known}.union(*(distinct_words(words_in(text)) if text else ()))
    if not found and text is None:
        raise without_characters()
    return found


def _other_tokenizer(kind: str, content: str, asked: _Asked) -> dict[str, Any] | None:
    """The `tokenizer.json` of a model that is more, or less, than a list of merges; None for others."""
    path, rule = asked.input, asked.application
    if asked.to != "tokenizer":
        return None
    if kind == "ranks":
        found = ranks.parse_ranks(split_lines(content, path), path)
        assert asked.pattern is not None
        return ranks.tokenizer_of_ranks(found, asked.pattern)
    if kind == "wordpiece" or (kind in ("superbpe", "boundless") and not rule):
        model = SEGMENTERS[kind].parse(content, path)
        if isinstance(model, SuperBPE):
            return model.tokenizer(_alphabet(asked.text))
        assert isinstance(model, WordPiece)
        return _by_rule(model, rule or "left", asked.text)
    if kind == "mingram" and not rule:
        pieces = MinGram.parse(content, path).numbers
        types = [piece for piece in pieces if len(piece.removeprefix(BOUNDARY)) > 1]
        return unigram_tokenizer(types, _alphabet(asked.text, "".join(pieces)), pieces)
    if kind == "unigram" and not rule:
        model = Unigram.parse(content, path)
        if not model.spaces:
            raise InputError(
                "pieces of whole sentences, which a tokenizer.json cannot express",
                file=path,
                hint="learn it with --spaces yes",
            )
        alphabet = _alphabet(asked.text, "".join(model.numbers))
        return probable_tokenizer(model.numbers, alphabet, model.unknown_log_p)
    return None


def _by_rule(
    model: BPEModel | WordPiece, rule: str, text: Texts | None, known: Iterable[str] = ()
) -> dict[str, Any]:
    """The `tokenizer.json` that cuts words by a rule and the vocabulary, if the model cuts them so, too."""
    is_other = isinstance(model, BPEModel) and (model.split or model.dropout)
    if not model.spaces or model.marking != "start" or is_other:
        raise InputError(
            f"--application {rule} is for the vocabulary of merges within words that mark their start",
            hint="leave it out",
        )
    types = {*(model.numbers if isinstance(model, WordPiece) else map("".join, model.merges))}
    write = wordpiece_tokenizer if rule == "left" else unigram_tokenizer
    return write(types, _alphabet(text, known))


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


command = convert
