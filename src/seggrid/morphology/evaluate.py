"""Token boundaries against morpheme boundaries: the tables of BPE-knockout (section 4.1; Tables 2, 4-8)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seggrid.base.errors import InputError
from seggrid.morphology.cuts import Cuts
from seggrid.morphology.knockout import best_analyses, blame_merges, prune_model
from seggrid.morphology.names import SUMS, canonical_evaluation, parse_evaluation
from seggrid.morphology.references import Reference
from seggrid.morphology.word_segmentation import (
    QUEUE,
    AnyModel,
    Model,
    segment_entries,
    spell,
    spell_reference,
)
from seggrid.segment.byte_level import TokenizerModel, byte_symbols, bytes_of
from seggrid.segment.measures import OF_TOKENS, TokenCounts, measure_tokens, type_counts
from seggrid.segment.variants import parse_knockout
from seggrid.text.ragged import offsets_of
from seggrid.text.segmentation import Segmentation

MACRO = ("macro_precision", "macro_recall", "macro_f1")
MEASURES = ("precision", "recall", "f1", *MACRO)
Row = dict[str, Any]


def evaluate(
    model: Model,
    reference: Reference,
    knockout: str = "none",
    evaluation: str = "full",
    *,
    frequencies: Mapping[str, int] | None = None,
    counts: Mapping[str, int] | None = None,
    dropout: float = 0.0,
    repeats: int = 10,
    seed: int = 0,
    text: Collection[str] = (),
) -> list[Row]:
    """Prune a model and compare how it cuts the words of a reference with their analyses.

    Args:
        model: the model before pruning. A dropout rate in it is a setting of its training, in whose place
            `dropout` is used.
        evaluation: `full`: blame and evaluation on all entries; `holdout-r`: blame on a share r of them,
            evaluation on the others (`Reference.holdout`).
        frequencies: occurrences of words; if given, there are also rows for tokens, in which each entry is
            weighted by its occurrences.
        dropout: rate at which the pruned model is evaluated with dropout, of the kind `QUEUE`.
        repeats: number of runs, if dropout or the variant is random; the first has the seed `seed`, each
            further one the next.
        text: the words of the text from which the model was learned; its single characters are types too.

    Returns:
        One row for each boundary (`morphemes`; `whole words` if these are known) and unit (`types`,
        `tokens`), with columns of `results/morphology.csv` (docs/results.md). Measures are means over the
        runs; sums are None if they differ between them.
    """
    variant = parse_knockout(knockout)
    model = replace(model, dropout=0.0)
    learn, test = (reference.take(entries) for entries in split_entries(reference, evaluation))
    spelling = spell_reference(model, test)
    before = segment_entries(model.merges, spelling)
    base = blame_merges(model, learn, learn.weights(None))
    products = ["".join(merge) for merge in model.merges]

    runs = []
    random = variant.is_random or variant.method == "dropout" or dropout > 0
    pruned = model
    for run in range(repeats if random else 1):
        if run == 0 or variant.is_random:
            pruned = prune_model(
                model, variant, learn, frequencies=frequencies, counts=counts, seed=seed + run
            )
        rate = dropout or pruned.dropout
        runs.append(
            segment_entries(
                pruned.merges, spelling, split=pruned.split, dropout=rate, seed=seed + run
            )
        )
    kept = set(map("".join, pruned.merges)) - pruned.split
    gone = np.array([product not in kept for product in products], dtype=np.bool_)
    rate = dropout or pruned.dropout
    types = types_of(model)
    vocabulary = len(types) - int(gone.sum()) + len(kept.difference(products))
    common = _common(str(variant), evaluation, rate, QUEUE, vocabulary)
    last = {
        "runs": len(runs),
        "pruned": float(gone.mean()) if len(gone) else 0.0,
        "effective_dropout": rate or base.effective_dropout(gone),
    }
    measured = [EvaluationRun(run.cuts(), run.counts, run.types) for run in runs]
    types.difference_update(p for p, away in zip(products, gone, strict=True) if away)
    # Every token is one of these types or a single character.
    single = [] if spelling.of_bytes else spell(model, [*reference.words, *text]).alphabet
    size = len(types.union(kept, single))
    return evaluation_rows(
        measured, test, frequencies, common, last, before=before.counts, size=size
    )


def evaluate_ideal(reference: Reference, frequencies: Mapping[str, int] | None = None) -> list[Row]:
    """The rows, as in `evaluate`, of a tokenizer that cuts exactly between morphemes (section A.7, Table 7).
    Its vocabulary is the distinct pieces."""
    cuts = reference.morphemes.take(reference.analyses[:-1])
    pieces = {piece for word in cuts.pieces(reference.words) for piece in word}
    common = _common("ideal", "full", 0.0, "", len(pieces))
    return [
        {
            **common,
            "boundaries": boundaries,
            "unit": unit,
            **compare(cuts, gold, reference, weights),
            "tokens_per_word": _tokens_per_word(cuts.counts + 1, weights),
            "runs": 1,
        }
        for boundaries, gold, unit, weights in _scores(reference, frequencies)
    ]


def _common(
    knockout: str, evaluation: str, dropout: float, kind: str, vocabulary: int | None
) -> Row:
    """The columns of the settings."""
    return {
        "knockout": knockout,
        "evaluation": canonical_evaluation(evaluation),
        "dropout": dropout,
        "dropout_kind": kind if dropout else "",
        "vocabulary": vocabulary,
    }


@dataclass(frozen=True)
class EvaluationRun:
    """One segmentation of the E entries of a reference into T tokens.

    Attributes:
        cuts: its cuts.
        counts: number of tokens of each entry, shape (E,).
        types: number of the type of each token, shape (T,).
        known: whether the tokenizer knows each entry, shape (E,); None if it knows all.
    """

    cuts: Cuts
    counts: NDArray[np.int64]
    types: NDArray[np.integer]
    known: NDArray[np.bool_] | None = None


def evaluation_rows(
    runs: Sequence[EvaluationRun],
    reference: Reference,
    frequencies: Mapping[str, int] | None,
    common: Row,
    last: Row,
    before: NDArray[np.int64],
    size: int | None,
) -> list[Row]:
    """The rows of `evaluate`: means over runs, for each boundary and each unit. `common` and `last` are the
    columns before and after the scores; `before` is the tokens of each entry before pruning, shape (E,);
    `size` is that of the vocabulary with single characters, None if it is not known."""
    intrinsic = {
        unit: _intrinsic(runs, reference, weights, size)
        for unit, weights in _units(reference, frequencies).items()
    }
    return [
        {
            **common,
            "boundaries": boundaries,
            "unit": unit,
            **_mean([compare(run.cuts, gold, reference, weights, run.known) for run in runs]),
            "tokens_per_word_before": _tokens_per_word(before, weights),
            "tokens_per_word": intrinsic[unit]["fertility"],
            **last,
            **intrinsic[unit],
        }
        for boundaries, gold, unit, weights in _scores(reference, frequencies)
    ]


def _intrinsic(
    runs: Sequence[EvaluationRun],
    reference: Reference,
    weights: NDArray[np.int64],
    size: int | None,
) -> dict[str, float]:
    """The measures `OF_TOKENS` (`seggrid.segment.measures`) of the weighted words of a reference, averaged
    over runs."""
    characters = np.diff(reference.offsets)
    octets = np.array([len(word.encode()) for word in reference.words])
    measured = []
    for run in runs:
        counts = TokenCounts(
            tokens=int(run.counts @ weights),
            words=int(weights.sum()),
            continued=int((run.counts > 1) @ weights),
            characters=int(characters @ weights),
            octets=int(octets @ weights),
            types=type_counts(run.types, np.repeat(weights, run.counts)),
            size=size,
        )
        measured.append(measure_tokens(counts))
    return {name: float(np.mean([own[name] for own in measured])) for name in OF_TOKENS}


def compare(
    predicted: Cuts,
    gold: Cuts,
    reference: Reference,
    weights: NDArray[np.int64],
    known: NDArray[np.bool_] | None = None,
) -> dict[str, Any]:
    """Boundary precision, recall and F1, over all boundaries of a reference and as means over its entries;
    `gold` are its `morphemes` or `whole_words`, `weights` those of its E entries.

    An entry of n characters has n - 1 tests. Its counts are multiplied by its weight. If there are several
    analyses, the one that matches best is used (`best_analyses`). A measure whose denominator is 0 is 0.

    The means `macro_precision` and `macro_recall` are over entries of two or more characters (BPR of Virpioja
    et al. 2011). An entry without predicted cuts has a precision of 1, an entry with an analysis without cuts
    a recall of 1. The precision is over the `known` entries, since an unknown token has no cuts. If there are
    several analyses, precision and recall each use the one that is best for them. `macro_f1` is the harmonic
    mean of the two. If there is no such entry, they are nan.
    """
    chosen = gold.take(best_analyses(predicted, gold, reference))
    true_positives = int((predicted.shared(chosen) * weights).sum())
    n_predicted = int((predicted.counts * weights).sum())
    positives = int((chosen.counts * weights).sum())
    return {
        "true_positives": true_positives,
        "predicted": n_predicted,
        "positives": positives,
        "tests": int(((np.diff(reference.offsets) - 1) * weights).sum()),
        "precision": true_positives / max(n_predicted, 1),
        "recall": true_positives / max(positives, 1),
        "f1": 2 * true_positives / max(n_predicted + positives, 1),
        **_means_over_words(predicted, gold, reference, weights, known),
    }


def _means_over_words(
    predicted: Cuts,
    gold: Cuts,
    reference: Reference,
    weights: NDArray[np.int64],
    known: NDArray[np.bool_] | None,
) -> dict[str, float]:
    """The macro measures, see `compare`."""
    shared = predicted.shared(gold, reference.entry_of)
    long = np.diff(reference.offsets) > 1
    trusted = long if known is None else long & known
    if not weights[trusted].sum():
        return dict.fromkeys(MACRO, float("nan"))
    means = []
    for cuts, among in ((predicted.counts[reference.entry_of], trusted), (gold.counts, long)):
        share = np.where(cuts == 0, 1.0, shared / np.maximum(cuts, 1))
        best = np.maximum.reduceat(share, reference.analyses[:-1])
        means.append(float((best * weights)[among].sum() / weights[among].sum()))
    total_of_means = sum(means)
    f1 = 2 * means[0] * means[1] / total_of_means if total_of_means else 0.0
    return dict(zip(MACRO, (*means, f1), strict=True))


def types_of(model: AnyModel) -> set[str]:
    """The types of a model's vocabulary, or else the parts and products of its merges."""
    if vocabulary := getattr(model, "vocabulary", None):
        return set(vocabulary)
    return {part for m in model.merges for part in m}.union(map("".join, model.merges))


def texts_of_types(model: AnyModel) -> set[str]:
    """What the types of a model spell; incomplete characters are left out."""
    types = types_of(model)
    if not (isinstance(model, TokenizerModel) and model.of_bytes):
        return types
    is_spelled = set(byte_symbols()).issuperset
    return {bytes_of(text).decode(errors="ignore") for text in types if is_spelled(text)}


def split_entries(
    reference: Reference, evaluation: str
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The indices of the entries on which blame is computed, and of those on which the model is evaluated."""
    share = parse_evaluation(evaluation)
    every = np.arange(len(reference))
    learn, test = (every, every) if share is None else reference.holdout(share)
    if not len(test) or not len(learn):
        raise InputError(f"{evaluation} leaves no entry to learn from or to evaluate on")
    return learn, test


def _scores(
    reference: Reference, frequencies: Mapping[str, int] | None
) -> Iterator[tuple[str, Cuts, str, NDArray[np.int64]]]:
    """The combinations to be scored: name and cuts of the boundaries, unit, and weights of entries."""
    units = _units(reference, frequencies)
    for name, gold in (("morphemes", reference.morphemes), ("whole words", reference.whole_words)):
        if gold is not None:
            for unit, weights in units.items():
                yield name, gold, unit, weights


def _units(
    reference: Reference, frequencies: Mapping[str, int] | None
) -> dict[str, NDArray[np.int64]]:
    """The weights of the entries in each unit, shape (E,)."""
    units = {"types": reference.weights(None)}
    if frequencies is not None:
        units["tokens"] = reference.weights(frequencies)
    return units


def _mean(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """The means of the measures over runs; sums are None unless they are equal in every run."""
    mean = {key: float(np.mean([run[key] for run in runs])) for key in MEASURES}
    sums = {key: {run[key] for run in runs} for key in SUMS}
    return {key: own.pop() if len(own) == 1 else None for key, own in sums.items()} | mean


def _tokens_per_word(counts: NDArray[np.int64], weights: NDArray[np.int64]) -> float:
    return float((counts * weights).sum() / weights.sum())


def evaluate_segmentation(
    plain: Segmentation,
    reference: Reference,
    evaluation: str = "full",
    *,
    samples: Sequence[Segmentation] = (),
    dropout: float = 0.0,
    dropout_kind: str = "",
    vocabulary: int | None = None,
    size: int | None = None,
    frequencies: Mapping[str, int] | None = None,
    unknown: str | None = None,
) -> list[Row]:
    """Compare how any segmenter cuts the words of a reference with their analyses; rows are those of
    `evaluate` for the knockout `none`.

    Args:
        plain: the words of the reference, a sentence each, mapped to their characters
            (`seggrid.segment.side_segmenter.segment_words`).
        samples: random segmentations of the same words; if there are any, measures are means over them.
        vocabulary: number of types of the segmenter; None if unknown.
        size: the same, including the single characters of the reference; by default, `vocabulary`.
        unknown: the type that stands for unknown text, if there is one.
    """
    _, entries = split_entries(reference, evaluation)
    test = reference.take(entries)
    runs = [
        EvaluationRun(cuts_of(taken), taken.lengths, taken.ids, known_words(taken, unknown))
        for taken in (sample.take(entries) for sample in samples or [plain])
    ]
    common = _common("none", evaluation, dropout, dropout_kind, vocabulary)
    last = {"runs": len(runs), "pruned": 0.0, "effective_dropout": dropout}
    before = plain.take(entries).lengths
    size = vocabulary if size is None else size
    return evaluation_rows(runs, test, frequencies, common, last, before=before, size=size)


def known_words(segmentation: Segmentation, unknown: str | None) -> NDArray[np.bool_]:
    """Whether each word, a sentence of a segmentation, has tokens, none of which stands for `unknown` text,
    shape (W,)."""
    strange = np.array([text == unknown for text in segmentation.types], dtype=np.bool_)
    word = np.repeat(np.arange(len(segmentation)), segmentation.lengths)
    unlike = np.bincount(word, strange[segmentation.ids], minlength=len(segmentation))
    known: NDArray[np.bool_] = (unlike == 0) & (segmentation.lengths > 0)
    return known


def remark_on_unknown(reference: Reference, known: NDArray[np.bool_]) -> str:
    """A remark on the words of a reference that a tokenizer does not know; empty if it knows all."""
    if known.all():
        return ""
    some = f"{np.count_nonzero(~known):,} of {len(known):,} words of {reference.file.name}"
    first = reference.words[int(np.argmin(known))]
    return f"{some} have an unknown token, such as {first}: MorphScore and macro precision leave them out"


def cuts_of(segmentation: Segmentation) -> Cuts:
    """The cuts by tokens of words, whose segmentation has them as its sentences and their characters as its
    words.

    There is a cut before the first character of a token if there are tokens before it in the word and none of
    them overlaps that character: tokens of bytes that divide a character make no cut in it.
    """
    word = np.repeat(np.arange(len(segmentation)), segmentation.lengths)
    # A token that is only the mark of a word's start stands for no character.
    real = segmentation.last >= segmentation.first
    word, first, last = word[real], segmentation.first[real], segmentation.last[real]
    far = int(last.max(initial=0)) + 1
    reached = np.maximum.accumulate(word * far + last)
    is_cut = np.zeros(len(word), dtype=np.bool_)
    is_cut[1:] = (word[1:] == word[:-1]) & ((word * far + first)[1:] > reached[:-1])
    counts = np.bincount(word[is_cut], minlength=len(segmentation))
    return Cuts(first[is_cut].astype(np.int64), offsets_of(counts))
