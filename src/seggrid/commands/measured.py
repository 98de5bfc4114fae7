"""The measures of a segmentation, in groups, each with a sentence."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from seggrid.commands.notebook import frame, html_table
from seggrid.segment.measures import MEASURES

if TYPE_CHECKING:
    import pandas as pd

_OF_WORDS = "over the words of the reference"

MORE = {
    "words_without_tokens": "the number of words that the tokenizer leaves out",
    "boundary_words": "the number of words of the reference",
    "boundary_precision": f"the share of token boundaries that are morpheme boundaries, {_OF_WORDS}",
    "boundary_recall": f"the share of morpheme boundaries that are token boundaries, {_OF_WORDS}",
    "boundary_f1": "both in one number: their harmonic mean",
    "morphscore_precision": "morpheme boundaries found in a word, divided by its tokens, mean (MorphScore); "
    "a word that is not split has 1",
    "morphscore_recall": "the share of a word's morpheme boundaries that is found, mean (MorphScore); "
    "a word that is not split has 1",
    "morpheme_edits": "how many tokens of a word to change until they are its morphemes, mean",
    "feature_words": "the number of words with features",
    "plausibility": "how well tokens express the features of words, from 0 to 1",
    "words_alike": "the share of words that both tokenizers split in the same way",
    "boundary_jaccard": "boundaries that both tokenizers have, divided by those that at least one has",
    "divergence": "how much the tokens of the two texts differ, from 0 (equal) to 1 (no token in common)",
    "alignability": "the share of tokens that are linked one to one with those of the parallel text",
    "alignability_parallel": "the share of tokens of the parallel text that are linked one to one",
}
"""What the measures say that not every segmentation has."""

GROUPS = {
    "how finely it splits": (
        *("tokens", "fertility", "continued_words", "characters_per_token", "bytes_per_token"),
        *("sentence_tokens", "sentence_tokens_p95"),
    ),
    "how evenly it uses its vocabulary": (
        *("renyi_efficiency", "percentile_frequency", "vocabulary_use", "type_token_ratio"),
        *("moving_type_token_ratio", "average_rank", "bigram_entropy"),
    ),
    "what it cannot write, or never uses": (
        *("incomplete_tokens", "crossing_tokens", "unreachable_types", "unknown_tokens"),
        *("exact_sentences", "words_without_tokens"),
    ),
    "how well it agrees with morphemes": (
        *("boundary_words", "boundary_precision", "boundary_recall", "boundary_f1"),
        *("morphscore_precision", "morphscore_recall", "morpheme_edits"),
        *("feature_words", "plausibility"),
    ),
    "beside another tokenizer or text": (
        *("words_alike", "boundary_jaccard", "divergence"),
        *("alignability", "alignability_parallel"),
    ),
}
"""The groups in which measures are shown; those that are in none come last."""

FURTHER = "further"


class MeasureRow(NamedTuple):
    """A measure: its group, its name, its value, and what it says."""

    group: str
    measure: str
    value: float
    meaning: str


class Measures(dict[str, float]):
    """Measures by name, nan where one is not defined. A notebook shows their groups, and what each says."""

    def rows(self) -> Iterator[MeasureRow]:
        """The measures, group by group."""
        grouped = {name for names in GROUPS.values() for name in names}
        groups = {**GROUPS, FURTHER: tuple(name for name in self if name not in grouped)}
        for group, names in groups.items():
            for name in names:
                if name in self:
                    yield MeasureRow(group, name, self[name], meaning_of(name))

    def frame(self) -> pd.DataFrame:
        """The same as a frame, a row for each measure; needs pandas."""
        return frame([row._asdict() for row in self.rows()], "measure")

    def _repr_html_(self) -> str:
        head = ("", "measure", "value", "meaning")
        before, rows = "", []
        for row in self.rows():
            rows.append((row.group if row.group != before else "", *row[1:]))
            before = row.group
        return html_table(head, rows)


def meaning_of(name: str) -> str:
    """What a measure says, in a few words; empty if nothing is known of it."""
    own = MEASURES.get(name)
    return own.meaning if own else MORE.get(name, "")


def spelled(value: float) -> str:
    """A value of a measure as the command writes it: six digits, of a count all; nothing for nan.

    >>> spelled(0.3387451), spelled(36731.0), spelled(float("nan"))
    ('0.338745', '36731', '')
    """
    return "" if value != value else f"{value:{'.6g' if value % 1 else '.0f'}}"


def for_terminal(measures: Measures, explain: bool, width: int) -> Iterator[str]:
    """The lines of a table for readers, its groups with headings; with `explain`, what each measure says, in
    lines of about `width` characters."""
    rows = list(measures.rows())
    names = max((len(row.measure) for row in rows), default=0)
    values = max((len(spelled(row.value)) for row in rows), default=0)
    before = ""
    for row in rows:
        if row.group != before:
            yield from ["", row.group] if before else [row.group]
        before = row.group
        line = f"  {row.measure:<{names}}  {spelled(row.value):>{values}}"
        if not explain:
            yield line.rstrip()
            continue
        first, *more = textwrap.wrap(row.meaning, max(30, width - len(line) - 2)) or [""]
        yield f"{line}  {first}".rstrip()
        yield from (" " * (len(line) + 2) + said for said in more)
