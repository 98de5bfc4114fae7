"""Score held-out sentences by a masked language model with their pseudo-log-likelihoods."""

from pathlib import Path

from seggrid.base.torch_training import prepare_torch
from seggrid.grid.jobs.script import timed
from seggrid.grid.run.code_digest import code_digest
from seggrid.studies.language_model.job_inputs import TextInputs, inputs_digest, score_sentences
from seggrid.studies.language_model.model import predictor, read_language_model, sequence_length
from seggrid.studies.language_model.scores import write_scores


def main(inputs: TextInputs, language_model: Path) -> None:
    """Score by the model of a folder."""
    device = prepare_torch(inputs.threads)
    model, vocabulary = read_language_model(language_model)
    text, _ = inputs.encode(vocabulary)
    settings = [str(inputs.spec), inputs.format, inputs.test, inputs.threads, device.type]
    files = [inputs.corpus, inputs.tokens, inputs.model, language_model / "model.safetensors"]
    with timed("scoring"):
        pll = score_sentences(
            predictor(model, device),
            text.test_ids,
            text.test_lengths,
            longest=sequence_length(model),
            key=inputs_digest([*settings, code_digest(Path(__file__))], files),
            inputs=inputs,
        )
    write_scores(inputs.output, text.scores(pll))
    inputs.progress.unlink(missing_ok=True)
