"""Morphological plausibility: by hand, against EM over dictionaries, and the files that are read."""

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seggrid.base.errors import InputError
from seggrid.morphology.plausibility import (
    ITERATIONS,
    plausibility,
    read_features,
    translation_probabilities,
)


def test_by_hand():
    """With one feature a word, t is the share of a token among all tokens of the feature: PST has `walk`,
    `ed`, `talk`, `ed`, so `ed` has 1/2; PRS has `walk` alone."""
    tokens, features = [["walk", "ed"], ["talk", "ed"], ["walk"]], [["PST"], ["PST"], ["PRS"]]
    probability, occurrence = translation_probabilities(tokens, features)
    assert probability.tolist() == [1 / 4, 1 / 2, 1 / 4, 1 / 2, 1]
    assert occurrence.tolist() == [0, 0, 1, 1, 2]
    assert plausibility(tokens, features) == (1 / 2 + 1 / 2 + 1) / 3
    assert np.isnan(plausibility([], []))


def test_an_ending_is_more_plausible_than_a_cut_that_hides_it():
    stems = ["walk", "talk", "want", "land", "jump"]
    features = [[f] for _ in stems for f in ("PST", "PRS")]
    morphemes = [[s, ending] for s in stems for ending in ("ed", "s")]
    wrong = [[s[:-1], s[-1] + ending] for s in stems for ending in ("ed", "s")]
    whole = [[s + ending] for s in stems for ending in ("ed", "s")]
    assert plausibility(morphemes, features) == 0.5
    assert plausibility(whole, features) == 0.2
    assert plausibility(wrong, features) == pytest.approx(0.14)


words = st.lists(
    st.tuples(
        st.lists(st.sampled_from("abc"), min_size=1, max_size=3),
        st.lists(st.sampled_from("XYZ"), min_size=1, max_size=3, unique=True),
    ),
    min_size=1,
    max_size=6,
)


@given(words)
def test_as_em_over_dictionaries(words):
    t = defaultdict(lambda: 1.0)
    for _ in range(ITERATIONS):
        counts, total = defaultdict(float), defaultdict(float)
        for tokens, features in words:
            for token in tokens:
                norm = sum(t[token, f] for f in features)
                for f in features:
                    counts[token, f] += t[token, f] / norm
                    total[f] += t[token, f] / norm
        t = {(token, f): n / total[f] for (token, f), n in counts.items()}
    best = [max(t[token, f] for token in tokens) for tokens, features in words for f in features]
    tokens, features = zip(*words, strict=True)
    assert plausibility(tokens, features) == pytest.approx(sum(best) / len(best))


def test_unimorph_and_conllu_are_read(tmp_path):
    file = tmp_path / "features"
    file.write_text(
        "walk\twalked\tV;PST\nwalk\twalked\tV;PST\nwalk\twalked\tV;V.PTCP;PST\ngo\tgo on\tV\n"
    )
    assert read_features(file) == [("walked", ("V", "PST")), ("walked", ("V", "V.PTCP", "PST"))]
    file.write_text(
        "# text = vámonos\n1-2\tvámonos\t_\t_\t_\t_\t_\t_\t_\t_\n"
        "1\tvamos\tir\tVERB\t_\tMood=Imp|Number=Plur\t_\t_\t_\t_\n2\t.\t.\tPUNCT\t_\t_\t_\t_\t_\t_\n"
    )
    assert read_features(file) == [
        ("vamos", ("VERB", "Mood=Imp", "Number=Plur")),
        (".", ("PUNCT",)),
    ]
    file.write_text("walk\twalked\tV\nwalked\n")
    with pytest.raises(InputError, match=r"2: .* neither lemma, word and features"):
        read_features(file)
    # MorphyNet; its derivations, UniSegments and SIGMORPHON 2022 have no features.
    file.write_text("walk\twalked\tV|V.PTCP;PST\twalk|ed\n")
    assert read_features(file) == [("walked", ("V", "V.PTCP", "PST"))]
    for line in (
        "walk\twalker\tV\tN\ter\tsuffix",
        "walks\twalk\tVERB\twalk + s\t{}",
        "walk\twalk\t000",
    ):
        file.write_text(f"{line}\n")
        with pytest.raises(InputError, match="neither lemma, word and features"):
            read_features(file)
    file.write_text("# nothing\n")
    with pytest.raises(InputError, match="no word with features"):
        read_features(file)
