"""A lexical model: Wordmap's segments, the tokenizer beneath them, and the file that holds both.

The file is UTF-8 text: a first line, the segments as in a Wordmap model (the most frequent first), a line
`#merges`, and the merges, a line each:

    #seggrid-lexical 1 fallback=wordpiece
    ver 731
    #merges
    ▁d i
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from seggrid.data.lines import read_lines, write_lines
from seggrid.errors import InputError
from seggrid.segment.bpe.model import BPEModel, check_merges
from seggrid.segment.wordmap.model import WordmapModel, read_segments

FALLBACKS = ("wordpiece", "bpe")
_MAGIC = "#seggrid-lexical 1 fallback="
_MERGES = "#merges"


@dataclass(frozen=True)
class LexicalModel:
    """Segments for the words of one part of speech, and merges for all others.

    Attributes:
        segments: Wordmap's, the most frequent first.
        merges: of the tokenizer beneath; WordPiece uses only what they make.
        fallback: which tokenizer that is, one of `FALLBACKS`.
    """

    segments: WordmapModel
    merges: BPEModel
    fallback: str

    def prefix(self, size: int | None) -> LexicalModel:
        """The model of a joint vocabulary of `size` types beside single characters.

        Half of them, rounded down, are segments, or as many as there are; products of the first
        merges fill it up. A product that is a segment as well is one type.
        """
        if size is None:
            return self
        segments = self.segments.prefix(size // 2)
        room = size - len(segments.segments)
        used = 0
        for merge in self.merges.merges:
            room -= "".join(merge) not in segments.segments
            if room < 0:
                break
            used += 1
        return LexicalModel(segments, self.merges.prefix(used), self.fallback)


def write_model(model: LexicalModel, path: str | Path) -> None:
    """Write a model, atomically, in the format that the module describes."""
    lines = [_MAGIC + model.fallback]
    lines += [f"{segment} {count}" for segment, count in model.segments.segments.items()]
    lines += [_MERGES, *map(" ".join, model.merges.merges)]
    write_lines(path, lines)


def read_model(path: str | Path) -> LexicalModel:
    """Read what `write_model` wrote.

    Raises:
        InputError: the file is missing, not UTF-8, or damaged.
    """
    lines = read_lines(path)
    header, fallback = lines[0][: len(_MAGIC)], lines[0][len(_MAGIC) :]
    if header != _MAGIC or fallback not in FALLBACKS:
        raise InputError(
            "no lexical model", file=path, line=1, hint=f"begin it with `{_MAGIC}wordpiece`"
        )
    if _MERGES not in lines:
        raise InputError(
            f"no line {_MERGES}", file=path, hint="the file is cut short: learn it again"
        )
    end = lines.index(_MERGES)
    segments = read_segments(islice(enumerate(lines, 1), 1, end), path)
    merges = [tuple(line.split(" ")) for line in lines[end + 1 :]]
    check_merges(merges, path, first_line=end + 2)
    return LexicalModel(segments, BPEModel(merges, scoring=scoring_of(fallback)), fallback)


def scoring_of(fallback: str) -> str:
    """How the pairs of a fallback's merges are scored when they are learned."""
    return "likelihood" if fallback == "wordpiece" else "frequency"
