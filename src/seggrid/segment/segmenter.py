"""The base classes of segmenters: what each must have, and what it may have.

A segmenter is a class, and an object of it is a learned model. The shortest are in
`seggrid.segment.baselines`; one that learns a model is `seggrid.segment.greedtok`. A class imports libraries
where it learns and cuts, since the check of a config asks all classes for their attributes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, islice
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

from seggrid.base.axis import Axis, escape
from seggrid.base.errors import InputError, either, of_result
from seggrid.base.extras import check_installed
from seggrid.base.files import atomic_write
from seggrid.segment.bpe import STEPWISE
from seggrid.segment.glossary import ACROSS, LONGEST_SPELLED
from seggrid.segment.model_file import (
    Content,
    parse_content,
    read_model_text,
    read_spaces,
    spell_spaces,
    unlike_learned,
    write_content,
)
from seggrid.segment.units import WordTypes, counted_units, unit_symbols
from seggrid.segment.variants import Sampling, parse_knockout, parse_sampling
from seggrid.segment.vocabulary import RULES, segment_by_vocabulary

if TYPE_CHECKING:
    from seggrid.segment.side import Side
    from seggrid.text.segmentation import Segmentation, Sentences

BY_RANK: Mapping[str, tuple[str, ...]] = {"application": ("rank",)}
"""The value of `application` that says what a segmenter of its own kind does by default."""
NO_MERGES: Mapping[str, tuple[str, ...]] = {"application": ("replace", "longest")}
"""The ways of applying merges, which segmenters without merges do not support."""
NO_PROBABILITIES: Mapping[str, tuple[str, ...]] = {"sampling": ("alpha",)}
"""The way of sampling that segmenters without probabilities do not support."""
ONLY_TYPES: Mapping[str, tuple[str, ...]] = {**NO_MERGES, **NO_PROBABILITIES}
"""What segmenters with types alone do not support."""

OF_WORDS = ("glossary",)
"""The axes of every segmenter that cuts single words."""


class Conflict(NamedTuple):
    """A setting that a segmenter cannot do, or not with the other settings.

    Attributes:
        axis: the axis that is named.
        message: what is wrong.
        hint: what to do.
    """

    axis: str
    message: str
    hint: str


def _conflicts_of_pruning(side: Side) -> Iterator[Conflict]:
    variant = parse_knockout(side.knockout or "none")
    if variant.needs_counts and side.application != "rank":
        message = f"{side.knockout} counts types of the text as merged by rank"
        yield Conflict("application", message, "use application: rank, or another knockout")
    if variant.method == "dropout":
        message = f"{side.knockout} is a dropout rate, not a pruned model"
        hint = "use it under morphology, or the axis dropout here"
        yield Conflict("knockout", message, hint)


class Segmenter:
    """A way to cut the words of a text into tokens.

    One that learns nothing needs `cut`, or `segment` if a token depends on more than its word. One that
    learns also needs `learns = True`, `learn`, `learned` and, to be written and read, `rows` and `of_rows`.

    Attributes:
        name: its name in the registry; a plug-in gets that under which it registers the class.
        label: its name in tables, figures and the page.
        axes: the axes of a side that it reads, besides those of the text (`case`, `sentences`). Those of
            `own_axes` and `OF_WORDS` are added.
        own_axes: the rows of those that are its own, see `seggrid.base.axis.Axis`.
        whole_words: whether it cuts no word.
        learns: whether it learns a model from the pair's text.
        nested: whether a model contains the models of fewer merges, so that one model serves every number of
            merges. If not, a model is learned for each number.
        size_unit: what the axis `merges` counts: the size of its model.
        tolerance: how far the size of its model may be from the requested one, as a share.
        least_size: the smallest size that it can learn.
        from_counts: whether it can learn from the counts of words alone if units are words.
        from_file: whether it can also learn from a file of sentences, see `seggrid.text.words.Spool`.
        crosses_words: whether its tokens may overlap several words.
        always_joint: whether it always learns one model on the texts of both sides.
        by_itself: whether cutting the text of a token by itself always gives this one token.
        annotation: what the words of its texts are annotated with (`seggrid.text.annotated`), such as parts
            of speech; empty if they are not.
        given: the key of a pair's side that may name a file to learn with, see `read_given`.
        outside: whether its model is a file that the user names under `tokenizers` of the pair's side.
        requires: packages that must be installed.
        by_default: by name of an axis that it reads, the values that say what it does by default. They are
            left out of its sides, so that equal segmentations have one path.
        refuses: by name of an axis that it reads, the values that it does not support; of `sampling`, the
            methods.
        spaces: of a model, whether its units are words; None if it does not say.
        hidden: of a model, whether it was learned from text without spaces; None if it does not say.
        marking: of a model, how its types mark words, see `seggrid.segment.bpe.model.BPEModel`.
        spelled: of a model with types that need not be text, the bytes of a type; None for all others.
        library: of a model, the tokenizer of a library that cuts the text, or None. Its `unknown` is the type
            that stands for unknown text, its `decode` turns lines of tokens into the texts that they spell.
    """

    name: ClassVar[str] = ""
    label: ClassVar[str] = ""
    axes: ClassVar[tuple[str, ...]] = ()
    own_axes: ClassVar[tuple[Axis[Any], ...]] = ()
    whole_words: ClassVar[bool] = False
    learns: ClassVar[bool] = False
    nested: ClassVar[bool] = True
    size_unit: ClassVar[str] = "types"
    tolerance: ClassVar[float] = 0.0
    least_size: ClassVar[int] = 0
    from_counts: ClassVar[bool] = False
    from_file: ClassVar[bool] = False
    crosses_words: ClassVar[bool] = False
    always_joint: ClassVar[bool] = False
    by_itself: ClassVar[bool] = False
    annotation: ClassVar[str] = ""
    given: ClassVar[str] = ""
    outside: ClassVar[bool] = False
    requires: ClassVar[tuple[str, ...]] = ()
    by_default: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    refuses: ClassVar[Mapping[str, tuple[str, ...]]] = {}

    spaces: bool | None = None
    hidden: bool | None = None
    marking: str = "start"
    spelled: Callable[[str], bytes] | None = None
    library: Any = None

    def __init_subclass__(cls) -> None:
        of_words = () if cls.whole_words or cls.crosses_words else OF_WORDS
        own = (axis.name for axis in cls.own_axes)
        cls.axes = tuple(dict.fromkeys((*of_words, *cls.axes, *own)))

    def segment(
        self, sentences: Sentences, side: Side, seeds: Sequence[int], threads: int
    ) -> list[Segmentation]:
        """Cut sentences into tokens, once for each seed; by default each word as `cut` says or, with a rule
        of `seggrid.segment.vocabulary` as `side.application`, by the types alone.

        Args:
            sentences: the words of each sentence. None is empty, and no word is.
            side: the settings, `side.merges` and others.
            seeds: the seed of each sample; one, which is not used, if nothing is sampled.
            threads: how many threads may be used; the result must not depend on it.
        """
        corpus = WordTypes.from_sentences(sentences, spaces=side.spaces is not False)
        if side.application not in (None, "rank"):
            return [segment_by_vocabulary(corpus, self.types(side) or set(), side.application)]
        return [corpus.segmentation_of_words(self._cut(corpus.words, side))]

    def _cut(self, words: Sequence[str], side: Side) -> list[Sequence[str]]:
        """What `cut` gives, which a plug-in may get wrong: without a check, tokens of one word would be those
        of another."""
        given: Any = self.cut(words, side)
        rows: list[Any] = list(given) if isinstance(given, Iterable) else []
        if len(rows) != len(words):
            message = f"cut gives the tokens of {len(rows):,} words, of {len(words):,}"
            raise of_result(self.cut, message, "yield those of each word")
        for word, row in zip(words, rows, strict=True):
            if not _are_texts(row) or (word and not row):
                message = f"cut gives {row!r} for the word {word!r}"
                raise of_result(self.cut, message, "give a list of texts that are not empty")
        return rows

    def cut(self, words: Sequence[str], side: Side) -> Iterable[Sequence[str]]:
        """The tokens of each of some distinct words; the first of a word begins with `▁`. If `side.spaces` is
        False, words are sentences with `▁` between their words."""
        raise NotImplementedError

    def segment_words(
        self, words: Sequence[str], side: Side, seeds: Sequence[int]
    ) -> list[Segmentation] | None:
        """Cut single words, once for each seed, into segmentations whose words are characters. None if tokens
        spell the text, so that this follows from `segment`."""
        return None

    @classmethod
    def conflicts(cls, side: Side) -> Iterator[Conflict]:
        """What a segmentation asks for that this segmenter cannot do: for the check of a config. A class with
        conflicts of its own yields those of its base, too."""
        application, rule = side.application, side.application in RULES
        if side.dropout_kind == "occurrence" and application not in (None, *STEPWISE):
            hint = "use dropout_kind: merge, or application: rank"
            message = f"{application} has no single occurrences to drop"
            yield Conflict("application", message, hint)
        if application in cls.refuses.get("application", ()):
            message = f"{cls.name} has no merges to apply by {application}"
            yield Conflict("application", message, f"use {either(RULES)}")
        try:
            sampling = cls.sampling(side)
        except InputError as error:
            sampling = None
            yield Conflict("sampling", error.message, error.hint or "")
        if rule and sampling is not None and sampling.method == "alpha":
            message = f"{application} has no probabilities to sample by"
            yield Conflict("application", message, "leave it or sampling out")
        if side.has_glossary and side.crosses_words:
            yield Conflict("glossary", ACROSS, "leave it out, or segment with spaces: yes")
        if len(escape(str(side.glossary))) > LONGEST_SPELLED:
            message = (
                f"an expression whose spelling in paths has more than {LONGEST_SPELLED} characters"
            )
            yield Conflict("glossary", message, "give a shorter one")
        if side.merges is not None and side.merges < cls.least_size:
            message = f"{cls.name} cannot learn {side.merges} {cls.size_unit}"
            yield Conflict("merges", message, f"give a number from {cls.least_size} on")
        if side.pruned:
            yield from _conflicts_of_pruning(side)

    @classmethod
    def check_language(cls, language: str | None) -> None:
        """Refuse, by an `InputError`, texts in a language that it cannot cut; None if it is not known."""

    @classmethod
    def check_installed(cls) -> None:
        """Refuse, by an `InputError`, to go on if packages that it needs are not installed."""
        if cls.requires:
            check_installed("tokenizers", *cls.requires, user=f"the segmenter {cls.name}")

    @classmethod
    def read_given(cls, path: str | Path, side: Side) -> Any:
        """Read the file that `given` names: a model that is learned already, or what `learn` takes as
        `given`."""
        raise NotImplementedError

    @classmethod
    def sampling(cls, side: Side) -> Sampling | None:
        """How segmentations are drawn, if the segmenter supports it; None if they are not, or only by
        dropout."""
        sampling = parse_sampling(side.sampling)
        if sampling is not None and sampling.method in cls.refuses.get("sampling", ()):
            raise InputError(
                f"{cls.name} cannot be sampled by {sampling.method}",
                hint="only unigram language models have alpha, and only segmenters that are not "
                "another library's have grampa and stochastok",
            )
        return sampling

    @classmethod
    def learn(cls, sentences: Any, size: int, side: Side) -> Self:
        """Learn a model of this size, smaller if the text has less.

        Args:
            sentences: the words of each sentence; with `from_counts`, `seggrid.text.words.WordCounts` too.
            size: number of merges, or of whatever `size_unit` says. A nested model is cut to the number of a
                cell, `side.merges`, by `segment`.
            side: the settings.
        """
        raise NotImplementedError

    @classmethod
    def alphabet_size(cls, sentences: Any, side: Side) -> int:
        """The number of types before learning; by default, the single characters of the text."""
        return len(cls.alphabet(sentences, side))

    @staticmethod
    def alphabet(sentences: Any, side: Side, marking: str = "start") -> set[str]:
        """The single characters of a text. Of words, the first, or with the marking `end` the last, has the
        mark; otherwise `▁` is a type of its own, if any sentence has several words."""
        units = counted_units(sentences, side.within_words).types
        return {*unit_symbols(units, marking if side.within_words else None)[2]}

    def all_types(self, sentences: Any, side: Side) -> set[str] | None:
        """The learned types and the characters of a text; None for other models, such as those with bytes,
        and if there is no bound."""
        types = self.types(side)
        if self.spelled is not None or types is None:
            return None
        return types | self.alphabet(sentences, side, self.marking)

    def vocabulary_size(self, sentences: Any, side: Side) -> int | None:
        """The declared size of the vocabulary, by default of `all_types`; None if it is not declared."""
        vocabulary = self.all_types(sentences, side)
        return None if vocabulary is None else len(vocabulary)

    @property
    def learned(self) -> int:
        """The number of types, merges or others that were learned."""
        raise NotImplementedError

    def prefix(self, size: int | None) -> Self:
        """The model of this size that a nested model contains; by default, the whole model."""
        return self

    def types(self, side: Side) -> set[str] | None:
        """The types besides single characters that can occur; None if there is no bound."""
        return None

    def check(self, side: Side) -> None:
        """Refuse, by an `InputError`, a side for which the model cannot be used."""

    def as_learned(self, side: Side) -> tuple[Segmenter, Side]:
        """The model, and its side, whose `types` are decided; of another program's file, the model of this
        package that cuts in the same way, if one is known."""
        return self, side

    def rows(self) -> Content:
        """The settings and rows of its file, see `seggrid.segment.model_file`."""
        raise NotImplementedError

    @classmethod
    def of_rows(cls, content: Content) -> Self:
        """The model whose `rows` were read; `ValueError` or `KeyError` if they are no rows of a model."""
        raise NotImplementedError

    def write(self, path: str | Path) -> None:
        """Write the model, atomically."""
        content: Any = self.rows()
        rows = chain(*content.tables.values()) if isinstance(content, Content) else [content]
        for row in rows:
            if not _are_texts(row) or " " in "".join(row):
                hint = "give Content({}, {NAME: rows}), each row a list of texts without spaces"
                raise of_result(self.rows, f"rows gives {row!r}", hint)
        write_content(path, self.name, content)

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Read what `write` wrote; another file, or one that was edited, is refused."""
        return cls.parse(read_model_text(path), path)

    @classmethod
    def parse(cls, text: str, path: str | Path) -> Self:
        """The model in the text of a file; errors as for `read`. Rows that `write` would not write, as when
        they were forged with their digest, are refused."""
        content = parse_content(text, path, cls.name)
        try:
            model = cls.of_rows(content)
            settings, tables = model.rows()
        except (ValueError, KeyError, TypeError) as error:
            raise unlike_learned(path) from error
        again = {name: [list(row) for row in rows] for name, rows in tables.items()}
        if (settings, again) != content:
            raise unlike_learned(path)
        return model


def _are_texts(row: Any) -> bool:
    """Whether this is a list of texts, none of which is empty."""
    return isinstance(row, list | tuple) and all(isinstance(one, str) and one for one in row)


@dataclass(frozen=True)
class Ranked(Segmenter):
    """Types in order; if the models are nested, a smaller one is the first of them.

    Attributes:
        numbers: the number of each type, such as the tokens that it saved, or the logarithm of its
            probability.
    """

    learns = True
    by_itself = True
    refuses = NO_MERGES
    by_default = BY_RANK
    number: ClassVar[Any] = int
    """The type of the numbers."""

    numbers: dict[str, Any]
    spaces: bool = True
    hidden: bool = False

    @property
    def learned(self) -> int:
        return len(self.numbers)

    def prefix(self, size: int | None) -> Self:
        if not self.nested:
            return self
        return replace(self, numbers=dict(islice(self.numbers.items(), size)))

    def types(self, side: Side) -> set[str] | None:
        return set(self.prefix(side.merges).numbers)

    def rows(self) -> Content:
        types = [[type_, repr(number)] for type_, number in self.numbers.items()]
        return Content({"spaces": spell_spaces(self.spaces, self.hidden)}, {"types": types})

    @classmethod
    def of_rows(cls, content: Content) -> Self:
        numbers = {type_: cls.number(text) for type_, text in content.tables["types"]}
        if not all(map(isfinite, numbers.values())):
            raise ValueError("a number that is not finite")
        return cls(numbers, *read_spaces(content.settings["spaces"]))


class Library(Segmenter):
    """A tokenizer: one of the classes in `seggrid.segment.external`."""

    refuses: ClassVar[Mapping[str, tuple[str, ...]]] = {"sampling": ("grampa", "stochastok")}

    def __init__(self, tokenizer: Any) -> None:
        self.tokenizer = tokenizer

    @cached_property
    def spelled(self) -> Any:  # type: ignore[override]
        return self.tokenizer.spelled

    @cached_property
    def library(self) -> Any:
        # A tokenized text has no decoder.
        return self.tokenizer if self.tokenizer.decodes else None

    @classmethod
    def sampling(cls, side: Side) -> Sampling | None:
        """Dropout of a BPE, or sampling from a unigram model; None for neither."""
        sampling = super().sampling(side)
        return Sampling(side.dropout) if side.dropout else sampling

    def segment(
        self, sentences: Sentences, side: Side, seeds: Sequence[int], threads: int
    ) -> list[Segmentation]:
        """Tokenize each sentence, its words joined by spaces; when sampled, once for each seed."""
        return [own.segment(sentences, threads) for own in self._drawing(side, seeds)]

    def segment_words(
        self, words: Sequence[str], side: Side, seeds: Sequence[int]
    ) -> list[Segmentation]:
        """Tokenize each word as it stands in a text, and map its tokens to its characters."""
        return [own.segment_words(words) for own in self._drawing(side, seeds)]

    def _drawing(self, side: Side, seeds: Sequence[int]) -> list[Any]:
        """The tokenizer; when sampled, one for each seed."""
        self.check(side)
        if (sampling := self.sampling(side)) is None:
            return [self.tokenizer]
        return [self.tokenizer.drawing(sampling, seed) for seed in seeds]

    def vocabulary_size(self, sentences: Any, side: Side) -> int | None:
        declared: int | None = self.tokenizer.declared(sentences)
        return declared

    def as_learned(self, side: Side) -> tuple[Segmenter, Side]:
        own = self.tokenizer.as_learned()
        return (self, side) if own is None else (own.model, own.side)

    def write(self, path: str | Path) -> None:
        """Write the library's own file, atomically."""
        with atomic_write(path, "wb") as file:
            file.write(self.tokenizer.data)
