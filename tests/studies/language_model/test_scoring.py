"""Scores of the workflow's script, compared with one mask at a time by transformers."""

from itertools import pairwise

import numpy as np
import pytest
from trainings import PRUNED, SPEC, arguments

from seggrid.segment.bpe.apply import apply
from seggrid.segment.bpe.model import BPEModel
from seggrid.studies.language_model.scores import SentenceScores, measure_model, read_model_scores
from seggrid.studies.language_model.text import split
from seggrid.studies.language_model.vocabulary import read_vocabulary


@pytest.mark.parametrize(("merges", "spec"), [("eng.model", SPEC), ("pruned.model", PRUNED)])
def test_ten_sentences_score_as_with_one_mask_at_a_time(
    slow_pll, trained, text, english, script, tmp_path, merges, spec
):
    scoring = arguments(text, tmp_path / "s", model=merges, spec=spec, language_model=trained)
    script("language_model_scores", *scoring)
    scores = read_model_scores(tmp_path / "s", SentenceScores)
    _, test = split(list(map(tuple, english)), 10)
    segmented = apply(BPEModel.read(text / merges), english).take(test)
    ids = read_vocabulary(trained / "types.txt").encode(segmented)
    slow = [slow_pll(ids[first:last]) for first, last in pairwise(segmented.offsets)]
    assert scores.pll == pytest.approx(slow, abs=1e-5 * max(1, -min(slow)))
    pppl = np.exp(-sum(slow) / len(ids))
    assert measure_model(scores)[0] == pytest.approx(pppl, rel=1e-5)
    assert scores.words.tolist() == [len(english[i]) for i in test]
    assert scores.characters.tolist() == [len(" ".join(english[i])) for i in test]


def test_an_interrupted_scoring_ends_with_the_same_bytes(
    trained, text, script, tmp_path, monkeypatch
):
    import seggrid.studies.language_model.job_inputs as module

    whole, part = tmp_path / "whole.npz", tmp_path / "part.npz"
    script("language_model_scores", *arguments(text, whole, language_model=trained))
    scoring = arguments(text, part, language_model=trained)
    real = module.pseudo_log_likelihoods

    def interrupted(*arguments, **options):
        for number, state in enumerate(real(*arguments, **options)):
            if number == 3:
                raise KeyboardInterrupt
            yield state

    monkeypatch.setattr("seggrid.studies.language_model.pseudo_likelihood.BATCH_TOKENS", 64)
    monkeypatch.setattr(module, "pseudo_log_likelihoods", interrupted)
    with pytest.raises(KeyboardInterrupt):
        script("language_model_scores", *scoring, "--every=0")
    assert not part.exists()
    monkeypatch.setattr(module, "pseudo_log_likelihoods", real)
    script("language_model_scores", *scoring)
    assert read_model_scores(part, SentenceScores).pll == pytest.approx(
        read_model_scores(whole, SentenceScores).pll
    )
    assert not (tmp_path / "part.npz.progress").exists()
