"""`seggrid prune`, `tree` and `convert`: remove the merges of a BPE that a morphological reference blames;
how merges of BPE, morphemes of CELEX and segments of `wordmap` build words; formats of other programs."""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

from seggrid.base.errors import InputError, note
from seggrid.base.folders import fresh_folder
from seggrid.base.json_file import parse_json
from seggrid.base.lines import UNSEEN, split_lines
from seggrid.base.parameters import output_folder
from seggrid.commands.options import add_input, add_output, add_reference, add_seed, add_written
from seggrid.commands.texts import words_in
from seggrid.morphology.evaluate import texts_of_types
from seggrid.morphology.knockout import prune
from seggrid.morphology.merge_graph import merge_trees, morpheme_tree, neighbors
from seggrid.morphology.references import (
    Reference,
    as_in_text,
    celex_trees,
    forms_in_text,
    in_form_of,
    read_reference,
)
from seggrid.morphology.word_segmentation import count_types, read_model, tokenize
from seggrid.segment import SEGMENTERS
from seggrid.segment.bpe.model import MARKINGS, BPEModel
from seggrid.segment.byte_bpe import ByteLevelModel
from seggrid.segment.formats import ranks
from seggrid.segment.formats.merges import parse_merges, write_merges
from seggrid.segment.formats.tokenizer_json import (
    beyond_library,
    characters_of,
    parse_merging,
    parse_tokenizer,
    unigram_tokenizer,
    wordpiece_tokenizer,
    write_byte_merges,
    write_folder,
    write_json,
    write_tokenizer,
    write_vocabulary,
)
from seggrid.segment.lexical import Lexical
from seggrid.segment.mingram import MinGram
from seggrid.segment.model_file import kind_of, kind_of_file, read_model_text
from seggrid.segment.superbpe import SuperBPE
from seggrid.segment.wordmap import Wordmap, ranked_covers
from seggrid.segment.wordpiece import WordPiece
from seggrid.text.boundary import BOUNDARY
from seggrid.text.words import distinct_words


def add_prune(parser: argparse.ArgumentParser) -> None:
    """Add the options: model, reference, variant, outputs."""
    add_input(
        parser,
        "model",
        help="a model of seggrid learn, a tokenizer.json of BPE, or a merges.txt over bytes",
    )
    add_input(parser, "--vocab", help="vocab.json that belongs to merges.txt")
    parser.add_argument(
        "--knockout", default="blame-0.5", help="the variant of pruning; see docs/knockout.md"
    )
    add_reference(parser, "the morphological reference")
    add_input(
        parser,
        "--text",
        help="a text whose words are counted, for variants that need counts, and whose characters get ids in "
        "--folder",
    )
    add_seed(parser, "random pruning")
    add_written(parser, "-o", "--output", help="the pruned model, in the format of the model")
    parser.add_argument(
        "--folder",
        type=output_folder,
        metavar="DIR",
        help="new folder for tokenizer.json, merges.txt and vocab.json, in which types keep their ids; "
        "Hugging Face tokenizers loads them unless a merge has more than two parts (--knockout "
        "reify-0.5x1 leaves few)",
    )


def run_prune(arguments: argparse.Namespace) -> None:
    """Prune and write."""
    if not (arguments.output or arguments.folder):
        raise InputError("no output is given", hint="give -o FILE, --folder DIR, or both")
    model: Any = read_model(arguments.model, arguments.vocab)
    reference = None
    if arguments.morphemes:
        reference = read_reference(arguments.morphemes, arguments.morphemes_format)
    sentences = words_in(arguments.text) if arguments.text else []
    words = Counter(word for sentence in sentences for word in sentence)
    if arguments.folder and not words and isinstance(model, BPEModel):
        raise InputError(
            "characters that are in no merge would become <unk>",
            hint="give the text that will be segmented with --text",
        )
    if reference:
        reference = (
            as_in_text(reference, words) if words else in_form_of(reference, texts_of_types(model))
        )
        note(_unlike(reference, words, model))
    pruned = prune(
        model,
        arguments.knockout,
        reference,
        frequencies=words or None,
        counts=count_types(model, words) if words else None,
        seed=arguments.seed,
    )
    note(_done(model, pruned, reference))
    if arguments.output:
        if isinstance(pruned, BPEModel):
            pruned.write(arguments.output)
        else:
            write_tokenizer(pruned, arguments.output)
        note([f"{arguments.output}: {told}"] if (told := beyond_library(pruned)) else [])
    if arguments.folder:
        alphabet = {character for word in words for character in word}
        with fresh_folder(arguments.folder, digests=True) as folder:
            programs = write_folder(pruned, model, folder, alphabet)
        print(*programs, sep="\n")


_FEW, _LEAST = 0.1, 100
"""A model has this share of its types, or of as many words of a reference as there are, as whole words of its
own language; of another one it had .01 to .09, of its own .27 to .68 (4,000 and 500 merges on English)."""


def _done(model: Any, pruned: Any, reference: Reference | None) -> list[str]:
    """What was pruned, and by which words; and a remark if hardly any is a word of the model."""
    merges, after = len(model.merges), len(pruned.merges)
    if pruned.dropout != model.dropout:
        what = f"dropout of {pruned.dropout:.4g}"
    elif pruned.split:
        what = f"{len(pruned.split):,} types are split again"
    else:
        what = f"{max(merges - after, 0):,} pruned, {after:,} left"
    if reference is None:
        return [f"{merges:,} merges, {what}"]
    mark = (BOUNDARY, "Ġ")
    whole = sum(
        len([t for t in own if t not in mark]) == 1 for own in tokenize(model, reference.words)
    )
    told = f"{merges:,} merges, {what}, by {len(reference):,} words of {reference.file}"
    most = min(merges, len(reference))
    if most < _LEAST or whole >= _FEW * most:
        return [told]
    return [
        told,
        f"only {whole:,} of these words are one token: is the reference in the model's language?",
    ]


def _unlike(reference: Reference, words: Collection[str], model: Any) -> list[str]:
    """Remarks if the reference spells words in another form than the text, or than the text of the model."""
    found = [message] if words and (message := forms_in_text(reference, words)) else []
    shared = set(reference.words).intersection(words) if words else reference.words
    upper = sum(word != word.lower() for word in shared)
    parts = {part for merge in model.merges for part in merge}
    if upper and isinstance(model, BPEModel) and all(part == part.lower() for part in parts):
        it = "the reference and --text" if words else "the reference"
        hint = f"if it was learned on lower-cased text, lower-case {it}, too"
        found.append(
            f"{reference.file}: {upper:,} words have upper-case letters, and the model none: {hint}"
        )
    return found


PICTURES = (".svg", ".png")
_MOST = 1000
"""The most ways to cut a word that are printed."""
_BAD = re.compile(rf"\s|[{UNSEEN}]")


def add_tree(parser: argparse.ArgumentParser) -> None:
    """Add the options: a model, words, a picture."""
    add_input(
        parser,
        "model",
        help="what seggrid learn wrote, a tokenizer.json of BPE, or a merges.txt over bytes; with a model of "
        "wordmap or lexical, all ways to cut a word into its segments are shown, with their weights, the "
        "chosen one first",
    )
    parser.add_argument("words", nargs="*", metavar="WORD", help="words whose tokens are shown")
    add_input(parser, "--vocab", help="vocab.json that belongs to merges.txt")
    parser.add_argument(
        "--around",
        metavar="TYPE",
        help="print also the merges that give this type, those that use it, and those in which several parts "
        "spell it; without words, the picture shows these merges",
    )
    add_input(
        parser,
        "--morphemes",
        help="CELEX's file, which has lemmas (library, not libraries): also show each word's tree of "
        "morphemes",
    )
    add_written(
        parser,
        "-o",
        "--output",
        help=f"a picture ({', '.join(PICTURES)}) of the words, or of the merges around the type",
    )


def run_tree(arguments: argparse.Namespace) -> None:
    """Print trees, and draw them if requested."""
    if arguments.output and Path(arguments.output).suffix not in PICTURES:
        raise InputError(
            "no kind of picture", file=arguments.output, hint=f"one of {', '.join(PICTURES)}"
        )
    if not arguments.words and not arguments.around:
        raise InputError("nothing to show", hint="give words, or a type by --around")
    if bad := next((word for word in arguments.words if _BAD.search(word)), None):
        hint = "give words one by one, without spaces and control characters"
        raise InputError(f"{bad!r} is not a word", hint=hint)
    kind = kind_of_file(arguments.model)  # None for a pipe
    if kind == Wordmap.name:
        return _show_covers(arguments, Wordmap.read(arguments.model).numbers)
    if kind == Lexical.name:
        return _show_covers(arguments, Lexical.read(arguments.model).segments)
    model: Any = read_model(arguments.model, arguments.vocab)
    if arguments.around:
        found = neighbors(model, arguments.around)
        for title, merges in (
            ("made by", found.made_by),
            ("used by", found.used_by),
            ("spelled in", found.spelled_in),
        ):
            for rank, merge in merges:
                print(f"{title}\t{rank}\t{' + '.join(merge)}\t{''.join(merge)}")
    words = merge_trees(model, arguments.words)
    if arguments.morphemes:
        analyses = celex_trees(arguments.morphemes, arguments.words)
        morphemes = [list(map(morpheme_tree, analyses[word])) for word in arguments.words]
        words = [trees for pair in zip(words, morphemes, strict=True) for trees in pair]
    for trees in words:
        print(*trees)
    if arguments.output:
        # It takes a second to import.
        from seggrid.grid.report.figures import save_as, styled
        from seggrid.grid.report.trees import draw_around, draw_trees

        with styled():
            figure = draw_trees(words) if words else draw_around(arguments.around, found)
            save_as(figure, Path(arguments.output))


def _show_covers(arguments: argparse.Namespace, segments: Collection[str]) -> None:
    """Print the ways to cut words into segments, and draw them if requested."""
    for name in ("around", "morphemes", "vocab"):
        if getattr(arguments, name):
            raise InputError(f"--{name} with a model without merges", hint="leave it out")
    found = [(word, ranked_covers(word, segments, _MOST)) for word in arguments.words]
    for word, covers in found:
        if not covers:
            print(f"{word}\tno segments cover it")
        for cover, weight in covers:
            print(f"{word}\t{weight:.3f}\t{' '.join(cover)}")
    if arguments.output:
        from seggrid.grid.report.figures import save_as, styled
        from seggrid.grid.report.trees import draw_covers

        with styled():
            figure = draw_covers([(word, [cover for cover, _ in covers]) for word, covers in found])
            save_as(figure, Path(arguments.output))


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
    elif kind != "json" or not _written_as_it_is(content, arguments):
        _write(*_parse(kind, content, arguments.input, arguments.marking or "end"), arguments)


def _write_ranks(kind: str, content: str, arguments: argparse.Namespace) -> None:
    path = arguments.input
    model = parse_tokenizer(parse_json(content, path), path) if kind == "json" else None
    if not isinstance(model, ByteLevelModel):
        raise InputError("only a byte-level tokenizer.json has ranks", file=path)
    found, told = ranks.ranks_of_tokenizer(model, path)
    ranks.write_ranks(found, arguments.output)
    note([told])


def _written_as_it_is(content: str, arguments: argparse.Namespace) -> bool:
    """Whether a tokenizer.json that no list of merges of characters says, such as one over bytes or one that
    was pruned, was written in a format that can say it; if none can, it is refused."""
    path, parsed = arguments.input, parse_json(content, arguments.input)
    reason = "a tokenizer over bytes, where merges of characters are needed"
    try:
        if isinstance(parse_tokenizer(parsed, path), BPEModel):
            return False
    except InputError as error:
        reason = error.message
    model = parse_merging(parsed, path)
    if arguments.to == "tokenizer" and not arguments.application:
        write_tokenizer(model, arguments.output)
        note([f"{arguments.output}: {told}"] if (told := beyond_library(model)) else [])
    elif arguments.to == "vocabulary":
        write_json(parsed["model"]["vocab"], arguments.output, indent=0)
    elif arguments.to == "merges" and isinstance(model, ByteLevelModel) and not model.split:
        write_byte_merges(model, arguments.output)
        if parsed["pre_tokenizer"].get("add_prefix_space", True):
            note([f"{arguments.output} cannot say that a space is put before each text"])
    else:
        hint = "use the file as it is: measure, segment, align, prune and tree read it"
        raise InputError(reason, file=path, hint=hint)
    return True


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
    if arguments.application:
        found = _by_rule(model, arguments.application, arguments.text, characters)
        write_json(found, arguments.output)
        return
    alphabet = _alphabet(arguments.text, characters)
    write = write_vocabulary if arguments.to == "vocabulary" else write_tokenizer
    write(model, arguments.output, alphabet)


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
    return BPEModel.parse(content, path), set()


def _alphabet(text: str | None, known: Iterable[str] = ()) -> set[str]:
    """The characters of the text that will be segmented, and the known ones."""
    found = {*known}.union(*(distinct_words(words_in(text)) if text else ()))
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
    if kind == "ranks":
        found = ranks.parse_ranks(split_lines(content, path), path)
        return ranks.tokenizer_of_ranks(found, arguments.pattern)
    if kind == "wordpiece" or (kind in ("superbpe", "boundless") and not rule):
        model = SEGMENTERS[kind].parse(content, path)
        if isinstance(model, SuperBPE):
            return model.tokenizer(_alphabet(arguments.text))
        assert isinstance(model, WordPiece)
        return _by_rule(model, rule or "left", arguments.text)
    if kind == "mingram" and not rule:
        pieces = MinGram.parse(content, path).numbers
        types = [piece for piece in pieces if len(piece.removeprefix(BOUNDARY)) > 1]
        return unigram_tokenizer(types, _alphabet(arguments.text, "".join(pieces)), pieces)
    return None


def _by_rule(
    model: BPEModel | WordPiece, rule: str, text: str | None, known: Iterable[str] = ()
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
