"""`seggrid segment`: cut a text into tokens. Its function is `seggrid.Segmenter.segment`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from annotated_types import Interval

from seggrid.base.axis import Axis
from seggrid.base.errors import InputError, note
from seggrid.base.options import AxisOptions
from seggrid.base.parameters import COMPRESSED, Choices, Help, InputFile, Output, Seed
from seggrid.commands.options import (
    SEGMENTATION,
    Plugins,
    TextFile,
    read_filled,
    read_parts,
    side_axes,
    write_output_lines,
)
from seggrid.commands.segmenter import OF_MODELS, Segmenter, Style
from seggrid.segment.external import FORMATS
from seggrid.segment.side import parse_spec
from seggrid.text.parameters import TextTreated
from seggrid.text.selection import laid_out
from seggrid.text.sides import SIDES


def _axes() -> list[tuple[Axis[Any], Any]]:
    return side_axes(*OF_MODELS)


SideAxes = Annotated[Any, AxisOptions(_axes, SEGMENTATION)]


@dataclass(frozen=True)
class SegmentedText:
    """A text, its segmentation and model."""

    treated: TextTreated
    model: Annotated[
        InputFile | None,
        Help(
            "a model of seggrid learn, codes of subword-nmt, or a tokenizer from elsewhere: a "
            "tokenizer.json, a .model of sentencepiece, ranks of tiktoken, or a merges.txt beside its "
            "vocab.json",
            ("-m", "--model"),
        ),
    ] = None
    model_format: Annotated[
        str | None,
        Choices(FORMATS),
        Help("format of that tokenizer, in place of what the file shows"),
    ] = None
    seed: Annotated[Seed, Help("seed of the samples")] = 1
    named: Annotated[
        str | None,
        Help(
            "instead of the options below, the segmentation of a grid, as named under results/segment, such "
            "as eng-deu/source/bpe+case=lower+…: gives the same samples",
            ("--as",),
            "PAIR/SIDE/SEGMENTATION",
        ),
    ] = None
    plugin: Plugins = ()

    def read(self, axes: dict[str, Any]) -> tuple[Segmenter, list[str]]:
        """The segmentation that the options describe, with axes, and the names on which the seeds of its
        samples depend."""
        if self.named is None:
            name = axes.pop("segmenter", None)
            how = {"format": self.model_format, **axes}
            segmenter = Segmenter.load(self.model, name, **how)
            return segmenter, ["text", segmenter.side.seed_spec]
        if axes:
            option = next(iter(axes)).replace("_", "-")
            raise InputError(f"--{option} together with --as", hint="leave one of the two out")
        pair, _, rest = self.named.partition("/")
        name, _, spec = rest.partition("/")
        try:
            wanted = parse_spec(spec)
            if name not in SIDES or str(wanted) != spec:
                raise ValueError(self.named)
        except (KeyError, ValueError):
            raise InputError(
                f"{self.named!r} is not a segmentation of a grid",
                hint="give PAIR/SIDE/SEGMENTATION as in the path of a file under results/segment",
            ) from None
        segmenter = Segmenter.of(wanted, self.model, self.model_format)
        return segmenter, [pair, name, wanted.seed_spec]


def command(
    text: TextFile,
    /,
    *,
    given: SegmentedText,
    samples: Annotated[
        int,
        Interval(ge=1, le=100_000),
        Help("number of samples, written one after the other"),
    ] = 1,
    style: Style | None = None,
    output: Annotated[Output | None, Help(f"the tokens{COMPRESSED}")] = None,
    **axes: SideAxes,
) -> None:
    """Segment and write."""
    segmenter, names = given.read(axes)
    if samples > 1 and not segmenter.side.sampled:
        note(["--samples has no effect without dropout or sampling"])
    write_output_lines(output, _lines(segmenter, names, text, given, samples, style))


def _lines(
    segmenter: Segmenter,
    names: list[str],
    text: str,
    given: SegmentedText,
    samples: int,
    style: str | None,
) -> Iterator[str | bytes]:
    """The lines of all samples, one sample after another."""
    # In parts only without random draws, which depend on the sentences before, and without a glossary, which
    # covers the whole text.
    if segmenter.side.sampled or segmenter.side.has_glossary:
        parts = iter([read_filled(text, given.treated)])
    else:
        parts = read_parts(text, given.treated)
    for sentences, filled in parts:
        for sample in segmenter.samples(sentences, samples, seed=given.seed, names=names):
            if style is None:
                yield sample.text(filled)
            else:
                yield from laid_out(segmenter.lines(sample, sentences, style), filled)
