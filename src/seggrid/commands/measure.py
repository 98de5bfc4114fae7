"""`seggrid measure`: measure a segmentation: fertility, Rényi efficiency, and more. Its function is
`seggrid.measure`."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from seggrid.base.errors import InputError, suggestion
from seggrid.base.parameters import COMPRESSED, FormatOfMorphemes, Help, InputFile, Output
from seggrid.commands.files import NameOrInputFile
from seggrid.commands.measured import for_terminal, meaning_of, spelled
from seggrid.commands.measurement import Size, measure
from seggrid.commands.options import (
    Json,
    TextFile,
    read_sentences,
    write_json_lines,
    write_output_lines,
)
from seggrid.commands.segment import SegmentedText, SideAxes
from seggrid.commands.segmenter import Segmenter
from seggrid.segment import SEGMENTERS
from seggrid.segment.external import FORMATS

OUTSIDE = tuple(format for format in FORMATS if not format.startswith("tokens-"))
"""Formats of tokenizers; tokenized texts are left out, since they do not say how a single word is cut."""


def _kinds() -> tuple[str, ...]:
    """The segmenters and formats that `--against` takes."""
    learned = (name for name, entry in SEGMENTERS.items() if entry.learns and not entry.annotation)
    return (*learned, *OUTSIDE)


@dataclass(frozen=True)
class Compared:
    """What a segmentation is compared with."""

    morphemes: Annotated[
        InputFile | None,
        Help("a morphological reference: also measure how well token boundaries agree with it"),
    ] = None
    morphemes_format: FormatOfMorphemes = "surface"
    against: Annotated[
        tuple[Annotated[str, NameOrInputFile(_kinds)], ...] | None,
        Help(
            "another tokenizer: also measure how similarly it splits words; give its file, if need be "
            "after its segmenter or format, in place of what the file shows",
            metavar=("KIND", "FILE"),
        ),
    ] = None
    beside: Annotated[
        InputFile | None,
        Help(
            "another text for the same model, such as that of the other language: also measure the "
            "divergence of the two token distributions"
        ),
    ] = None
    features: Annotated[
        InputFile | None,
        Help(
            "words with their features, UniMorph or CoNLL-U: also measure how well tokens agree with these "
            "(morphological plausibility)"
        ),
    ] = None
    parallel: Annotated[
        InputFile | None,
        Help(
            "the same sentences in another language: also measure the share of tokens of either that are "
            "linked one to one (token alignability)"
        ),
    ] = None
    parallel_model: Annotated[
        InputFile | None,
        Help("the model of that text, in place of the same"),
    ] = None

    def check(self, empty_lines: str) -> None:
        """Refuse what goes not together."""
        if self.parallel and empty_lines == "skip":
            hint = "leave empty lines out of both texts"
            raise InputError("--parallel with --empty-lines skip", hint=hint)
        if self.parallel_model and not self.parallel:
            hint = "give both, or none"
            raise InputError("--parallel-model without --parallel", hint=hint)


def command(
    text: TextFile,
    /,
    *,
    given: SegmentedText,
    size: Size | None = None,
    compared: Compared,
    explain: Annotated[bool, Help("say beside each value what it is")] = False,
    json: Json = False,
    output: Annotated[Output | None, Help(f"the measures{COMPRESSED}")] = None,
    **axes: SideAxes,
) -> None:
    """Measure and write; measures that are not defined are left empty. On a terminal they are in groups."""
    segmenter, names = given.read(axes)
    compared.check(given.treated.empty_lines)
    sentences = read_sentences(text, given.treated)
    found = measure(
        sentences,
        segmenter,
        size=size,
        seed=given.seed,
        names=names,
        morphemes=compared.morphemes,
        format=compared.morphemes_format,
        against=_read_other(compared.against, segmenter) if compared.against else None,
        beside=read_sentences(compared.beside, given.treated) if compared.beside else None,
        features=compared.features,
        parallel=read_sentences(compared.parallel, given.treated) if compared.parallel else None,
        parallel_segmenter=Segmenter.load(compared.parallel_model, case=segmenter.side.case)
        if compared.parallel_model
        else None,
    )
    if json:
        write_json_lines(output, found)
        return
    if output is None and sys.stdout.isatty():
        write_output_lines(None, for_terminal(found, explain, shutil.get_terminal_size().columns))
        return
    rows = ((name, spelled(value), meaning_of(name)) for name, value in found.items())
    write_output_lines(output, ("\t".join(row[: 3 if explain else 2]) for row in rows))


def _read_other(against: Sequence[str], segmenter: Segmenter) -> Segmenter:
    """The tokenizer that `--against` names."""
    *kinds, file = against
    if other := next((kind for kind in kinds[:1] if kind not in _kinds()), None):
        hint = suggestion(other, _kinds())
        raise InputError(f"--against {other}: no kind of tokenizer", hint=hint)
    if len(kinds) > 1:
        hint = "give the text before --against"
        raise InputError(f"--against with {len(kinds) + 1} values", hint=hint)
    how = {"format" if kind in OUTSIDE else "segmenter": kind for kind in kinds}
    return Segmenter.load(file, case=segmenter.side.case, **how)
