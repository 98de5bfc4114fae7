"""Segmenters, behind one small interface.

A segmenter is a module with these functions (`words` is the shortest example):

    learn(sentences, size, side) -> model             only if the registry says that it learns
    write_model(model, path), read_model(path)        likewise
    segment(model, sentences, side, seeds, threads) -> list[Segmentation]

where `sentences` are lists of words, `side` is the `seggrid.segment.side.Side` that says what to do, and
`seeds` holds one seed a sample (one of them, unused, where there is no dropout). To add one, write
the module and register it here: nothing else names segmenters.
"""

from dataclasses import dataclass
from importlib import import_module
from types import ModuleType


@dataclass(frozen=True)
class Registered:
    """What the grid must know of a segmenter without importing it.

    Attributes:
        module: where its functions are.
        axes: the axes of a side that it reads, beside `segmenter` and `case`.
        learns: whether it learns a model from the pair's text.
        nested: whether that model holds those of fewer merges, so that one serves them all. If not,
            each number of them is learned by itself.
        learner: where `learn` and `write_model` are, if in a module of their own: then an edit of how
            models are applied learns none again.
    """

    module: str
    axes: tuple[str, ...] = ()
    learns: bool = False
    nested: bool = True
    learner: str | None = None

    def load(self) -> ModuleType:
        """Import the segmenter."""
        return import_module(self.module)

    @property
    def learner_module(self) -> str:
        """Where it learns."""
        return self.learner or self.module

    def load_learner(self) -> ModuleType:
        """Import what learns its model."""
        return import_module(self.learner_module)


_MERGING = ("spaces", "scoring", "merges", "knockout", "application", "dropout", "dropout_kind")

SEGMENTERS = {
    "words": Registered("seggrid.segment.words"),
    "characters": Registered("seggrid.segment.characters", ("spaces",)),
    "bpe": Registered(
        "seggrid.segment.bpe.segmenter",
        _MERGING,
        learns=True,
        learner="seggrid.segment.bpe.learner",
    ),
    "wordpiece": Registered("seggrid.segment.wordpiece", ("merges",), learns=True),
    "unigram": Registered(
        "seggrid.segment.unigram.segmenter", ("merges",), learns=True, nested=False
    ),
    "wordmap": Registered("seggrid.segment.wordmap.segmenter", ("merges",), learns=True),
}
