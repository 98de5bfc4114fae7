"""The lexical tokenizer on words of its part of speech, compared with other segmentations of the text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from seggrid.align import AXES as ALIGNER_AXES
from seggrid.base.resampling import bootstrap_weights, bounds
from seggrid.morphology.evaluate import cuts_of
from seggrid.morphology.references import entry_parts, read_reference
from seggrid.morphology.respelling import as_in_text
from seggrid.segment.side import Side
from seggrid.text.segmentation import Segmentation

SYLLABLES = ("all", "1", "2", "3", "4", "5+")
_BLOCK = 100  # resamples held in memory at a time


@dataclass(frozen=True)
class TaggedWords:
    """The W distinct words of a part of speech in a text.

    Attributes:
        words: the words, shape (W,).
        tokens: occurrences of each with that part of speech, shape (W,).
        covered: whether segments cover each, shape (W,).
        gold: entries of a morphological reference for these words with that part of speech: for each, the
            index of the word, and its cuts.
    """

    words: Sequence[str]
    tokens: NDArray[np.int64]
    covered: NDArray[np.bool_]
    gold: Sequence[tuple[int, frozenset[int]]] = ()


def gold_cuts(
    file: Path, format: str, words: Sequence[str], everything: set[str], side: Side
) -> list[tuple[int, frozenset[int]]]:
    """The entries of a reference for words with the part of speech of a lexical side, as `TaggedWords` has
    them; `everything` are all words of the text, in which entries are respelled."""
    reference = read_reference(file, format)
    parts = entry_parts(reference, format)
    reference = as_in_text(reference, everything, str(side.case))
    number = {word: i for i, word in enumerate(words)}
    return [
        (number[word], frozenset(reference.morphemes.word(int(reference.analyses[entry]))))
        for entry, (word, part) in enumerate(zip(reference.words, parts, strict=True))
        if word in number and (side.pos == "any" or part in (None, side.pos))
    ]


def lexical_rows(
    tagged: TaggedWords,
    own: str,
    segmented: Mapping[str, Segmentation],
    *,
    language: str | None = None,
    seed: int = 0,
    rounds: int,
) -> pd.DataFrame:
    """Coverage, pieces and boundary scores of tagged words: one row for each of `SYLLABLES` that occurs and
    each segmentation, with the columns of `results/lexical.csv` (docs/results.md).

    `own` names the lexical segmentation. `segmented` are the words, one per sentence, mapped to their
    characters (`seggrid.segment.side_segmenter.segment_words`), for each segmentation by its
    name. Syllables are counted by `language`. The bootstrap resamples distinct words, or entries of the
    reference.
    """
    syllables = [min(count_syllables(word, language), 5) for word in tagged.words]
    labels = np.array([SYLLABLES[n] for n in syllables])
    entry_word = np.array([word for word, _ in tagged.gold], dtype=np.int64)
    hits, predicted, pieces = {}, {}, {}
    for name, own_tokens in segmented.items():
        found = cuts_of(own_tokens)
        cuts = [frozenset(found.word(w)) for w in range(len(own_tokens))]
        pieces[name] = own_tokens.lengths.astype(np.float64)
        hits[name] = np.array([len(cuts[w] & gold) for w, gold in tagged.gold], dtype=np.float64)
        predicted[name] = np.array([len(cuts[w]) for w, _ in tagged.gold], dtype=np.float64)
    positives = np.array([len(gold) for _, gold in tagged.gold], dtype=np.float64)

    result = []
    for number, label in enumerate(SYLLABLES):
        word_rows = np.flatnonzero((label == "all") | (labels == label))
        if not len(word_rows):
            continue
        entry_rows = np.flatnonzero(np.isin(entry_word, word_rows))
        words = _Resampled(word_rows, (seed, number, 0), rounds)
        entries = _Resampled(entry_rows, (seed, number, 1), rounds)
        for name in segmented:
            row: dict[str, Any] = {"syllables": label, "segmentation": name}
            row |= {"words": len(word_rows), "tokens": int(tagged.tokens[word_rows].sum())}
            if name == own:
                one = np.ones(len(labels))
                row |= words.ratio("covered_words", tagged.covered, one)
                row |= words.ratio("covered_tokens", tagged.covered * tagged.tokens, tagged.tokens)
                row |= words.ratio(
                    "pieces_per_covered_word", pieces[name] * tagged.covered, tagged.covered
                )
            row |= words.ratio("pieces_per_word", pieces[name], np.ones(len(labels)))
            row["entries"] = len(entry_rows)
            if len(entry_rows):
                total = predicted[name] + positives
                row |= entries.ratio("precision", hits[name], predicted[name])
                row |= entries.ratio("recall", hits[name], positives)
                row |= entries.ratio("f1", 2 * hits[name], total)
                if name != own:
                    ours = predicted[own] + positives
                    row |= entries.difference(
                        "delta_f1", (2 * hits[own], ours), (2 * hits[name], total)
                    )
            result.append(row)
    return pd.DataFrame(result)


class _Resampled:
    """Ratios of sums over rows, with bootstrap intervals."""

    def __init__(self, rows: NDArray[np.integer], seed: tuple[int, ...], rounds: int) -> None:
        self._rows = rows
        count = -(-rounds // _BLOCK)
        self._seeds = np.random.SeedSequence(seed).generate_state(count).tolist()

    def ratio(self, name: str, top: NDArray[Any], bottom: NDArray[Any]) -> dict[str, float]:
        """Σ top / Σ bottom, and its interval, as `name`, `name_low` and `name_high`."""
        return self._interval(name, [top, bottom], _quotient)

    def difference(
        self,
        name: str,
        one: tuple[NDArray[Any], NDArray[Any]],
        other: tuple[NDArray[Any], NDArray[Any]],
    ) -> dict[str, float]:
        """The difference of two such ratios on the same resamples."""
        return self._interval(
            name, [*one, *other], lambda a, b, c, d: _quotient(a, b) - _quotient(c, d)
        )

    def _interval(
        self, name: str, columns: list[NDArray[Any]], statistic: Callable[..., NDArray[Any]]
    ) -> dict[str, float]:
        data = np.stack([column[self._rows] for column in columns], axis=1).astype(np.float32)
        drawn = np.concatenate(
            [statistic(*(bootstrap_weights(len(data), _BLOCK, s) @ data).T) for s in self._seeds]
        )
        defined = drawn[~np.isnan(drawn)]
        ends = np.quantile(defined, [0.025, 0.975]) if len(defined) else np.full(2, np.nan)
        middle = statistic(*(data.sum(axis=0, dtype=np.float64)[:, None]))[0]
        return {name: float(middle)} | bounds(name, ends)


def _quotient(top: NDArray[Any], bottom: NDArray[Any]) -> NDArray[np.float64]:
    top, bottom = np.asarray(top, dtype=np.float64), np.asarray(bottom, dtype=np.float64)
    return np.asarray(np.divide(top, bottom, out=np.full(top.shape, np.nan), where=bottom > 0))


def _alike() -> tuple[str, ...]:
    """Columns in which two compared cells are equal. Unless one of them is words, so are sides and size."""
    return "pair", "case", "sentences", "aligner", *ALIGNER_AXES, "symmetrization", "replicates"


def lexical_peers(scores: pd.DataFrame) -> list[tuple[str, str, str]]:
    """The comparisons of lexical cells: pair, lexical cell, and a cell of another segmenter of the same size.

    The other cells are those without dropout, sampling and knockout that segment the same sides and are
    aligned in the same way, and the words aligned in the same way.
    """
    whole = pd.to_numeric(scores["dropout"]).fillna(0) == 0
    for axis in ("knockout", "sampling"):
        if axis in scores:
            whole &= scores[axis].isin(["", "none"])
    plain = scores[whole & scores["f1"].notna()]
    alike = plain[[name for name in _alike() if name in plain]].map(str)
    words = plain["segmenter"] == "words"
    found = []
    for cell in plain[plain["segmenter"] == "lexical"].itertuples():
        same = (alike == alike.loc[cell.Index]).all(axis=1)
        sized = (plain["sides"] == cell.sides) & (plain["merges"] == cell.merges)
        others = plain[same & (words | sized) & (plain["segmenter"] != "lexical")]
        found += [(cell.pair, cell.cell, other) for other in others["cell"]]
    return found


_VOWELS = "aeiouyäöüáéíóúàèìòùâêîôûëïœæ"
_GROUPS = re.compile(f"[{_VOWELS}]+")
_SILENT = re.compile(f"(?<![{_VOWELS}l])e$|(?<=[{_VOWELS}]l)e$")


def count_syllables(word: str, language: str | None = None) -> int:
    """The number of groups of vowels of a word, at least one.

    Adjacent vowels of two syllables (`Be·amter`, `cre·ate`) count as one group. In English, a final `e` after
    a consonant is silent, except in `-le` after a consonant (`ta·ble`).

    >>> [count_syllables(word, "English") for word in ("made", "table", "whole", "the")]
    [1, 2, 1, 1]
    """
    text = word.lower()
    groups = len(_GROUPS.findall(text))
    if language == "English" and _SILENT.search(text):
        groups -= 1
    return max(groups, 1)
