"""A lexical model, which is Wordmap's segments and the merges of the fallback tokenizer, and its file.

The file is UTF-8 text: a header, the segments as in a Wordmap model (the most frequent first), a line
`#merges`, and the merges, one per line:

    #seggrid-lexical 1 fallback=wordpiece
    ver 731
    #merges
    ▁d i
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from seggrid.base.lines import read_lines, write_lines
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
        segments: segments of Wordmap, the most frequent first.
        merges: merges of the fallback tokenizer; WordPiece uses only their products.
        fallback: name of the fallback tokenizer, one of `FALLBACKS`.
    """

    segments: WordmapModel
    merges: BPEModel
    fallback: str

    def prefix(self, size: int | None) -> LexicalModel:
        """The model whose joint vocabulary has `size` types besides single characters.

        Half of these types, rounded down, are segments (fewer if there are not so many); the others are
        products of the first merges. A product that is also a segment counts as one type.
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
            "not a lexical model", file=path, line=1, hint=f"begin it with `{_MAGIC}wordpiece`"
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
    """The scoring of pairs with which the merges of a fallback tokenizer are learned."""
    return "likelihood" if fallback == "wordpiece" else "frequency"
