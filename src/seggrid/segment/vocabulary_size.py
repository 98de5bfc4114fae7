"""Sizes of vocabularies: of a text with a model's types, declared by a model, and smaller than asked for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from seggrid.data.words import WordCounts, distinct_words, uncounted
from seggrid.segment import SEGMENTERS
from seggrid.segment.units import sentence_units, unit_symbols

if TYPE_CHECKING:
    from seggrid.segment.segmenter import Segmenter
    from seggrid.segment.side import Side


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


def known_vocabulary(
    model: Segmenter | None, side: Side, sentences: Iterable[Sequence[str]]
) -> set[str] | None:
    """The vocabulary of a model whose types are the characters of the text and learned types; None for other
    models, such as those with bytes, or without a model."""
    if model is None or model.spelled is not None or (types := model.types(side)) is None:
        return None
    return vocabulary_of(sentences, types, within_words(side), model.marking)


def within_words(side: Side) -> bool:
    """Whether the units of a side stay within words."""
    return side.spaces in (None, True)


def declared_size(
    model: Segmenter | None, side: Side, sentences: Iterable[Sequence[str]]
) -> int | None:
    """Size of a model's vocabulary; None without a model, or if it declares none."""
    if model is not None and model.spelled is not None:
        return model.declared
    vocabulary = known_vocabulary(model, side, sentences)
    return None if vocabulary is None else len(vocabulary)


def remark_on_size(side: Side, sizes: Mapping[str, float]) -> str:
    """A remark for a side whose text has fewer merges, or types, than it asks for; empty otherwise. `sizes`
    are measures, among them the size of its model (`SideSegmenter.model_size`)."""
    size = "merges" if side.vocabulary is None else "vocabulary"
    wanted, learned = getattr(side, size), sizes.get(size)
    registered = SEGMENTERS[side.segmenter]
    if wanted is None or learned is None or learned >= wanted * (1 - registered.tolerance):
        return ""
    unit = registered.size_unit if size == "merges" else "types"
    return f"{learned:.0f} of {wanted} {unit}, all that its text has"
