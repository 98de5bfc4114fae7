"""Models and texts for tests of applying a BPE."""

from hypothesis import strategies as st

words = st.text("abc", min_size=1, max_size=9)
# Any list of merges, in any order, of two parts or more, as from knockout or other tools.
parts = st.text("abc", min_size=1, max_size=3)
marked = st.sampled_from(["", "▁", "</w>"])
corpora = st.lists(st.lists(words, max_size=5), min_size=1, max_size=4)


@st.composite
def merge_lists(draw):
    """Merges of any parts, some with a mark at the beginning or end of a word."""
    merges = []
    mark = draw(marked)
    start, end = ("▁", "") if mark == "▁" else ("", mark)
    for merge in draw(st.lists(st.lists(parts, min_size=2, max_size=4), max_size=14)):
        if draw(st.booleans()):
            merge[0] = start + merge[0]
            merge[-1] += end
        merges.append(tuple(merge))
    return merges


def lines_of(segmentation):
    return [segmentation.sentence(s) for s in range(len(segmentation))]
