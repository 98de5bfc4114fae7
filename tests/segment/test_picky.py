"""PickyBPE, compared with a slow twin, and with what the authors' code learns from the built-in texts."""

from fractions import Fraction
from itertools import chain

import bpe_twin as twin
import pytest
from bpe_strategies import corpora, lines_of
from hypothesis import example, given, settings
from hypothesis import strategies as st

import builtin_pair
import sides
from seggrid.segment.picky import Picky


def learn(sentences, size, removal, spaces=True):
    return Picky.learn(sentences, size, sides.side_of("picky", removal=str(removal), spaces=spaces))


def apply(model, sentences):
    side = sides.side_of("picky", merges=10**6, spaces=model.spaces)
    return model.segment(sentences, side, [0], 1)[0]


def split_all(symbols, type_, parts):
    return [part for symbol in symbols for part in (parts if symbol == type_ else [symbol])]


def parts_of(type_, first, present):
    """The present parts of a type that is removed."""
    return [
        own
        for part in first[type_]
        for own in (
            parts_of(part, first, present) if part in first and part not in present else [part]
        )
    ]


def slowly_learned(sentences, size, removal, spaces):
    """The events, with everything counted again before each; and the tokens of each unit in the end, one if
    the unit is a type that is present."""
    first_units = [unit for row in twin.units_of(sentences, spaces) for unit in row if unit]
    units = first_units
    first, present, events = {}, set(), []
    while len(present) < size:
        if (found := twin.best_of(units)) is None:
            break
        best = found[0]
        product = "".join(best)
        before = sum(map(len, units))
        units = [twin.merge_all(unit, best) for unit in units]
        merged = before - sum(map(len, units))
        events.append(best)
        first.setdefault(product, best)
        present.add(product)
        for part in dict.fromkeys(best):
            left = sum(unit.count(part) for unit in units)
            if part in present and Fraction(merged, left + merged) > removal:
                present.remove(part)
                parts = parts_of(part, first, present)
                units = [split_all(unit, part, parts) for unit in units]
                events.append((part,))
        assert len(events) < 500
    whole = ["".join(unit) for unit in first_units]
    return (
        events,
        present,
        [[text] if text in present else unit for text, unit in zip(whole, units, strict=True)],
    )


thresholds = st.sampled_from(["0.5", "0.6", "0.75", "0.9", "0.999999"]).map(Fraction)


@given(sentences=corpora, size=st.integers(0, 14), removal=thresholds, spaces=st.booleans())
@example([["aaaa", "aaab"] * 2, ["aab", "ab"]], 6, Fraction("0.5"), True)
@settings(max_examples=2 * settings().max_examples)
def test_learns_and_ends_as_defined(sentences, size, removal, spaces):
    events, present, units = slowly_learned(sentences, size, removal, spaces)
    model = learn(sentences, size, removal, spaces)
    assert model.events == events
    assert model.present == present
    found = chain.from_iterable(lines_of(apply(model, sentences)))
    assert [*found] == [*chain.from_iterable(units)]
    # A model holds those of fewer types.
    assert model.prefix(size // 2) == learn(sentences, size // 2, removal, spaces)


VECTORS = {
    ("eng", "0.9"): (591, 91, 38425),
    ("eng", "0.6"): (743, 243, 36862),
    ("deu", "0.9"): (526, 26, 45156),
    ("deu", "0.6"): (624, 124, 44108),
}


@pytest.mark.parametrize(("language", "removal"), VECTORS)
def test_learns_what_the_authors_code_learns(language, removal):
    sentences = builtin_pair.words_of(language)
    model = learn(sentences, 500, Fraction(removal))
    merges = [event for event in model.events if len(event) == 2]
    removed = [event[0] for event in model.events if len(event) == 1]
    tokens = len(apply(model, sentences).ids)
    assert (len(merges), len(removed), tokens) == VECTORS[language, removal]
    assert len(model.present) == 500
