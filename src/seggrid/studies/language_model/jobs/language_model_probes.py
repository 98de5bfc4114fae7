"""Let a masked language model answer a probe: which candidate makes the likelier sentence."""

from itertools import chain
from pathlib import Path
from typing import Literal

import numpy as np

from seggrid.base.errors import InputError
from seggrid.base.torch_training import prepare_torch
from seggrid.grid.jobs.script import timed
from seggrid.grid.run.code_digest import code_digest
from seggrid.segment.side_segmenter import segment_cased
from seggrid.studies.language_model.job_inputs import TextInputs, inputs_digest, score_sentences
from seggrid.studies.language_model.model import predictor, read_language_model, sequence_length
from seggrid.studies.language_model.probes import MADE, credits, read_items
from seggrid.studies.language_model.scores import ProbeScores, write_scores
from seggrid.studies.language_model.text import split
from seggrid.studies.language_model.vocabulary import UNKNOWN
from seggrid.text.text_files import apply_case


def main(
    inputs: TextInputs,
    language_model: Path,
    items: Path | None = None,
    make: Literal[*MADE] | None = None,
) -> None:
    """Answer the items of a file, or those that are made from the text in one way."""
    device = prepare_torch(inputs.threads)
    model, vocabulary = read_language_model(language_model)
    side, merges, text = inputs.spec, inputs.read_model(), inputs.sentences()
    if items:
        asked = read_items(items)
    else:
        words = [tuple(words) for words in apply_case(text, side.case)]
        train, test = split(words, inputs.test)
        asked = MADE[make]([words[i] for i in train], [words[i] for i in test])
        if not asked:
            raise InputError(
                f"no held-out sentence has the words that {make} needs",
                file=inputs.corpus,
                hint="hold out more sentences (language_models.NAME.test), or leave the probe out",
            )
    counts = np.array(list(map(len, asked)), dtype=np.int64)
    sentences = apply_case([list(words) for words in chain.from_iterable(asked)], side.case)
    tokens, *_ = segment_cased(side, merges, sentences, [0], inputs.threads)
    ids = vocabulary.encode(tokens)
    weights = language_model / "model.safetensors"
    settings = [str(side), inputs.threads, device.type, code_digest(Path(__file__)), sentences]
    with timed("scoring"):
        pll = score_sentences(
            predictor(model, device),
            ids,
            tokens.lengths,
            longest=sequence_length(model),
            key=inputs_digest(settings, [inputs.model, weights]),
            inputs=inputs,
        )
    item = np.repeat(np.repeat(np.arange(len(asked)), counts), tokens.lengths)
    unknown = np.bincount(item[ids == UNKNOWN], minlength=len(asked))
    write_scores(inputs.output, ProbeScores(credits(pll, counts), counts, unknown))
    inputs.progress.unlink(missing_ok=True)
