"""Measure a segmentation, as the function of `seggrid measure` does."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike, fspath
from typing import Annotated

import numpy as np
from annotated_types import Interval

from seggrid.base.errors import InputError, note
from seggrid.base.parameters import AnyPath, FormatOfMorphemes, Help, Rule, Seed, checked
from seggrid.commands.measured import Measures
from seggrid.commands.segmenter import Segmenter, Sentences, reference_in
from seggrid.commands.texts import Texts, words_in
from seggrid.grid.samples import sample_seeds
from seggrid.segment import SEGMENTERS
from seggrid.segment.measures import jensen_shannon_divergence
from seggrid.segment.side_segmenter import measures_of, segment_words, unknown_type
from seggrid.text.boundary import unmarked
from seggrid.text.segmentation import Segmentation
from seggrid.text.text_files import apply_case
from seggrid.text.words import Words, distinct_words

_SEGMENTER = Rule(lambda value: isinstance(value, Segmenter), "a Segmenter")
Size = Annotated[
    int,
    Interval(ge=1),
    Help(
        "declared size of the vocabulary; by default, that of the model and the text's single characters"
    ),
]


@checked
def measure(
    text: Texts,
    segmenter: Annotated[Segmenter, _SEGMENTER],
    *,
    size: Size | None = None,
    seed: Seed = 1,
    names: Sequence[str] = (),
    morphemes: AnyPath | None = None,
    format: FormatOfMorphemes = "surface",
    against: Annotated[Segmenter, _SEGMENTER] | None = None,
    beside: Texts | None = None,
    features: AnyPath | None = None,
    parallel: Texts | None = None,
    parallel_segmenter: Annotated[Segmenter, _SEGMENTER] | None = None,
) -> Measures:
    """Intrinsic measures of a segmentation, as `seggrid measure` prints them; NaN where not defined.

    Args:
        text: sentences, or a path; empty ones are left out.
        segmenter: the segmentation.
        size: declared size of the vocabulary; by default, found from the model and the text's characters.
        seed, names: as for `Segmenter.samples`, whose first sample is measured.
        morphemes: file of a morphological reference; cuts are compared with its boundaries too.
        format: format of that file, `surface` or `celex`.
        against: another segmentation; how both cut words, each by itself and in its own case, is compared
            (`seggrid.morphology.morphscore.agreement`).
        beside: another text; the distributions of tokens in both texts are compared
            (`seggrid.segment.measures.jensen_shannon_divergence`).
        features: file of words with their features, UniMorph or CoNLL-U: how well the tokens of words agree
            with these (`seggrid.morphology.plausibility.plausibility`).
        parallel: the same sentences in another language: the share of tokens that are linked one to one
            (`seggrid.align.alignability.alignability`).
        parallel_segmenter: the segmentation of that text; by default, the same.

    >>> text = ["the house is small", "a small house"]
    >>> measure(text, Segmenter.load(segmenter="words"))["fertility"]
    1.0
    """
    given = words_in(text)
    sentences = given.without_empty()
    (cut,) = segmenter.samples(sentences, seed=seed, names=names)
    if size is not None and size < (occurring := len(set(cut.ids.tolist()))):
        hint = "give the size of the vocabulary"
        raise InputError(f"--size {size}, but {occurring} types occur", hint=hint)
    cased = apply_case(segmenter.side.words_of(sentences), segmenter.side.case)
    found = measures_of(segmenter.side, segmenter.model, cut, cased, cased, size)
    if morphemes is not None:
        found |= _boundaries(segmenter, sentences, morphemes, format, seed)
    if against is not None:
        found |= _agreement(segmenter, sentences, against, seed)
    if beside is not None:
        (other,) = segmenter.samples(words_in(beside).without_empty(), seed=seed)
        found["divergence"] = jensen_shannon_divergence(cut, other)
    if features is not None:
        found |= _plausibility(segmenter, features, seed)
    if parallel is not None:
        found |= _alignability(given, cut, parallel, parallel_segmenter or segmenter, seed)
    return Measures(found)


def _boundaries(
    segmenter: Segmenter,
    sentences: Sentences,
    morphemes: str | PathLike[str],
    format: str,
    seed: int,
) -> dict[str, float]:
    """How well the cuts of words agree with the boundaries of their morphemes. Each word of the reference
    counts once; the text tells umlauts of a German reference that is in ASCII."""
    from seggrid.morphology.evaluate import (
        cuts_of,
        evaluate_segmentation,
        known_words,
        remark_on_unknown,
    )
    from seggrid.morphology.morphscore import against_morphemes

    words = distinct_words(apply_case(sentences, segmenter.side.case))
    reference = reference_in(words, segmenter.side, morphemes, format)
    cut = _cut_words(segmenter, reference.words, seed)
    known = known_words(cut, unknown_type(segmenter.model))
    note(filter(None, [remark_on_unknown(reference, known)]))
    row = evaluate_segmentation(cut, reference)[0]
    shown = {f"boundary_{name}": row[name] for name in ("precision", "recall", "f1")}
    agreeing = against_morphemes(cuts_of(cut), reference, known)
    return {"boundary_words": len(reference), **shown, **agreeing}


def _plausibility(
    segmenter: Segmenter, features: str | PathLike[str], seed: int
) -> dict[str, float]:
    """How well the tokens of words, each by itself, agree with their features."""
    from seggrid.morphology.plausibility import plausibility, read_features

    words, own = zip(*read_features(fspath(features)), strict=True)
    types = list(dict.fromkeys(words))
    cut = _cut_words(segmenter, types, seed)
    tokens = {word: list(map(unmarked, cut.sentence(k))) for k, word in enumerate(types)}
    every = [list(filter(None, tokens[word])) for word in words]
    return {"feature_words": len(types), "plausibility": plausibility(every, own)}


def _agreement(
    segmenter: Segmenter, sentences: Sentences, other: Segmenter, seed: int
) -> dict[str, float]:
    """How much another segmentation agrees in how it cuts the words of a text, each word by itself and in
    the case of each segmentation."""
    from seggrid.morphology.evaluate import cuts_of
    from seggrid.morphology.morphscore import agreement

    ours, theirs = (Words.of(apply_case(sentences, one.side.case)) for one in (segmenter, other))
    base = max(len(theirs.types), 1)
    pairs, counts = np.unique(ours.ids * np.int64(base) + theirs.ids, return_counts=True)
    own, others = (
        cuts_of(_cut_words(one, [text.types[k] for k in ids.tolist()], seed))
        for one, text, ids in ((segmenter, ours, pairs // base), (other, theirs, pairs % base))
    )
    alike, jaccard = agreement(own, others, counts)
    return {"words_alike": alike, "boundary_jaccard": jaccard}


def _cut_words(segmenter: Segmenter, words: Sequence[str], seed: int) -> Segmentation:
    """The segmentation of words, each by itself."""
    if annotation := SEGMENTERS[segmenter.side.segmenter].annotation:
        raise InputError(
            f"{segmenter.side.segmenter} needs {annotation}, which single words do not have",
            hint="compare other segmenters",
        )
    seeds = sample_seeds(seed, ["text", segmenter.side.seed_spec], (0, 0))
    (cut,) = segment_words(segmenter.side, segmenter.model, words, seeds)
    return cut


def _alignability(
    text: Words, cut: Segmentation, parallel: Texts, segmenter: Segmenter, seed: int
) -> dict[str, float]:
    """The alignability of a text, of which a segmentation is given, and of a parallel one."""
    from seggrid.align.alignability import alignability

    other = words_in(parallel)
    if not (text.filled.all() and other.filled.all()):
        message = "an empty sentence in texts that are parallel"
        raise InputError(message, hint="leave the sentence pair out of both")
    (others,) = segmenter.samples(other, seed=seed)
    shares = alignability(cut, others, seed=seed)
    return dict(zip(("alignability", "alignability_parallel"), shares, strict=True))
