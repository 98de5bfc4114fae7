"""Learn a segmentation, cut text with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from os import PathLike, fspath
from typing import TYPE_CHECKING, Annotated, Any, Self

from annotated_types import Interval

from seggrid.base.errors import InputError, either, note, suggestion
from seggrid.base.parameters import (
    AnyPath,
    Choices,
    FormatOfMorphemes,
    Help,
    Seed,
    checked,
    without_numpy,
)
from seggrid.commands.texts import Texts, words_in
from seggrid.grid.samples import sample_seeds
from seggrid.segment import HIDDEN, SEGMENTERS
from seggrid.segment.axes import AXES, changes_nothing
from seggrid.segment.bpe import MARKINGS as OF_BPE
from seggrid.segment.bpe.model import BPEModel
from seggrid.segment.external import External
from seggrid.segment.glossary import unmatched
from seggrid.segment.marks import MARKINGS, styled
from seggrid.segment.model_file import segmenter_of_file
from seggrid.segment.side import CORPUS, Side
from seggrid.segment.side_segmenter import learn_model, segment_text
from seggrid.text.boundary import unmarked
from seggrid.text.segmentation import Segmentation
from seggrid.text.text_files import apply_case
from seggrid.text.words import WordCounts, distinct_words

if TYPE_CHECKING:
    from seggrid.morphology.references import Reference

Sentences = Sequence[list[str]]
Style = Annotated[
    str,
    Choices(MARKINGS),
    Help(
        "mark words as another program does: @@ after a token that does not end its word (subword-nmt), ## "
        "before one that does not begin its word (BERT), ▁ before a word (sentencepiece), </w> after a word; "
        "by default, as the segmenter does"
    ),
]

COUNTING = ("bpe", "byte_bpe", "picky", "superbpe", "boundless")
"""The segmenters for which pairs that are too rare are not merged."""


MinFrequency = Annotated[
    int,
    Interval(ge=1),
    Help(
        f"for {either(COUNTING)}: learning ends when no pair occurs this often; by default 2",
        metavar="N",
    ),
]
Marking = Annotated[
    str,
    Choices(OF_BPE),
    Help(
        "for bpe: how words are marked: by ▁ at their starts (start, the default), by </w> at their ends "
        "(end: seggrid convert --to merges then writes codes of subword-nmt), or by ▁ as a symbol "
        "of its own (own)"
    ),
]


class Segmenter:
    """A segmentation: its settings and, if it learns one, its model.

    >>> text = ["the house is small", "a small house", "the red house"]
    >>> bpe = Segmenter.learn(text, merges=8)
    >>> bpe
    <Segmenter: bpe, 8 merges learned>
    >>> bpe.segment(["the houses"])
    [['▁the', '▁house', 's']]
    >>> bpe.segment(["the houses"], style="@@")
    [['the', 'house@@', 's']]

    Attributes:
        side: the settings.
        model: the model of the segmenter, see `seggrid.segment`; None if it learns none.
        file: the file of the model, for messages.
    """

    def __init__(self, side: Side, model: Any = None, file: str | None = None) -> None:
        """Put a segmentation together; see `learn` and `load`."""
        self.side, self.model, self.file = side, model, file

    @classmethod
    @checked
    def learn(
        cls,
        text: Texts | WordCounts,
        segmenter: str = "bpe",
        *,
        marking: Marking | None = None,
        min_frequency: MinFrequency | None = None,
        morphemes: AnyPath | None = None,
        format: FormatOfMorphemes = "surface",
        after: Segmenter | None = None,
        **axes: Any,
    ) -> Self:
        """Learn from a text.

        Args:
            text: sentences, or the path of a file with one sentence per line; empty ones are left out. For
                `lexical`, what `seggrid.tag` returns.
            segmenter: name of a segmenter, see `seggrid segment --help`.
            marking: how `bpe` marks words: `"start"` (▁, the default), `"end"` (</w>, as subword-nmt) or
                `"own"` (▁ as a symbol of its own).
            min_frequency: for the segmenters `COUNTING`, learning ends when no pair occurs this often.
            morphemes: for `bpe`, file of a morphological reference; no merge crosses a boundary that any
                analysis of a word has (MorphBPE). Words that are not in it are whole.
            format: format of that file, `surface` or `celex`.
            after: a learned `bpe` from which learning goes on: its merges come first, and count.
            axes: settings of the segmenter, such as `merges=2000`, `vocabulary=8000`, `case="lower"` or
                `dropout=0.1`.
        """
        side = side_of(segmenter, axes)
        if SEGMENTERS[side.segmenter].always_joint:
            message = f"{segmenter} is learned from two texts that are parallel"
            raise InputError(
                message, hint="seggrid align, or the fit of a seggrid.Aligner, learns it"
            )
        of_bpe = {"marking": marking, "morphemes": morphemes, "after": after}
        if given := [name for name, value in of_bpe.items() if value is not None]:
            if segmenter != "bpe":
                raise InputError(f"{given[0]} with {segmenter}", hint="only bpe reads it")
            if after is not None:
                if not isinstance(after.model, BPEModel):
                    raise InputError("learning goes on from a bpe alone", file=after.file)
                _check_model(side, after.model, after.file)
        if morphemes is not None and not side.within_words:
            message = "morphemes are of words, and merges are to cross these"
            raise InputError(message, hint="leave one of --morphemes and --spaces out")
        if min_frequency is not None and segmenter not in COUNTING:
            hint = f"only {either(COUNTING)} read it"
            raise InputError(f"min_frequency with {segmenter}", hint=hint)
        _note_unused(
            axes, ("knockout", "joint"), "on a model of one text: see seggrid prune, Aligner"
        )
        words = text if isinstance(text, WordCounts) else words_in(text).without_empty()
        if side.has_glossary:
            note(unmatched(side, distinct_words(apply_case(side.words_of(words), side.case))))
        model = learn_model(
            words,
            side,
            min_frequency,
            marking,
            boundaries=_kept_boundaries(words, side, morphemes, format) if morphemes else None,
            after=after.model if after else None,
        )
        return cls(_applied(side, merges=None), model)

    @classmethod
    def load(
        cls,
        file: Any = None,
        segmenter: str | None = None,
        *,
        format: str | None = None,
        **axes: Any,
    ) -> Self:
        """Read a model that `save` or `seggrid learn` wrote.

        Args:
            file: the model, or a tokenizer from elsewhere: a file, or an object of tokenizers, sentencepiece
                or tiktoken; None for a segmenter without a model.
            segmenter: name of the segmenter, in place of that which the file shows.
            format: format of a tokenizer, one of `seggrid.segment.external.FORMATS`, in place of that which
                the file shows.
            axes: settings, as for `learn`. A model file does not contain `case`, so it must be given again.
        """
        is_file = file is None or isinstance(file, str | PathLike)
        if segmenter is None:
            segmenter = "external" if format or not is_file else segmenter_of_file(file or "")
        side = side_of(segmenter, axes)
        _note_unused(axes, OF_MODELS, "on a model that was learned")
        if not is_file:
            return cls(_applied(side), External.of(file))
        return cls.of(_applied(side), None if file is None else fspath(file), format)

    @classmethod
    def of(cls, side: Side, file: str | None = None, format: str | None = None) -> Self:
        """As `load`, with the settings as a `Side` of a grid."""
        outside = SEGMENTERS[side.segmenter].outside
        if file is None and (side.learns or outside):
            it = "give the tokenizer's file" if outside else "seggrid learn makes one: give it"
            raise InputError(f"{side.segmenter} needs a model", hint=f"{it} with -m")
        if file is not None and not (side.learns or outside):
            raise InputError(f"{side.segmenter} has no model", hint="leave -m out")
        if format and not outside:
            hint = "leave --model-format out"
            raise InputError(f"{side.segmenter} has no format of a file", hint=hint)
        how = [format] if outside else []
        model = SEGMENTERS[side.segmenter].read(file, *how) if file else None
        _check_model(side, model, file)
        return cls(side, model, file)

    @checked
    def save(self, file: AnyPath) -> None:
        """Write the model, for `load` and `seggrid segment -m`."""
        if self.model is None or not self.side.learns:
            raise InputError(f"{self.side.segmenter} learned no model")
        self.model.write(fspath(file))

    @checked
    def segment(
        self, text: Texts, *, seed: Seed = 1, style: Style | None = None
    ) -> list[list[str]]:
        """The tokens of each of S sentences; none for an empty sentence.

        Args:
            text: sentences, or a path.
            seed: seed of the sample, if dropout or sampling draws one.
            style: how words are marked, see `lines`.
        """
        sentences = words_in(text)
        filled = sentences.without_empty()
        (cut,) = self.samples(filled, seed=seed)
        tokens = (line.split(" ") for line in self.lines(cut, filled, style))
        return [next(tokens) if has_words else [] for has_words in sentences.filled]

    def lines(
        self, cut: Segmentation, sentences: Sentences, style: str | None = None
    ) -> Iterable[str]:
        """The lines of a segmentation, one of the results of `samples`, with tokens separated by spaces,
        spelled as the segmenter does or in one of the styles `seggrid.segment.marks.MARKINGS`."""
        if style is None:
            return cut.lines()
        return styled(cut, apply_case(self.side.words_of(sentences), str(self.side.case)), style)

    @checked
    def samples(
        self,
        sentences: Texts,
        count: Annotated[int, Interval(ge=1, le=1_000_000)] = 1,
        *,
        seed: Seed = 1,
        names: Sequence[str] = (),
    ) -> list[Segmentation]:
        """Samples of a text, the words of sentences that are not empty, as arrays; one if nothing is random.
        The seeds of samples depend on `seed` and on `names`, by default the settings."""
        sentences = words_in(sentences)
        seeds = sample_seeds(seed, names or ["text", self.side.seed_spec], (0, count - 1))
        words = distinct_words(apply_case(self.side.words_of(sentences), self.side.case))
        note(filter(None, [self._fewer(), self._uncased(words)]))
        return segment_text(sentences, self.side, self.model, seeds)

    def _fewer(self) -> str | None:
        """A remark if a model from a file has fewer merges, or types, than are asked for."""
        wanted, registered = self.side.merges, SEGMENTERS[self.side.segmenter]
        if self.file is None or wanted is None or not self.side.learns or self.side.pruned:
            return None
        learned = self.model.learned
        if learned >= wanted * (1 - registered.tolerance):
            return None
        return f"{self.file}: {learned} {registered.size_unit}, fewer than the {wanted} asked for"

    def _uncased(self, words: Iterable[str]) -> str | None:
        """A remark if the text has upper-case letters but the types of a model from a file have none: the
        file does not say in which case the model was learned."""
        if self.file is None or self.model is None:
            return None
        vocabulary = set(map(unmarked, self.model.types(self.side) or ()))
        if any(map(_has_upper, vocabulary)) or not any(map(_has_upper, words)):
            return None
        if not any(one != one.upper() for one in vocabulary):
            return None
        if _as_rare([*words], vocabulary):
            return None
        message = "no upper-case letters, but the text has some"
        return f"{self.file}: {message}: if it was learned on lower-cased text, give --case lower"

    def __repr__(self) -> str:
        if not self.side.learns or self.model is None:
            return f"<Segmenter: {self.side.segmenter}>"
        registered = SEGMENTERS[self.side.segmenter]
        size = self.model.learned
        return f"<Segmenter: {self.side.segmenter}, {size:,} {registered.size_unit} learned>"


def reference_in(
    words: Sequence[str], side: Side, file: str | PathLike[str], format: str
) -> Reference:
    """A morphological reference whose words are spelled as the distinct ones of a text in a side's case."""
    from seggrid.morphology.references import read_reference
    from seggrid.morphology.respelling import as_in_text, forms_in_text

    distinct = set(words)
    reference = as_in_text(read_reference(fspath(file), format), distinct, side.case or "keep")
    note([message] if (message := forms_in_text(reference, distinct)) else [])
    return reference


def _kept_boundaries(
    sentences: Sentences | WordCounts, side: Side, file: str | PathLike[str], format: str
) -> dict[str, set[int]]:
    """The boundaries in the words of a reference, which no merge is to cross, and a note on how many words of
    a text these are."""
    words = distinct_words(apply_case(sentences, side.case))
    boundaries = reference_in(words, side, file, format).boundaries
    known = sum(word in boundaries for word in words)
    note([f"{fspath(file)}: {known:,} of {len(words):,} distinct words; the others are whole"])
    return boundaries


def side_of(segmenter: str, axes: Mapping[str, Any]) -> Side:
    """The segmentation with these values of axes; other axes have their defaults, and `merges` all that there
    are. An axis that the segmenter would ignore is refused."""
    for name, known in ((segmenter, list(SEGMENTERS)), *((axis, list(AXES)) for axis in axes)):
        if name not in known:
            raise InputError(f"there is no {name!r}", hint=suggestion(name, known))
    values = {}
    for name, value in without_numpy(axes).items():
        try:
            values[name] = AXES[name].value(value)
        except InputError as error:
            # A mistake in a file, such as that of a glossary, has its place already.
            raise (
                error if error.file else InputError(f"{name}: {error.message}", hint=error.hint)
            ) from None
    refuse_two_sizes(values)
    read = ("segmenter", *CORPUS, *SEGMENTERS[segmenter].axes)
    for name, value in values.items():
        if name not in read and not changes_nothing(name, value):
            readers = [reader for reader, entry in SEGMENTERS.items() if name in entry.axes]
            raise InputError(
                f"--{name.replace('_', '-')}: {segmenter} would ignore it",
                hint=f"leave it out, or use the segmenter {' or '.join(readers)}",
            )
    defaults = {name: axis.default for name, axis in AXES.items()}
    return Side.from_values({**defaults, "merges": None, "segmenter": segmenter, **values})


OF_MODELS = (
    *("knockout", "scoring", "removal", "transition", "joint", "vocabulary"),
    *("dropout_weight", "fallback", "zscore", "least_words", "longest_segment"),
)
"""Axes that only matter when a model is learned or pruned."""


def _applied(side: Side, **values: object) -> Side:
    """The settings that matter when a model is applied, on which the seeds of samples depend."""
    neutral = {name: AXES[name].neutral for name in OF_MODELS}
    return Side.from_values({**side.values(), **neutral, **values})


def _note_unused(axes: Mapping[str, Any], unused: Sequence[str], where: str) -> None:
    """Note the axes that have no effect there."""
    given = (name for name in unused if name in axes and AXES[name].has_effect(axes[name]))
    note(f"{name} has no effect {where}" for name in given)


def refuse_two_sizes(values: Mapping[str, object]) -> None:
    """Refuse a size that is given both by `merges` and by `vocabulary`."""
    if AXES["vocabulary"].value(values.get("vocabulary")) and values.get("merges"):
        raise InputError("--merges together with --vocabulary", hint="leave one of the two out")


def _check_model(wanted: Side, model: Any, file: str | None) -> None:
    """Refuse settings with which the model was not learned: their effect would be none, or wrong."""
    if model is None:
        return
    spaces = True if wanted.spaces is None else wanted.spaces
    within, hidden = model.spaces, model.hidden
    if within is not None and (within or HIDDEN if hidden else within) != spaces:
        learned = "yes" if within else "hidden" if hidden else "no"
        raise InputError(
            f"learned with spaces: {learned}", file=file, hint="give the same --spaces here"
        )
    registered = SEGMENTERS[wanted.segmenter]
    if registered.nested or wanted.merges is None:
        return
    learned = model.learned
    if wanted.merges * (1 + registered.tolerance) < learned:
        raise InputError(
            f"{learned} {registered.size_unit}, and the model cannot be cut to {wanted.merges}",
            file=file,
            hint=f"leave --merges out, or learn {wanted.merges}",
        )


def _has_upper(text: str) -> bool:
    return text != text.lower()


def _as_rare(words: Sequence[str], types: Iterable[str]) -> bool:
    """Whether upper-case letters are in fewer words than the rarest type, so that none was learned."""
    pairs = Counter(
        pair for word in words for pair in pairwise(word) if _has_upper(pair[0] + pair[1])
    )
    most = max(pairs.values(), default=0)
    long = (one for one in types if len(one) > 1)
    return all(sum(one in word for word in words) >= most for one in long)
