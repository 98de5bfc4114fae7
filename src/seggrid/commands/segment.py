"""`seggrid tag`, `learn`, `segment` and `measure`: tag the words of a text, learn a segmenter's model from
it, cut it into tokens, one sentence per line, and measure them."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from seggrid.base.errors import InputError, either, note, suggestion
from seggrid.base.options import whole_number
from seggrid.commands.files import NameOrInputFile
from seggrid.commands.options import (
    add_empty_lines,
    add_input,
    add_output,
    add_plugin,
    add_reference,
    add_seed,
    add_side,
    add_tags,
    add_text,
    axes_given,
    progress,
    read_counts,
    read_filled,
    read_parts,
    read_sentences,
    read_tags_of,
    write_lines,
)
from seggrid.commands.segmenter import COUNTING, OF_MODELS, Segmenter, measure, side_of
from seggrid.segment import SEGMENTERS
from seggrid.segment.bpe.model import MARKINGS as OF_BPE
from seggrid.segment.external import FORMATS
from seggrid.segment.glossary import NONE
from seggrid.segment.marks import MARKINGS
from seggrid.segment.side import parse_spec
from seggrid.segment.side_segmenter import learns_from_counts, model_size
from seggrid.text.pos import LANGUAGES, write_tags
from seggrid.text.selection import laid_out
from seggrid.text.sides import SIDES
from seggrid.text.tagger import tag
from seggrid.text.text_files import apply_case
from seggrid.text.words import WordCounts, Words

_LEFT_OUT = (
    *("knockout", "application", "joint"),
    *("dropout", "dropout_kind", "dropout_weight", "sampling"),
)
"""Axes that only matter when a model is applied, or that need both texts."""


def add_learn(parser: argparse.ArgumentParser) -> None:
    """Add the options: text, segmentation, model."""
    add_text(parser)
    learners = [name for name, entry in SEGMENTERS.items() if entry.learns]
    add_side(parser, *_LEFT_OUT, segmenters=learners)
    add_tags(parser)
    add_plugin(parser)
    parser.add_argument(
        "--min-frequency",
        type=whole_number(1),
        metavar="N",
        help=f"for {either(COUNTING)}: learning ends when no pair occurs this often; by default 2",
    )
    parser.add_argument(
        "--marking",
        choices=OF_BPE,
        help="for bpe: how words are marked: by ▁ at their starts (start, the default), by </w> at their "
        "ends (end: seggrid convert --to merges then writes codes of subword-nmt), or by ▁ as a symbol of "
        "its own (own)",
    )
    add_output(parser, "the model", required=True)


def run_learn(arguments: argparse.Namespace) -> None:
    """Learn and write."""
    axes = axes_given(arguments)
    name = axes.pop("segmenter", "bpe")
    side = side_of(name, axes)
    text: Words | WordCounts
    if learns_from_counts(side):
        spooled = SEGMENTERS[side.segmenter].from_file
        text = read_counts(arguments.text, arguments, spooled=spooled)
    else:
        text = read_sentences(arguments.text, arguments)
    learned = Segmenter.learn(
        text,
        name,
        tags=None if isinstance(text, WordCounts) else read_tags_of(arguments, text),
        marking=arguments.marking,
        min_frequency=arguments.min_frequency,
        **axes,
    )
    if side.merges is not None or side.vocabulary is not None:
        sizes = model_size(side, learned.model, apply_case(text, side.case))
        note(filter(None, [side.remark_on_size(sizes)]))
    learned.save(arguments.output)


def add_tag(parser: argparse.ArgumentParser) -> None:
    """Add the options: text, language, output."""
    add_input(parser, "text", help="a text; - is standard input")
    parser.add_argument("--language", choices=LANGUAGES, required=True)
    add_empty_lines(parser, "an empty line is refused, or skipped: it gets no tags")
    add_output(parser, "the tagged text", required=True)


def run_tag(arguments: argparse.Namespace) -> None:
    """Tag and write."""
    sentences = read_sentences(arguments.text, arguments)
    progress(f"tagging {len(sentences):,} sentences")
    tags = tag(sentences, arguments.language)
    write_tags(arguments.output, sentences, tags, arguments.language)


def add_segment(parser: argparse.ArgumentParser) -> None:
    """Add the options: text, segmentation, model, samples, output."""
    add_segmentation(parser)
    parser.add_argument(
        "--samples",
        type=whole_number(1, 100_000),
        default=1,
        help="number of samples, written one after the other",
    )
    parser.add_argument(
        "--style",
        choices=MARKINGS,
        help="mark words as another program does: @@ after a token that does not end its word "
        "(subword-nmt), ## before one that does not begin its word (BERT), ▁ before a word "
        "(sentencepiece), </w> after a word; by default, as the segmenter does",
    )
    add_output(parser, "the tokens")


def add_segmentation(parser: argparse.ArgumentParser) -> None:
    """Add a text, and the options of a segmentation and its model, which `read_segmenter` reads."""
    add_text(parser)
    add_input(
        parser,
        "-m",
        "--model",
        help="a model of seggrid learn, codes of subword-nmt, or a tokenizer from elsewhere: a "
        "tokenizer.json, a .model of sentencepiece, ranks of tiktoken, or a merges.txt beside its vocab.json",
    )
    what = "format of that tokenizer, in place of what the file shows"
    parser.add_argument("--model-format", choices=FORMATS, help=what)
    add_seed(parser, "the samples")
    parser.add_argument(
        "--as",
        dest="named",
        metavar="PAIR/SIDE/SEGMENTATION",
        help="instead of the options below, the segmentation of a grid, as named under "
        "results/segment, such as eng-deu/source/bpe+case=lower+…: gives the same samples",
    )
    add_side(parser, *OF_MODELS)
    add_tags(parser)
    add_plugin(parser)


def read_segmenter(arguments: argparse.Namespace) -> tuple[Segmenter, list[str]]:
    """The segmentation that the options describe, and the names on which the seeds of its samples depend."""
    axes = axes_given(arguments)
    if arguments.named is None:
        name = axes.pop("segmenter", None)
        how = {"format": arguments.model_format, **axes}
        segmenter = Segmenter.load(arguments.model, name, **how)
        return segmenter, ["text", segmenter.side.seed_spec]
    if axes:
        option = next(iter(axes)).replace("_", "-")
        raise InputError(f"--{option} together with --as", hint="leave one of the two out")
    pair, _, rest = arguments.named.partition("/")
    name, _, spec = rest.partition("/")
    try:
        wanted = parse_spec(spec)
        if name not in SIDES or str(wanted) != spec:
            raise ValueError(arguments.named)
    except (KeyError, ValueError):
        raise InputError(
            f"{arguments.named!r} is not a segmentation of a grid",
            hint="give PAIR/SIDE/SEGMENTATION as in the path of a file under results/segment",
        ) from None
    segmenter = Segmenter.of(wanted, arguments.model, arguments.model_format)
    return segmenter, [pair, name, wanted.seed_spec]


def run_segment(arguments: argparse.Namespace) -> None:
    """Segment and write."""
    segmenter, names = read_segmenter(arguments)
    if arguments.samples > 1 and not segmenter.side.sampled:
        note(["--samples has no effect without dropout or sampling"])
    write_lines(arguments.output, _lines(segmenter, names, arguments))


def _lines(segmenter: Segmenter, names: list[str], arguments: argparse.Namespace) -> Iterator[str]:
    """The lines of all samples, one sample after another."""
    # In parts only without random draws, which depend on the sentences before, and without tags and glossary,
    # which cover the whole text.
    if segmenter.side.sampled or arguments.tags or segmenter.side.glossary not in (None, NONE):
        parts = iter([read_filled(arguments.text, arguments)])
    else:
        parts = read_parts(arguments.text, arguments)
    for sentences, filled in parts:
        tags = read_tags_of(arguments, sentences)
        count, seed = arguments.samples, arguments.seed
        for sample in segmenter.samples(sentences, count, seed=seed, names=names, tags=tags):
            if arguments.style is None:
                yield sample.text(filled)
            else:
                yield from laid_out(segmenter.lines(sample, sentences, arguments.style), filled)


OUTSIDE = tuple(format for format in FORMATS if not format.startswith("tokens-"))
"""Formats of tokenizers; tokenized texts are left out, since they do not say how a single word is cut."""


def _kinds() -> tuple[str, ...]:
    """The segmenters and formats that `--against` takes."""
    learned = (name for name, entry in SEGMENTERS.items() if entry.learns and not entry.tagged)
    return (*learned, *OUTSIDE)


def add_measure(parser: argparse.ArgumentParser) -> None:
    """Add the options: text, segmentation, model, what it is compared with."""
    add_segmentation(parser)
    parser.add_argument(
        "--size",
        type=whole_number(1),
        help="declared size of the vocabulary; by default, that of the model and the text's single "
        "characters",
    )
    what = "a morphological reference: also measure how well token boundaries agree with it"
    add_reference(parser, what)
    parser.add_argument(
        "--against",
        nargs="+",
        type=NameOrInputFile(_kinds()),
        metavar=("KIND", "FILE"),
        help="another tokenizer: also measure how similarly it splits words; give its file, if need be "
        "after its segmenter or format, in place of what the file shows",
    )
    add_input(
        parser,
        "--beside",
        help="another text for the same model, such as that of the other language: also measure the "
        "divergence of the two token distributions",
    )
    add_output(parser, "the measures")


def run_measure(arguments: argparse.Namespace) -> None:
    """Measure and write; measures that are not defined are left empty."""
    segmenter, names = read_segmenter(arguments)
    sentences = read_sentences(arguments.text, arguments)
    against = None
    if arguments.against:
        *kinds, file = arguments.against
        if other := next((kind for kind in kinds[:1] if kind not in _kinds()), None):
            hint = suggestion(other, _kinds())
            raise InputError(f"--against {other}: no kind of tokenizer", hint=hint)
        if len(kinds) > 1:
            hint = "give the text before --against"
            raise InputError(f"--against with {len(kinds) + 1} values", hint=hint)
        how = {"format" if kind in OUTSIDE else "segmenter": kind for kind in kinds}
        against = Segmenter.load(file, case=segmenter.side.case, **how)
    found = measure(
        sentences,
        segmenter,
        size=arguments.size,
        seed=arguments.seed,
        names=names,
        tags=read_tags_of(arguments, sentences),
        morphemes=arguments.morphemes,
        format=arguments.morphemes_format,
        against=against,
        beside=read_sentences(arguments.beside, arguments) if arguments.beside else None,
    )
    # A count has all its digits.
    rows = ((n, "" if v != v else f"{v:{'.6g' if v % 1 else '.0f'}}") for n, v in found.items())
    write_lines(arguments.output, ("\t".join(row) for row in rows))
