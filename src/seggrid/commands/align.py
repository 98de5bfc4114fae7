"""`seggrid align`: the word links of all sentences of two texts, as Pharaoh lines."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from seggrid.base.errors import InputError, note, one_line
from seggrid.base.files import is_device, target_of
from seggrid.base.parameters import output_folder
from seggrid.commands.aligner import Aligner, alignment_axes
from seggrid.commands.alignment import Alignment
from seggrid.commands.files import NameOrInputFile
from seggrid.commands.options import (
    PairOfTexts,
    add_axis,
    add_input,
    add_output,
    add_pair,
    add_plugin,
    add_seed,
    add_side,
    add_threads,
    add_written,
    axes_given,
    progress,
    read_pair,
    write_lines,
)
from seggrid.commands.texts import BOUNDARIES, Filled, default_boundaries, tokenize
from seggrid.grid.axes import CELL_AXES
from seggrid.grid.config.read import read_config
from seggrid.grid.recipes import DEFAULT, SHIPPED, read_recipe
from seggrid.score.votes import Means
from seggrid.segment import SEGMENTERS
from seggrid.segment.external import FORMATS
from seggrid.text.ragged import each_range
from seggrid.text.sides import SIDES
from seggrid.text.text_files import apply_case


def add_align(parser: argparse.ArgumentParser) -> None:
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
    add_side(parser, "knockout", "dropout_weight", defaults=False, segmenters=inside)
    group = parser.add_argument_group("a tokenizer of your own, in place of a segmenter")
    _add_tokenizers(group, "case is kept unless --case is given")
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
    add_written(group, "--tokens", nargs=2, help="write the words of source and target, for remap")
    _add_alignment(parser.add_argument_group("alignment"))
    add_output(parser, "the links, `i-j i-j ...`, from 0")
    add_written(
        parser,
        "--probabilities",
        help="write links with their probabilities, `i-j:p ...`, or with the share of samples that have them",
    )
    for name, given in (("forward", "target"), ("reverse", "source")):
        add_written(
            parser,
            f"--{name}",
            help=f"write the links of the {name} direction, in which each {given} token has at most one",
        )
    add_written(
        parser,
        "--scores",
        help="write log-probabilities of each sentence pair: of the target given the source, of the source "
        "given the target, and both divided by the number of words, in four columns separated by tabs",
    )
    parser.add_argument(
        "--keep",
        type=output_folder,
        metavar="FOLDER",
        help="write the learned models, for --models, into a new folder or in place of earlier ones",
    )
    add_input(
        parser,
        "--models",
        metavar="FOLDER",
        help="learn nothing, but apply the models that --keep wrote for another text",
    )
    add_input(
        parser,
        "--priors",
        action="append",
        help="start from counts of links of earlier text, in the format of eflomal's --priors: what "
        "eflomal-makepriors wrote, or a file FOLDER/aligner-0.priors of --keep; for gibbs; may be repeated: "
        "counts are added",
    )


def _add_tokenizers(group: argparse._ArgumentGroup, more: str, **how: Any) -> None:
    """Add the options of tokenizers and their format; `more` is what else is said of the files."""
    what = f"files of the tokenizers of source and target, or of one for both; {more}"
    add_input(group, "--tokenizer", dest="tokenizers", nargs="+", default=[], help=what, **how)
    group.add_argument(
        "--tokenizer-format",
        choices=FORMATS,
        help="their format, in place of what the files show",
    )


def _add_alignment(group: argparse._ArgumentGroup) -> None:
    for name in alignment_axes():
        axis = CELL_AXES[name]
        add_axis(group, axis)
    add_threads(group)
    add_seed(group)
    group.add_argument(
        "--memory",
        type=_bytes,
        metavar="SIZE",
        help="memory limit, such as 8G or 500M: gibbs and fast_align estimate beforehand what they "
        "need, and refuse the text if it is more",
    )
    group.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="ALIGNER.OPTION=VALUE",
        help="an option of the aligner, as under aligners in a config, such as gibbs.samplers=1; may be "
        "repeated",
    )


def _bytes(text: str) -> int:
    """The type of an option that is a size in bytes, such as 8G."""
    found = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,3})?)([KMGT])B?", text.upper())
    if found is None:
        raise argparse.ArgumentTypeError(f"{one_line(text)!r} is not a size, such as 8G or 500M")
    return int(float(found[1]) * 1000 ** (1 + "KMGT".index(found[2])))


def options_of(settings: list[str]) -> dict[str, dict[str, Any]]:
    """The options of aligners that `--set` gives, by name of the aligner."""
    options: dict[str, dict[str, Any]] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        aligner, dot, option = name.partition(".")
        if not (equals and dot):
            raise InputError(f"--set {setting}", hint="write it as gibbs.samplers=1")
        if option in options.setdefault(aligner, {}):
            raise InputError(f"--set {name} twice", hint="leave one of them out")
        try:
            options[aligner][option] = read_config([], [f"value={value}"]).at(["value"]).plain()
        except InputError:
            message = f"--set {setting}: not a value"
            raise InputError(message, hint="write it as in a config") from None
    return options


def run_align(arguments: argparse.Namespace) -> None:
    """Align and write."""
    asked = arguments
    aligner, cut = _aligner(asked), _cutter(asked)
    aligner.check(
        probabilities=bool(asked.probabilities),
        keeps=bool(asked.keep or asked.models),
        scores=bool(asked.scores),
    )
    note(aligner.remarks)
    tokens = aligner.takes_tokens and not asked.tokenize
    pair = cut(read_pair(asked.texts, asked, tokens=tokens))
    if not asked.tokens:
        pair = _cased(pair, aligner)
    training = [
        cut(read_pair(paths, asked, training=True, tokens=tokens)) for paths in asked.training
    ]
    kept = bool(asked.output) and not is_device(asked.output)
    found, learned = aligner.run(
        Filled.of(pair.source, pair.target, [(one.source, one.target) for one in training]),
        pair.source,
        pair.target,
        models=aligner.models,
        priors=asked.priors,
        keep=bool(asked.keep),
        scores=bool(asked.scores),
        probabilities=bool(asked.probabilities),
        progress=progress,
        memory=asked.memory,
        state=Path(f"{target_of(asked.output)}.tuning") if kept else None,
    )
    write_lines(asked.output, found.each_line())
    for file, way in ((asked.forward, found.forward), (asked.reverse, found.reverse)):
        if file:
            write_lines(file, way.each_line())
    for file, words in zip(asked.tokens or (), (pair.source, pair.target), strict=False):
        write_lines(file, map(" ".join, words))
    if asked.probabilities:
        assert found.probable is not None
        write_lines(asked.probabilities, _weighted(found.probable))
    if asked.scores:
        write_lines(asked.scores, _scored(found))
    if asked.keep:
        aligner.models = learned
        aligner.save(asked.keep)


def _aligner(asked: argparse.Namespace) -> Aligner:
    """The aligner with the settings of the options, or with those of earlier models."""
    own, options = axes_given(asked, *alignment_axes()), options_of(asked.set)
    if asked.priors and (asked.keep or asked.models):
        other = "keep" if asked.keep else "models"
        raise InputError(f"--priors together with --{other}", hint="leave one of the two out")
    how: dict[str, Any] = {"seed": asked.seed, "threads": asked.threads, "name": asked.name}
    if asked.models:
        if own or options or asked.keep or asked.recipe or asked.tokenizers:
            message = "the folder of --models holds the settings too"
            raise InputError(message, hint="give --models alone")
        return Aligner.load(asked.models, **how)
    tokenizers = {"tokenizers": asked.tokenizers, "tokenizer_format": asked.tokenizer_format}
    return Aligner(asked.recipe or DEFAULT, options=options, **tokenizers, **how, **own)


def _cased(pair: PairOfTexts, aligner: Aligner) -> PairOfTexts:
    """The pair in the case in which it is aligned. With this, the original text need not stay in memory."""
    sides = {}
    for name in SIDES:
        cases = {getattr(cell, name).case for cell in aligner.cells} - {None}
        if len(cases) == 1:
            sides[name] = apply_case(getattr(pair, name), cases.pop())
    return pair._replace(**sides)


def _cutter(asked: argparse.Namespace) -> Callable[[PairOfTexts], PairOfTexts]:
    """A function that cuts the texts of a pair into words, as the options say."""
    if not asked.tokenize:
        for name in ("word_boundaries", "tokens"):
            if getattr(asked, name):
                message = f"--{name.replace('_', '-')} without --tokenize"
                raise InputError(message, hint="give --tokenize, or leave it out")
        return lambda pair: pair
    boundaries = asked.word_boundaries or default_boundaries()
    if asked.word_boundaries is None:
        fixed = f"--word-boundaries {boundaries} fixes it"
        note([f"words end at the boundaries of {boundaries}; {fixed}"])
    return lambda pair: pair._replace(
        source=tokenize(pair.source, boundaries), target=tokenize(pair.target, boundaries)
    )


def _scored(found: Alignment) -> Iterator[str]:
    """Lines of scores, unchanged and divided by the number of words; empty if a side is empty."""
    assert found.scores is not None
    assert found.mean_scores is not None
    for own, by_word in zip(found.scores, found.mean_scores, strict=True):
        row = [*own.tolist(), *by_word.tolist()]
        yield "" if row[0] != row[0] else "\t".join(f"{score:.4f}" for score in row)


def _weighted(probable: Means) -> Iterator[str]:
    """Lines of links with their probabilities, one sentence per line."""
    for a, b in each_range(probable.links.offsets):
        pairs, shares = probable.links.pairs[a:b].tolist(), probable.probability[a:b].tolist()
        yield " ".join(f"{i}-{j}:{p:.4g}" for (i, j), p in zip(pairs, shares, strict=True))
