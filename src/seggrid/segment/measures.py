"""Intrinsic measures of a segmentation: length of its tokens, fragmentation of words, distribution of types.

N is the number of tokens, W the number of words, p the distribution of tokens over types. Numerator and
denominator of each ratio are sums over sentences, so that sentences can be resampled. An undefined measure is
nan.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seggrid.base.files import atomic_write
from seggrid.data.boundary import BOUNDARY, WORD_END
from seggrid.data.ragged import offsets_of
from seggrid.data.segmentation import Segmentation
from seggrid.data.words import WordCounts, distinct_words, uncounted
from seggrid.errors import InputError
from seggrid.segment import SEGMENTERS
from seggrid.segment.bpe.units import sentence_units, unit_symbols

if TYPE_CHECKING:
    from seggrid.segment.side import Side

OF_TOKENS = (
    "tokens",
    "fertility",
    "continued_words",
    "characters_per_token",
    "bytes_per_token",
    "renyi_efficiency",
    "percentile_frequency",
    "vocabulary_use",
)
"""The measures that do not depend on how words are grouped in sentences: see `measure_counts`."""

OF_TEXT = (
    "sentence_tokens",
    "sentence_tokens_p95",
    "type_token_ratio",
    "moving_type_token_ratio",
    "average_rank",
    "bigram_entropy",
    "accessor_variety",
    "incomplete_tokens",
    "crossing_tokens",
    "segmentation_bits",
)
"""The others that need only tokens, types and text: see `measure`."""

OF_MODEL = ("unreachable_types", "unknown_tokens", "exact_sentences")
"""Those that need the model: see `seggrid.segment.side_segmenter.SideSegmenter.measures`."""

MEASURES = (*OF_TOKENS, *OF_TEXT, *OF_MODEL)
"""The measures of one side, in the order of the tables. docs/methods.md defines them."""

TOKENS, WORDS, CONTINUED, CHARACTERS, BYTES = range(5)

RENYI_ORDER = 2.5
"""The order at which Rényi efficiency predicts quality best (Zouhar et al. 2023, section 5)."""

PERCENTILES = (0.03, 0.83)
"""Percentiles of rank; types between them are neither very frequent nor rare (the same paper)."""


WINDOW = 500
"""Number of tokens of a window of `moving_type_token_ratio`."""

LEAST_BIGRAMS = 3
"""Types that begin fewer bigrams are left out of `bigram_entropy`."""


def sentence_counts(
    segmentation: Segmentation, sentences: Sequence[Sequence[str]]
) -> NDArray[np.int64]:
    """The counts of each sentence; their sums are the numerators and denominators of the ratios.

    Args:
        segmentation: S sentences.
        sentences: their words.

    Returns:
        Shape (S, 5): tokens; words; continued words (those that two or more tokens overlap); characters and
        UTF-8 bytes of the words. A word within a longer token is not continued.
    """
    counts = np.zeros((len(segmentation), 5), dtype=np.int64)
    counts[:, TOKENS] = segmentation.lengths
    words = np.array([len(sentence) for sentence in sentences], dtype=np.int64)
    counts[:, WORDS] = words
    counts[:, CHARACTERS] = [sum(map(len, sentence)) for sentence in sentences]
    counts[:, BYTES] = [sum(len(word.encode()) for word in sentence) for sentence in sentences]
    continued = _tokens_of_words(segmentation, words) > 1
    sentence_of_word = np.repeat(np.arange(len(segmentation)), words)
    counts[:, CONTINUED] = np.bincount(sentence_of_word[continued], minlength=len(segmentation))
    return counts


def words_without_tokens(segmentation: Segmentation, sentences: Sequence[Sequence[str]]) -> int:
    """The number of words in the text that no token overlaps: those that a tokenizer left out.

    Args:
        segmentation: S sentences.
        sentences: their words.
    """
    words = np.array([len(sentence) for sentence in sentences], dtype=np.int64)
    return int((_tokens_of_words(segmentation, words) == 0).sum())


def _tokens_of_words(segmentation: Segmentation, words: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many tokens overlap each word of the corpus, shape (W,); `words` is the number of words of each
    sentence, shape (S,)."""
    starts = offsets_of(words)
    real = segmentation.last >= segmentation.first
    base = np.repeat(starts[:-1], segmentation.lengths)[real]
    # +1 at the first word of a token, -1 after its last: the sum up to a word is the number of its tokens.
    steps = np.zeros(int(starts[-1]) + 1, dtype=np.int64)
    np.add.at(steps, base + segmentation.first[real], 1)
    np.add.at(steps, base + segmentation.last[real] + 1, -1)
    return np.cumsum(steps[:-1])


def type_counts(
    ids: NDArray[np.integer], weights: NDArray[np.integer] | None = None
) -> NDArray[np.int64]:
    """The counts of the types that occur, descending, shape (V,).

    Args:
        ids: the type of each token, shape (T,).
        weights: how often each token counts, shape (T,); by default, once.
    """
    counts = np.bincount(ids, weights).astype(np.int64)
    return np.sort(counts[counts > 0])[::-1]


def renyi_efficiency(counts: NDArray[np.integer], size: int | None = None) -> float:
    """Rényi entropy of the tokens, divided by that of a uniform distribution over the vocabulary.

    H_α = log2(Σ p^α) / (1 − α), divided by log2 |V|, where α is `RENYI_ORDER` (Zouhar et al.
    2023, "Tokenization and the Noiseless Channel", definitions 3.2 and 4.4).

    Args:
        counts: occurrences of each type, shape (V,).
        size: |V|; by default, the number of types that occur. Give the declared size if there is one:
            otherwise tokenizers look alike that differ only in their number of unused types.

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
    first is included, that at the second is not.

    Args:
        counts: occurrences of each type, descending, shape (V,).
    """
    if not len(counts):
        return float("nan")
    first, last = (min(int(len(counts) * share), len(counts) - 1) for share in PERCENTILES)
    if first == last:
        first = max(0, first - 1)
    if first == last:
        last = min(len(counts) - 1, last + 1)
    return float(counts[first:last].sum() / counts.sum())


def average_rank(counts: NDArray[np.integer]) -> float:
    """The mean over tokens of the rank of their type by frequency, from 1 for the most frequent one.

    Args:
        counts: occurrences of each type, descending, shape (V,).

    >>> average_rank(np.array([3, 1]))
    1.25
    """
    return _ratio(float((counts * np.arange(1, len(counts) + 1)).sum()), float(counts.sum()))


def moving_type_token_ratio(ids: NDArray[np.integer], window: int = WINDOW) -> float:
    """The mean share of distinct types in all windows of consecutive tokens, which, unlike that of the whole
    text, does not fall with its length (Covington and McFall 2010, "Cutting the Gordian knot").

    Args:
        ids: the type of each token of a text, shape (T,).
        window: number of tokens of a window; with fewer tokens the ratio is not defined.
    """
    tokens = len(ids)
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


class Bigrams(NamedTuple):
    """The pairs of neighbouring types within sentences.

    Attributes:
        left, right: the two types of each of B distinct pairs, shape (B,).
        counts: how often each occurs, shape (B,).
    """

    left: NDArray[np.int64]
    right: NDArray[np.int64]
    counts: NDArray[np.int64]

    @classmethod
    def of(cls, segmentation: Segmentation) -> Bigrams:
        """Count the pairs of a segmentation."""
        inside = np.ones(len(segmentation.ids), dtype=np.bool_)
        inside[segmentation.offsets[1:][segmentation.lengths > 0] - 1] = False
        first = np.flatnonzero(inside)
        types = max(len(segmentation.types), 1)
        pairs = segmentation.ids[first].astype(np.int64) * types + segmentation.ids[first + 1]
        distinct, counts = np.unique(pairs, return_counts=True)
        return cls(*np.divmod(distinct, types), counts)


def bigram_entropy(bigrams: Bigrams) -> float:
    """How evenly the next type is distributed after a type, within sentences, from 0 to 1.

    The entropy of the next type, divided by its maximum for the number of types that follow; the mean over
    types, weighted by the number of their bigrams (Poelman et al. 2025, "Confounding factors in relating
    model performance to morphology").

    Args:
        bigrams: the bigrams of a segmentation.
    """
    total = np.bincount(bigrams.left, bigrams.counts)
    followers = np.bincount(bigrams.left)
    share = bigrams.counts / total[bigrams.left]
    entropy = np.bincount(bigrams.left, -share * np.log2(share))
    used = total >= LEAST_BIGRAMS
    varied = used & (followers > 1)
    evenness = (entropy[varied] / np.log2(followers[varied]) * total[varied]).sum()
    return _ratio(float(evenness), float(total[used].sum()))


def accessor_variety(segmentation: Segmentation, bigrams: Bigrams) -> float:
    """The number of distinct types before a type, or after it, whichever is smaller; the mean over types.

    Each sentence that a type begins, or ends, counts as one more neighbour (Feng et al. 2004, "Accessor
    variety criteria for Chinese word extraction").

    Args:
        segmentation: S sentences.
        bigrams: its bigrams.
    """
    size = len(segmentation.types)
    filled = np.flatnonzero(segmentation.lengths)
    first = segmentation.ids[segmentation.offsets[filled]]
    last = segmentation.ids[segmentation.offsets[filled + 1] - 1]
    before = np.bincount(bigrams.right, minlength=size) + np.bincount(first, minlength=size)
    after = np.bincount(bigrams.left, minlength=size) + np.bincount(last, minlength=size)
    # Every type that occurs has a neighbour, or the end of a sentence, on both sides.
    return _ratio(float(np.minimum(before, after).sum()), float((before > 0).sum()))


def parts_of_characters(spelled: bytes) -> tuple[bool, bool]:
    """Whether a token contains an incomplete UTF-8 character; and whether it contains others as well.

    Args:
        spelled: the token's bytes, a part of a text in UTF-8.

    >>> parts_of_characters("é".encode()), parts_of_characters("é".encode()[1:] + "你".encode()[:1])
    ((False, False), (True, True))
    """
    starts = [place for place, byte in enumerate(spelled) if byte & 0xC0 != 0x80]
    headless = bool(spelled) and starts[:1] != [0]
    lead = spelled[starts[-1]] if starts else 0
    # The first byte of a character of several bytes begins with as many 1 bits as the character has bytes.
    needed = 1 if lead < 0x80 else 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
    cut = bool(starts) and len(spelled) - starts[-1] < needed
    return headless or cut, (headless or cut) and headless + len(starts) > 1


def vocabulary_of(
    sentences: Iterable[Sequence[str]] | WordCounts,
    types: Collection[str],
    spaces: bool = True,
    marking: str = "start",
) -> set[str]:
    """A vocabulary: the single characters of a text, and the other types of a model.

    Args:
        sentences: words of S sentences; if `spaces`, they may be counted.
        types: the model's types besides single characters.
        spaces: whether units stay within words; otherwise `▁` is a type of its own, if any sentence has
            several words.
        marking: how words are marked if units stay within them, see `seggrid.segment.bpe.model.BPEModel`.
    """
    units = distinct_words(sentences) if spaces else sentence_units(uncounted(sentences))
    return set(unit_symbols(units, marking if spaces else None)[2]).union(types)


def vocabulary_size(
    sentences: Iterable[Sequence[str]] | WordCounts, types: Collection[str], spaces: bool = True
) -> int:
    """The size of a vocabulary; arguments as for `vocabulary_of`."""
    return len(vocabulary_of(sentences, types, spaces))


def marking_of(model: Any) -> str:
    """How a model marks words, see `seggrid.segment.bpe.model.BPEModel`."""
    return getattr(model, "marking", "start")


def known_vocabulary(
    segmenter: ModuleType, model: Any, side: Side, sentences: Iterable[Sequence[str]]
) -> set[str] | None:
    """The vocabulary of a model whose types are the characters of the text and learned types; None for other
    models, such as those with bytes, or without a model.

    Args:
        segmenter: the module of the side's segmenter.
        model: the model as the segmenter read it; or None.
        side: how the text is segmented.
        sentences: the words of the text, whose single characters count.
    """
    if model is None or hasattr(segmenter, "declared"):
        return None
    types = segmenter.types(model, side)
    if types is None:
        return None
    return vocabulary_of(sentences, types, within_words(side), marking_of(model))


def within_words(side: Side) -> bool:
    """Whether the units of a side stay within words."""
    return side.spaces in (None, True)


def declared_size(
    segmenter: ModuleType, model: Any, side: Side, sentences: Iterable[Sequence[str]]
) -> int | None:
    """Size of a model's vocabulary; None without a model, or if it declares none.

    Args:
        segmenter, model, side, sentences: as for `known_vocabulary`.
    """
    if model is not None and hasattr(segmenter, "declared"):
        size: int | None = segmenter.declared(model, side)
        return size
    vocabulary = known_vocabulary(segmenter, model, side, sentences)
    return None if vocabulary is None else len(vocabulary)


def possible_segmentations(word: str, types: Collection[str], longest: int) -> int:
    """In how many ways a word can be cut into types of a vocabulary.

    Args:
        word: the word, with `▁` before or after it as in the vocabulary.
        types: the vocabulary, as a set or dict.
        longest: the length of its longest type.

    >>> possible_segmentations("▁aab", {"▁a", "a", "b", "ab"}, 2)
    2
    """
    ways = [1] + [0] * len(word)
    for end in range(1, len(word) + 1):
        for begin in range(max(0, end - longest), end):
            if ways[begin] and word[begin:end] in types:
                ways[end] += ways[begin]
    return ways[-1]


def segmentation_bits(
    sentences: Iterable[Sequence[str]], vocabulary: Collection[str], marking: str = "start"
) -> float:
    """The mean, over the words of a text, of the base-2 logarithm of the number of ways to cut a word into
    types.

    Words that the vocabulary cannot spell are left out (`segmentations_per_word_token` of TkTkT's
    `PossibleSegmentations`, with logarithms).

    Args:
        sentences: words of S sentences.
        vocabulary: types, none of which contains a space.
        marking: how words are marked in them, see `seggrid.segment.bpe.model.BPEModel`.
    """
    before, after = ("", BOUNDARY) if marking == "end" else (BOUNDARY, "")
    # One character marks a word's end, since those of </w> may be types, too.
    types = frozenset(text.replace(WORD_END, BOUNDARY) for text in vocabulary)
    longest = max(map(len, types), default=0)
    words = Counter(word for sentence in sentences for word in sentence)
    ways = {word: possible_segmentations(before + word + after, types, longest) for word in words}
    spelled = {word: count for word, count in words.items() if ways[word]}
    bits = math.fsum(count * math.log2(ways[word]) for word, count in spelled.items())
    return _ratio(bits, sum(spelled.values()))


def jensen_shannon_divergence(one: Segmentation, other: Segmentation) -> float:
    """How much the distributions of tokens over types differ in two texts, from 0 to 1 (no type in common).

    The mean of the divergences of the two distributions from their average, with base-2 logarithms (Lin 1991,
    "Divergence measures based on the Shannon entropy"); types are equal if their texts are.

    Args:
        one, other: the segmentations of the texts.
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


def measure(
    segmentation: Segmentation,
    sentences: Sequence[Sequence[str]],
    size: int | None = None,
    spelled: Callable[[str], bytes] | None = None,
    vocabulary: Collection[str] | None = None,
    marking: str = "start",
) -> dict[str, float]:
    """The measures of one side that need only its tokens and types.

    Args:
        segmentation: S sentences.
        sentences: their words.
        size: the declared size of the vocabulary; None if it is not declared.
        spelled: gives the bytes of a type; None if all types consist of whole characters.
        vocabulary: the types into which words can be cut, see `segmentation_bits`; None if not known.
        marking: how words are marked in them.

    Returns:
        `OF_TOKENS` and `OF_TEXT`.
    """
    sums = sentence_counts(segmentation, sentences).sum(axis=0)
    lengths, counts = segmentation.lengths, type_counts(segmentation.ids)
    bigrams = Bigrams.of(segmentation)
    parted = np.zeros(2)
    if spelled is not None:
        kinds = np.array([parts_of_characters(spelled(text)) for text in segmentation.types])
        parted = kinds[segmentation.ids].sum(axis=0)
    return {
        **measure_counts(sums, counts, size),
        "sentence_tokens": float(lengths.mean()) if len(lengths) else math.nan,
        "sentence_tokens_p95": float(np.percentile(lengths, 95)) if len(lengths) else math.nan,
        "type_token_ratio": _ratio(len(counts), float(counts.sum())),
        "moving_type_token_ratio": moving_type_token_ratio(segmentation.ids),
        "average_rank": average_rank(counts),
        "bigram_entropy": bigram_entropy(bigrams),
        "accessor_variety": accessor_variety(segmentation, bigrams),
        "incomplete_tokens": _ratio(parted[0], float(counts.sum())),
        "crossing_tokens": _ratio(parted[1], float(counts.sum())),
        "segmentation_bits": math.nan
        if vocabulary is None
        else segmentation_bits(sentences, vocabulary, marking),
    }


def measure_counts(
    sums: NDArray[np.integer], counts: NDArray[np.integer], size: int | None = None
) -> dict[str, float]:
    """The measures `OF_TOKENS` of one side.

    Args:
        sums: tokens, words, continued words, characters and bytes, see `sentence_counts`, shape (5,).
        counts: occurrences of the types that occur, descending, shape (V,).
        size: the declared size of the vocabulary; None if it is not declared.
    """
    return {
        "tokens": int(sums[TOKENS]),
        "fertility": _ratio(sums[TOKENS], sums[WORDS]),
        "continued_words": _ratio(sums[CONTINUED], sums[WORDS]),
        "characters_per_token": _ratio(sums[CHARACTERS], sums[TOKENS]),
        "bytes_per_token": _ratio(sums[BYTES], sums[TOKENS]),
        "renyi_efficiency": renyi_efficiency(counts, size),
        "percentile_frequency": percentile_frequency(counts),
        "vocabulary_use": math.nan if size is None else _ratio(len(counts), size),
    }


def _ratio(numerator: float, denominator: float) -> float:
    return float(numerator / denominator) if denominator else float("nan")


def remark_on_size(side: Side, sizes: Mapping[str, float]) -> str:
    """A remark for a side whose text has fewer merges, or types, than it asks for; empty otherwise.

    Args:
        side: how the text is segmented.
        sizes: measures, among them the size of its model (`SideSegmenter.model_size`).
    """
    size = "merges" if side.vocabulary is None else "vocabulary"
    wanted, learned = getattr(side, size), sizes.get(size)
    registered = SEGMENTERS[side.segmenter]
    if wanted is None or learned is None or learned >= wanted * (1 - registered.tolerance):
        return ""
    unit = registered.size_unit if size == "merges" else "types"
    return f"{learned:.0f} of {wanted} {unit}, all that its text has"


def segmentation_digest(
    segmentation: Segmentation, side: Side, measures: Mapping[str, float]
) -> str:
    """A digest that is equal for equal segmentations of a text.

    Samples of different sides are drawn with different seeds. They count as equal if the sides differ only in
    asking for more merges, or types, than the text has.

    Args:
        segmentation: the tokens; if there are samples, those of the first.
        side: how the text is segmented.
        measures: its measures; if known, with `merges` or `vocabulary`, the size that the model really has.
    """
    if not side.sampled:
        return segmentation.digest()
    size = "merges" if side.vocabulary is None else "vocabulary"
    if side.nested and size in measures:
        real_size: dict[str, Any] = {size: int(measures[size])}
        side = replace(side, **real_size)
    return hashlib.sha256(str(side).encode()).hexdigest()[:32]


_DIGEST = "digest"


def write_measures(path: str | Path, measures: Mapping[str, float], digest: str) -> None:
    """Write measures by name as JSON, without those that are nan, and the digest of the segmentation."""
    content: dict[str, float | str] = {_DIGEST: digest}
    content |= {name: value for name, value in measures.items() if not math.isnan(value)}
    with atomic_write(path) as file:
        json.dump(content, file, indent=1)
        file.write("\n")


class Measured(NamedTuple):
    """The measures of a side.

    Attributes:
        measures: values by name, without those that are nan.
        digest: see `segmentation_digest`; empty if nothing was measured.
    """

    measures: Mapping[str, float] = MappingProxyType({})
    digest: str = ""


def read_measures(path: str | Path) -> Measured:
    """Read what `write_measures` wrote.

    Raises:
        InputError: the file is damaged.
    """
    try:
        found = json.loads(Path(path).read_text("utf-8"))
        digest = str(found.pop(_DIGEST))
        return Measured({str(name): float(value) for name, value in found.items()}, digest)
    except (ValueError, AttributeError, TypeError, KeyError) as error:
        hint = "delete it and run again"
        raise InputError(f"damaged ({error})", file=path, hint=hint) from None
