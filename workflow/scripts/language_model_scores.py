"""Score held-out sentences by a masked language model with their pseudo-log-likelihoods."""

import argparse
import sys
import time
from pathlib import Path

import numpy as np

from seggrid.data.npz import read_arrays, write_arrays
from seggrid.language_model.folder import read_model
from seggrid.language_model.model import predictor, prepare, sequence_length
from seggrid.language_model.pseudo_likelihood import by_sentence, pseudo_log_likelihoods
from seggrid.language_model.sentence_scores import write_sentence_scores
from seggrid.workflow.code_digest import code_digest
from seggrid.workflow.language_model_arguments import add_text_arguments, digest, read_encoded
from seggrid.workflow.script import run, timed


def main() -> None:
    """Parse the arguments, score, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_text_arguments(parser)
    parser.add_argument("--language-model", type=Path, required=True, help="its folder")
    arguments = parser.parse_args()
    device = prepare(arguments.threads)
    model, vocabulary = read_model(arguments.language_model)
    text, _ = read_encoded(arguments, vocabulary)
    weights = arguments.language_model / "model.safetensors"
    settings = [arguments.spec, arguments.format, arguments.test, arguments.threads, device.type]
    key = digest(
        [*settings, code_digest(__file__)],
        [arguments.corpus, arguments.tokens, arguments.model, weights],
    )
    key_bytes = np.frombuffer(key.encode(), dtype=np.uint8)
    done = np.full(len(text.test_ids), np.nan)
    if arguments.progress.is_file():
        begun = read_arrays(arguments.progress)
        if np.array_equal(begun.get("key"), key_bytes):
            done = begun.floats("done", done.shape)
            print("goes on where it was interrupted", file=sys.stderr)

    with timed("scoring"):
        saved = told = time.monotonic()
        for _, share in pseudo_log_likelihoods(
            predictor(model, device),
            text.test_ids,
            text.test_lengths,
            longest=sequence_length(model),
            done=done,
        ):
            now = time.monotonic()
            if now - told >= min(10, arguments.every):
                told = now
                print(f"{share:.0%} of the tokens scored", file=sys.stderr, flush=True)
            if now - saved >= arguments.every:
                saved = now
                write_arrays(arguments.progress, {"key": key_bytes, "done": done})
    write_sentence_scores(arguments.output, text.scores(by_sentence(done, text.test_lengths)))
    arguments.progress.unlink(missing_ok=True)


if __name__ == "__main__":
    run(main)
