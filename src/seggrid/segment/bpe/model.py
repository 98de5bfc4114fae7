"""A BPE model, which is a list of merges in order of priority, and its file.

The file is UTF-8 text. Its first line is a header, and each further line is one merge, its parts separated
by a space:

    #seggrid-bpe 1 spaces=yes scoring=frequency
    ▁t h
    ▁th e

If words are marked in another way, the header has a further field, such as `marking=end`; if a pruned model
is to be applied with dropout, it has the field `dropout=0.05`. After the merges there may be a line
`#weights` and the weights of the merges in dropout, one per line; and a line `#split` and the types that are
split after segmentation, one per line.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from seggrid.base.lines import read_lines, write_lines
from seggrid.data.boundary import WORD_END
from seggrid.errors import InputError
from seggrid.segment import SEGMENTERS
from seggrid.segment.model_text import kind_of, refuse_ranks

MARKINGS = ("start", "end", "own")
SCORINGS = (
    "frequency",
    "likelihood",
    "mutual_information",
    "description_length_gain",
    "frequency_length",
)
LONGEST_MERGE = 1000
"""The most parts of a merge. Pruning makes merges of several parts, but rarely of thirty."""
_VERSION = "1"
_SPLIT = "#split"
_WEIGHTS = "#weights"
_FIELDS = f"{_VERSION} spaces=yes scoring=frequency"


@dataclass(frozen=True)
class BPEModel:
    """Merges in order of priority, and how units are marked.

    Attributes:
        merges: the parts that each merge joins; the merge's product is their concatenation. A learned
            merge is a pair; a merge of a pruned model (BPE-knockout, section 3.2) may have more parts.
        spaces: whether units are words, so that no merge crosses words; if not, a sentence is one unit, and
            `▁` between its words is a symbol of its own (thesis, section 4.5).
        scoring: how pairs were scored when the merges were learned.
        split: products of merges that are split after segmentation into the parts of their merge,
            recursively (trimming, Cognetta et al. 2024).
        dropout: the rate of dropout at which the model is to be applied (BPE-knockout, A.6).
        marking: how words are marked if they are units. `"start"`: `▁` is joined to its first
            character (thesis, section 4.2.1); `"end"`: `</w>` is joined to its last character
            (subword-nmt); `"own"`: `▁` before its first character is a symbol of its own (Hugging
            Face's Metaspace, sentencepiece).
        weights: the weight of each merge in dropout, above 0: merges of greater weight are dropped more
            often. Empty if all are dropped at the same rate.
        hidden: whether it was learned from text without spaces (`spaces: hidden`).
    """

    merges: list[tuple[str, ...]]
    spaces: bool = True
    scoring: str = "frequency"
    split: frozenset[str] = frozenset()
    dropout: float = 0.0
    marking: str = "start"
    weights: tuple[float, ...] = ()
    hidden: bool = False

    def prefix(self, merges: int | None) -> BPEModel:
        """The model of the first merges only; all of them if `merges` is None or beyond the last.

        Raises:
            InputError: `merges` is negative.
        """
        if merges is None or merges >= len(self.merges):
            return self
        if merges < 0:
            raise InputError(f"{merges} merges", hint="give a number from 0 on")
        return replace(self, merges=self.merges[:merges], weights=self.weights[:merges])


def write_model(model: BPEModel, path: str | Path, kind: str = "bpe") -> None:
    """Write a model, atomically, in the format that the module describes.

    Args:
        model: the merges.
        path: the file.
        kind: `bpe`, or `wordpiece`, which uses the products of the merges alone.
    """
    spaces = "yes" if model.spaces else "hidden" if model.hidden else "no"
    fields = [f"#seggrid-{kind}", _VERSION, f"spaces={spaces}", f"scoring={model.scoring}"]
    if model.dropout:
        fields.append(f"dropout={model.dropout!r}")
    if model.marking != "start":
        fields.append(f"marking={model.marking}")
    lines = [" ".join(fields)]
    lines += map(" ".join, model.merges)
    if model.weights:
        lines += [_WEIGHTS, *map(repr, model.weights)]
    if model.split:
        lines += [_SPLIT, *sorted(model.split)]
    write_lines(path, lines)


def read_model(path: str | Path, kind: str = "bpe") -> BPEModel:
    """Read what `write_model` wrote."""
    return parse_model(read_lines(path), path, kind)


def parse_model(lines: Sequence[str], path: str | Path, kind: str = "bpe") -> BPEModel:
    """The model in the lines of a file; errors as in `read_model`."""
    lines = list(lines)
    header = _read_header(lines[0] if lines else "", path, kind)
    end = lines.index(_SPLIT) if _SPLIT in lines else len(lines)
    split = lines[end + 1 :]
    last = lines.index(_WEIGHTS) if _WEIGHTS in lines[:end] else end
    merges = [tuple(line.split(" ")) for line in lines[1:last]]
    check_merges(merges, path, first_line=2)
    if WORD_END in (content := "\n".join(lines)) and header.marking != "end":
        number = content[: content.index(WORD_END)].count("\n") + 1
        raise InputError(
            f"{WORD_END}, which no word has in its text",
            file=path,
            line=number,
            hint="remove the line",
        )
    weights = _read_weights(lines[last + 1 : end], len(merges), path, last + 2)
    products = set(map("".join, merges)) if split else set()
    for line, type_ in enumerate(split, end + 2):
        if type_ not in products:
            raise InputError(f"no merge makes {type_!r}", file=path, line=line, hint="remove it")
    return replace(header, merges=merges, split=frozenset(split), weights=weights)


def _read_weights(
    lines: Sequence[str], merges: int, path: str | Path, first_line: int
) -> tuple[float, ...]:
    """Read the weights of merges, one per line; no weights if there are no lines."""
    weights = []
    for number, line in enumerate(lines, first_line):
        try:
            weight = float(line)
        except ValueError:
            weight = math.nan
        if not 0 < weight < math.inf:
            raise InputError(
                f"{line!r} is not a weight of a merge",
                file=path,
                line=number,
                hint="give a number above 0",
            )
        weights.append(weight)
    if weights and len(weights) != merges:
        raise InputError(
            f"{len(weights)} weights of {merges} merges",
            file=path,
            line=first_line,
            hint="write one weight per merge, in the order of the merges",
        )
    return tuple(weights)


def check_merges(merges: Sequence[tuple[str, ...]], path: str | Path, first_line: int) -> None:
    """Refuse merges that cannot be the list of a model.

    Args:
        merges: the parts of each merge.
        path: the file with the merges.
        first_line: number of the line with the first merge; the others follow, one per line.

    Raises:
        InputError: a merge has fewer than two parts, more than `LONGEST_MERGE`, or an empty part, or
            repeats an earlier one.
    """
    # These fast checks tell whether there is any mistake; the loop below finds it.
    if len(set(merges)) == len(merges) and all(
        1 < len(m) <= LONGEST_MERGE and "" not in m for m in merges
    ):
        return
    seen: dict[tuple[str, ...], int] = {}
    for line, merge in enumerate(merges, first_line):
        if not 1 < len(merge) <= LONGEST_MERGE or "" in merge:
            raise InputError(
                f"{' '.join(merge)!r} is not a merge",
                file=path,
                line=line,
                hint=f"give 2 to {LONGEST_MERGE} parts, separated by single spaces",
            )
        if seen.setdefault(merge, line) != line:
            raise InputError(
                f"the merge {' '.join(merge)!r} again, after line {seen[merge]}",
                file=path,
                line=line,
                hint="remove the line",
            )


def _read_header(header: str, path: str | Path, kind: str) -> BPEModel:
    """The model that the first line of a file describes, still without merges."""
    fields = header.split(" ")
    magic = f"#seggrid-{kind}"
    if fields[0] != magic and (name := fields[0].removeprefix("#seggrid-")) in SEGMENTERS:
        raise InputError(
            f"a model of {name}, not of {kind}",
            file=path,
            hint=f"seggrid segment --segmenter {name} reads it; only the merges of bpe are pruned, drawn or "
            "given to other programs",
        )
    if kind_of(f"{header}\n") == "ranks":
        raise refuse_ranks(path)
    if fields[0] != magic:
        hint = (
            "a tokenizer.json is cut with by --segmenter external --model-format huggingface, or, if it "
            "merges characters, made a model by seggrid convert --to model"
            if fields[0].startswith("{")
            else "give what seggrid learn wrote; seggrid convert --to model reads the codes of other programs"
        )
        raise InputError("not a model of merges", file=path, line=1, hint=hint)
    if fields[1:2] != [_VERSION]:
        raise InputError(
            f"version {' '.join(fields[1:2]) or '(none)'} of the format",
            file=path,
            line=1,
            hint=f"learn the model again: this program reads version {_VERSION}",
        )
    values = dict(field.partition("=")[::2] for field in fields[2:])
    spaces, scoring = values.pop("spaces", None), values.pop("scoring", None)
    dropout, marking = _read_rate(values.pop("dropout", "0")), values.pop("marking", "start")
    valid = spaces in ("yes", "no", "hidden") and marking in MARKINGS
    if not valid or scoring not in SCORINGS or dropout is None or values:
        raise InputError(
            "a malformed header", file=path, line=1, hint=f"write it as `{magic} {_FIELDS}`"
        )
    return BPEModel(
        [], spaces == "yes", scoring, dropout=dropout, marking=marking, hidden=spaces == "hidden"
    )


def _read_rate(text: str) -> float | None:
    try:
        rate = float(text)
    except ValueError:
        return None
    return rate if 0 <= rate <= 1 else None
