"""The registry of segmenters, and the functions that each must have.

A segmenter is a module with these functions (`words` is the shortest example). One that learns no model
needs only `segment`.

    segment(model, sentences, side, seeds, threads) -> list[Segmentation]
    read_model(path) -> model
    types(model, side)                                the types besides single characters that can occur; None
                                                      if unbounded
    learned(model)                                    the number of such types that were learned

A segmenter that learns a model is a package. The module above is its `segmenter`; a second module, its
`learner`, has

    learn(sentences, size, side) -> model
    write_model(model, path)
    alphabet_size(sentences, side)                    the number of types before learning; only needed if
                                                      they are not the text's single characters

They are two modules so that models need not be learned again after a change to the code that applies them.
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

`sentences` are lists of words; a learner with `counts` may get a `seggrid.data.words.WordCounts` instead.
`side` is a `seggrid.segment.side.Side`, which holds the settings. `seeds` holds one seed for each sample;
where nothing is sampled, it holds one seed, which is not used.

To add a segmenter, write the module and register it in `SEGMENTERS`. To add an axis, add a row to
`seggrid.segment.axes` and name it in the registration of each segmenter that reads it: config, paths,
stages, tables, figures and the page follow.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from types import ModuleType


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
