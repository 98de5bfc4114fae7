"""One segmentation of one side of a pair: the files from which it is made, and what its jobs read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from seggrid.data.sides import BOTH, SIDES
from seggrid.grid.axes import path
from seggrid.grid.config import Config
from seggrid.grid.config.pairs import Morphemes, OutsideTokenizer, PairSide
from seggrid.grid.config.values import Download
from seggrid.grid.samples import ONE, Part
from seggrid.segment import SEGMENTERS
from seggrid.segment.segmenter import Segmenter
from seggrid.segment.side import Side
from seggrid.segment.variants import Knockout, parse_knockout


@dataclass(frozen=True, eq=False)
class Segmented:
    """One segmentation of one side of a pair; the side `both` stands for both sides, from which a joint model
    is learned. `Grid` makes one object for each. Files from outside are given as the config names them."""

    pair: str
    side: str
    spec: Side
    config: Config

    def path(self, stage: str, part: Part = ONE) -> str:
        """The file of this segmentation in a stage; if it is sampled, the file of one part of its samples."""
        own = part if self.spec.sampled else ONE
        return path(stage, pair=self.pair, side=self.side, spec=self.spec, part=own)

    def order(self) -> tuple[str, str, str]:
        """Sort key: pair, side, and spelling of the segmentation."""
        return self.pair, self.side, str(self.spec)

    @property
    def registered(self) -> type[Segmenter]:
        """The class of the segmenter."""
        return SEGMENTERS[self.spec.segmenter]

    @property
    def settings(self) -> PairSide:
        """The config of the text."""
        return self.config.pairs[self.pair].side(self.side)

    @cached_property
    def corpus(self) -> str:
        """The text that is segmented."""
        return self._text(self.side, self.spec)

    @property
    def whole_text(self) -> str:
        """The same text with all sentences."""
        return self._text(self.side, replace(self.spec, sentences=None))

    def _text(self, side: str, spec: Side) -> str:
        return path("corpus", pair=self.pair, side=side, spec=spec.spec("corpus"))

    @property
    def joint(self) -> list[str]:
        """The texts from which a joint model is learned, the source first; none if the model is not joint."""
        return [self._text(side, self.spec) for side in SIDES] if self.spec.joint else []

    @property
    def texts(self) -> list[str]:
        """The texts from which the model is learned."""
        return self.joint or [self.corpus]

    @property
    def tags(self) -> list[str]:
        """The tagged text; none unless the segmenter reads tags."""
        spec = self.spec.spec("corpus", case="keep")
        tagged = path("tag", pair=self.pair, side=self.side, spec=spec)
        return [tagged] if self.registered.tagged else []

    @property
    def lexicon(self) -> str | Download | None:
        """More words to learn from, if the segmenter reads tags."""
        return self.settings.lexicon if self.registered.tagged else None

    @property
    def ready(self) -> str | Download | None:
        """Merges that are given, if the segmenter is `bpe`."""
        return self.settings.model if self.spec.segmenter == "bpe" else None

    @property
    def tokenizer(self) -> OutsideTokenizer | None:
        """The tokenizer from elsewhere, if the segmenter is one."""
        return (
            self.settings.tokenizers[str(self.spec.tokenizer)] if self.registered.outside else None
        )

    @cached_property
    def learned(self) -> str | None:
        """The learned model before pruning, which several segmentations may share; None if there is none."""
        if not (self.spec.learns and self.spec.nested and self.spec.vocabulary is None):
            return self._learned(self.spec.merges)
        step = self.config.learn_merges
        return self._learned(max(1, -(-(self.spec.merges or 0) // step)) * step)

    def _learned(self, merges: int | None) -> str | None:
        side = BOTH if self.spec.joint else self.side
        spec = self.spec.spec("learn", learned=merges)
        return path("learn", pair=self.pair, side=side, spec=spec) if self.spec.learns else None

    @cached_property
    def model(self) -> str | None:
        """The model with which the text is segmented, pruned if the segmentation says so; None if there is
        none."""
        return self._pruned or self.learned

    @property
    def exact(self) -> str | None:
        """The same model with no more merges than the segmentation uses."""
        return self._pruned or self._learned(self.spec.merges)

    @property
    def _pruned(self) -> str | None:
        made = path("prune", pair=self.pair, side=self.side, spec=self.spec.spec("prune"))
        return made if self.spec.learns and self.spec.pruned else None

    @property
    def variant(self) -> Knockout:
        """How the model is pruned."""
        return parse_knockout(self.spec.knockout or "none")

    @property
    def morphemes(self) -> Morphemes | None:
        """The reference that pruning needs; None if it needs none."""
        needed = self.spec.dropout_weight == "blame" or self.variant.needs_reference
        return self.settings.morphemes if needed else None

    @property
    def seed(self) -> int:
        """The config's seed; 0 if nothing is drawn, so that a changed seed does not rerun the jobs."""
        return self.config.seed if self.spec.sampled else 0

    @property
    def prune_seed(self) -> int:
        """The config's seed; 0 if pruning is not random."""
        return self.config.seed if self.variant.is_random else 0
