"""Score held-out sentences by a masked language model with their pseudo-log-likelihoods."""

import argparse
from pathlib import Path

from seggrid.language_model.model import predictor, prepare, read_model, sequence_length
from seggrid.language_model.scores import write_scores
from seggrid.workflow.jobs.language_model_arguments import add_text_arguments, digest, read_encoded
from seggrid.workflow.jobs.language_model_scoring import score_sentences
from seggrid.workflow.jobs.script import run, timed
from seggrid.workflow.run.code_digest import code_digest


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
    with timed("scoring"):
        pll = score_sentences(
            predictor(model, device),
            text.test_ids,
            text.test_lengths,
            longest=sequence_length(model),
            key=key,
            arguments=arguments,
        )
    write_scores(arguments.output, text.scores(pll))
    arguments.progress.unlink(missing_ok=True)


if __name__ == "__main__":
    run(main)
