"""The inputs of the scripts that prune or evaluate a tokenizer by a morphological reference, and the table of
an evaluation."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd

from seggrid.base.errors import InputError
from seggrid.morphology.evaluate import Row, texts_of_types
from seggrid.morphology.frequencies import read_frequencies, respelled_counts, wordfreq_counts
from seggrid.morphology.names import SUMS
from seggrid.morphology.references import Reference, read_reference
from seggrid.morphology.respelling import as_in_text, in_form_of
from seggrid.morphology.word_segmentation import AnyModel, count_types, read_word_model
from seggrid.score.table import write_table
from seggrid.segment.bpe.model import BPEModel
from seggrid.studies.morphology.published import read_published, with_published
from seggrid.text.text_files import read_text


@dataclass(frozen=True)
class ReferenceInputs:
    """A morphological reference.

    Attributes:
        reference: its file.
        format: its format.
        frequencies: frequencies of its words, `word<TAB>count` lines.
        wordfreq: language of the frequencies of the package wordfreq, in place of a file.
    """

    reference: Path
    format: Literal["surface", "celex"]
    frequencies: Path | None = None
    wordfreq: str | None = None

    def read(
        self, words: Collection[str] | None, case: str, types: Collection[str]
    ) -> tuple[Reference, dict[str, int] | None]:
        """The reference, respelled like the words of the text in its case or, without a text, in the Unicode
        form of the model's types; and the frequencies of its words."""
        known = written = read_reference(self.reference, self.format)
        known = in_form_of(known, types) if words is None else as_in_text(known, words, case)
        frequencies = None
        if self.frequencies:
            counts = read_frequencies(self.frequencies)
            frequencies = respelled_counts(counts, written.words, known.words)
        if self.wordfreq:
            frequencies = wordfreq_counts(known.words, self.wordfreq)
        return known, frequencies


class Evaluated(NamedTuple):
    """A tokenizer, and the reference with which it is compared.

    Attributes:
        model: the tokenizer, without dropout.
        reference: the reference, respelled as in the text.
        frequencies: frequencies of its words, if given.
        words: occurrences of the words of the text, if there is one.
    """

    model: AnyModel
    reference: Reference
    frequencies: dict[str, int] | None
    words: Counter[str] | None

    def count_types(self) -> Counter[str]:
        """Occurrences of each type in the text or, without a text, in words weighted by their frequencies.
        Without either it refuses: a reference has each lemma once, so nearly all types would seem rare."""
        occurrences = self.frequencies if self.words is None else self.words
        if occurrences is None:
            raise InputError(
                "trim counts types in a text, and there is neither a text nor frequencies of words",
                hint="give frequencies of the reference's words",
            )
        return count_types(self.model, occurrences)


@dataclass(frozen=True)
class TokenizerInputs(ReferenceInputs):
    """A reference, and a tokenizer: a learned model, or files from elsewhere.

    Attributes:
        model: a learned model.
        merges: how many of its merges are used.
        tokenizer: in place of a model, merges.txt or tokenizer.json.
        vocabulary: the vocab.json of a merges.txt.
        corpus: the text of the model, in which `trim` counts types.
        case: how the text's case is treated.
    """

    model: Path | None = None
    merges: int | None = None
    tokenizer: Path | None = None
    vocabulary: Path | None = None
    corpus: Path | None = None
    case: str = "keep"

    def read_all(self) -> Evaluated:
        """The tokenizer, the text, the reference and the frequencies of its words."""
        model, words = self.read_model(), None
        if self.corpus:
            sentences, _ = read_text(self.corpus, "lines")
            words = Counter(word for sentence in sentences for word in sentence)
        known = self.read(words, self.case, texts_of_types(model))
        return Evaluated(model, *known, words)

    def read_model(self) -> AnyModel:
        """The tokenizer, with its rate of dropout set to 0."""
        if self.model:
            learned = read_word_model(self.model)
            assert isinstance(learned, BPEModel)
            return learned.prefix(self.merges)
        assert self.tokenizer, "neither a model nor a tokenizer"
        model = read_word_model(self.tokenizer, self.vocabulary)
        if model.dropout:
            print(
                f"{self.tokenizer} sets a dropout of {model.dropout:g}, which is for "
                "training: it is not applied (morphology.NAME.dropout evaluates with dropout)",
                file=sys.stderr,
            )
        return replace(model, dropout=0.0)


@dataclass(frozen=True)
class BoundaryTable:
    """`results/morphology/NAME.csv`.

    Attributes:
        name: the name of the evaluation.
        output: the file.
        published: published scores, which stand beside ours.
    """

    name: str
    output: Path
    published: Path | None = None

    def write(self, rows: Sequence[Row], reference: Path, remark: str) -> None:
        """Write it; the remark is on the size of the model, for all rows except that of the ideal."""
        published = read_published(self.published) if self.published else {}
        table = pd.DataFrame(with_published(list(rows), published))
        # Integers must not become floats just because sums of random runs are missing.
        table[[*SUMS, "vocabulary"]] = table[[*SUMS, "vocabulary"]].astype("Int64")
        table.insert(0, "tokenizer", self.name)
        table.insert(1, "reference", reference.name)
        table["remark"] = np.where(table["knockout"] == "ideal", "", remark)
        write_table(self.output, table)
