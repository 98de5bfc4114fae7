"""Fixtures of the tests of language models."""

import numpy as np
import pytest
from model_twins import pll
from trainings import training

import builtin_pair
from seggrid.segment.bpe.model import learn
from snake import run_here


@pytest.fixture(scope="session")
def english():
    """Sentences of the built-in text."""
    return builtin_pair.words_of("eng")[:120]


@pytest.fixture(scope="session")
def text(english, tmp_path_factory):
    """A folder with the text, a BPE model, and the same model with one merge pruned."""
    folder = tmp_path_factory.mktemp("text")
    (folder / "eng.txt").write_text("\n".join(map(" ".join, english)) + "\n", encoding="utf-8")
    model = learn(english, 100)
    model.write(folder / "eng.model")
    # As after pruning: the merge of "th" is removed, and the merges that used it have three parts.
    left = ("▁t", "h")
    merges = []
    for merge in model.merges:
        if merge != left:
            merges.append(tuple(p for part in merge for p in (left if part == "▁th" else (part,))))
    assert any(len(merge) > 2 for merge in merges)
    type(model)(merges).write(folder / "pruned.model")
    return folder


@pytest.fixture(scope="session")
def script():
    """Run a script of the workflow in this process."""
    return run_here


@pytest.fixture(scope="session")
def trained(torch, text, script, tmp_path_factory):
    """The folder of a model after 40 steps."""
    folder = tmp_path_factory.mktemp("trained") / "model"
    script("language_model", *training(text, folder, 40))
    return folder


@pytest.fixture(scope="session")
def slow_pll(torch, trained):
    """The pseudo-log-likelihood of a sentence of ids, one mask at a time by transformers."""
    from transformers import AutoModelForMaskedLM

    model = AutoModelForMaskedLM.from_pretrained(trained).eval()

    def predict(sequences, masked, targets):
        with torch.no_grad():
            logits = model(torch.from_numpy(sequences.astype(np.int64))).logits
        return [float(logits[0, masked[0]].log_softmax(-1)[targets[0]])]

    # Sequences of 32 tokens have room for 30 besides the begin and end tokens.
    return lambda ids: sum(pll(predict, ids[at : at + 30]) for at in range(0, len(ids), 30))
