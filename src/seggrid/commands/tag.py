"""`seggrid tag`: tag the words of a text with their parts of speech."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from seggrid.base.parameters import Choices, Help, Output
from seggrid.commands.options import TextFile, progress, read_sentences
from seggrid.text.parameters import EmptySentences
from seggrid.text.pos import LANGUAGES, write_tags
from seggrid.text.tagger import tag


@dataclass(frozen=True)
class _Treated:
    """How a text is treated."""

    empty_lines: Annotated[
        EmptySentences, Help("whether an empty line is refused, or skipped: it gets no tags")
    ] = "refuse"


def command(
    text: TextFile,
    /,
    *,
    language: Annotated[str, Choices(LANGUAGES), Help()],
    treated: _Treated,
    output: Annotated[Output, Help("the tagged text")],
) -> None:
    """Tag and write."""
    sentences = read_sentences(text, treated)
    progress(f"tagging {len(sentences):,} sentences")
    write_tags(output, sentences, tag(sentences, language), language)
