"""The settings by which one side of a pair is segmented, and their spelling in paths and tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cache
from typing import Any

from seggrid.base.axis import Stage, read_part, spell_part
from seggrid.segment import SEGMENTERS
from seggrid.segment.axes import AXES, SideValues
from seggrid.text.annotated import without_annotations

CORPUS = tuple(name for name, axis in AXES.items() if axis.stage == "corpus")
"""The axes of a text; segmenters have none of their own among them."""
_STAGES: tuple[Stage, ...] = ("corpus", "learn", "prune", "segment")


def up_to(stage: Stage) -> tuple[str, ...]:
    """The axes on which the files of a stage depend. A model is learned with more merges than a cell uses, so
    paths of models have `learned` in place of `merges`."""
    stages = _STAGES[: _STAGES.index(stage) + 1]
    names = tuple(name for name, axis in AXES.items() if axis.stage in stages)
    return (*names, "learned") if stage == "learn" else names


@dataclass(frozen=True, order=True)
class Side(SideValues):
    """The settings by which one side of a pair is segmented.

    An axis is None if the segmenter does not read it, or if it has no effect given the other values. An axis
    that the segmenter's class declares is an attribute, as all others are.
    """

    def __getattr__(self, name: str) -> Any:
        if name not in AXES:
            raise AttributeError(name)
        return dict(self.own).get(name)

    @classmethod
    def _of(cls, values: Mapping[str, Any]) -> Side:
        """Build from values of axes as they are."""
        shared = {name: value for name, value in values.items() if name in _SHARED}
        own = tuple((name, values[name]) for name in AXES if name in values and name not in _SHARED)
        return cls(**shared, own=own)

    def values(self) -> dict[str, Any]:
        """The value of each axis."""
        return {name: getattr(self, name) for name in AXES}

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Side:
        """Build from a value for each axis. Values that the segmenter does not read, or that describe what it
        does by default, become None; so does `merges` if `vocabulary` is a number."""
        segmenter = SEGMENTERS[values["segmenter"]]
        read = {"segmenter", *CORPUS, *segmenter.axes}
        kept: dict[str, Any] = {name: values.get(name) for name in AXES if name in read}
        for name in list(kept):
            needed = AXES[name].needs
            unneeded = needed is not None and not AXES[needed].has_effect(kept[needed])
            if unneeded or kept[name] in segmenter.by_default.get(name, ()):
                del kept[name]
        if segmenter.always_joint:
            kept["joint"] = True
        if kept.get("vocabulary") is not None:
            kept.pop("merges", None)
        return cls._of({name: value for name, value in kept.items() if value is not None})

    @classmethod
    def from_text(cls, text: str) -> Side:
        """See `parse_spec`. Options of jobs are read by this name (`seggrid.grid.jobs.script`)."""
        return parse_spec(text)

    @property
    @cache  # noqa: B019 (as __str__)
    def sampled(self) -> bool:
        """Whether the segmentation is random, so that samples differ."""
        return any(
            axis.random and axis.has_effect(getattr(self, name)) for name, axis in AXES.items()
        )

    @property
    def learns(self) -> bool:
        """Whether the segmenter learns a model."""
        return SEGMENTERS[self.segmenter].learns

    @property
    def model_spec(self) -> str:
        """The spec of the model that it uses: equal for segmentations that share a model."""
        return self.spec("learn", learned=None if self.nested else self.merges)

    @property
    def nested(self) -> bool:
        """Whether its model contains the models of fewer merges, so that one model serves all numbers of
        merges."""
        return SEGMENTERS[self.segmenter].nested

    @property
    def within_words(self) -> bool:
        """Whether the units that are cut are words."""
        return self.spaces in (None, True)

    @property
    def crosses_words(self) -> bool:
        """Whether a token may overlap several words."""
        return not self.within_words or SEGMENTERS[self.segmenter].crosses_words

    def words_of(self, text: Any) -> Any:
        """The words of a text as this side's segmenter gets it, without their annotations."""
        return without_annotations(text) if SEGMENTERS[self.segmenter].annotation else text

    @property
    def has_glossary(self) -> bool:
        """Whether there are words that are never cut."""
        return AXES["glossary"].has_effect(self.glossary)

    @property
    def pruned(self) -> bool:
        """Whether the learned model is pruned, or gets weights for its merges."""
        return self.knockout not in (None, "none") or self.weighted

    @property
    def weighted(self) -> bool:
        """Whether dropout skips some merges more often than others."""
        return AXES["dropout_weight"].has_effect(self.dropout_weight)

    @property
    def seed_spec(self) -> str:
        """The spec from which the seeds of its samples are derived; with nested dropout it is equal for all
        sizes."""
        return (
            self.spec(merges=None, vocabulary=None) if self.dropout_kind == "nested" else str(self)
        )

    def with_dropout(self, rate: Fraction) -> Side:
        """The same segmentation with dropout at a rate, by occurrence and with the same rate for all
        merges."""
        needing = {name: axis.default for name, axis in AXES.items() if axis.needs == "dropout"}
        return Side.from_values({**self.values(), **needing, "dropout": rate})

    @cache  # noqa: B019 (as __str__)
    def plain(self) -> Side:
        """The same text and learned model, with every other axis that has a neutral value at this value."""
        neutral = {
            name: axis.neutral
            for name, axis in AXES.items()
            if axis.stage not in ("corpus", "learn")
            and axis.neutral is not None
            and getattr(self, name) is not None
        }
        return Side.from_values({**self.values(), **neutral})

    def words(self) -> Side:
        """The segmenter `words` on the same text."""
        return Side("words", **{name: getattr(self, name) for name in CORPUS})

    def spec(self, stage: Stage = "segment", **derived: Any) -> str:
        """The values of the axes of a stage as one part of a path; None and neutral values are left out.

        They are joined by `+`, since a comma would end the value where Snakemake passes wildcards to the
        jobs of a cluster.

        >>> Side.from_values({**dict.fromkeys(AXES), "segmenter": "words", "case": "first"}).spec()
        'words+case=first'
        """
        names = up_to(stage)
        values = {name: derived[name] if name in derived else getattr(self, name) for name in names}
        named = [str(values.pop("segmenter"))] if "segmenter" in values else []
        return "+".join([*named, *spell_part(AXES, values)])

    def remark_on_size(self, sizes: Mapping[str, float]) -> str:
        """A remark for a text with fewer merges, or types, than the side asks for; empty otherwise. `sizes`
        are measures, among them the size of its model (`model_size`)."""
        size = "merges" if self.vocabulary is None else "vocabulary"
        wanted, learned = getattr(self, size), sizes.get(size)
        segmenter = SEGMENTERS[self.segmenter]
        if wanted is None or learned is None or learned >= wanted * (1 - segmenter.tolerance):
            return ""
        unit = segmenter.size_unit if size == "merges" else "types"
        return f"{learned:.0f} of {wanted} {unit}, all that its text has"

    # Kept: a grid of 10,000 cells needs the spellings of a few hundred sides a hundred thousand times.
    @cache  # noqa: B019 (sides are few, and live as long as the process)
    def __str__(self) -> str:
        return self.spec()


_SHARED = frozenset(field.name for field in fields(Side))


def override(values: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Replace values of axes by those in `own`. A number of merges there also replaces a vocabulary size.

    >>> override({"vocabulary": 800, "merges": 1000}, {"merges": 500})
    {'merges': 500}
    """
    merged = {**values, **own}
    if "merges" in own and "vocabulary" not in own:
        merged.pop("vocabulary", None)
    return merged


@cache
def parse_spec(text: str) -> Side:
    """Read what `Side.spec` wrote; without a segmenter, the axes of a text.

    >>> parse_spec("words+case=first").case, parse_spec("case=lower+sentences=20").sentences
    ('first', 20)
    """
    segmenter, *rest = text.split("+")
    if "=" in segmenter:
        segmenter, rest = "words", [segmenter, *rest]
    spelled = read_part(AXES, rest)
    values = dict(spelled)
    for name in SEGMENTERS[segmenter].axes:
        # An axis that needs another one is spelled only if the other is.
        if AXES[name].needs is None or AXES[name].needs in spelled:
            values.setdefault(name, AXES[name].neutral)
    given = {name: value for name, value in values.items() if value is not None}
    return Side._of({"segmenter": segmenter, **given})
