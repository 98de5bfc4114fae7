"""Learn and segment as a side says, with the spaces between words hidden if it says so.

With `spaces: hidden`, the segmenter gets each sentence without spaces, in learning and in segmenting, as in a
language that writes none. The tokens are then mapped, by their characters, to the words that gold links refer
to.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np

from seggrid.base.errors import InputError, note, of_result
from seggrid.segment import HIDDEN, SEGMENTERS
from seggrid.segment.glossary import join_alone, matches, unmatched, without
from seggrid.segment.measures import measure_segmentation, tokens_of_words
from seggrid.segment.segmenter import Segmenter
from seggrid.segment.token_offsets import map_to_words
from seggrid.segment.variants import REDRAWN
from seggrid.segment.wrappers import Cutter, Hidden, Joined, Plain, Redrawn
from seggrid.text.boundary import BOUNDARY, WORD_END, unmarked
from seggrid.text.segmentation import Segmentation, Sentences
from seggrid.text.text_files import apply_case
from seggrid.text.words import WordCounts, Words, distinct_words

if TYPE_CHECKING:
    from seggrid.segment.side import Side

_STRANGE = "\ue000"
"""A character that is in no type, from Unicode's private use area."""


def _for_segmenter(side: Side) -> Side:
    """The side as the segmenter gets it. With hidden spaces, a sentence is one word without boundaries, as
    with `spaces: no`."""
    return replace(side, spaces=False) if side.spaces == HIDDEN else side


def _object(side: Side, model: Segmenter | None) -> Segmenter:
    """The model; that of a segmenter which learns none."""
    return SEGMENTERS[side.segmenter]() if model is None else model


def vocabulary_size(side: Side, model: Any, text: Sentences) -> int | None:
    """The declared size of a model's vocabulary on a text as the segmenter gets it; None if it declares
    none."""
    return _object(side, model).vocabulary_size(text, side)


def model_size(side: Side, model: Any, sentences: Sentences | WordCounts) -> dict[str, int]:
    """The size of a learned model, under the name of the axis that sets it, `merges` or `vocabulary`: smaller
    than it says if the text has fewer; empty if nothing was learned, or the model was pruned since."""
    if not side.learns or side.pruned:
        return {}
    if side.vocabulary is not None:
        # A model without a declared vocabulary leaves words whole that its learned types do not cover.
        text = learned_text(side, sentences)
        declared = model.vocabulary_size(text, side)
        return {
            "vocabulary": declared
            or model.alphabet_size(text, _for_segmenter(side)) + model.learned
        }
    # The side may use only a part of the model.
    assert side.merges is not None, "a size is given"
    return {"merges": min(side.merges, model.prefix(side.merges).learned)}


def remark_on_types(side: Side, model: Any, vocabulary: int | None) -> str:
    """A remark on the size of a model whose units are not types, such as morphs; empty for other models."""
    registered = SEGMENTERS[side.segmenter]
    if side.merges is None or vocabulary is None or registered.size_unit in ("merges", "types"):
        return ""
    units = f"{model.prefix(side.merges).learned} {registered.size_unit}"
    return (
        f"{units} are {vocabulary} types: one that begins a word is another type, and so is each "
        "single character"
    )


def segment_cased(
    side: Side,
    model: Any,
    sentences: Sentences,
    seeds: Sequence[int],
    threads: int = 1,
) -> list[Segmentation]:
    """Segment a text, in the side's case, once for each seed; arguments as for the segmenter's `segment`."""
    return _cutter(side, _object(side, model)).segment(sentences, seeds, threads)


def _cutter(side: Side, segmenter: Segmenter) -> Cutter:
    """The segmenter in the wrappers that the side asks for."""
    plain = Plain(segmenter, _for_segmenter(side))
    sampling = segmenter.sampling(side)
    cutter: Cutter = plain
    if sampling is not None and sampling.method in REDRAWN:
        cutter = Redrawn(plain, sampling)
    return Hidden(cutter, plain) if side.spaces == HIDDEN else Joined(cutter, segmenter, side)


def segment_words(
    side: Side, model: Any, words: Sequence[str], seeds: Sequence[int]
) -> list[Segmentation]:
    """Segment words, each by itself, once for each seed; a sentence is one of the words, its words
    characters."""
    segmenter = _object(side, model)
    found = segmenter.segment_words(words, _for_segmenter(side), seeds)
    if found is not None:
        spelled = segmenter.spelled
        return [join_alone(side, sample, words, spelled) for sample in found]
    text = [[word] for word in words]
    samples = segment_cased(side, model, text, seeds)
    letters = [list(word) for (word,) in side.words_of(text)]
    return [map_to_words(sample, letters) for sample in samples]


def measures_of(
    side: Side,
    model: Any,
    cut: Segmentation,
    sentences: Sentences,
    text: Sentences,
    size: int | None = None,
) -> dict[str, float]:
    """All `seggrid.segment.measures.MEASURES` of a segmentation of a text. The size of the vocabulary is
    found, unless given, from the model and the text that it was learned from, whose characters are types."""
    segmenter, seen = _object(side, model), learned_text(side, text)
    if size is None and (size := vocabulary_size(side, model, seen)) is not None:
        library = segmenter.library
        known = library.vocabulary if library else segmenter.all_types(seen, side) or set()
        # The words of the glossary are types, too.
        size += len(_glossary_types(side, cut, sentences) - known)
    found = measure_segmentation(cut, sentences, size, segmenter.spelled)
    unreachable = unreachable_types(side, model)
    found["unreachable_types"] = math.nan if unreachable is None else len(unreachable)
    return found | _fidelity(segmenter, cut, segmenter_input(side, sentences))


def unreachable_types(side: Side, model: Any) -> set[str] | None:
    """The learned types that can occur in no text; None if this cannot be decided.

    A segmenter with `by_itself` cuts a part of a word, if no token crosses its ends, in the same way in
    any context. So each type's own spelling is segmented, beside a character that is in no type unless
    the type has the mark of a word. If the type is not among the tokens, it occurs in no text. (TokEval
    tries a few such contexts for any tokenizer.)
    """
    if model is None or side.sampled:
        return None
    model, side = model.as_learned(side)
    if not SEGMENTERS[side.segmenter].by_itself or not side.within_words:
        return None
    types = sorted(model.types(side))
    before, after = ("", _STRANGE) if model.marking == "end" else (_STRANGE, "")
    spelled = [
        text.removeprefix(BOUNDARY).removesuffix(WORD_END)
        if text.startswith(BOUNDARY) or text.endswith(WORD_END)
        else before + text + after
        for text in types
    ]
    if not types:
        return set()
    (cut,) = segment_cased(side, model, [text.split(BOUNDARY) for text in spelled], [0])
    return {text for k, text in enumerate(types) if text not in cut.sentence(k)}


def unknown_type(model: Any) -> str | None:
    """The type of a model that stands for unknown text; None if it has none."""
    return None if model is None else getattr(model.library, "unknown", None)


def _fidelity(segmenter: Segmenter, cut: Segmentation, sentences: Sentences) -> dict[str, float]:
    """The measures `unknown_tokens` and `exact_sentences`, as in TokEval. If a library cut the sentence,
    what it decodes is compared with it, apart from a space at either end, which TokEval counts;
    otherwise, the characters other than spaces."""
    tokenizer, unknown = segmenter.library, None
    tokens = [cut.sentence(s) for s in range(len(cut))]
    if segmenter.spelled is not None:
        if tokenizer is None or not tokens:
            return {"unknown_tokens": math.nan, "exact_sentences": math.nan}
        unknown = tokenizer.unknown
        lines = [" ".join(words) for words in sentences]
        decoded = [
            line.removeprefix(" ").removesuffix(" ") for line in tokenizer.decode(tokens, lines)
        ]
    else:
        decoded = ["".join(map(unmarked, sentence)) for sentence in tokens]
        lines = ["".join(words) for words in sentences]
    exact = sum(map(str.__eq__, decoded, lines))
    strange = sum(sentence.count(unknown) for sentence in tokens) if unknown is not None else 0
    return {
        "unknown_tokens": strange / len(cut.ids) if len(cut.ids) else math.nan,
        "exact_sentences": exact / len(tokens) if tokens else math.nan,
    }


def learned_text(side: Side, sentences: Any) -> Any:
    """The text from which a model is learned: as the segmenter gets it, without words of the glossary."""
    return without(side, segmenter_input(side, sentences))


def _glossary_types(side: Side, cut: Segmentation, sentences: Sentences) -> set[str]:
    """The types of the words of the glossary in a text."""
    words = Words.of(sentences)
    place = np.repeat(words.offsets[:-1], cut.lengths) + cut.first
    whole = cut.first == cut.last
    whole[whole] = matches(side, words.types)[words.ids[place[whole]]]
    return {cut.types[k] for k in np.unique(cut.ids[whole])}


def segmenter_input(side: Side, sentences: Any) -> Any:
    """The text as the segmenter gets it: each sentence as one word if spaces are hidden."""
    if side.spaces != HIDDEN:
        return sentences
    assert not isinstance(sentences, WordCounts), "counts do not say which words follow one another"
    return [["".join(words)] for words in sentences]


def learn_model(
    sentences: Sequence[list[str]] | WordCounts,
    side: Side,
    min_frequency: int | None = None,
    marking: str | None = None,
    size: int | None = None,
    **more: Any,
) -> Any:
    """Learn the model of a segmentation on a text; None if the segmenter learns none.

    The side's case is applied to the text. For a joint model it is the texts of both sides, the source first;
    counts of words are enough if `learns_from_counts`. `marking` is of `bpe`, see
    `seggrid.segment.bpe.model.BPEModel`. The size is that of the side, unless another number of merges, or of
    what the segmenter counts, is given. If the side has a vocabulary size, the model gets that many types,
    fewer if the text has fewer. `more` is what else the segmenter's `learn` takes, such as `given`.
    """
    if not side.learns:
        return None
    if isinstance(sentences, WordCounts) and not learns_from_counts(side):
        raise InputError("counts of words, where sentences are needed", hint="give the text")
    segmenter, own = SEGMENTERS[side.segmenter], _for_segmenter(side)
    cased = apply_case(sentences, side.case)
    text = learned_text(side, cased)
    if side.vocabulary is not None:
        # Each merge adds one type, since no two merges have the same product: wherever a string becomes
        # one token, the same merges make it, because none of them crosses its ends.
        if (size := side.vocabulary - (alphabet := segmenter.alphabet_size(text, own))) < 0:
            raise InputError(
                f"a vocabulary of {side.vocabulary:,} types for a text with {alphabet:,} single characters",
                hint=f"give at least {alphabet:,}",
            )
    elif size is None:
        size = 10**7 if side.merges is None else side.merges
    settings = {"min_frequency": min_frequency, "marking": marking, **more}
    given = {name: value for name, value in settings.items() if value is not None}
    model: Any = segmenter.learn(text, size, own, **given)
    if not isinstance(model, Segmenter):
        message = f"learn gives {model!r}, no model"
        raise of_result(segmenter.learn, message, "return cls(…)")
    if not isinstance(model.learned, Integral):
        message = f"learned is {model.learned!r}, no number"
        raise of_result(segmenter.learn, message, "write it as a property")
    says_so = side.spaces == HIDDEN and model.hidden is not None
    return replace(model, hidden=True) if says_so else model


def learns_from_counts(side: Side) -> bool:
    """Whether `learn_model` needs only the counts of a text's words."""
    return SEGMENTERS[side.segmenter].from_counts and side.within_words and side.case != "first"


def segment_text(
    sentences: Sequence[list[str]],
    side: Side,
    model: Any,
    seeds: Sequence[int],
    threads: int = 1,
    name: str = "",
) -> list[Segmentation]:
    """Segment a text once for each seed, or once if nothing is sampled. `name` is the side's, for notes;
    other arguments are as for `learn_model`."""
    own = seeds if side.sampled else seeds[:1]
    cased = apply_case(sentences, side.case)
    samples = segment_cased(side, model, cased, own, threads)
    words = side.words_of(cased)
    remarks = [*unmatched(side, distinct_words(words)), *_bare_words(model, samples[0], words)]
    note(f"{name}: {remark}" if name else remark for remark in remarks)
    return samples


def _bare_words(model: Any, cut: Segmentation, sentences: Sentences) -> list[str]:
    """A remark if a library gives words no token."""
    if model is None or model.spelled is None or _is_covered(cut, Words.of(sentences)):
        return []
    bare = np.flatnonzero(tokens_of_words(cut, sentences) == 0)
    if not len(bare):
        return []
    words = Words.of(sentences)
    first = words.types[words.ids[bare[0]]]
    return [
        f"the tokenizer makes no token of {len(bare):,} of {len(words.ids):,} words, such as {first}"
    ]


def _is_covered(cut: Segmentation, words: Words) -> bool:
    """Whether the tokens of each sentence go from its first word to its last, and skip none: if so, each word
    has a token. To count these takes several times as long."""
    if not cut.lengths.all():
        return False
    begins, ends = cut.offsets[:-1], cut.offsets[1:] - 1
    skips = cut.first[1:] > cut.last[:-1] + 1
    skips[ends[:-1]] = False
    covers_ends = not cut.first[begins].any() and np.array_equal(cut.last[ends] + 1, words.lengths)
    return covers_ends and not skips.any()
