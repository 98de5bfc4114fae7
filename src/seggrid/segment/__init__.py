"""The registry of segmenters, and the functions that each must have.

A segmenter is a module with the functions of `Segmenter` (`words` is the shortest example), or of `Learned`
if it applies a model, which the functions of `Learner` learn. Those are in a second module if models shall
not be learned again after a change to the code that applies them; in a plug-in (`seggrid.plugins`), one
module has all. A learner may also have

    alphabet_size(sentences, side)                    the number of types before learning; only needed if
                                                      they are not the text's single characters

If the registration says `tagged`, `segment` and `learn` also take `tags`, the part of speech of each word,
and `learn` takes `lexicon`. A segmenter whose model is a file given by the user (`outside`) has, in place of
`read_model`, `types` and `learned`,

    read_model(path, format) -> model
    check(model, side)                                refuses a side that the model cannot be used for
    declared(model, side)                             the size of its vocabulary, or None

A segmenter whose tokens need not spell the text (because it normalizes the text, or its tokens are bytes)
also segments single words and says which characters of the word each token overlaps:

    segment_words(model, words, side, seeds) -> list[Segmentation]

and, if its tokens may be bytes, gives a function from the text of a type to its bytes:

    spelling(model) -> Callable[[str], bytes]

A segmenter that a library applies gives access to the library's tokenizer. Its `unknown` is the type that
stands for unknown text, or None; its `decode` turns lines of tokens into the texts that they spell:

    library(model) -> a tokenizer, or None

A learner with `counts` may get a `seggrid.data.words.WordCounts` in place of sentences.

To add a segmenter, write the module and register it in `SEGMENTERS`. To add an axis, add a row to
`seggrid.segment.axes` and name it in the registration of each segmenter that reads it: config, paths,
stages, tables, figures and the page follow.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from seggrid.data.segmentation import Segmentation, Sentences
    from seggrid.segment.side import Side


class Segmenter(Protocol):
    """The function of a segmenter without a model."""

    def segment(
        self, model: Any, sentences: Sentences, side: Side, seeds: Sequence[int], threads: int
    ) -> list[Segmentation]:
        """Cut sentences, which are lists of words, into tokens, once for each seed.

        Args:
            model: what `read_model` returned; None without a model.
            sentences: the words of each sentence. None is empty, and no word is.
            side: the settings, `side.merges` and others.
            seeds: the seed of each sample; one, which is not used, if nothing is sampled.
            threads: how many threads may be used; the result must not depend on it.
        """


class Learned(Segmenter, Protocol):
    """The functions of a segmenter that applies a learned model."""

    def read_model(self, path: str | Path) -> Any:
        """Read what the learner's `write_model` wrote; refuse a damaged file by an `InputError`."""

    def types(self, model: Any, side: Side) -> set[str] | None:
        """The types besides single characters that can occur; None if unbounded."""

    def learned(self, model: Any) -> int:
        """The number of such types that were learned."""


class Learner(Protocol):
    """The functions that learn a model."""

    def learn(self, sentences: Sentences, size: int, side: Side) -> Any:
        """Learn a model of this size, smaller if the text has less. If models are nested, the model is cut to
        the number of merges of a cell, `side.merges`, by `segment`."""

    def write_model(self, model: Any, path: str | Path) -> None:
        """Write a model."""


@dataclass(frozen=True)
class Registered:
    """What the grid must know about a segmenter without importing it.

    Attributes:
        module: name of the module with its functions.
        label: its name in tables, figures and the page.
        axes: the axes of a side that it reads, besides those of the text (`case`, `sentences`).
        learner: name of the module that learns its model; None if it learns none.
        nested: whether a model contains the models of fewer merges, so that one model serves every number
            of merges. If not, a model is learned for each number.
        size_unit: what the axis `merges` counts: the size of its model.
        tolerance: how far the size of its model may be from the requested one, as a share.
        least_size: the smallest size that it can learn.
        tagged: whether it reads the parts of speech of words.
        by_itself: whether cutting the text of a token by itself always gives this one token.
        requires: packages that must be installed.
        anyway: by name of an axis that it reads, the values that describe what it does by default. They are
            left out of its sides, so that equal segmentations have one path.
        without: by name of an axis that it reads, the values that it does not support.
        outside: whether its model is a file that the user names under `tokenizers` of the pair's side.
        crosses_words: whether its tokens may overlap several words.
        always_joint: whether it always learns one model on the texts of both sides.
        counts: whether it can learn from counts of words alone if units are words, see
            `seggrid.segment.side_segmenter.learns_from_counts`.
    """

    module: str
    label: str
    axes: tuple[str, ...] = ()
    learner: str | None = None
    nested: bool = True
    size_unit: str = "types"
    tolerance: float = 0.0
    least_size: int = 0
    tagged: bool = False
    outside: bool = False
    by_itself: bool = False
    crosses_words: bool = False
    always_joint: bool = False
    counts: bool = False
    requires: tuple[str, ...] = ()
    anyway: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    without: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def load(self) -> ModuleType:
        """Import the segmenter."""
        return import_module(self.module)

    @property
    def learns(self) -> bool:
        """Whether it learns a model from the pair's text."""
        return self.learner is not None

    def load_learner(self) -> ModuleType:
        """Import the learner; the segmenter must have one."""
        assert self.learner is not None
        return import_module(self.learner)


HIDDEN = "hidden"
"""The value of `spaces` with which the segmenter gets a text without word boundaries."""

_MERGING = (
    *("glossary", "spaces", "joint", "vocabulary", "merges", "knockout", "application"),
    *("dropout", "dropout_kind", "dropout_weight"),
)

_NO_MERGES = {"application": ("replace", "longest")}
"""Ways of applying merges, which segmenters without merges do not support."""

SEGMENTERS = {
    "words": Registered("seggrid.segment.words", "words"),
    "characters": Registered("seggrid.segment.characters", "characters", ("glossary", "spaces")),
    "bpe": Registered(
        "seggrid.segment.bpe.segmenter",
        "BPE",
        ("scoring", *_MERGING),
        "seggrid.segment.bpe.learner",
        size_unit="merges",
        by_itself=True,
        counts=True,
    ),
    "wordpiece": Registered(
        "seggrid.segment.wordpiece.segmenter",
        "WordPiece",
        ("glossary", "spaces", "joint", "vocabulary", "merges", "application"),
        "seggrid.segment.wordpiece.learner",
        anyway={"application": ("rank", "left")},
        without=_NO_MERGES,
        by_itself=True,
        counts=True,
    ),
    "picky": Registered(
        "seggrid.segment.picky",
        "PickyBPE",
        ("glossary", "spaces", "removal", "joint", "vocabulary", "merges", "application"),
        "seggrid.segment.picky",
        anyway={"application": ("rank",)},
        without=_NO_MERGES,
        by_itself=True,
        counts=True,
    ),
    "superbpe": Registered(
        "seggrid.segment.superbpe",
        "SuperBPE",
        ("transition", "joint", "vocabulary", "merges"),
        "seggrid.segment.superbpe",
        size_unit="merges",
        by_itself=True,
        crosses_words=True,
    ),
    "boundless": Registered(
        "seggrid.segment.superbpe",
        "BoundlessBPE",
        ("joint", "vocabulary", "merges"),
        "seggrid.segment.superbpe",
        nested=False,
        size_unit="merges",
        by_itself=True,
        crosses_words=True,
    ),
    "parity": Registered(
        "seggrid.segment.bpe.segmenter",
        "parity-aware BPE",
        _MERGING,
        "seggrid.segment.parity",
        size_unit="merges",
        by_itself=True,
        always_joint=True,
    ),
    "unigram": Registered(
        "seggrid.segment.unigram.segmenter",
        "Unigram",
        ("glossary", "spaces", "joint", "vocabulary", "merges", "application", "sampling"),
        "seggrid.segment.unigram.learner",
        nested=False,
        anyway={"application": ("rank",)},
        without=_NO_MERGES,
        by_itself=True,
    ),
    "greedtok": Registered(
        "seggrid.segment.greedtok",
        "GreedTok",
        ("glossary", "joint", "vocabulary", "merges", "application"),
        "seggrid.segment.greedtok",
        anyway={"application": ("rank",)},
        without=_NO_MERGES,
        by_itself=True,
        counts=True,
    ),
    "mingram": Registered(
        "seggrid.segment.mingram.segmenter",
        "MinGram",
        ("glossary", "joint", "vocabulary", "merges", "application"),
        "seggrid.segment.mingram.learner",
        nested=False,
        anyway={"application": ("rank",)},
        without=_NO_MERGES,
        by_itself=True,
    ),
    "wordmap": Registered(
        "seggrid.segment.wordmap.segmenter",
        "Wordmap",
        ("glossary", "joint", "vocabulary", "merges"),
        "seggrid.segment.wordmap.learner",
        size_unit="segments",
    ),
    "lexical": Registered(
        "seggrid.segment.lexical.segmenter",
        "Lexical",
        ("glossary", "pos", "fallback", "zscore", "least_words", "longest_segment", "merges"),
        "seggrid.segment.lexical.learner",
        tagged=True,
    ),
    "sentencepiece_bpe": Registered(
        "seggrid.segment.sentencepiece.segmenter",
        "sentencepiece BPE",
        ("glossary", "spaces", "joint", "vocabulary", "merges", "dropout"),
        "seggrid.segment.sentencepiece.learner",
        nested=False,
        requires=("sentencepiece", "google.protobuf"),
    ),
    "sentencepiece_unigram": Registered(
        "seggrid.segment.sentencepiece.segmenter",
        "sentencepiece Unigram",
        ("glossary", "spaces", "joint", "vocabulary", "merges", "sampling"),
        "seggrid.segment.sentencepiece.learner",
        nested=False,
        requires=("sentencepiece", "google.protobuf"),
    ),
    "byte_bpe": Registered(
        "seggrid.segment.byte_bpe.segmenter",
        "byte-level BPE",
        ("glossary", "vocabulary", "merges"),
        "seggrid.segment.byte_bpe.learner",
        nested=False,
        size_unit="merges",
        requires=("tokenizers",),
        counts=True,
    ),
    "morfessor": Registered(
        "seggrid.segment.morfessor.segmenter",
        "Morfessor",
        ("glossary", "joint", "merges"),
        "seggrid.segment.morfessor.learner",
        nested=False,
        size_unit="morphs",
        tolerance=0.05,
        least_size=1,
        requires=("morfessor",),
    ),
    "external": Registered(
        "seggrid.segment.external.segmenter",
        "tokenizer",
        ("glossary", "tokenizer", "dropout", "sampling"),
        outside=True,
    ),
}

LABELS = {name: registered.label for name, registered in SEGMENTERS.items()}
"""The labels of segmenters by name."""
