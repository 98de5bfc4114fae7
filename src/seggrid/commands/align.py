"""`seggrid align`: the word links of all sentences of two texts, as Pharaoh lines. Its function is
`seggrid.align`."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

from seggrid.base.axis import Axis
from seggrid.base.errors import InputError, note, one_line
from seggrid.base.files import is_device, target_of
from seggrid.base.options import AxisOptions
from seggrid.base.parameters import (
    COMPRESSED,
    Choices,
    Group,
    Help,
    InputFile,
    NameOfPair,
    Output,
    OutputFile,
    OutputFolder,
    Seed,
    Threads,
)
from seggrid.commands.aligner import Aligner, alignment_axes
from seggrid.commands.alignment import Alignment
from seggrid.commands.files import NameOrInputFile
from seggrid.commands.options import (
    SEGMENTATION,
    TEXTS,
    FormatOfTokenizer,
    PairFiles,
    PairOfTexts,
    Plugins,
    progress,
    read_pair,
    side_axes,
    write_output_lines,
)
from seggrid.commands.texts import BOUNDARIES, Filled, default_boundaries
from seggrid.commands.texts import tokenize as cut_words
from seggrid.grid.align_cell import Request
from seggrid.grid.axes import CELL_AXES
from seggrid.grid.config.read import read_config
from seggrid.grid.recipes import DEFAULT, SHIPPED, read_recipe
from seggrid.score.votes import Means
from seggrid.segment import SEGMENTERS
from seggrid.text.parameters import PairAligned
from seggrid.text.ragged import each_range
from seggrid.text.sides import SIDES
from seggrid.text.text_files import apply_case


def epilog() -> str:
    """The recipes, for the help."""
    recipes = [f"  {name}: {read_recipe(name).description}" for name in SHIPPED]
    return "\n".join(["recipes:", *recipes])


def _side_axes() -> list[tuple[Axis[Any], Any]]:
    inside = [name for name, segmenter in SEGMENTERS.items() if not segmenter.outside]
    return side_axes("knockout", "dropout_weight", defaults=False, segmenters=inside)


def _cell_axes() -> list[tuple[Axis[Any], Any]]:
    return [(CELL_AXES[name], None) for name in alignment_axes()]


def _bytes(text: str) -> int:
    """The type of an option that is a size in bytes, such as 8G."""
    found = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,3})?)([KMGT])B?", text.upper())
    if found is None:
        raise argparse.ArgumentTypeError(f"{one_line(text)!r} is not a size, such as 8G or 500M")
    return int(float(found[1]) * 1000 ** (1 + "KMGT".index(found[2])))


def options_of(settings: Sequence[str]) -> dict[str, dict[str, Any]]:
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


_TOKENIZER = Group("a tokenizer of your own, in place of a segmenter")
_RAW = Group("raw text")
_ALIGNMENT = Group("alignment")
_ONE_WAY = "write the links of the {} direction, in which each {} token has at most one"


@dataclass(frozen=True)
class OwnTokenizers:
    """Tokenizers by which the texts are cut, in place of a segmenter."""

    tokenizers: Annotated[
        tuple[InputFile, ...],
        Help(
            "files of the tokenizers of source and target, or of one for both; case is kept unless --case is "
            "given",
            ("--tokenizer",),
        ),
    ] = ()
    tokenizer_format: FormatOfTokenizer | None = None


@dataclass(frozen=True)
class RawText:
    """How raw texts are cut into words."""

    tokenize: Annotated[
        bool,
        Help("cut the text at Unicode's word boundaries first; links are those of these words"),
    ] = False
    word_boundaries: Annotated[
        str | None,
        Choices(BOUNDARIES),
        Help(
            "whose boundaries: icu (PyICU) has dictionaries of Chinese, Japanese and Thai; for unicode (UAX "
            "29), each Chinese character is a word; by default, icu if it is installed"
        ),
    ] = None
    tokens: Annotated[
        tuple[OutputFile, OutputFile] | None,
        Help("write the words of source and target, for remap"),
    ] = None

    def cutter(self) -> Callable[[PairOfTexts], PairOfTexts]:
        """A function that cuts the texts of a pair into words."""
        if not self.tokenize:
            given = (("word-boundaries", self.word_boundaries), ("tokens", self.tokens))
            for name, value in given:
                if value:
                    message = f"--{name} without --tokenize"
                    raise InputError(message, hint="give --tokenize, or leave it out")
            return lambda pair: pair
        boundaries = self.word_boundaries or default_boundaries()
        if self.word_boundaries is None:
            fixed = f"--word-boundaries {boundaries} fixes it"
            note([f"words end at the boundaries of {boundaries}; {fixed}"])
        return lambda pair: pair._replace(
            source=cut_words(pair.source, boundaries), target=cut_words(pair.target, boundaries)
        )


@dataclass(frozen=True)
class Aligning:
    """How texts are aligned."""

    threads: Threads = 1
    name: NameOfPair = "pair"
    seed: Seed = 1
    memory: Annotated[
        int | None,
        _bytes,
        Help(
            "memory limit, such as 8G or 500M: gibbs and fast_align estimate beforehand what they need, and "
            "refuse the text if it is more",
            metavar="SIZE",
        ),
    ] = None
    settings: Annotated[
        Sequence[str],
        Help(
            "an option of the aligner, as under aligners in a config, such as gibbs.samplers=1; may be "
            "repeated",
            ("--set",),
            "ALIGNER.OPTION=VALUE",
        ),
    ] = ()


@dataclass(frozen=True)
class AlignmentFiles:
    """What is written, and where."""

    output: Annotated[Output | None, Help(f"the links, `i-j i-j ...`, from 0{COMPRESSED}")] = None
    probabilities: Annotated[
        OutputFile | None,
        Help(
            "write links with the probabilities that the threshold is compared with, `i-j:p ...`, or with "
            "the share of samples that have them"
        ),
    ] = None
    forward: Annotated[OutputFile | None, Help(_ONE_WAY.format("forward", "target"))] = None
    reverse: Annotated[OutputFile | None, Help(_ONE_WAY.format("reverse", "source"))] = None
    scores: Annotated[
        OutputFile | None,
        Help(
            "write log-probabilities of each sentence pair: of the target given the source, of the source "
            "given the target, and both divided by the number of words, in four columns separated by tabs"
        ),
    ] = None
    keep: Annotated[
        OutputFolder | None,
        Help(
            "write the learned models, for --models, into a new folder or in place of earlier ones",
            metavar="FOLDER",
        ),
    ] = None

    def request(self) -> Request:
        """What is asked for besides links."""
        return Request(bool(self.probabilities), bool(self.keep), bool(self.scores))

    def write(self, found: Alignment) -> None:
        """Write what was found, but for models."""
        write_output_lines(self.output, found.each_line())
        for file, way in ((self.forward, found.forward), (self.reverse, found.reverse)):
            if file:
                write_output_lines(file, way.each_line())
        if self.probabilities:
            assert found.probable is not None
            write_output_lines(self.probabilities, _weighted(found.probable))
        if self.scores:
            write_output_lines(self.scores, _scored(found))


@dataclass(frozen=True)
class Before:
    """What was learned on other text."""

    models: Annotated[
        InputFile | None,
        Help(
            "learn nothing, but apply the models that --keep wrote for another text",
            metavar="FOLDER",
        ),
    ] = None
    priors: Annotated[
        Sequence[InputFile],
        Help(
            "start from counts of links of earlier text, in the format of eflomal's --priors: what "
            "eflomal-makepriors wrote, or a file FOLDER/aligner-0.priors of --keep; for gibbs; may be "
            "repeated: counts are added"
        ),
    ] = ()


def command(
    texts: PairFiles,
    /,
    *,
    written: Annotated[PairAligned, TEXTS],
    plugin: Plugins = (),
    recipe: Annotated[
        str | None,
        NameOrInputFile(lambda: SHIPPED),
        Help(f"name of a recipe, by default {DEFAULT}, or a file; the options below override it"),
    ] = None,
    own: Annotated[OwnTokenizers, _TOKENIZER],
    raw: Annotated[RawText, _RAW],
    how: Annotated[Aligning, _ALIGNMENT],
    outputs: AlignmentFiles,
    before: Before,
    **axes: Annotated[
        Any, AxisOptions(_side_axes, SEGMENTATION), AxisOptions(_cell_axes, _ALIGNMENT)
    ],
) -> None:
    """Align and write."""
    options = options_of(how.settings)
    if before.priors and (outputs.keep or before.models):
        other = "keep" if outputs.keep else "models"
        raise InputError(f"--priors together with --{other}", hint="leave one of the two out")
    if before.models and (axes or options or outputs.keep or recipe or own.tokenizers):
        message = "the folder of --models holds the settings too"
        raise InputError(message, hint="give --models alone")
    process: dict[str, Any] = {"seed": how.seed, "threads": how.threads, "name": how.name}
    aligner = (
        Aligner.load(before.models, **process)
        if before.models
        else Aligner(recipe or DEFAULT, options=options, **vars(own), **process, **axes)
    )
    cut, request = raw.cutter(), outputs.request()
    aligner.check(replace(request, keep=request.keep or bool(before.models)))
    note(aligner.remarks)
    reading: dict[str, Any] = {"tokens": aligner.takes_tokens and not raw.tokenize}
    reading["raw"] = raw.tokenize
    pair = cut(read_pair(texts, written, **reading))
    if not raw.tokens:
        pair = _cased(pair, aligner)
    training = [cut(read_pair(one, written, training=True, **reading)) for one in written.training]
    output = outputs.output
    found, learned = aligner.run(
        Filled.of(pair.source, pair.target, [(one.source, one.target) for one in training]),
        pair.source,
        pair.target,
        request,
        models=aligner.models,
        priors=before.priors,
        progress=progress,
        memory=how.memory,
        state=Path(f"{target_of(output)}.tuning") if output and not is_device(output) else None,
    )
    outputs.write(found)
    for file, words in zip(raw.tokens or (), (pair.source, pair.target), strict=False):
        write_output_lines(file, map(" ".join, words))
    if outputs.keep:
        aligner.models = learned
        aligner.save(outputs.keep)


def _cased(pair: PairOfTexts, aligner: Aligner) -> PairOfTexts:
    """The pair in the case in which it is aligned. With this, the original text need not stay in memory."""
    sides = {}
    for name in SIDES:
        cases = {getattr(cell, name).case for cell in aligner.cells} - {None}
        if len(cases) == 1:
            sides[name] = apply_case(getattr(pair, name), cases.pop())
    return pair._replace(**sides)


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
