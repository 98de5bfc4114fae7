"""Texts for aligners that are programs, with characters that such a program may take for a separator."""

from seggrid.text.segmentation import Segmentation

ODD = ["a\u00a0b", "c\u3000d", "e\x0bf", "|||", "g\u2028h", "i-j", "<eps>", "\u0130"]
"""Words with such characters in the middle."""
MIXED, LOWER = ["Ab", "aB", "cd", "CD", "e"], ["ab", "ab", "cd", "cd", "e"]
"""Words, and the same in lower case."""


def parallel(words, copies=60):
    """A text in which word k of the target translates word k of the source."""
    sentences = [[words[(i + k * k) % len(words)] for k in range(4)] for i in range(copies)]
    return (
        Segmentation.from_words(sentences),
        Segmentation.from_words([[f"{word}'" for word in words] for words in sentences]),
    )
