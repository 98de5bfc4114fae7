"""Boundary scores of any segmenter, beside those of a BPE that can be pruned (`evaluate`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from seggrid.data.ragged import offsets_of
from seggrid.data.segmentation import Segmentation
from seggrid.morphology.cuts import Cuts
from seggrid.morphology.evaluate import Row, Run, parts_of, rows_of
from seggrid.morphology.references import Reference
from seggrid.morphology.variants import canonical_evaluation


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
) -> list[Row]:
    """Compare how a segmenter cuts the words of a reference with their analyses.

    Args:
        plain: the words of the reference, a sentence each, mapped to their characters
            (`seggrid.segment.side_segmenter.SideSegmenter.segment_words`).
        reference: words and analyses.
        evaluation: `full`: on all entries; `holdout-r`: on those that `evaluate` evaluates on, so that
            its rows can be compared.
        samples: samples of segmentations of the same words; if there are any, measures are means over them.
        dropout, dropout_kind: rate and kind of dropout, if the samples are drawn with it.
        vocabulary: number of types of the segmenter; None if unknown.
        size: the same, with the single characters of the reference, for the measures over the vocabulary; by
            default, `vocabulary`.
        frequencies: as for `evaluate`.

    Returns:
        Rows as those of `evaluate`, of the knockout `none`.

    Raises:
        InputError: the evaluation is none, or leaves no entry.
    """
    _, entries = parts_of(reference, evaluation)
    test = reference.take(entries)
    runs = [
        Run(cuts_of(taken), taken.lengths, taken.ids)
        for taken in (sample.take(entries) for sample in samples or [plain])
    ]
    common = {
        "knockout": "none",
        "evaluation": canonical_evaluation(evaluation),
        "dropout": dropout,
        "dropout_kind": dropout_kind if dropout else "",
        "vocabulary": vocabulary,
    }
    last = {"runs": len(runs), "pruned": 0.0, "effective_dropout": dropout}
    before = plain.take(entries).lengths
    size = vocabulary if size is None else size
    return rows_of(runs, test, frequencies, common, last, before=before, size=size)


def cuts_of(segmentation: Segmentation) -> Cuts:
    """The cuts of words by tokens.

    A cut lies before the first character of a token if there are tokens before it in the word and none of
    these overlaps that character: tokens of bytes that divide a character make no cut in it.

    Args:
        segmentation: its sentences are words, its words their characters.
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
