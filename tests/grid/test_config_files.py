"""Mistakes in the files that a config names, and messages of a run of Snakemake."""

import pytest
from config_texts import EXPERIMENTS, LEARNED, PAIR, experiment

from seggrid.base.errors import InputError
from seggrid.grid.config import read_config
from seggrid.grid.grid import Grid
from seggrid.grid.rules.check import check_sources

pytestmark = pytest.mark.usefixtures("folder")


def sources(folder, text):
    file = folder / "config.yaml"
    file.write_text(text)
    with pytest.raises(InputError) as caught:
        check_sources(Grid(read_config([file])))
    return str(caught.value).split("\n")


@pytest.mark.needs_studies("morphology", "published")
def test_missing_files_are_told_together(folder):
    entry = "{reference: {file: r.tsv}, tokenizer: {merges: m.txt, vocabulary: v.json}}"
    found = sources(folder, f"{PAIR}{EXPERIMENTS}published: [a.csv]\nmorphology: {{m: {entry}}}\n")
    told = "\n".join(found)
    for name in ("text.txt", "r.tsv", "m.txt", "v.json", "a.csv"):
        assert f"{name}: " in told
    assert len(found) == 5


@pytest.mark.needs_studies("morphology")
def test_a_pair_that_only_morphology_learns_on_is_checked(folder):
    other = PAIR.partition("\n")[2].replace("  p:", "  q:").replace("text.txt", "other.txt")
    entry = f"{{reference: {{file: config.yaml}}, {LEARNED.replace('p,', 'q,')}}}"
    experiments = "experiments: {x: {pairs: p}}\n"
    found = sources(folder, f"{PAIR}{other}{experiments}morphology: {{m: {entry}}}\n")
    assert any("other.txt" in line for line in found)


@pytest.mark.needs_studies("published")
def test_published_tables_are_checked(folder):
    (folder / "text.txt").write_text("a b\nc d\ne f\n")
    (folder / "gold.txt").write_text("0-0\n1-1\n")
    (folder / "table.csv").write_text("pair,f1,table\np,0.5,t\nq,0.5,t\n")
    (line,) = sources(folder, f"{PAIR}{EXPERIMENTS}published: table.csv\n")
    assert line.startswith("table.csv:3: the config has no pair 'q'")


def test_numbers_of_sentences_are_checked(folder):
    (folder / "text.txt").write_text("a b\nc d\ne f\n")
    (folder / "gold.txt").write_text("0-0\n1-1\n")
    (line, *_) = sources(folder, PAIR + "experiments: {x: {merges: 5, sentences: 1}}\n")
    assert line.startswith("text.txt: 1 sentences are to be kept, but 2 have gold")


def test_snakemake_prints_the_lines_and_no_traceback(snakemake, folder):
    (folder / "c.yaml").write_text(experiment("x: {mergers: 3}\n") + "seed: x\n")
    options = ["-n", "--configfile", "c.yaml", "--config", "batch=[1]"]
    done = snakemake(folder, None, *options, check=False)
    assert done.returncode == 1
    lines = [line for line in done.stderr.splitlines() if "profile" not in line]
    assert [line.partition(" (")[0] for line in lines] == [
        "error: c.yaml:7: experiments.x.mergers: unknown key 'mergers'",
        "error: c.yaml:8: seed: 'x' is not a whole number",
        "error: --config batch: batch: a list is not a whole number",
    ]
    assert not done.stdout


def test_snakemake_takes_titles_with_braces_and_lists_of_the_command_line(root, snakemake, folder):
    (folder / "resources").symlink_to(root / "resources")
    shipped = (root / "config/config.yaml").read_text()
    text = shipped.replace("title: Word", "title: On {x} and } or { Word")
    assert text != shipped
    (folder / "c.yaml").write_text(text)
    options = [
        "-n",
        "--quiet",
        "host",
        "--configfile",
        "c.yaml",
        "--config",
        "experiments={plain: {merges: [7, 8]}}",
    ]
    done = snakemake(folder, None, *options)
    assert "merges=7" in done.stdout
    assert "merges=8" in done.stdout
