"""What is recorded of a language model: its scores on held-out sentences, probes and tasks, and its training.

PPPL = exp(−Σ PLL / N) over N tokens (Salazar et al. 2020) is not comparable between vocabularies: a model
with longer tokens has fewer tokens to predict, which are harder. Bits per character and bits per word are
comparable: they divide the same sum by a number that is equal for all models of a text (as Mielke et al.
2019, "What kind of language is hard to language-model?", section 2, do for ordinary likelihoods).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, fields
from math import log
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from seggrid.base.arrays import read_arrays, write_arrays
from seggrid.base.json_file import read_json
from seggrid.base.lines import read_lines, write_lines
from seggrid.base.resampling import TAILS, bootstrap_weights

MEASURES = ("pppl", "bits_per_character", "bits_per_word")


@dataclass(frozen=True)
class SentenceScores:
    """The scores of one model for S test sentences.

    Attributes:
        pll: pseudo-log-likelihood of each sentence, natural logarithm, shape (S,).
        tokens: number of its tokens, shape (S,).
        characters: number of its characters, spaces between words included, shape (S,).
        words: number of its words, shape (S,).
        unknown: number of its tokens that are not in the vocabulary, shape (S,).
    """

    pll: NDArray[np.floating]
    tokens: NDArray[np.integer]
    characters: NDArray[np.integer]
    words: NDArray[np.integer]
    unknown: NDArray[np.integer]

    def same_text(self, other: SentenceScores) -> bool:
        """Whether both may be scores of the same text: sentence by sentence, words and characters are equally
        many."""
        return np.array_equal(self.characters, other.characters) and np.array_equal(
            self.words, other.words
        )


@dataclass(frozen=True)
class ProbeScores:
    """The scores of one model for the I items of a probe.

    Attributes:
        credits: credit of each item (`probes.credits`), shape (I,).
        candidates: number of its candidates, shape (I,).
        unknown: number of its tokens that are not in the vocabulary, shape (I,).
    """

    credits: NDArray[np.floating]
    candidates: NDArray[np.integer]
    unknown: NDArray[np.integer]

    @property
    def accuracy(self) -> float:
        """The mean credit for an item."""
        return float(self.credits.mean())

    @property
    def chance(self) -> float:
        """The expected accuracy of random choices."""
        return float((1 / self.candidates).mean())


@dataclass(frozen=True)
class TaskScores:
    """A fine-tuned model's predictions for S test sentences, and those of the baseline without a model.

    Attributes:
        right: number of right predictions, shape (S,).
        given: number of given labels or entities, shape (S,).
        predicted: number of predicted ones, shape (S,).
        baseline_right: right predictions of the baseline, shape (S,).
        baseline_predicted: labels or entities that the baseline predicts, shape (S,).
        trained: number of training sentences, shape (1,).
        unknown: number of test tokens that are not in the vocabulary, and of all, shape (2,).
        validation: right predictions, and the sum of gold and predicted ones; zeros without validation; shape
            (2,).
    """

    right: NDArray[np.integer]
    given: NDArray[np.integer]
    predicted: NDArray[np.integer]
    baseline_right: NDArray[np.integer]
    baseline_predicted: NDArray[np.integer]
    trained: NDArray[np.integer]
    unknown: NDArray[np.integer]
    validation: NDArray[np.integer]


Scores = TypeVar("Scores", SentenceScores, ProbeScores, TaskScores)


def write_scores(path: str | Path, scores: SentenceScores | ProbeScores | TaskScores) -> None:
    """Write scores, one array for each attribute."""
    write_arrays(path, {field.name: getattr(scores, field.name) for field in fields(scores)})


def read_model_scores(path: str | Path, kind: type[Scores]) -> Scores:
    """Read what `write_scores` wrote."""
    arrays = read_arrays(path)
    return kind(**{field.name: arrays[field.name] for field in fields(kind)})


def measure_model(
    scores: SentenceScores, weights: NDArray[np.floating] | None = None
) -> NDArray[np.float64]:
    """The `MEASURES` of a model, shape (3,); with weights, the number of times that each sentence is drawn in
    each resample, shape (B, S), those of the resamples, shape (B, 3)."""
    drawn = np.ones((1, len(scores.pll))) if weights is None else weights.astype(np.float64)
    loss = -(drawn @ scores.pll.astype(np.float64))
    tokens, characters, words = (
        drawn @ counts.astype(np.float64)
        for counts in (scores.tokens, scores.characters, scores.words)
    )
    values: NDArray[np.float64] = np.stack(
        [np.exp(loss / tokens), loss / (characters * log(2)), loss / (words * log(2))], axis=-1
    )
    return values if weights is not None else values[0]


def bootstrap_interval(
    statistic: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    size: int,
    rounds: int,
    seed: int,
) -> NDArray[np.float64]:
    """95% percentile bootstrap interval of a statistic, shape (2,) or (K, 2).

    The statistic is a function from the number of times that each of `size` items is drawn in each resample,
    shape (B, size), to values of shape (B,) or (B, K). The resamples depend only on size, rounds and seed.
    """
    values = statistic(bootstrap_weights(size, rounds, seed).astype(np.float64))
    ends: NDArray[np.float64] = np.quantile(values, TAILS, axis=0)
    return ends.T


def difference(
    scores: SentenceScores, other: SentenceScores, rounds: int, seed: int
) -> NDArray[np.float64]:
    """Measures of a model minus those of another with the same test sentences, with the ends of their
    intervals, shape (3, 3).

    Both models have the same resamples (paired bootstrap). PPPL is compared as a ratio, since it is an
    exponential; 1 means no difference.
    """

    def change(weights: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        ours, theirs = measure_model(scores, weights), measure_model(other, weights)
        values = ours - theirs
        values[..., 0] = ours[..., 0] / theirs[..., 0]
        return values

    return np.column_stack([change(), bootstrap_interval(change, len(scores.pll), rounds, seed)])


def verdict(low: float, high: float, level: float, above: str, below: str) -> str:
    """The verdict on an interval that may be above or below a level, in these words.

    >>> [verdict(*ends, 0.5, "better", "worse") for ends in ((0.6, 0.7), (0.4, 0.6), (0.3, 0.4))]
    ['better', 'not shown', 'worse']
    """
    return above if low > level else below if high < level else "not shown"


# The training of a model: two files in its folder, which are read without torch


_LOSSES = "step,loss,validation_loss"


@dataclass
class TrainingProgress:
    """The training of a model so far.

    Attributes:
        steps: number of steps, including those of the models that it continues.
        tokens: number of tokens in the batches of these steps, without padding and special tokens.
        key: digest of everything that the training depends on.
        takes_text: whether the tokenizer takes raw text; see `make_tokenizer`.
        validation_loss: the last loss on held-out sentences; None if there was none.
        losses: for each step, its number, its loss, and the loss on held-out sentences or None.
    """

    steps: int = 0
    tokens: int = 0
    key: str = ""
    takes_text: bool = False
    validation_loss: float | None = None
    losses: list[tuple[int, float, float | None]] = field(default_factory=list)


def write_progress(folder: str | Path, progress: TrainingProgress) -> None:
    """Write `training.json` and `losses.csv` into a folder."""
    values = asdict(progress)
    losses = values.pop("losses")
    write_lines(Path(folder, "training.json"), json.dumps(values, indent=1).split("\n"))
    rows = [f"{step},{loss!r},{'' if held is None else repr(held)}" for step, loss, held in losses]
    write_lines(Path(folder, "losses.csv"), [_LOSSES, *rows])


def read_progress(path: str | Path) -> TrainingProgress:
    """Read the training progress in a folder."""
    values = read_json(Path(path, "training.json"))
    rows = (row.split(",") for row in read_lines(Path(path, "losses.csv"))[1:])
    losses = [(int(step), float(loss), float(held) if held else None) for step, loss, held in rows]
    return TrainingProgress(**values, losses=losses)
