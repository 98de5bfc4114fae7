"""Inputs and parameters of the rules for one side: `corpus`, `tag`, `learn`, `prune` and `segment`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from seggrid.corpus.fetch import Entry
from seggrid.data.sides import BOTH, SIDES
from seggrid.grid.axes import path
from seggrid.grid.config.models.pairs import Morphemes, OutsideTokenizer
from seggrid.grid.grid import Grid
from seggrid.grid.samples import part_name
from seggrid.segment import SEGMENTERS
from seggrid.segment.pruning import parse_knockout
from seggrid.segment.side import CORPUS, LEARN, PRUNE, Side
from seggrid.workflow.rules.files import Files

NO_SAMPLES = part_name((0, 0))


@dataclass(frozen=True, eq=False)
class Segmented:
    """One segmentation of one side of a pair: the files from which it is made, and the parameters of its
    jobs.

    Attributes:
        pair, side: the text; the side `both` stands for both sides, from which a joint model is learned.
        segmentation: how it is segmented.
        corpus: the text that is segmented.
        whole_text: the same text with all sentences.
        texts: the texts from which its model is learned; for a joint model both sides, the source first.
        joint: the same as `texts` if the model is joint; otherwise empty.
        tags: the tagged text, if the segmenter reads tags.
        lexicon: the config entry of a lexicon, if the segmenter reads tags and there is one; or None.
        ready: the config entry of given merges, if the segmenter is `bpe`; or None.
        learned: the learned model before pruning, which several segmentations may share; or None.
        model: the model with which the text is segmented, pruned if the segmentation says so; or None.
        exact: the same model with no more merges than the segmentation uses; or None.
        tokenizer: the config entry of a tokenizer from elsewhere, or None.
        morphemes: the config entry of the reference that pruning needs, or None.
        module, learner: the module of the segmenter, and that of its learner, or None.
        seed: the seed of the config; 0 if the segmentation is not random, so that a changed seed does not
            rerun its jobs.
        prune_seed: the seed of the config; 0 if pruning is not random.
    """

    pair: str
    side: str
    segmentation: Side
    corpus: str
    whole_text: str
    texts: list[str]
    joint: list[str]
    tags: list[str]
    lexicon: Entry | None
    ready: Entry | None
    learned: str | None
    model: str | None
    exact: str | None
    tokenizer: OutsideTokenizer | None
    morphemes: Morphemes | None
    module: str
    learner: str | None
    seed: int
    prune_seed: int

    def path(self, stage: str, part: str = NO_SAMPLES) -> str:
        """The file of this segmentation in a stage; if it is sampled, the file of one part of its samples."""
        own = part if self.segmentation.sampled else NO_SAMPLES
        return path(stage, pair=self.pair, side=self.side, spec=self.segmentation, part=own)

    def order(self) -> tuple[str, str, str]:
        """Sort key: pair, side, and spelling of the segmentation."""
        return self.pair, self.side, str(self.segmentation)


class Sides:
    """The segmentations of texts.

    Args:
        grid: the grid.
        files: the files that its config names.
    """

    def __init__(self, grid: Grid, files: Files) -> None:
        self._config = grid.config
        self._experiments = grid.experiments
        self.files = files
        self._made: dict[tuple[str, str, Side], Segmented] = {}

    def of(self, pair: str, side: str, segmentation: Side) -> Segmented:
        """The segmentation of one side of a pair; the same object for equal arguments."""
        key = (pair, side, segmentation)
        if key not in self._made:
            self._made[key] = self._segmented(*key)
        return self._made[key]

    def both(self, pair: str, source: Side, target: Side) -> tuple[Segmented, Segmented]:
        """The segmentations of both sides of a pair."""
        return self.of(pair, "source", source), self.of(pair, "target", target)

    def _segmented(self, pair: str, side: str, own: Side) -> Segmented:
        registered, settings = SEGMENTERS[own.segmenter], self._config.pairs[pair].side(side)
        whole, seed = replace(own, sentences=None), self._config.seed
        corpus, *texts = (
            path("corpus", pair=pair, side=name, spec=own.spec(CORPUS)) for name in (side, *SIDES)
        )
        learned = exact = model = None
        if own.learns:
            where = {"pair": pair, "side": BOTH if own.joint else side}
            exact = path("learn", **where, spec=own.spec(LEARN, learned=own.merges))
            learned = model = exact
            if own.nested and own.vocabulary is None:
                merges = self.learned_merges(own.merges or 0)
                learned = model = path("learn", **where, spec=own.spec(LEARN, learned=merges))
            if own.pruned:
                exact = model = path("prune", pair=pair, side=side, spec=own.spec(PRUNE))
        variant = parse_knockout(own.knockout or "none")
        by_reference = own.dropout_weight == "blame" or variant.needs_reference
        tag = path("tag", pair=pair, side=side, spec=own.spec(CORPUS, case="keep"))
        return Segmented(
            pair,
            side,
            own,
            corpus=corpus,
            whole_text=path("corpus", pair=pair, side=side, spec=whole.spec(CORPUS)),
            texts=texts if own.joint else [corpus],
            joint=texts if own.joint else [],
            tags=[tag] if registered.tagged else [],
            lexicon=settings.lexicon if registered.tagged else None,
            ready=settings.model if own.segmenter == "bpe" else None,
            learned=learned,
            model=model,
            exact=exact,
            tokenizer=settings.tokenizers[str(own.tokenizer)] if registered.outside else None,
            morphemes=settings.morphemes if by_reference else None,
            module=registered.module,
            learner=registered.learner,
            seed=seed if own.sampled else 0,
            prune_seed=seed if variant.is_random else 0,
        )

    def corpora(self) -> list[str]:
        """The files of all texts that are segmented for cells."""
        return sorted({self.of(*where).corpus for where in self._of_cells})

    def learned_merges(self, merges: int) -> int:
        """The number of merges that the model learned for `merges` merges has: the next multiple of
        `learn_merges`."""
        step = self._config.learn_merges
        return max(1, -(-merges // step)) * step

    def model_options(self, own: Segmented) -> list[str]:
        """The options of scripts for the model of a segmentation: a learned model, a tokenizer, or none."""
        options = [f"--model={own.model}"] if own.model else []
        return self.files.options("model", "model-format", own.tokenizer) or options

    @cached_property
    def _of_cells(self) -> dict[tuple[str, str, Side], None]:
        """The segmentations of all cells."""
        cells = self._experiments
        return {(cell.pair, side, cell.side(side)): None for cell in cells for side in SIDES}

    @cached_property
    def lexical(self) -> dict[Segmented, list[Segmented]]:
        """The segmentations of cells that read parts of speech (lexical ones), each with the segmentations of
        the same text and size with which it is compared."""
        every = [self.of(*where) for where in self._of_cells]
        plain = [
            own
            for own in every
            if own.model and not (own.tags or own.segmentation.sampled or own.segmentation.pruned)
        ]
        return {
            own: [other for other in plain if _comparable(own) == _comparable(other)]
            for own in sorted(every, key=Segmented.order)
            if own.tags
        }

    def lexical_files(self) -> list[str]:
        """The files of the tables of all lexical segmentations."""
        return [own.path("lexical") for own in self.lexical]


def _comparable(own: Segmented) -> tuple[object, ...]:
    axes = (getattr(own.segmentation, axis) for axis in (*CORPUS, "merges"))
    return own.pair, own.side, *axes
