"""The inputs of the scripts of language models, and the scoring of sentences in a job that may
be interrupted and resumed."""

from __future__ import annotations

import hashlib
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from seggrid.base.arrays import read_arrays, write_arrays
from seggrid.grid.jobs.side_inputs import SideInputs
from seggrid.segment import HIDDEN
from seggrid.segment.bpe.model import BPEModel
from seggrid.segment.side_segmenter import segment_cased
from seggrid.studies.language_model.pseudo_likelihood import (
    Predict,
    by_sentence,
    pseudo_log_likelihoods,
)
from seggrid.studies.language_model.text import EncodedText, read_training_text
from seggrid.studies.language_model.vocabulary import Vocabulary
from seggrid.text.segmentation import unpack_segmentations
from seggrid.text.text_files import apply_case


@dataclass(frozen=True, kw_only=True)
class TextInputs(SideInputs):
    """The text of a language model, which may be a file from outside, and how it is encoded.

    Attributes:
        test: number of sentences that are held out.
        progress: file of the progress, from which training is resumed.
        output: file that the job writes.
        format: format of the text.
        tokens: segmentation of the text; without one, the model cuts it.
        threads: number of threads.
        every: seconds between two writes of `progress`.
    """

    test: int
    progress: Path
    output: Path
    format: Literal["lines", "tsv"] = "lines"
    tokens: Path | None = None
    threads: int = 1
    every: float = 60

    def sentences(self) -> list[list[str]]:
        """The words of the text."""
        return read_training_text(self.corpus, format=self.format)

    def encode(self, vocabulary: Vocabulary | None) -> tuple[EncodedText, Any]:
        """Read and encode the text, with the vocabulary of an earlier model or a new one. Also returns the
        model of merges, if merging by rank gives the tokens of a plain text (in lower case, if the side says
        so)."""
        side, model = self.spec, self.read_model()
        sentences = apply_case(self.sentences(), side.case)
        if self.tokens:
            tokens, *_ = unpack_segmentations(read_arrays(self.tokens))
        else:
            tokens, *_ = segment_cased(side, model, sentences, [0], self.threads)
        types = None
        # The words of a glossary are types of the text alone.
        if side.learns and not side.has_glossary:
            types = model.types(side)
        text = EncodedText.from_segmentation(sentences, tokens, self.test, vocabulary, types)
        by_rank = side.segmenter in ("bpe", "parity") and side.application == "rank"
        plain = not side.has_glossary and side.spaces != HIDDEN and side.case != "first"
        if not (by_rank and plain and isinstance(model, BPEModel)):
            return text, None
        return text, model if side.pruned else model.prefix(side.merges)


def inputs_digest(values: Sequence[object], files: Sequence[Path | None]) -> str:
    """A digest of settings and of the content of files. Progress with another digest is not resumed."""
    total = hashlib.sha256(repr(values).encode())
    for file in files:
        content = b"" if file is None else hashlib.sha256(file.read_bytes()).digest()
        total.update(b"\0" + content)
    return total.hexdigest()


def score_sentences(
    predict: Predict,
    ids: NDArray[np.int32],
    lengths: NDArray[np.integer],
    *,
    longest: int,
    key: str,
    inputs: TextInputs,
) -> NDArray[np.float64]:
    """The pseudo-log-likelihood of each sentence, shape (S,). Progress is saved, and resumed if `key`, a
    digest of all that the scores depend on, is the same; the caller removes it when its output is written."""
    key_bytes = np.frombuffer(key.encode(), dtype=np.uint8)
    done = np.full(len(ids), np.nan)
    if inputs.progress.is_file():
        earlier = read_arrays(inputs.progress)
        if "key" in earlier and np.array_equal(earlier["key"], key_bytes):
            done = earlier["done"]
            print("goes on where it was interrupted", file=sys.stderr)
    saved = printed = time.monotonic()
    for _, share in pseudo_log_likelihoods(predict, ids, lengths, longest=longest, done=done):
        now = time.monotonic()
        if now - printed >= min(10, inputs.every):
            printed = now
            print(f"{share:.0%} of the tokens scored", file=sys.stderr, flush=True)
        if now - saved >= inputs.every:
            saved = now
            write_arrays(inputs.progress, {"key": key_bytes, "done": done})
    return by_sentence(done, lengths)
