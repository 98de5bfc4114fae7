"""What rules ask for a side of a pair, from its text to its tokens: corpus, tag, learn, prune, segment."""

from __future__ import annotations

from seggrid.data.sides import BOTH, SIDES
from seggrid.grid.axes import path
from seggrid.grid.config.models.pairs import Morphemes, OutsideTokenizer
from seggrid.grid.grid import Grid
from seggrid.grid.samples import part_name
from seggrid.segment import SEGMENTERS
from seggrid.segment.pruning import parse_knockout
from seggrid.segment.side import CORPUS, LEARN, PRUNE, parse_spec
from seggrid.workflow.rules.files import Files

NO_SAMPLES = part_name((0, 0))


class Sides:
    """The segmentations of texts, each given by pair, side and spec, as in paths.

    Args:
        grid: the grid.
        files: the files that its config names.
    """

    def __init__(self, grid: Grid, files: Files) -> None:
        self._grid = grid
        self.files = files

    def corpus(self, pair: str, side: str, spec: str) -> str:
        """The text that is segmented."""
        return path("corpus", pair=pair, side=side, spec=parse_spec(spec).spec(CORPUS))

    def corpora(self) -> list[str]:
        """All texts that are segmented for cells."""
        sides = {
            (c.pair, side, str(getattr(c, side))) for c in self._grid.experiments for side in SIDES
        }
        return sorted({self.corpus(*side) for side in sides})

    def tags(self, pair: str, side: str, spec: str) -> list[str]:
        """The tagged text of a side, if its segmenter reads tags."""
        values = parse_spec(spec)
        if not SEGMENTERS[values.segmenter].tagged:
            return []
        return [path("tag", pair=pair, side=side, spec=values.spec(CORPUS, case="keep"))]

    def lexicon(self, pair: str, side: str, spec: str) -> list[str]:
        """The lexicon of a side, if its segmenter reads tags and there is one."""
        if not self.tags(pair, side, spec):
            return []
        entry = self._grid.config.pairs[pair].side(side).lexicon
        return [self.files.file(entry)] if entry else []

    def language(self, pair: str, side: str) -> str:
        """The language of a side's tagger."""
        return self._grid.config.pairs[pair].side(side).language or side

    def learned_from(self, pair: str, side: str, spec: str) -> list[str]:
        """The texts that a model is learned from: of a joint one those of both sides, the source first."""
        sides = SIDES if parse_spec(spec).joint else (side,)
        return [self.corpus(pair, name, spec) for name in sides]

    def joint_texts(self, pair: str, spec: str) -> list[str]:
        """The texts that a joint model is learned from; none where it is not joint."""
        return self.learned_from(pair, BOTH, spec) if parse_spec(spec).joint else []

    def learned(self, merges: int) -> int:
        """Number of merges of the learned model that is used for `merges` merges: the next multiple of
        `learn_merges`."""
        step = self._grid.config.learn_merges
        return max(1, -(-merges // step)) * step

    def learned_model(self, pair: str, side: str, spec: str, *, exact: bool = False) -> str:
        """The learned model of a segmentation, before pruning.

        Args:
            pair, side, spec: the segmentation.
            exact: whether it may have no more merges than the segmentation uses; by default, one model
                serves several segmentations.
        """
        values = parse_spec(spec)
        learned = values.merges
        if not exact and SEGMENTERS[values.segmenter].nested and values.vocabulary is None:
            learned = self.learned(values.merges or 0)
        own = BOTH if values.joint else side
        return path("learn", pair=pair, side=own, spec=values.spec(LEARN, learned=learned))

    def model(self, pair: str, side: str, spec: str) -> str | None:
        """The model of a segmentation, or None if it has none."""
        values = parse_spec(spec)
        if not values.learns:
            return None
        if values.pruned:
            return path("prune", pair=pair, side=side, spec=values.spec(PRUNE))
        return self.learned_model(pair, side, spec)

    def tokenizer(self, pair: str, side: str, spec: str) -> str | None:
        """The file of a segmentation's tokenizer from elsewhere, or None if it has none."""
        values = parse_spec(spec)
        if not SEGMENTERS[values.segmenter].outside:
            return None
        return self.files.file(self._tokenizer(pair, side, spec).file)

    def _tokenizer(self, pair: str, side: str, spec: str) -> OutsideTokenizer:
        return self._grid.config.pairs[pair].side(side).tokenizers[str(parse_spec(spec).tokenizer)]

    def model_options(self, pair: str, side: str, spec: str) -> list[str]:
        """The scripts' options for the model of a segmentation: a learned model, a tokenizer, or none."""
        if file := self.tokenizer(pair, side, spec):
            return [
                f"--model={file}",
                f"--model-format={self._tokenizer(pair, side, spec).format}",
            ]
        model = self.model(pair, side, spec)
        return [f"--model={model}"] if model else []

    def morphemes(self, pair: str, side: str, spec: str) -> str | None:
        """One side's morphological reference, or None if pruning does not need it."""
        values = parse_spec(spec)
        by_blame = values.dropout_weight == "blame"
        if not (by_blame or parse_knockout(values.knockout or "none").needs_reference):
            return None
        return self.files.file(self._morphemes(pair, side).file)

    def morphemes_options(self, pair: str, side: str, spec: str) -> list[str]:
        """The pruning script's options for that reference."""
        file = self.morphemes(pair, side, spec)
        if file is None:
            return []
        return [f"--morphemes={file}", f"--format={self._morphemes(pair, side).format}"]

    def _morphemes(self, pair: str, side: str) -> Morphemes:
        found = self._grid.config.pairs[pair].side(side).morphemes
        assert found is not None, "checked"
        return found

    def segmentation(self, pair: str, side: str, spec: str, part: str) -> str:
        """One part of a side's samples; without dropout, the only part."""
        own = part if parse_spec(spec).sampled else NO_SAMPLES
        return path("segment", pair=pair, side=side, spec=spec, part=own)

    def prune_seed(self, spec: str) -> int:
        """The config's seed; 0 if pruning is not random, so that jobs do not rerun for another seed."""
        return (
            self._grid.config.seed
            if parse_knockout(parse_spec(spec).knockout or "none").is_random
            else 0
        )

    def segment_seed(self, spec: str) -> int:
        """The config's seed; 0 if the segmentation is not random."""
        return self._grid.config.seed if parse_spec(spec).sampled else 0

    @staticmethod
    def segmenter_module(spec: str) -> str:
        """The module of a segmentation's segmenter."""
        return SEGMENTERS[parse_spec(spec).segmenter].module

    @staticmethod
    def learner_module(spec: str) -> str | None:
        """The module of a segmentation's learner."""
        return SEGMENTERS[parse_spec(spec).segmenter].learner
