"""The configs for files that users must have themselves: refused without them, run on made files."""

import hashlib
import re
import shutil
import tarfile
from dataclasses import replace

import pytest
import yaml
from tokenizers import ByteLevelBPETokenizer

import builtin_pair
from seggrid.commands import main
from seggrid.segment.bpe.model import BPEModel
from snake import rows_of

LINES, SCORED = 60, 20
CELEX = """
reanimatietechniek	((((re)[V|.V],(animeer)[V])[V],(atie)[N|V.])[N],((technisch)[A],(iek)[N|A.])[N])[N]
reanimatie	(((re)[V|.V],(animeer)[V])[V],(atie)[N|V.])[N]
techniek	((technisch)[A],(iek)[N|A.])[N]
coëfficiënt	((co)[N|.N],(efficiënt)[A])[N]
eenheid	((één)[Q],(heid)[N|Q.])[N]
bruidsjurk	((bruid)[N],(s)[N|N.N],(jurk)[N])[N]
beleidsmaker	((beleid)[N],(s)[N|N.N],((maak)[V],(er)[N|V.])[N])[N]
maker	((maak)[V],(er)[N|V.])[N]
gids	(gids)[N]
zee-egel	((zee)[N],(egel)[N])[N]
"""


@pytest.fixture
def folder(root, tmp_path, monkeypatch):
    shutil.copytree(root / "resources", tmp_path / "resources")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "files"),
    [
        ("knockout-dutch", ["nld/celex.txt", "nld/merges.txt", "nld/vocab.json"]),
        ("thesis-eng-ron", ["eng-ron/train.eng"]),
        ("eng-jpn", ["kftt-alignments/data/english.txt"]),
    ],
)
def test_without_the_files_each_is_named_in_a_line(root, folder, capsys, name, files):
    assert main(["plan", str(root / f"config/{name}.yaml")]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert [line.partition(" (")[0] for line in lines] == [
        f"error: data/{file}: no such file" for file in files
    ]


def test_dutch(root, snakemake, folder):
    pytest.importorskip("wordfreq")
    data = folder / "data/nld"
    data.mkdir(parents=True)
    (data / "celex.txt").write_text(CELEX.lstrip("\n"), "utf-8")
    text = [line.split("\t")[0] for line in CELEX.split("\n")]
    tokenizer = ByteLevelBPETokenizer(add_prefix_space=True)
    tokenizer.train_from_iterator(text * 3, vocab_size=330, show_progress=False)
    tokenizer.save_model(str(data))
    config = yaml.safe_load((root / "config/knockout-dutch.yaml").read_text("utf-8"))
    snakemake(folder, config, "--", "results/morphology.csv", "results/knockout.csv")
    rows = rows_of(folder / "results/morphology.csv")
    published = rows_of(root / "resources/published/bpe_knockout_nld.csv")
    published += rows_of(root / "resources/published/bpe_knockout_nld_rates.csv")
    assert len([row for row in rows if row["published_f1"]]) == len(published)
    figures = {row["figure"] for row in rows_of(folder / "results/knockout.csv")}
    assert {"selection", "leaves", "change", "threshold"} <= figures


def test_romanian(root, snakemake, folder):
    """Text with gold in tags, training text of plain lines, gold of the shared task."""
    data = folder / "data/eng-ron"
    data.mkdir(parents=True)
    for theirs, ours in (("eng", "eng"), ("deu", "ron")):
        lines = builtin_pair.lines_of(theirs)[:LINES]
        tagged = [f"<s snum={i:04d}> {line} </s>" for i, line in enumerate(lines, 1)]
        (data / f"test.{ours}").write_text("\n".join(tagged[:SCORED]) + "\n", "utf-8")
        (data / f"train.{ours}").write_text("\n".join(lines[SCORED:]) + "\n", "utf-8")
    gold = builtin_pair.lines_of("gold")[:SCORED]
    links = []
    for i, line in enumerate(gold, 1):
        for link in line.split():
            source, target = link.replace("p", "-").split("-")
            links.append(f"{i:04d} {int(source) + 1} {int(target) + 1} {'SP'['p' in link]}")
    (data / "test.gold").write_text("\n".join(links) + "\n", "utf-8")
    config = yaml.safe_load((root / "config/thesis-eng-ron.yaml").read_text("utf-8"))
    for experiment in config["experiments"].values():
        experiment["merges"] = experiment.get("merges", [None])[:1]
    config["experiments"]["words"].pop("merges")
    config |= {"learn_merges": 99, "report": {"resamples": 100}}
    snakemake(folder, config, "--", "results/published.csv")
    found = [row["cells"] for row in rows_of(folder / "results/published.csv")]
    assert (found.count("1"), len(found)) == (4, 26)


def test_japanese_from_an_archive(root, snakemake, folder):
    """Files of one archive, links with the target first, lines without links."""
    data = folder / "data/kftt-alignments/data"
    data.mkdir(parents=True)
    for theirs, ours in (("eng", "english"), ("deu", "japanese")):
        lines = builtin_pair.lines_of(theirs)[:LINES]
        (data / f"{ours}.txt").write_text("\n".join(lines) + "\n", "utf-8")
    gold = builtin_pair.lines_of("gold")[:LINES]
    swapped = [
        " ".join("-".join(x.replace("p", "-").split("-")[::-1]) for x in g.split()) for g in gold
    ]
    (data / "align.txt").write_text("\n".join(["", *swapped[1:]]) + "\n", "utf-8")
    archive = folder / "kftt-alignments.tar.gz"
    with tarfile.open(archive, "w:gz") as packed:
        packed.add(folder / "data/kftt-alignments", "kftt-alignments")
    shutil.rmtree(folder / "data")
    text = (root / "config/eng-jpn.yaml").read_text("utf-8")
    source = f"url: {archive.as_uri()}, sha256: {hashlib.sha256(archive.read_bytes()).hexdigest()}"
    config = yaml.safe_load(re.sub(r"data/(kftt\S+txt)", rf"{{{source}, member: \1}}", text))
    config["experiments"] = {
        "hidden": {"merges": 50, "target": {"spaces": "hidden"}, "aligner": "fast_align"}
    }
    snakemake(folder, config, "--", "results/scores.csv")
    (row,) = [row for row in rows_of(folder / "results/scores.csv") if row["merges"]]
    assert int(row["gold_sentences"]) == LINES - 1
    assert float(row["f1"]) > 0.1


def test_merges_that_are_learned_already(root, snakemake, folder):
    """Merges of other letters leave characters; merges of the text give what learning them gives."""
    config = {
        "pairs": {
            "builtin": yaml.safe_load((root / "config/config.yaml").read_text("utf-8"))["pairs"][
                "builtin"
            ]
        },
        "experiments": {"plain": {"merges": 20, "spaces": False, "aligner": "fast_align"}},
        "report": {"resamples": 100},
    }
    snakemake(folder, config, "--", "results/scores.csv")
    file = next((folder / "results/learn/builtin/source").glob("*.model"))
    first = rows_of(folder / "results/scores.csv")
    shutil.copy(file, folder / "mine.model")
    config["pairs"]["builtin"]["source"]["model"] = "mine.model"
    snakemake(folder, config, "--", "results/scores.csv")
    assert rows_of(folder / "results/scores.csv") == first
    other = [(f"{a}\u0416", f"{a}\u0429") for a in "abcdefghijklmnopqrstuvwxyz"]
    replace(BPEModel.read(file), merges=other).write(folder / "mine.model")
    snakemake(folder, config, "--", "results/scores.csv")
    assert rows_of(folder / "results/scores.csv") != first
    assert BPEModel.read(file).merges == other
