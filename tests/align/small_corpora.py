"""Small parallel corpora with many repeated words, and priors, for property tests of the aligners."""

from collections import ChainMap

import numpy as np
from hypothesis import strategies as st

from seggrid.align.gibbs import Gibbs
from seggrid.text.segmentation import Segmentation


def sentences(letters):
    words = st.sampled_from(letters)
    return st.lists(words, min_size=1, max_size=6) | st.lists(words, min_size=1, max_size=40)


CORPORA = st.lists(st.tuples(sentences("abcd"), sentences("wxyz")), min_size=1, max_size=6)


def priors_of(source, target, counts):
    """The counts of one sampler (`counted_twin`); the types of each side are drawn from a strategy."""

    def table(least, *key):
        return st.dictionaries(st.tuples(*key), counts, min_size=least, max_size=8)

    tables = [table(1, st.just("LEX"), source, target)]
    for way, types in zip("FR", (source, target), strict=True):
        tables.append(table(0, st.just(f"FER{way}"), types, st.integers(0, 9)))
        tables.append(table(0, st.just(f"HMM{way}"), st.integers(-50, 50)))
    return st.builds(lambda *drawn: dict(ChainMap(*drawn)), *tables)


def sides(corpus):
    """Both sides of a corpus of the given sentence pairs."""
    return [Segmentation.from_words([pair[side] for pair in corpus]) for side in (0, 1)]


def gibbs_links(source, target, options=None, **given):
    """The links of gibbs in both directions; `priors` are its model."""
    model = given.pop("priors", given.pop("model", None))
    return Gibbs(options).align_sample(source, target, model=model, **given).links


def corpus_of(size, seed=1):
    """A text whose target has the source's words translated, in reverse order: e7 is f7."""
    random = np.random.default_rng(seed)
    rows = [random.integers(0, 50, random.integers(1, 25)).tolist() for _ in range(size)]
    return sides([([f"e{k}" for k in row], [f"f{k}" for k in row[::-1]]) for row in rows])


def right_of(source, target, links):
    """Of each link in such a text, whether it is of a word and its translation."""
    return [
        source.sentence(s)[i][1:] == target.sentence(s)[j][1:]
        for s in range(len(links))
        for i, j in links.sentence(s)
    ]
