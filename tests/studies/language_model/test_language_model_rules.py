"""The language models of a grid as Snakemake runs them."""

import re
import shlex
from pathlib import Path

import pytest

import builtin_pair
from seggrid.base.errors import InputErrors
from seggrid.grid.grid import Grid
from seggrid.grid.rules.check import check_sources
from seggrid.studies.language_model.tasks import KINDS
from snake import rows_of

SMALL = {"steps": 3, "batch": 4, "sequence": 32, "test": 20}


def config():
    """Three small models of the built-in text, each but the first continuing another."""
    morphemes = {"file": str(builtin_pair.FOLDER / "eng.morphemes.tsv")}
    source = {**builtin_pair.SHIPPED["source"], "morphemes": morphemes}
    return {
        "pairs": {"builtin": {**builtin_pair.SHIPPED, "source": source}},
        "experiments": {"words": {"segmenter": "words"}},
        "language_models": {
            "bpe": {"pair": "builtin", "segmentation": {"merges": 100}, **SMALL},
            "swap": {"continues": "bpe", "segmentation": {"knockout": "blame-0.5"}, "steps": 0},
            "more": {"continues": "swap", "steps": 1},
        },
    }


def shown(snakemake, folder, values):
    """The inputs and the words of the command of each planned job of language models, by its output."""
    # Only jobs need these libraries.
    for library in ("torch", "transformers", "safetensors"):
        (folder / library).mkdir(exist_ok=True)
        (folder / library / "__init__.py").touch()
    printed = snakemake(folder, values, "-n", "-p", "--quiet", "host")
    found = {}
    for text in re.split(r"^rule ", printed.stdout + printed.stderr, flags=re.M):
        fields = dict(re.findall(r"^    (input|output): (.*)$", text, flags=re.M))
        if text.startswith("language_model"):
            words = [
                word
                for line in text.splitlines()
                if "2> " in line
                for word in shlex.split(line.partition("2> ")[0])
            ]
            found[fields["output"]] = fields.get("input", "").split(", "), words
    return found


def test_a_model_reads_what_its_segmentation_and_its_text_are_made_of(root, snakemake, tmp_path):
    values = config()
    german = str(builtin_pair.FOLDER / "deu.txt")
    values["language_models"]["bpe"]["text"] = german
    (tmp_path / "cloze.tsv").write_text("a\tb\n")
    values["language_models"]["more"]["probes"] = {"order": {"make": "word_order"}}
    (tmp_path / "train").write_text("He\tO\n")
    (tmp_path / "test").write_text("She\tO\n")
    ner = {"kind": "words", "train": "train", "test": "test"}
    values["language_models"]["swap"]["tasks"] = {"ner": ner}
    values["language_models"]["more"]["tasks"] = {}
    jobs = shown(snakemake, tmp_path, values)
    folder = "results/language_model"
    inputs, words = jobs[f"{folder}/more/model"]
    assert f"{folder}/swap/model" in inputs
    (german,) = (file for file in inputs if Path(file).name == "deu.txt")
    assert Path(tmp_path, german).samefile(values["language_models"]["bpe"]["text"]), "inherited"
    assert any(file.startswith("results/prune/builtin/source/bpe+") for file in inputs)
    assert {f"--corpus={german}", f"--base={folder}/swap/model", "--tokens="} <= set(words)
    assert {"--steps=1", "--batch=4", "--sequence=32", "--learning-rate=0.001"} <= set(words)
    inputs, words = jobs[f"{folder}/bpe/model"]
    assert "--base=" in words
    assert any(file.startswith("results/learn/builtin/source/bpe+") for file in inputs)
    _, words = jobs[f"{folder}/more/probes/order.npz"]
    assert {"--items=", "--make=word_order"} <= set(words)
    tuned = [file for file in jobs if "/tasks/" in file]
    assert sorted(tuned) == [f"{folder}/swap/tasks/ner/{seed}.npz" for seed in (1, 2, 3)]
    inputs, words = jobs[tuned[0]]
    (train,) = (file for file in inputs if Path(file).name == "train")
    assert {"--kind=words", f"--train-file={train}", "--learning-rate=0.0005", "--steps=500",
            "--batch=32", "--device-batch=32", "--tags="} <= set(words)  # fmt: skip


def test_each_seed_of_a_model_has_files_and_task_seeds_of_its_own(root, snakemake, tmp_path):
    values = config()
    values["language_models"]["more"]["tasks"] = {}
    ner = {"kind": "words", "train": "a.conll", "test": "b.conll"}
    ner |= {"search": 10, "examples": 50, "seeds": 2, "new_words": True}
    values["language_models"]["swap"]["tasks"] = {"ner": ner}
    (tmp_path / "a.conll").write_text("He\tO\n")
    (tmp_path / "b.conll").write_text("She\tO\n")
    values["language_models"]["bpe"]["seeds"] = 2
    jobs = shown(snakemake, tmp_path, values)
    tuned = {file.split("model/")[1]: words for file, (_, words) in jobs.items() if "/ner/" in file}
    assert sorted(tuned) == [
        f"swap-{model}/tasks/ner/{seed}.npz" for model, seed in ((1, 1), (1, 2), (2, 3), (2, 4))
    ]
    expected = {"--search=10", "--validation=100", "--epochs=3", "--examples=50"}
    assert expected | {"--new-words=True"} <= set(tuned["swap-2/tasks/ner/3.npz"])


def test_a_task_of_parts_of_speech_reads_the_tags(root, snakemake, tmp_path):
    pytest.importorskip("HanTa")
    jobs = shown(snakemake, tmp_path, _tagged(config()))
    tags = "results/tag/builtin/source/case=keep.txt"
    inputs, words = jobs["results/language_model/bpe/tasks/pos/1.npz"]
    assert tags in inputs
    assert f"--tags={tags}" in words
    tokens = [file for file in inputs if file.startswith("results/segment/builtin/source/bpe+")]
    assert f"--tokens={tokens[0]}" in words


def _tagged(values):
    """The config with a task of labels from the tagger."""
    values["pairs"]["builtin"]["source"]["language"] = "English"
    values["language_models"]["bpe"]["tasks"] = {"pos": {"kind": "pos"}}
    return values


# A text of each kind of task of a Table 3: sentiment, inference, entities; words are any other labels.
EXAMPLES = {
    "words": "He\tX\n.\tO\n\nShe\tX\n",
    "entities": "He\tB-PER\n.\tO\n\nShe\tB-PER\nand\tO\n",
    "sentences": "good\tthe good house\nbad\tthe bad house\n",
    "sentence_pairs": "yes\tthe house\ta house\nno\tthe cat\ta house\n",
}


def test_a_grid_has_each_task_and_a_change_reruns_what_follows_from_it(
    root, snakemake, tmp_path, documented
):
    for library in ("torch", "transformers", "HanTa"):
        install = "pip install -c requirements.lock -e '.[lm,lexical]'"
        pytest.importorskip(library, reason=f"needs torch, transformers and HanTa: {install}")
    values = _tagged(config())
    models = values["language_models"]
    del models["more"]
    models["swap"]["steps"] = 1
    models["swap"]["tasks"] = {}
    models["bpe"]["probes"] = {"cloze": {"file": "cloze.tsv"}}
    (tmp_path / "cloze.tsv").write_text("He [MASK] .\tgoes\tgo\n")
    tasks = models["bpe"]["tasks"]
    for kind, text in EXAMPLES.items():
        (tmp_path / kind).write_text(text)
        (tmp_path / f"{kind}.test").write_text(text.replace("He", "It").replace("house", "man"))
        tasks[kind] = {"kind": kind, "train": kind, "test": f"{kind}.test"}
    assert {own["kind"] for own in tasks.values()} == {*KINDS}
    for own in tasks.values():
        own |= {"steps": 1, "seeds": 1}
    targets = [f"results/language_model{what}.csv" for what in ("", "_probes", "_tasks")]

    def planned():
        said = snakemake(tmp_path, values, "-n", "--quiet", "host", "--", *targets)
        return {
            line.split("lm=")[1]
            for line in said.stdout.splitlines() + said.stderr.splitlines()
            if "wildcards: lm=" in line
        }

    # Importing torch and transformers takes longer than any of these jobs.
    loaded = " ".join(f"seggrid.studies.language_model.{name}" for name in ("train", "fine_tuning"))
    snakemake(tmp_path, values, *targets, PRELOADED=loaded)
    for file in (tmp_path / "results").glob("language_model*.csv"):
        documented(file.name, file.read_text().split("\n")[0].split(","))
    table, probes, tuned = (rows_of(tmp_path / target) for target in targets)
    assert [row["model"] for row in table] == ["bpe", "swap"]
    assert [(row["model"], row["probe"]) for row in probes] == [("bpe", "cloze"), ("swap", "cloze")]
    assert {row["model"] for row in tuned} == {"bpe"}
    rows = {row["task"]: row for row in tuned}
    assert rows.keys() == {*KINDS}
    assert {name: row["measure"] for name, row in rows.items()} == {
        **dict.fromkeys(KINDS, "accuracy"),
        "entities": "F1 of entities",
    }
    assert {row["labels"] for name, row in rows.items() if name != "pos"} == {"given"}
    assert rows["pos"]["labels"] == "silver (HanTa)"
    assert {row["seeds"] for row in tuned} == {"1"}
    assert all(0 <= float(row["score"]) <= 1 for row in tuned)

    assert planned() == set()
    (tmp_path / "cloze.tsv").write_text("He [MASK] .\tgoes\tgone\n")
    tasks["words"]["seeds"] = 2
    assert planned() == {"bpe, probe=cloze", "swap, probe=cloze", "bpe, task=words, tuning=2"}
    tasks["words"]["seeds"] = 1
    (tmp_path / "cloze.tsv").write_text("He [MASK] .\tgoes\tgo\n")
    models["swap"]["steps"] = 2
    assert planned() == {"swap", "swap, probe=cloze"}
    models["swap"]["steps"] = 1
    models["bpe"]["learning_rate"] = 0.01
    assert {told.partition(",")[0] for told in planned()} == {"bpe", "swap"}


def test_a_task_without_the_tagger_says_what_to_install(root, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("seggrid.base.extras.find_spec", lambda name: None)
    with pytest.raises(InputErrors) as error:
        check_sources(Grid(_tagged(config())))
    lines = str(error.value).splitlines()
    assert any("tasks of kind pos: the package hanta is not installed" in line for line in lines)
    assert any("[lexical]" in line for line in lines)
    assert any("[lm]" in line for line in lines)
