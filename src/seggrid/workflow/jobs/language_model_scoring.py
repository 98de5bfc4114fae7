"""Score sentences by a language model, in a job that may be interrupted and resumed."""

from __future__ import annotations

import sys
import time

import numpy as np
from numpy.typing import NDArray

from seggrid.base.arrays import read_arrays, write_arrays
from seggrid.language_model.pseudo_likelihood import (
    Predict,
    by_sentence,
    pseudo_log_likelihoods,
)
from seggrid.workflow.jobs.language_model_inputs import TextInputs


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
