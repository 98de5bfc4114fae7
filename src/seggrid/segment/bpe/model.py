"""BPE (Sennrich et al. 2016): merges in order of priority, learned from pairs and applied by rank."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

from seggrid.base.axis import Axis, required
from seggrid.base.errors import InputError
from seggrid.base.lines import split_lines
from seggrid.segment.bpe import MARKINGS, SCORINGS
from seggrid.segment.formats.merge_lines import parse_pairs
from seggrid.segment.model_file import Content, kind_of, read_spaces, spell_spaces
from seggrid.segment.segmenter import NO_PROBABILITIES, Segmenter

if TYPE_CHECKING:
    from seggrid.segment.side import Side
    from seggrid.text.segmentation import Segmentation, Sentences
    from seggrid.text.words import WordCounts

_CODES = re.compile(r"#version|\S+ \S+ \d+$", re.MULTILINE)
"""How the codes of subword-nmt and fastBPE begin."""


@dataclass(frozen=True)
class BPEModel(Segmenter):
    """Merges in order of priority, and how units are marked.

    Attributes:
        merges: the parts that each merge joins to its product; pairs, but in a pruned model (BPE-knockout,
            section 3.2) there may be more parts.
        spaces: whether units are words, so that no merge crosses words; if not, a sentence is one unit, and
            `▁` between its words is a symbol of its own (thesis, section 4.5).
        scoring: how pairs were scored when the merges were learned.
        split: products that are split after segmentation into the parts of their merge, recursively
            (trimming, Cognetta et al. 2024).
        dropout: the rate of dropout at which the model is to be applied (BPE-knockout, A.6).
        marking: how words that are units are marked. `start`: `▁` is joined to the first character (thesis,
            section 4.2.1); `end`: `</w>` to the last (subword-nmt); `own`: `▁` before the first is a symbol
            of its own (Hugging Face's Metaspace, sentencepiece).
        weights: how much more often each merge is dropped, above 0; empty if all are dropped at one rate.
        hidden: whether it was learned from text without spaces (`spaces: hidden`).
    """

    name = "bpe"
    label = "BPE"
    axes: ClassVar[tuple[str, ...]] = (
        *("spaces", "joint", "vocabulary", "merges", "knockout"),
        *("application", "dropout", "dropout_kind", "dropout_weight", "sampling"),
    )
    own_axes: ClassVar[tuple[Axis[Any], ...]] = (
        Axis(
            "scoring",
            "Which score of a pair decides the next merge.",
            stage="learn",
            default="frequency",
            choices=SCORINGS,
            phrase="by {value}",
            phrases={"frequency": ""},
        ),
    )
    learns = True
    refuses = NO_PROBABILITIES
    size_unit = "merges"
    by_itself = True
    from_counts = True
    given = "model"

    merges: list[tuple[str, ...]]
    spaces: bool = True
    scoring: str = "frequency"
    split: frozenset[str] = frozenset()
    dropout: float = 0.0
    marking: str = "start"
    weights: tuple[float, ...] = ()
    hidden: bool = False

    @classmethod
    def learn(
        cls,
        sentences: Any,
        size: int,
        side: Side,
        min_frequency: int = 2,
        marking: str | None = None,
        boundaries: Mapping[str, Collection[int]] | None = None,
        after: BPEModel | None = None,
    ) -> BPEModel:
        """Learn `size` merges, or fewer if no pair is left that occurs `min_frequency` times; as for
        `seggrid.segment.bpe.learn.learned_merges`, with the merges of the model `after` which learning goes
        on as the first."""
        if after is not None:
            marking = after.marking if marking is None else marking
            after._check_beginning(size, required(side.scoring), marking)
        marking = marking or "start"
        if marking != "start" and not (side.spaces is True and side.vocabulary is None):
            raise InputError(
                f"--marking {marking} is for merges within words, whose number is given",
                hint="leave it or the other settings out",
            )
        return learn(
            sentences,
            size,
            spaces=bool(side.spaces),
            scoring=required(side.scoring),
            min_frequency=min_frequency,
            marking=marking,
            boundaries=boundaries,
            first=after.merges if after else (),
        )

    def _check_beginning(self, size: int, scoring: str, marking: str) -> None:
        """Refuse to go on learning where this would not give what learning all at once gives."""
        if self.split or self.dropout or self.weights or any(len(m) != 2 for m in self.merges):
            hint = "give the model before pruning: what was pruned would be learned again"
            raise InputError("learning cannot go on from a pruned model", hint=hint)
        for name, wanted in (("scoring", scoring), ("marking", marking)):
            if (own := getattr(self, name)) != wanted:
                message = f"the {name} {wanted}, where learning goes on from a model with {own}"
                raise InputError(message, hint=f"give --{name} {own}")
        if size < len(self.merges):
            message = (
                f"the model has {len(self.merges):,} merges already, and {size:,} are asked for"
            )
            raise InputError(message, hint="ask for more, its merges included")

    @classmethod
    def read_given(cls, path: str | Path, side: Side) -> BPEModel:
        """Read merges given by the user, in place of a learned model."""
        from seggrid.segment.axes import AXES

        model = cls.read(path)
        for axis in ("vocabulary", "joint"):
            if AXES[axis].has_effect(value := getattr(side, axis)):
                raise InputError(
                    f"merges that are learned already, together with {axis}: {value}",
                    file=path,
                    hint=f"leave out {axis}, or the side's model",
                )
        for axis, wanted in (
            ("spaces", side.spaces is True),
            ("scoring", side.scoring or "frequency"),
        ):
            if getattr(model, axis) != wanted:
                raise InputError(
                    f"merges with other {axis} than an experiment asks for",
                    file=path,
                    line=1,
                    hint=f"give the experiments the {axis} of the file, or leave out the side's model",
                )
        if side.merges is not None and side.merges > len(model.merges):
            raise InputError(
                f"{len(model.merges):,} merges, and an experiment asks for {side.merges:,}",
                file=path,
                hint="ask for fewer",
            )
        return model

    def segment(
        self, sentences: Sentences, side: Side, seeds: Sequence[int], threads: int
    ) -> list[Segmentation]:
        """Apply the first `side.merges` merges; with dropout of the side or the model, once for each seed."""
        from seggrid.segment.bpe.apply import apply, apply_dropout

        used, application = self._used(side), required(side.application)
        if side.weighted != bool(self.weights):
            raise InputError(
                "the model has no weights of merges, by which dropout is to choose them"
                if side.weighted
                else "the model has weights of merges, but dropout is to be uniform",
                hint="prune the model for this segmentation",
            )
        rate = float(side.dropout or 0) or self.dropout
        if not rate:
            return [apply(used, sentences, application=application)]
        return apply_dropout(
            used,
            sentences,
            rate=rate,
            seeds=seeds,
            kind="merge" if side.dropout_kind == "nested" else side.dropout_kind or "occurrence",
            application=application,
            threads=threads,
        )

    @property
    def learned(self) -> int:
        return len(self.merges)

    def prefix(self, size: int | None) -> Self:
        if size is None or size >= len(self.merges):
            return self
        return replace(self, merges=self.merges[:size], weights=self.weights[:size])

    def types(self, side: Side) -> set[str]:
        """The products of the merges that are applied, without those that are split again."""
        used = self._used(side)
        return {"".join(merge) for merge in used.merges} - used.split

    def _used(self, side: Side) -> Self:
        """The merges that are applied: a pruned model holds only these."""
        return self if side.pruned else self.prefix(side.merges)

    def rows(self) -> Content:
        settings = {
            "spaces": spell_spaces(self.spaces, self.hidden),
            "scoring": self.scoring,
            "dropout": repr(self.dropout),
            "marking": self.marking,
        }
        weights = [[repr(weight)] for weight in self.weights]
        split = [[type_] for type_ in sorted(self.split)]
        return Content(settings, {"merges": self.merges, "weights": weights, "split": split})

    @classmethod
    def of_rows(cls, content: Content) -> BPEModel:
        settings, tables = content
        spaces, hidden = read_spaces(settings["spaces"])
        weights = tuple(float(weight) for (weight,) in tables["weights"])
        if (
            settings["scoring"] not in SCORINGS
            or settings["marking"] not in MARKINGS
            or not 0 <= float(settings["dropout"]) <= 1
            or not all(isfinite(weight) and weight >= 0 for weight in weights)
            or len(weights) not in (0, len(tables["merges"]))
            or any(len(merge) < 2 for merge in tables["merges"])
        ):
            raise ValueError("no settings or rows of a model")
        return BPEModel(
            [tuple(merge) for merge in tables["merges"]],
            spaces,
            settings["scoring"],
            split=frozenset(type_ for (type_,) in tables["split"]),
            dropout=float(settings["dropout"]),
            marking=settings["marking"],
            weights=weights,
            hidden=hidden,
        )

    @classmethod
    def parse(cls, text: str, path: str | Path) -> Self:
        """The model in the text of a file, or in the codes of subword-nmt or fastBPE; errors as for
        `read`."""
        if kind_of(text) == "merges" and _CODES.match(text):
            return cast(Self, BPEModel(parse_pairs(split_lines(text, path), path), marking="end"))
        return super().parse(text, path)


def learn(
    sentences: Sequence[Sequence[str]] | WordCounts,
    merges: int,
    *,
    spaces: bool = True,
    scoring: str = "frequency",
    min_frequency: int = 2,
    marking: str = "start",
    boundaries: Mapping[str, Collection[int]] | None = None,
    first: Sequence[tuple[str, ...]] = (),
) -> BPEModel:
    """The model of the merges that `seggrid.segment.bpe.learn.learned_merges` learns of a corpus."""
    from seggrid.segment.bpe.learn import learned_merges

    learned = learned_merges(
        sentences,
        merges,
        spaces=spaces,
        scoring=scoring,
        min_frequency=min_frequency,
        marking=marking,
        boundaries=boundaries,
        first=first,
    )
    return BPEModel(learned, spaces, scoring, marking=marking)
