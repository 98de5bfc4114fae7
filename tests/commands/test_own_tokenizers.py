"""A tokenizer that another library made is known by its content, by every verb and without an option."""

import json
from pathlib import Path

import pytest

import builtin_pair
from seggrid.commands import main

BPE = ("whitespace", "bytes", "sentencepiece_bpe")
OTHERS = ("wordpiece", "sentencepiece_unigram")
SIZE = 600


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with a text, a reference, and five tokenizers, each made by its library."""
    tokenizers = pytest.importorskip("tokenizers", reason="pip install 'seggrid[tokenizers]'")
    sentencepiece = pytest.importorskip("sentencepiece", reason="pip install 'seggrid[tokenizers]'")
    folder = tmp_path_factory.mktemp("made")
    builtin_pair.write_pair(folder, 300)
    (folder / "forms").write_text("the\tt he\nand\tan d\nwas\twa s\n", encoding="utf-8")
    text = str(folder / "eng")
    settings = {"special_tokens": ["[UNK]"], "vocab_size": SIZE, "show_progress": False}
    models, trainers, cutters = tokenizers.models, tokenizers.trainers, tokenizers.pre_tokenizers
    for name, model, trainer, cutter in (
        ("whitespace", models.BPE, trainers.BpeTrainer, cutters.Whitespace()),
        ("bytes", models.BPE, trainers.BpeTrainer, cutters.ByteLevel(add_prefix_space=True)),
        ("wordpiece", models.WordPiece, trainers.WordPieceTrainer, cutters.Whitespace()),
    ):
        own = tokenizers.Tokenizer(model(unk_token="[UNK]"))
        own.pre_tokenizer = cutter
        own.train([text], trainer(**settings))
        own.save(str(folder / name))
    for kind in ("bpe", "unigram"):
        prefix = folder / f"sentencepiece_{kind}"
        sentencepiece.SentencePieceTrainer.train(
            input=text, model_prefix=prefix, model_type=kind, vocab_size=SIZE, minloglevel=2
        )
        prefix.with_suffix(".model").rename(prefix)
    # Fewer are aligned.
    builtin_pair.write_pair(folder, 80)
    return folder


def measured(capsys, model):
    capsys.readouterr()
    assert main(["measure", "eng", "-m", model, "--morphemes", "forms", "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("name", [*BPE, *OTHERS])
def test_each_verb_knows_what_a_file_is(made, name, monkeypatch, capsys):
    monkeypatch.chdir(made)
    before = measured(capsys, name)
    assert main(["segment", "eng", "-m", name, "-o", f"{name}.cut"]) == 0
    lines = Path(f"{name}.cut").read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(Path("eng").read_text(encoding="utf-8").splitlines())
    assert main(["align", "eng", "deu", "--tokenizer", name, "-o", f"{name}.links"]) == 0
    if name in OTHERS:
        capsys.readouterr()
        assert main(["prune", name, "--morphemes", "forms", "-o", "no"]) == 2
        assert "only a BPE has merges" in capsys.readouterr().err
        return
    pruned = f"{name}.pruned"
    assert main(["prune", name, "--morphemes", "forms", "-o", pruned]) == 0
    after = measured(capsys, pruned)
    assert after["tokens"] > before["tokens"]
    assert after["boundary_recall"] > before["boundary_recall"]
    assert main(["segment", "eng", "-m", pruned, "-o", f"{pruned}.cut"]) == 0
    assert main(["align", "eng", "deu", "--tokenizer", pruned, "-o", f"{pruned}.links"]) == 0
    assert main(["convert", pruned, "--to", "tokenizer", "-o", f"{pruned}.again"]) == 0
