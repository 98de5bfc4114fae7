"""The glossary, the one list of terms: the page shows those that it uses, docs/glossary.md all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

GLOSSARY = {
    "Texts and tokens": {
        "Segmenter": "Splits words into *tokens*, such as *un·break·able*.",
        "Token, type": "A token is a part of a word, or with `spaces: no` of several words. A *type* is a "
        "distinct token.",
        "Words": "Words that are not segmented. Other cells are compared with those that differ from them in "
        "the segmentation alone.",
        "BPE (byte-pair encoding)": "A segmenter that begins with characters and merges frequent neighbours "
        "into longer tokens.",
        "Merge": "One step of BPE: the most frequent pair of neighbouring tokens becomes one token. The "
        "number of merges is the size of the segmentation: few merges give short tokens, many give whole "
        "words. *BPE 1,000* has 1,000 merges.",
        "Dropout, sample": "BPE-dropout skips merges at random, so that a text has many segmentations. Each "
        "one that is drawn is a *sample*.",
        "Fertility": "Of a segmentation: tokens per word. Of an aligner's model: how many tokens a token is "
        "linked with.",
    },
    "Links": {
        "Link": "A pair of words, one of each language, that translate each other. `3-4` links word 3 of the "
        "source with word 4 of the target, counted from 0 (Pharaoh format).",
        "Gold": "Links made by hand, with which the found links are compared: *sure* ones (`3-4`), and "
        "*possible* ones (`3p4`), where people may disagree. To find a possible link is not a mistake, and "
        "to miss it is not a loss. A corpus usually has gold for a few hundred sentences.",
        "Aligner": "Finds the links between two texts. `gibbs`, seggrid's own, and `eflomal` sample from a "
        "Bayesian model, and are random; `fast_align` trains a variant of IBM model 2.",
        "Symmetrization": "Most aligners link in one direction. Symmetrization combines the links of both, "
        "for instance by intersection, by union, or by grow-diag-final-and, which starts from the "
        "intersection and adds neighbours.",
        "Projection": "The step from links between tokens to links between the words that contain them.",
        "Aggregate, threshold": "How the links of several samples become one set: `union`, `intersection`, "
        "or a *threshold*: `0.5` keeps the links that more than half of the samples have; `posterior-0.5` "
        "keeps those whose mean probability is above 0.5, `mutual-0.35` those that also compare well with "
        "other links of their words.",
    },
    "Scores": {
        "Precision": "The share of the found links that are in the gold, sure or possible.",
        "Recall": "The share of the sure gold links that were found.",
        "F1": "The harmonic mean of precision and recall, from 0 to 1; higher is better.",
        "AER (alignment error rate)": "With the found links A, the sure gold links S, and P, the sure and "
        "possible ones: 1 − (|A ∩ S| + |A ∩ P|) / (|A| + |S|). Lower is better: 0 if all sure links and no "
        "wrong ones were found.",
        "Interval": "Has the score in 95% of bootstrap resamples of the gold sentences. It does not say how "
        "the score varies over runs of a random aligner.",
        "Corrected p": "How often so large a difference would be found if there were none, corrected for all "
        "comparisons (Holm).",
        "Agreement": "The mean F1 of a cell's links if those of each other cell are taken as gold. Cells may "
        "agree in mistakes.",
        "Consensus": "A score without gold: the F1 that a cell would have if the link probabilities of the "
        "other cells were right ([choosing without gold](recommend.md)).",
    },
    "Morphology": {
        "Morpheme, reference": "Morphemes are the parts that words are built of (*un*, *break*, *able*). A "
        "reference is a list of words split into morphemes.",
        "Blame": "The share of a merge's applications that erase a morpheme boundary, counted over the words "
        "of a reference.",
        "Knockout": "Removing (*pruning*) merges from a learned BPE, usually those with high blame: the axis "
        "`knockout`, the command `seggrid prune`, the stage `prune`.",
    },
    "The grid": {
        "Axis": "A setting that a grid can vary, such as `merges`.",
        "Cell": "One combination of settings, a point of the grid: a segmentation of each side, an aligner "
        "with its options, and a way to combine samples.",
        "Plain cell": "The same cell without dropout and knockout.",
        "Recipe": "The settings of one cell, or of a vote of several, in a file or under a name, for "
        "`seggrid align`.",
        "Seed": "The number that all random choices follow from. With the same seed a run gives the same "
        "bytes.",
        "Replicate": "One of several runs of a random aligner on the same tokens, with another seed. Scores "
        "are means over them.",
        "Part": "One of several pieces of a large text that are aligned separately ([a whole corpus]"
        "(outcome.md#a-large-pair-in-parts)). Also the sentences of a text that `sentences: 2000` selects "
        "for a grid.",
        "Stage": "A step of the workflow with its own files, such as `learn`, `align` or `score` "
        "([the pipeline](runs.md#the-pipeline)).",
        "Study": "The tables of one config in a separate folder, `results/studies/NAME`.",
        "The thesis": "Berasategi (2020), *The effects of word segmentation quality on word alignments*, "
        "whose tables are [replicated](studies/thesis.md).",
        "Built-in pair": "The small generated English–German corpus that comes with seggrid "
        "(`resources/builtin`).",
    },
}
"""What terms mean, in Markdown with links from docs, by their headings. A heading may name several terms."""

_ALSO = {
    "plain": "Plain cell",
    "posterior": "Aggregate, threshold",
    **dict.fromkeys(("gibbs", "eflomal", "fast_align"), "Aligner"),
}
"""Words of the page for which a term stands."""


def of_markdown(text: str) -> str:
    """A text in Markdown as plain text, without links in parentheses, which lead to more.

    >>> of_markdown("the [plain cell](methods.md#scores), *and* `ok` ([more](runs.md))")
    'the plain cell, and ok'
    """
    text = re.sub(r" \(\[[^\]]*\]\([^)]*\)\)", "", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"\*(\w[^*]*)\*", r"\1", text).replace("`", "")


TERMS = {
    heading: of_markdown(meaning) for part in GLOSSARY.values() for heading, meaning in part.items()
}
"""What terms mean, as plain text, by their headings."""


def _names() -> Iterator[tuple[str, str]]:
    for heading in TERMS:
        if heading == "Part":  # an everyday word, too
            continue
        for name in heading.partition(" (")[0].lower().split(", "):
            yield name, heading
            yield f"{name}s", heading


HEADINGS = dict(_names()) | _ALSO
"""The heading of each term, by the term in lower case, in the singular and in the plural."""


class Glossary:
    """Links the first use of each term in a section to its place in the section of terms, which has the terms
    that were used."""

    def __init__(self) -> None:
        self.used: set[str] = set()
        self._here: set[str] = set()
        self._pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, HEADINGS))})\b", re.I)

    def begin_section(self) -> None:
        """Forget which terms the section before has."""
        self._here = set()

    def __call__(self, text: str) -> str:
        """The text as HTML."""
        return self._pattern.sub(self._linked, escape(text))

    def note(self, text: str) -> str:
        """The text as a paragraph."""
        return f'<p class="note">{self(text)}</p>' if text else ""

    def _linked(self, found: re.Match[str]) -> str:
        heading = HEADINGS[found[0].lower()]
        if heading in self._here:
            return found[0]
        self._here.add(heading)
        self.used.add(heading)
        return f'<a class="term" href="#{anchor(heading)}">{found[0]}</a>'


def anchor(heading: str) -> str:
    """The id of a term's place.

    >>> anchor("AER (alignment error rate)")
    'term-aer-alignment-error-rate'
    """
    return f"term-{re.sub(r'[^a-z0-9]+', '-', heading.lower()).strip('-')}"
