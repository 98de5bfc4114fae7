"""What rules ask for a side of a pair, from its text to its tokens: corpus, tag, learn, prune, segment."""

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
    """One segmentation of one side of a pair: what it is made of, and what its jobs are given.

    Attributes:
        pair, side: which text; `both` stands for both sides, on which a joint model is learned.
        segmentation: how it is segmented.
        corpus: the text that is segmented.
        whole_text: the same text with all sentences.
        texts: the texts that its model is learned from: of a joint one those of both sides, the source first.
        joint: these texts if the model is joint; otherwise none.
        tags: the tagged text, if the segmenter reads tags.
        lexicon: the config's entry of a lexicon, if the segmenter reads tags and there is one.
        ready: the config's entry of merges that are learned already, if the segmenter is `bpe`; or None.
        learned: the learned model before pruning, which may serve several segmentations; None if it has none.
        model: the model that it is segmented by, perhaps pruned; None if it has none.
        exact: the same with no more merges than the segmentation uses.
        tokenizer: the config's entry of a tokenizer from elsewhere, or None.
        morphemes: the config's entry of the reference that pruning needs, or None if it needs none.
        module, learner: the modules of its segmenter and of that one's learner, if it has one.
        seed: the config's seed; 0 if the segmentation is not random, so that jobs do not rerun for another.
        prune_seed: the config's seed; 0 if pruning is not random.
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
        """Its file in a stage; of one part of its samples, if it is sampled."""
        own = part if self.segmentation.sampled else NO_SAMPLES
        return path(stage, pair=self.pair, side=self.side, spec=self.segmentation, part=own)

    def order(self) -> tuple[str, str, str]:
        """Sort key: pair, side, and the spelling of the segmentation."""
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
        self._known: dict[tuple[str, str, Side], Segmented] = {}

    def of(self, pair: str, side: str, segmentation: Side) -> Segmented:
        """A segmentation of one side of a pair; always the same object for equal arguments."""
        key = (pair, side, segmentation)
        if key not in self._known:
            self._known[key] = self._segmented(*key)
        return self._known[key]

    def both(self, pair: str, source: Side, target: Side) -> tuple[Segmented, Segmented]:
        """The segmentations of both sides of a pair."""
        return self.of(pair, "source", source), self.of(pair, "target", target)

    def _segmented(self, pair: str, side: str, own: Side) -> Segmented:
        registered, of_side = SEGMENTERS[own.segmenter], self._config.pairs[pair].side(side)
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
            lexicon=of_side.lexicon if registered.tagged else None,
            ready=of_side.model if own.segmenter == "bpe" else None,
            learned=learned,
            model=model,
            exact=exact,
            tokenizer=of_side.tokenizers[str(own.tokenizer)] if registered.outside else None,
            morphemes=of_side.morphemes if by_reference else None,
            module=registered.module,
            learner=registered.learner,
            seed=seed if own.sampled else 0,
            prune_seed=seed if variant.is_random else 0,
        )

    def corpora(self) -> list[str]:
        """All texts that are segmented for cells."""
        return sorted({self.of(*where).corpus for where in self._of_cells})

    def learned_merges(self, merges: int) -> int:
        """Number of merges of the learned model that is used for `merges` merges: the next multiple of
        `learn_merges`."""
        step = self._config.learn_merges
        return max(1, -(-merges // step)) * step

    def model_options(self, own: Segmented) -> list[str]:
        """The scripts' options for the model of a segmentation: a learned model, a tokenizer, or none."""
        options = [f"--model={own.model}"] if own.model else []
        return self.files.options("model", "model-format", own.tokenizer) or options

    @cached_property
    def _of_cells(self) -> dict[tuple[str, str, Side], None]:
        """The segmentations of all cells."""
        cells = self._experiments
        return {(cell.pair, side, cell.side(side)): None for cell in cells for side in SIDES}

    @cached_property
    def lexical(self) -> dict[Segmented, list[Segmented]]:
        """The segmentations of cells that are lexical, by part of speech, each with the other segmentations
        of the same text and size that it is compared with."""
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
        """The tables of all lexical segmentations."""
        return [own.path("lexical") for own in self.lexical]


def _comparable(own: Segmented) -> tuple[object, ...]:
    axes = (getattr(own.segmentation, axis) for axis in (*CORPUS, "merges"))
    return own.pair, own.side, *axes
