"""Tokens aligned with morphological features, against IBM model 1 word by word and the authors' program."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import seggrid
from seggrid.errors import InputError
from seggrid.morphology.features import feature_alignment, read_features

UNIMORPH = """cat\tcat\tN;SG
cat\tcats\tN;PL
dog\tdog\tN;SG
dog\tdogs\tN;PL
walk\twalks\tV;PRS;3;SG
walk\twalked\tV;PST

walk\twalked\tV.PTCP;PST
go\thas gone\tV;PRF
talk\ttalked\tV;PST
"""
TOKENS = [
    ["cat"],
    ["cat", "s"],
    ["dog"],
    ["dog", "s"],
    ["walk", "s"],
    ["walk", "ed"],
    ["talk", "ed"],
]


def by_words(words, iterations, least):
    """The definition, one word, feature and token after the other."""
    names = {name for _, features in words for name in features}
    table = {}
    for _ in range(iterations):
        counts, totals = Counter(), Counter()
        for tokens, features in words:
            for name in features:
                weights = [table.get((name, token), 1 / len(names)) for token in tokens]
                for token, weight in zip(tokens, weights, strict=True):
                    share = weight / (sum(weights) + 1e-10)
                    counts[name, token] += share
                    totals[name] += share
        table = {(name, token): n / (totals[name] + 1e-10) for (name, token), n in counts.items()}
    scores = []
    for tokens, features in words:
        for token in tokens:
            known = [table[name, token] for name in set(features)]
            above = [one for one in known if one > least]
            scores.append(sum(above) / len(above) if above else 0)
    return sum(scores) / len(scores)


def pieces(letters):
    return st.lists(st.sampled_from(letters), min_size=1, max_size=4)


@given(st.lists(st.tuples(pieces("abc"), pieces(["N", "V", "PL"])), min_size=1, max_size=6))
def test_the_model_against_words_one_by_one(words):
    tokens, features = zip(*words, strict=True)
    found = feature_alignment(tokens, features, iterations=7, least=0.2)
    assert found == pytest.approx(by_words(words, 7, 0.2), abs=1e-9)


def test_features_are_read_and_aligned_as_by_the_authors(tmp_path):
    file = tmp_path / "eng"
    file.write_text(UNIMORPH, encoding="utf-8")
    features = read_features(file)
    assert features["walked"] == ["V", "PST", "V.PTCP", "PST"]
    assert "has gone" not in features
    # morpho-score-mean-split with threshold 0.1 of the authors' program with IBM1, 100 iterations.
    found = feature_alignment(TOKENS, list(features.values()))
    assert found == pytest.approx(0.5450827040375641, abs=1e-9)
    # Words cut where features change are better than words left whole.
    assert found > feature_alignment([["".join(word)] for word in TOKENS], list(features.values()))


def test_a_segmenter_is_measured_on_a_file(tmp_path):
    file = tmp_path / "eng"
    file.write_text(UNIMORPH.replace("cat", "Cat"), encoding="utf-8")
    text = ["cats dogs walked talked"]
    words = seggrid.Segmenter.load(segmenter="words", case="lower")
    found = seggrid.measure(text, words, features=file)
    whole = [[form] for form in ("cat", "cats", "dog", "dogs", "walks", "walked", "talked")]
    assert found["feature_words"] == len(whole)
    expected = feature_alignment(whole, list(read_features(file).values()))
    assert found["feature_alignment"] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("content", ["cat cats N;PL\n", "cat\t\tN\n", "go\thas gone\tV\n"])
def test_other_files_are_refused(tmp_path, content):
    file = tmp_path / "eng"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match="eng"):
        read_features(file)
