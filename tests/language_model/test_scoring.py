"""Scores of the workflow's script, compared with one mask at a time by transformers."""

import numpy as np
import pytest
from pll_twin import pll
from trainings import PRUNED, SPEC

from seggrid.language_model.scores import SentenceScores, measure, read_scores
from seggrid.language_model.text import split
from seggrid.language_model.vocabulary import read_vocabulary
from seggrid.segment.bpe.apply import apply
from seggrid.segment.bpe.model import read_model as read_merges


def scoring(text, trained, output, model="eng.model", spec=SPEC):
    return [
        f"--corpus={text / 'eng.txt'}", f"--model={text / model}", f"--spec={spec}", "--test=10",
        f"--language-model={trained}", f"--progress={output}.part", f"--output={output}",
    ]  # fmt: skip


@pytest.mark.parametrize(("merges", "spec"), [("eng.model", SPEC), ("pruned.model", PRUNED)])
def test_ten_sentences_score_as_with_one_mask_at_a_time(
    torch, trained, text, english, script, tmp_path, merges, spec
):
    from transformers import AutoModelForMaskedLM

    script("language_model_scores", *scoring(text, trained, tmp_path / "s.npz", merges, spec))
    scores = read_scores(tmp_path / "s.npz", SentenceScores)
    model = AutoModelForMaskedLM.from_pretrained(trained).eval()

    def predict(sequences, masked, targets):
        with torch.no_grad():
            logits = model(torch.from_numpy(sequences.astype(np.int64))).logits
        return [float(logits[0, masked[0]].log_softmax(-1)[targets[0]])]

    _, test = split(list(map(tuple, english)), 10)
    segmented = apply(read_merges(text / merges), english).take(test)
    ids = read_vocabulary(trained / "types.txt").encode(segmented)
    slow = []
    for first, last in zip(segmented.offsets[:-1], segmented.offsets[1:], strict=True):
        # Sequences of 32 tokens have room for 30 besides the begin and end tokens.
        slow.append(
            sum(pll(predict, ids[at : min(at + 30, last)]) for at in range(first, last, 30))
        )
    assert scores.pll == pytest.approx(slow, abs=1e-5 * max(1, -min(slow)))
    pppl = np.exp(-sum(slow) / len(ids))
    assert measure(scores)[0] == pytest.approx(pppl, rel=1e-5)
    assert scores.words.tolist() == [len(english[i]) for i in test]
    assert scores.characters.tolist() == [len(" ".join(english[i])) for i in test]


def test_an_interrupted_scoring_ends_with_the_same_bytes(
    trained, text, script, tmp_path, monkeypatch
):
    import seggrid.workflow.jobs.language_model_scoring as module

    whole, part = tmp_path / "whole.npz", tmp_path / "part.npz"
    script("language_model_scores", *scoring(text, trained, whole))
    real = module.pseudo_log_likelihoods

    def interrupted(*arguments, **options):
        for number, state in enumerate(real(*arguments, **options, batch_tokens=64)):
            if number == 3:
                raise KeyboardInterrupt
            yield state

    monkeypatch.setattr(module, "pseudo_log_likelihoods", interrupted)
    with pytest.raises(KeyboardInterrupt):
        script("language_model_scores", *scoring(text, trained, part), "--every=0")
    assert not part.exists()
    monkeypatch.setattr(module, "pseudo_log_likelihoods", real)
    script("language_model_scores", *scoring(text, trained, part))
    assert read_scores(part, SentenceScores).pll == pytest.approx(
        read_scores(whole, SentenceScores).pll
    )
    assert not (tmp_path / "part.npz.part").exists()


def test_a_uniform_model_has_the_perplexity_of_its_vocabulary(
    torch, trained, text, script, tmp_path
):
    import shutil

    from transformers import AutoModelForMaskedLM

    uniform = tmp_path / "uniform"
    shutil.copytree(trained, uniform)
    model = AutoModelForMaskedLM.from_pretrained(trained)
    for parameter in model.lm_head.parameters():
        torch.nn.init.zeros_(parameter)
    model.save_pretrained(uniform)
    script("language_model_scores", *scoring(text, uniform, tmp_path / "s.npz"))
    size = len(read_vocabulary(trained / "types.txt"))
    assert measure(read_scores(tmp_path / "s.npz", SentenceScores))[0] == pytest.approx(
        size, rel=1e-6
    )
