"""Intrinsic measures of a segmentation: length of its tokens, fragmentation of words, distribution of types;
and their file.

N is the number of tokens, W the number of words, p the distribution of tokens over types. Numerator and
denominator of each ratio are sums over sentences. An undefined measure is nan.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seggrid.base.errors import InputError
from seggrid.base.files import atomic_write
from seggrid.text.ragged import each_block, offsets_of
from seggrid.text.segmentation import Segmentation
from seggrid.text.words import Words

if TYPE_CHECKING:
    from seggrid.segment.side import Side

RENYI_ORDER = 2.5
"""The order at which Rényi efficiency predicts quality best (Zouhar et al. 2023, section 5)."""

PERCENTILES = (0.03, 0.83)
"""Percentiles of rank; types between them are neither very frequent nor rare (the same paper)."""

WINDOW = 500
"""Number of tokens of a window of `moving_type_token_ratio`."""

_DIGEST = "digest"
"""The key of the digest of the segmentation in a file of measures."""

LEAST_BIGRAMS = 3
"""Types that begin fewer bigrams are left out of `bigram_entropy`."""


@dataclass(frozen=True)
class TokenCounts:
    """What the measures of tokens are computed from, however words are grouped in sentences.

    Attributes:
        tokens: number of tokens.
        words: number of words.
        continued: number of words that two or more tokens overlap.
        characters: characters of the words.
        octets: UTF-8 bytes of the words.
        types: occurrences of each type, descending, shape (V,).
        size: declared size of the vocabulary, if it is.
    """

    tokens: int
    words: int
    continued: int
    characters: int
    octets: int
    types: NDArray[np.int64]
    size: int | None


class MeasuredText(NamedTuple):
    """What the other measures are computed from.

    Attributes:
        cut: the segmentation.
        counts: counts of its tokens.
        spelled: bytes of a type; None if all types consist of whole characters.
    """

    cut: Segmentation
    counts: TokenCounts
    spelled: Callable[[str], bytes] | None

    def share_of_parts(self, kind: int) -> float:
        """The share of tokens for which `parts_of_characters` has a true value in that place."""
        if self.spelled is None:
            return _ratio(0, self.counts.tokens)
        parts = [parts_of_characters(self.spelled(text))[kind] for text in self.cut.types]
        return _ratio(np.array(parts)[self.cut.ids].sum(), self.counts.tokens)


def tokens_of_words(
    segmentation: Segmentation, sentences: Sequence[Sequence[str]]
) -> NDArray[np.int64]:
    """How many tokens overlap each word of a text, shape (W,)."""
    lengths = sentences.lengths if isinstance(sentences, Words) else list(map(len, sentences))
    starts = offsets_of(lengths)
    found = np.zeros(starts[-1], dtype=np.int64)
    for begin, end in each_block(len(segmentation)):
        part = segmentation.block(begin, end)
        real = part.last >= part.first
        base = np.repeat(starts[begin:end] - starts[begin], part.lengths)[real]
        # +1 at the first word of a token, -1 after its last: the sum up to a word is that of its tokens.
        size = int(starts[end] - starts[begin]) + 1
        begun = np.bincount(base + part.first[real], minlength=size)
        ended = np.bincount(base + part.last[real] + 1, minlength=size)
        found[starts[begin] : starts[end]] = np.cumsum((begun - ended)[:-1])
    return found


def type_counts(
    ids: NDArray[np.integer], weights: NDArray[np.integer] | None = None
) -> NDArray[np.int64]:
    """The counts of the types that occur, descending, shape (V,), from the type of each token and how often
    it counts, by default once."""
    counts = np.bincount(ids, weights).astype(np.int64)
    return np.sort(counts[counts > 0])[::-1]


def renyi_efficiency(counts: NDArray[np.integer], size: int | None = None) -> float:
    """Rényi entropy of the tokens, divided by that of a uniform distribution over the vocabulary.

    H_α = log2(Σ p^α) / (1 − α), divided by log2 |V|, where α is `RENYI_ORDER` (Zouhar et al. 2023,
    "Tokenization and the Noiseless Channel", definitions 3.2 and 4.4). |V| is the declared size if there is
    one, since tokenizers may differ only in their number of unused types; otherwise that of types that occur.

    >>> round(renyi_efficiency(np.array([1, 1, 1, 1])), 6)
    1.0
    """
    used = np.asarray(counts, dtype=np.float64)
    used = used[used > 0]
    size = len(used) if size is None else size
    if size < 2 or not len(used):
        return float("nan")
    share = used / used.sum()
    entropy = np.log2((share**RENYI_ORDER).sum()) / (1 - RENYI_ORDER)
    return float(entropy / np.log2(size))


def percentile_frequency(counts: NDArray[np.integer]) -> float:
    """The share of the tokens whose types lie between `PERCENTILES` of rank; the type at the
    first is included, that at the second is not; from the descending counts of types."""
    if not len(counts):
        return float("nan")
    first, last = (min(int(len(counts) * share), len(counts) - 1) for share in PERCENTILES)
    if first == last:
        first = max(0, first - 1)
    if first == last:
        last = min(len(counts) - 1, last + 1)
    return float(counts[first:last].sum() / counts.sum())


def average_rank(counts: NDArray[np.integer]) -> float:
    """The mean over tokens of the rank of their type by frequency, from 1 for the most frequent one; from the
    descending counts of types.

    >>> average_rank(np.array([3, 1]))
    1.25
    """
    return _ratio(float((counts * np.arange(1, len(counts) + 1)).sum()), float(counts.sum()))


def moving_type_token_ratio(ids: NDArray[np.integer]) -> float:
    """The mean share of distinct types in all windows of `WINDOW` consecutive tokens, of the types of the T
    tokens of a text. Unlike that of the whole text, it does not fall with the text's length (Covington and
    McFall 2010, "Cutting the Gordian knot")."""
    tokens, window = len(ids), WINDOW
    if tokens < window:
        return math.nan
    order = np.argsort(ids, kind="stable")
    again = np.flatnonzero(ids[order[1:]] == ids[order[:-1]])
    before = np.full(tokens, -1, dtype=np.int64)
    before[order[again + 1]] = order[again]
    # A token adds a type to the windows that contain it, but not the previous token of its type.
    place = np.arange(tokens)
    first = np.maximum(before, np.maximum(place - window, -1))
    last = np.minimum(place, tokens - window)
    return float(np.maximum(last - first, 0).sum() / (tokens - window + 1) / window)


def bigram_entropy(segmentation: Segmentation) -> float:
    """How evenly the next type is distributed after a type, within sentences, from 0 to 1.

    The entropy of the next type, divided by its maximum for the number of types that follow; the mean over
    types, weighted by the number of their bigrams (Poelman et al. 2025, "Confounding factors in relating
    model performance to morphology").
    """
    inside = np.ones(len(segmentation.ids), dtype=np.bool_)
    inside[segmentation.offsets[1:][segmentation.lengths > 0] - 1] = False
    first = np.flatnonzero(inside)
    types = max(len(segmentation.types), 1)
    pairs = segmentation.ids[first].astype(np.int64) * types + segmentation.ids[first + 1]
    distinct, counts = np.unique(pairs, return_counts=True)
    left = distinct // types
    total, followers = np.bincount(left, counts), np.bincount(left)
    share = counts / total[left]
    entropy = np.bincount(left, -share * np.log2(share))
    used = total >= LEAST_BIGRAMS
    varied = used & (followers > 1)
    evenness = (entropy[varied] / np.log2(followers[varied]) * total[varied]).sum()
    return _ratio(float(evenness), float(total[used].sum()))


def parts_of_characters(spelled: bytes) -> tuple[bool, bool]:
    """Whether a token of these bytes contains an incomplete UTF-8 character; and whether it contains others,
    too.

    >>> parts_of_characters("é".encode()), parts_of_characters("é".encode()[1:] + "你".encode()[:1])
    ((False, False), (True, True))
    """
    incomplete = spelled.decode(errors="ignore").encode() != spelled
    # Characters of which it has bytes: each begins with a byte that continues none, but for the first.
    begun = sum(byte & 0xC0 != 0x80 for byte in spelled)
    return incomplete, incomplete and (spelled[0] & 0xC0 == 0x80) + begun > 1


def jensen_shannon_divergence(one: Segmentation, other: Segmentation) -> float:
    """How much the distributions of tokens over types differ in two texts, from 0 to 1 (no type in common).

    The mean of the divergences of the two distributions from their average, with base-2 logarithms (Lin 1991,
    "Divergence measures based on the Shannon entropy"); types are equal if their texts are.
    """
    if not len(one.ids) or not len(other.ids):
        return math.nan
    number = {text: k for k, text in enumerate(dict.fromkeys([*one.types, *other.types]))}
    shares = []
    for cut in (one, other):
        place = np.array([number[text] for text in cut.types], dtype=np.int64)
        shares.append(np.bincount(place[cut.ids], minlength=len(number)) / len(cut.ids))
    mean = (shares[0] + shares[1]) / 2
    parts = [
        float((share[share > 0] * np.log2(share[share > 0] / mean[share > 0])).sum())
        for share in shares
    ]
    return max(0.0, sum(parts) / 2)


class Measure(NamedTuple):
    """A measure of one side. Without a formula, it needs the model, see
    `seggrid.segment.side_segmenter.measures_of`.

    Attributes:
        meaning: what it says, for the page.
        of_tokens: its formula, if it does not depend on how words are grouped in sentences.
        of_text: its formula, if it does.
        detail: what docs/methods.md adds to `meaning`.
    """

    meaning: str
    of_tokens: Callable[[TokenCounts], float] | None = None
    of_text: Callable[[MeasuredText], float] | None = None
    detail: str = ""


MEASURES = {
    "tokens": Measure("the number of tokens", lambda c: c.tokens),
    "fertility": Measure("tokens per word", lambda c: _ratio(c.tokens, c.words)),
    "continued_words": Measure(
        "the share of words with two or more tokens", lambda c: _ratio(c.continued, c.words)
    ),
    "characters_per_token": Measure(
        "the mean length of a token in characters", lambda c: _ratio(c.characters, c.tokens)
    ),
    "bytes_per_token": Measure(
        "the mean length of a token in bytes", lambda c: _ratio(c.octets, c.tokens)
    ),
    "renyi_efficiency": Measure(
        "how evenly the types of the vocabulary are used (Rényi entropy of order 2.5)",
        lambda c: renyi_efficiency(c.types, c.size),
        detail="divided by log |V| (Zouhar et al. 2023)",
    ),
    "percentile_frequency": Measure(
        "the share of tokens that are neither very frequent nor rare",
        lambda c: percentile_frequency(c.types),
        detail="their types have a rank between 3% and 83% (the same paper)",
    ),
    "vocabulary_use": Measure(
        "the share of the vocabulary that occurs",
        lambda c: math.nan if c.size is None else _ratio(len(c.types), c.size),
        detail="of the declared vocabulary V, see below",
    ),
    "sentence_tokens": Measure(
        "the mean number of tokens in a sentence",
        of_text=lambda t: _ratio(t.counts.tokens, len(t.cut)),
    ),
    "sentence_tokens_p95": Measure(
        "the 95th percentile of tokens in a sentence",
        of_text=lambda t: float(np.percentile(t.cut.lengths, 95)) if len(t.cut) else math.nan,
    ),
    "type_token_ratio": Measure(
        "distinct tokens divided by tokens",
        of_text=lambda t: _ratio(len(t.counts.types), t.counts.tokens),
    ),
    "moving_type_token_ratio": Measure(
        "distinct tokens divided by tokens, in windows of 500 tokens",
        of_text=lambda t: moving_type_token_ratio(t.cut.ids),
        detail="the mean over all of them (Covington and McFall 2010)",
    ),
    "average_rank": Measure(
        "the mean rank of tokens by frequency",
        of_text=lambda t: average_rank(t.counts.types),
        detail="the most frequent type has rank 1",
    ),
    "bigram_entropy": Measure(
        "how hard the next token is to predict from one token",
        of_text=lambda t: bigram_entropy(t.cut),
        detail="entropy of the types that follow a type, divided by its maximum; mean over types "
        "with at least 3 bigrams, weighted by their number of bigrams (Poelman et al. 2025)",
    ),
    "incomplete_tokens": Measure(
        "the share of tokens that are a part of a character",
        of_text=lambda t: t.share_of_parts(0),
        detail="that is, of its bytes (TokEval); 0 for segmenters that do not divide characters",
    ),
    "crossing_tokens": Measure(
        "the share of tokens that have a part of a character and more",
        of_text=lambda t: t.share_of_parts(1),
        detail="that is, some of its bytes and other bytes (TokEval)",
    ),
    "unreachable_types": Measure(
        "the number of learned types that can never occur",
        detail="a type is reachable if its own text is segmented into this one token; for BPE, "
        "WordPiece, Unigram, GreedTok and MinGram without dropout, within words",
    ),
    "unknown_tokens": Measure(
        "the share of tokens that stand for unknown text",
        detail="0 for segmenters learned here (TokEval)",
    ),
    "exact_sentences": Measure(
        "the share of sentences that the tokens spell exactly",
        detail="as the library decodes them, ignoring a space at either end; without a "
        "library, compared without spaces (TokEval)",
    ),
}
"""The measures of one side by their names, in the order of the tables."""


OF_TOKENS = tuple(name for name, own in MEASURES.items() if own.of_tokens)


def measure_tokens(counts: TokenCounts) -> dict[str, float]:
    """The measures `OF_TOKENS`."""
    return {name: own.of_tokens(counts) for name, own in MEASURES.items() if own.of_tokens}


def measure_segmentation(
    cut: Segmentation,
    sentences: Sequence[Sequence[str]],
    size: int | None = None,
    spelled: Callable[[str], bytes] | None = None,
) -> dict[str, float]:
    """The measures that need only tokens, types, text and the declared size of the vocabulary, not the
    model."""
    words = [word for sentence in sentences for word in sentence]
    counts = TokenCounts(
        tokens=len(cut.ids),
        words=len(words),
        continued=int((tokens_of_words(cut, sentences) > 1).sum()),
        characters=sum(map(len, words)),
        octets=sum(len(word.encode()) for word in words),
        types=type_counts(cut.ids),
        size=size,
    )
    text = MeasuredText(cut, counts, spelled)
    of_text = {name: own.of_text(text) for name, own in MEASURES.items() if own.of_text}
    return measure_tokens(counts) | of_text


def _ratio(numerator: float, denominator: float) -> float:
    return float(numerator / denominator) if denominator else math.nan


def segmentation_digest(
    segmentation: Segmentation, side: Side, measures: Mapping[str, float]
) -> str:
    """A digest that is equal for equal segmentations of a text.

    Samples of different sides are drawn with different seeds. They count as equal if the sides differ only in
    asking for more merges, or types, than the text has: than `measures` says that the model really has.
    """
    if not side.sampled:
        return segmentation.digest()
    size = "merges" if side.vocabulary is None else "vocabulary"
    if side.nested and size in measures:
        real_size: dict[str, Any] = {size: int(measures[size])}
        side = replace(side, **real_size)
    return hashlib.sha256(str(side).encode()).hexdigest()[:32]


def write_measures(path: str | Path, measures: Mapping[str, float], digest: str) -> None:
    """Write measures by name as JSON, without those that are nan, and the digest of the segmentation."""
    content: dict[str, float | str] = {_DIGEST: digest}
    content |= {name: value for name, value in measures.items() if not math.isnan(value)}
    with atomic_write(path) as file:
        json.dump(content, file, indent=1)
        file.write("\n")


class Measured(NamedTuple):
    """The measures of a side by name, without those that are nan, and the `segmentation_digest`, if
    measured."""

    measures: Mapping[str, float] = MappingProxyType({})
    digest: str = ""


def read_measures(path: str | Path) -> Measured:
    """Read what `write_measures` wrote."""
    try:
        found = json.loads(Path(path).read_text("utf-8"))
        digest = str(found.pop(_DIGEST))
        return Measured({str(name): float(value) for name, value in found.items()}, digest)
    except (ValueError, AttributeError, TypeError, KeyError) as error:
        hint = "delete it and run again"
        raise InputError(f"damaged ({error})", file=path, hint=hint) from None
