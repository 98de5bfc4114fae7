"""`seggrid align`: the word links of all sentences of two texts, as Pharaoh lines."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import yaml

from seggrid.api.aligner import ALIGNMENT_AXES, Aligner
from seggrid.api.alignment import Alignment
from seggrid.api.tokenization import BOUNDARIES, default_boundaries, tokenize
from seggrid.cli.arguments import (
    LARGEST_SEED,
    PairOfTexts,
    add_axis,
    add_output,
    add_pair,
    add_plugin,
    add_side,
    filled_of,
    progress,
    read_pair,
    remark,
    whole_number,
    write_lines,
)
from seggrid.cli.files import NameOrInputFile, input_file, output_file, output_folder
from seggrid.corpus.text import apply_case
from seggrid.data.ragged import each_range
from seggrid.data.sides import SIDES
from seggrid.errors import InputError, one_line
from seggrid.grid.axes import CELL_AXES
from seggrid.grid.recipes import DEFAULT, NOT_AGGREGATED, SHIPPED, read_recipe
from seggrid.score.votes import Means
from seggrid.segment import SEGMENTERS
from seggrid.segment.axes import AXES
from seggrid.segment.external.segmenter import FORMATS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options: texts, recipe, axes that override it, models."""
    add_pair(parser)
    add_plugin(parser)
    recipes = [f"  {name}: {read_recipe(name).description}" for name in SHIPPED]
    parser.epilog = "\n".join(filter(None, ["recipes:", *recipes, parser.epilog]))
    parser.add_argument(
        "--recipe",
        type=NameOrInputFile(SHIPPED),
        help=f"name of a recipe, by default {DEFAULT}, or a file; the options below override it",
    )
    inside = [name for name, segmenter in SEGMENTERS.items() if not segmenter.outside]
    add_side(parser, "knockout", "dropout_weight", unset=True, segmenters=inside)
    group = parser.add_argument_group("a tokenizer of your own, in place of a segmenter")
    group.add_argument(
        "--tokenizer",
        dest="tokenizers",
        nargs="+",
        default=[],
        type=input_file,
        metavar="FILE",
        help="files of the tokenizers of source and target, or of one for both; case is kept unless --case "
        "is given",
    )
    group.add_argument(
        "--tokenizer-format",
        choices=FORMATS,
        help="their format; by default huggingface for .json and sentencepiece for .model",
    )
    group = parser.add_argument_group("raw text")
    group.add_argument(
        "--tokenize",
        action="store_true",
        help="cut the text at Unicode's word boundaries first; links are those of these words",
    )
    group.add_argument(
        "--word-boundaries",
        choices=BOUNDARIES,
        help="whose boundaries: icu (PyICU) has dictionaries of Chinese, Japanese and Thai; for unicode (UAX "
        "29), each Chinese character is a word; by default, icu if it is installed",
    )
    group.add_argument(
        "--tokens",
        nargs=2,
        type=output_file,
        metavar="FILE",
        help="write the words of source and target, for remap",
    )
    group = parser.add_argument_group("alignment")
    for name in ALIGNMENT_AXES:
        axis = CELL_AXES[name]
        if name == "aggregate":
            text = f"{axis.description} `{NOT_AGGREGATED}` leaves out the recipe's: links are symmetrized."
            axis = replace(axis, description=text)
        add_axis(group, axis, argparse.SUPPRESS)
    group.add_argument(
        "--threads",
        type=whole_number(1, 1024),
        default=1,
        help="number of threads; results do not depend on it",
    )
    group.add_argument(
        "--memory",
        type=_bytes,
        metavar="SIZE",
        help="memory limit, such as 8G or 500M: gibbs and fast_align estimate beforehand what they "
        "need, and refuse the text if it is more",
    )
    group.add_argument(
        "--seed", type=whole_number(0, LARGEST_SEED), default=1, help="seed of all random choices"
    )
    group.add_argument("--name", default="pair", help="name of the pair, on which seeds depend")
    group.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="ALIGNER.OPTION=VALUE",
        help="an option of the aligner, as under aligners in a config, such as gibbs.samplers=1; may be "
        "repeated",
    )
    add_output(parser, "the links, `i-j i-j ...`, from 0")
    parser.add_argument(
        "--probabilities",
        type=output_file,
        metavar="FILE",
        help="write links with their probabilities, `i-j:p ...`, or with the share of samples that have them",
    )
    for name, given in (("forward", "target"), ("reverse", "source")):
        parser.add_argument(
            f"--{name}",
            type=output_file,
            metavar="FILE",
            help=f"write the links of the {name} direction, in which each {given} token has at most one",
        )
    parser.add_argument(
        "--scores",
        type=output_file,
        metavar="FILE",
        help="write log-probabilities of each sentence pair: of the target given the source, of the source "
        "given the target, and both divided by the number of words, in four columns separated by tabs",
    )
    parser.add_argument(
        "--keep",
        type=output_folder,
        metavar="FOLDER",
        help="write the learned models, for --models, into a new folder or in place of earlier ones",
    )
    parser.add_argument(
        "--models",
        type=input_file,
        metavar="FOLDER",
        help="learn nothing, but apply the models that --keep wrote for another text",
    )

    parser.add_argument(
        "--priors",
        action="append",
        type=input_file,
        metavar="FILE",
        help="start from counts of links of earlier text, in the format of eflomal's --priors: what "
        "eflomal-makepriors wrote, or a file FOLDER/aligner-0.priors of --keep; for gibbs; may be repeated: "
        "counts are added",
    )


def _bytes(text: str) -> int:
    """The type of an option that is a size in bytes, such as 8G."""
    found = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,3})?)([KMGT])B?", text.upper())
    if found is None:
        raise argparse.ArgumentTypeError(f"{one_line(text)!r} is not a size, such as 8G or 500M")
    return int(float(found[1]) * 1000 ** (1 + "KMGT".index(found[2])))


def overrides(arguments: argparse.Namespace) -> dict[str, Any]:
    """The axes that are given as options."""
    given = {}
    for name in (*AXES, *ALIGNMENT_AXES):
        if hasattr(arguments, name):
            value = getattr(arguments, name)
            flag = name in AXES and AXES[name].kind == "flag"
            given[name] = AXES[name].read(value) if flag else value
    return given


def options_of(arguments: argparse.Namespace) -> dict[str, dict[str, Any]]:
    """The options of aligners that `--set` gives, by name of the aligner."""
    options: dict[str, dict[str, Any]] = {}
    for setting in arguments.set:
        name, equals, value = setting.partition("=")
        aligner, dot, option = name.partition(".")
        if not (equals and dot):
            raise InputError(f"--set {setting}", hint="write it as gibbs.samplers=1")
        try:
            value = yaml.safe_load(value)
        except yaml.YAMLError:
            raise InputError(
                f"--set {setting}: not a value", hint="write it as in a config"
            ) from None
        if option in options.setdefault(aligner, {}):
            raise InputError(f"--set {name} twice", hint="leave one of them out")
        options[aligner][option] = value
    return options


def run(arguments: argparse.Namespace) -> None:
    """Align and write."""
    own, options = overrides(arguments), options_of(arguments)
    how: dict[str, Any] = {
        "seed": arguments.seed,
        "threads": arguments.threads,
        "name": arguments.name,
    }
    if arguments.priors and (arguments.keep or arguments.models):
        hint = "leave one of the two out"
        raise InputError(
            f"--priors together with --{'keep' if arguments.keep else 'models'}", hint=hint
        )
    if arguments.models:
        if own or options or arguments.keep or arguments.recipe or arguments.tokenizers:
            raise InputError(
                "the folder of --models holds the settings too", hint="give --models alone"
            )
        aligner = Aligner.load(arguments.models, **how)
    else:
        aligner = Aligner(
            arguments.recipe or DEFAULT,
            options=options,
            tokenizers=arguments.tokenizers,
            tokenizer_format=arguments.tokenizer_format,
            **how,
            **own,
        )
    aligner.check(
        probabilities=bool(arguments.probabilities),
        keeps=bool(arguments.keep or arguments.models),
        scores=bool(arguments.scores),
    )
    cut = _tokenizer(arguments)
    remark(aligner.remarks)
    tokens = aligner.takes_tokens and not arguments.tokenize
    pair = cut(read_pair(arguments.texts, arguments, tokens=tokens))
    if not arguments.tokens:
        pair = _cased(pair, aligner)
    found, learned = aligner.run(
        filled_of(pair, arguments, cut, tokens=tokens),
        pair.source,
        pair.target,
        models=aligner.models,
        priors=arguments.priors,
        keep=bool(arguments.keep),
        scores=bool(arguments.scores),
        probabilities=bool(arguments.probabilities),
        progress=progress,
        memory=arguments.memory,
    )
    write_lines(arguments.output, found.each_line())
    for file, way in ((arguments.forward, found.forward), (arguments.reverse, found.reverse)):
        if file:
            write_lines(file, way.each_line())
    for file, words in zip(arguments.tokens or (), (pair.source, pair.target), strict=False):
        write_lines(file, map(" ".join, words))
    if arguments.probabilities:
        assert found.probable is not None
        write_lines(arguments.probabilities, _weighted(found.probable))
    if arguments.scores:
        write_lines(arguments.scores, _scored(found))
    if arguments.keep:
        aligner.models = learned
        aligner.save(arguments.keep)


def _cased(pair: PairOfTexts, aligner: Aligner) -> PairOfTexts:
    """The pair in the case in which it is aligned. With this, the original text need not stay in memory."""
    sides = []
    for name, words in ((SIDES[0], pair.source), (SIDES[1], pair.target)):
        cases = {getattr(cell, name).case for cell in aligner.cells} - {None}
        sides.append(apply_case(words, cases.pop()) if len(cases) == 1 else words)
    return replace(pair, source=sides[0], target=sides[1])


def _tokenizer(arguments: argparse.Namespace) -> Callable[[PairOfTexts], PairOfTexts]:
    """A function that cuts the texts of a pair into words, as the options say."""
    given, boundaries = arguments.tokenize, arguments.word_boundaries
    if not given:
        for name in ("word_boundaries", "tokens"):
            if getattr(arguments, name):
                hint = "give --tokenize, or leave it out"
                raise InputError(f"--{name.replace('_', '-')} without --tokenize", hint=hint)
        return lambda pair: pair
    if boundaries is None:
        boundaries = default_boundaries()
        remark(
            [
                f"words end at the boundaries of {boundaries}; --word-boundaries {boundaries} fixes it"
            ]
        )
    return lambda pair: replace(
        pair, source=tokenize(pair.source, boundaries), target=tokenize(pair.target, boundaries)
    )


def _scored(found: Alignment) -> Iterator[str]:
    """Lines of scores, unchanged and divided by the number of words; empty if a side is empty."""
    scores, means = found.scores, found.mean_scores
    assert scores is not None
    assert means is not None
    for own, by_word in zip(scores, means, strict=True):
        row = [*own.tolist(), *by_word.tolist()]
        yield "" if row[0] != row[0] else "\t".join(f"{score:.4f}" for score in row)


def _weighted(probable: Means) -> Iterator[str]:
    """Lines of links with their probabilities, one sentence per line."""
    for a, b in each_range(probable.links.offsets):
        pairs = zip(
            probable.links.pairs[a:b].tolist(), probable.probability[a:b].tolist(), strict=True
        )
        yield " ".join(f"{i}-{j}:{p:.4g}" for (i, j), p in pairs)
