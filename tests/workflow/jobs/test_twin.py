"""What is learned on one text twice is learned once."""

import runpy
import sys
from pathlib import Path

import pytest

from seggrid.workflow.run.records import recorded

TEXT = "this is the thistle\nthese are the thistles\n"


@pytest.fixture
def learn(root, tmp_path, monkeypatch, capsys):
    """Run the script in a folder of its own. Returns the model and whether it was copied."""
    monkeypatch.chdir(tmp_path)

    def learn(pair, text=TEXT, code="1", spec="bpe+case=keep+spaces=yes+scoring=frequency"):
        corpus = Path(f"results/corpus/{pair}.txt")
        corpus.parent.mkdir(parents=True, exist_ok=True)
        corpus.write_text(text)
        output = Path(f"results/learn/{pair}.model")
        script = str(root / "workflow/scripts/learn.py")
        command = [script, f"--corpus={corpus}", f"--spec={spec}", "--size=9"]
        command += [f"--code={code}", f"--output={output}"]
        monkeypatch.setattr(sys, "argv", command)
        output.unlink(missing_ok=True)
        with recorded(command):
            runpy.run_path(script, run_name="__main__")
        return output.read_bytes(), "copying" in capsys.readouterr().err

    return learn


def test_the_model_of_an_equal_text_is_a_copy(learn):
    first, copied = learn("eng-deu")
    assert not copied
    assert learn("deu-eng") == (first, True)
    assert not learn("other", text=TEXT * 2)[1]
    assert not learn("deu-eng", code="2")[1]
    assert not learn("deu-eng", spec="bpe+case=lower+spaces=yes+scoring=frequency")[1]


def test_a_model_that_is_damaged_or_gone_is_not_copied(learn):
    first, _ = learn("eng-deu")
    Path("results/learn/eng-deu.model").write_bytes(first[:-3])
    assert learn("deu-eng") == (first, False)
    Path("results/learn/deu-eng.model").unlink()
    assert learn("again") == (first, False)
