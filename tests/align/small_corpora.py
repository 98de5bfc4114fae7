"""Small parallel corpora with many repeated words, for property tests of the aligners."""

from hypothesis import strategies as st

from seggrid.align.gibbs import Gibbs
from seggrid.data.segmentation import Segmentation


def sentences(letters):
    words = st.sampled_from(letters)
    return st.lists(words, min_size=1, max_size=6) | st.lists(words, min_size=1, max_size=40)


CORPORA = st.lists(st.tuples(sentences("abcd"), sentences("wxyz")), min_size=1, max_size=6)


def sides(corpus):
    """Both sides of a corpus of the given sentence pairs."""
    return [Segmentation.from_words([pair[side] for pair in corpus]) for side in (0, 1)]


def gibbs_links(source, target, options=None, **given):
    """The links of gibbs in both directions; `priors` are its model."""
    model = given.pop("priors", given.pop("model", None))
    return Gibbs(options).align_sample(source, target, model=model, **given).links
