"""Wordmap, compared with the worked examples of its source, and with its algorithms step by step."""

import re
import tracemalloc
from statistics import mean, stdev

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from seggrid.base.errors import InputError
from seggrid.segment.wordmap import Wordmap, find_cover, map_words, ranked_covers, runs_of
from sides import side_of


def cover(word, vocabulary):
    return find_cover(word, vocabulary) or [word]


words = st.text("abc", min_size=1, max_size=8)
vocabularies = st.sets(st.text("abc", min_size=2, max_size=4), max_size=12)


def raw_maps(target, other):
    """Algorithm 1 for one pair of words: its maps, as long as the target."""

    def laid(shift):
        return "".join(
            "1" if 0 <= i + shift < len(other) and other[i + shift] == target[i] else "0"
            for i in range(len(target))
        )

    left, right = target[0] == other[0], target[-1] == other[-1]
    if len(target) == len(other):
        return [laid(0)] if left or right else []
    return [laid(0)] * left + [laid(len(other) - len(target))] * right


def cleaned(bits):
    """A map without the ones that zeros separate from both ends."""
    head, tail = re.match("1*", bits)[0], re.search("1*$", bits)[0]
    if "0" not in bits:
        return bits
    return head + "0" * (len(bits) - len(head) - len(tail)) + tail


def test_long_words_do_not_fill_the_memory():
    """A sentence without spaces is a word of hundreds of characters."""
    long = "".join(chr(0x4E00 + i) for i in range(400))
    tracemalloc.start()
    try:
        counts, _ = map_words([long, long[:3]])
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert counts.tolist() == [1] * 3 + [0] * 397
    assert peak < 10 * 2**20


@pytest.mark.parametrize(
    ("other", "maps"),
    [
        ("verarbeiten", ["111000000", "001000011"]),
        ("variiert", ["101001000"]),
        ("vormachen", ["101000111"]),
        ("anstrebtest", []),
    ],
)
def test_the_maps_of_table_1(other, maps):
    assert raw_maps("verstehen", other) == maps
    expected = [sum(int(cleaned(bits)[i]) for bits in maps) for i in range(9)]
    assert map_words(["verstehen", other])[0].tolist() == expected


@given(st.lists(words, min_size=1, max_size=12, unique=True))
@example(["a", "b"])
@settings(max_examples=3 * settings().max_examples)
def test_sums_are_those_of_algorithm_1(found):
    for target, counts in zip(found, map_words(found), strict=True):
        expected = [0] * len(target)
        for other in found:
            if other != target:
                for bits in map(cleaned, raw_maps(target, other)):
                    expected = [n + int(bit) for n, bit in zip(expected, bits, strict=True)]
        assert counts.tolist() == expected


@given(word=words, data=st.data(), threshold=st.sampled_from([-0.5, 0.0, 0.7]))
def test_stretches_are_those_on_one_side_of_the_threshold(word, data, threshold):
    counts = data.draw(st.lists(st.integers(0, 9), min_size=len(word), max_size=len(word)))
    spread = stdev(counts) if len(word) > 1 else 0
    flags = [bool(spread) and (n - mean(counts)) / spread > threshold for n in counts]
    found = runs_of(word, np.array(counts), threshold)
    assert "".join(found) == word
    starts = np.cumsum([0, *map(len, found)])[:-1].tolist()
    assert [i for i in range(1, len(word)) if flags[i] != flags[i - 1]] == starts[1:]


def all_covers(word, vocabulary):
    """All segmentations of algorithm 2, in its order."""
    found = []

    def segmenter(rest, segments):
        for segment in sorted(vocabulary):
            if len(segment) > 1 and rest.startswith(segment):
                left = rest[len(segment) :]
                if not left:
                    found.append((*segments, segment))
                elif len(left) == 1:
                    found.append((*segments, segment, left))
                else:
                    segmenter(left, (*segments, segment))

    segmenter(word, ())
    return found


def weight(segments):
    """Equation 3.1."""
    t = sum(map(len, segments))
    return sum((len(s) / t / len(segments)) ** (1 / len(s)) for s in segments)


@given(word=words, vocabulary=vocabularies)
@example("verstehen", {"ver", "vers", "steh", "teh", "en", "st", "eh", "stehen"})
@settings(max_examples=4 * settings().max_examples)
def test_covers_are_those_of_algorithm_2_and_equation_3_1(word, vocabulary):
    covers = all_covers(word, vocabulary)
    found = cover(word, vocabulary)
    if not covers:
        assert found == [word]
        return
    assert tuple(found) in covers
    greatest = max(map(weight, covers))
    assert weight(found) == pytest.approx(greatest, abs=1e-9)
    alike = [c for c in covers if weight(c) == pytest.approx(greatest, abs=1e-9)]
    # Ties: fewer segments, then the longer first one, and so on.
    assert tuple(found) == min(alike, key=lambda c: (len(c), [-len(s) for s in c]))


@given(word=words, vocabulary=vocabularies)
@example("verstehen", {"ver", "vers", "steh", "teh", "en", "st", "eh", "stehen"})
def test_all_covers_are_ranked_with_the_chosen_one_first(word, vocabulary):
    covers = all_covers(word, vocabulary)
    ranked = ranked_covers(word, vocabulary, len(covers))
    assert sorted(one for one, _ in ranked) == sorted(covers)
    assert [list(one) for one, _ in ranked[:1]] == [find_cover(word, vocabulary)] * bool(covers)
    weights = [own for _, own in ranked]
    assert weights == pytest.approx([weight(one) for one, _ in ranked], abs=1e-9)
    assert weights == sorted(weights, reverse=True)
    if covers:
        with pytest.raises(InputError, match=f"^more than {len(covers) - 1:,} ways to cut"):
            ranked_covers(word, vocabulary, len(covers) - 1)


def test_the_weight_of_equation_3_1():
    vocabulary = {"ver", "steh", "en", "verst", "ehen"}
    assert weight(("ver", "steh", "en")) == pytest.approx(
        (3 / 27) ** (1 / 3) + (4 / 27) ** (1 / 4) + (2 / 27) ** (1 / 2)
    )
    assert weight(("verst", "ehen")) > weight(("ver", "steh", "en"))
    assert cover("verstehen", vocabulary) == ["verst", "ehen"]
    assert cover("verstehen", vocabulary - {"ehen"}) == ["ver", "steh", "en"]


def test_an_unknown_word_stays_whole():
    side = side_of("wordmap", merges=9)
    model = Wordmap.learn([["verstehen", "vergehen"]], 9, side)
    assert model.segment([["überall", "é"]], side, [0], 1)[0].lines() == ["▁überall ▁é"]


def test_very_long_words_are_left_whole():
    segments = {"aa", "aaa"}
    assert len(cover("a" * 300, segments)) > 1
    assert cover("a" * 301, segments) == ["a" * 301]
    assert cover("a" * 100_000, segments) == ["a" * 100_000]
