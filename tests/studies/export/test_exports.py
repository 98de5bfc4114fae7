"""Exports of cells: the links, tokens and models of all sentence pairs, as a whole and in parts."""

from copy import deepcopy
from pathlib import Path

import pytest

import builtin_pair
from config_edits import with_value
from counted_twin import counted_together
from seggrid.base.errors import InputErrors
from seggrid.base.lines import read_lines
from seggrid.commands import main
from seggrid.grid.align_cell import Earlier, Models, Process, Request, align_cell
from seggrid.grid.config import check_config
from seggrid.grid.grid import Grid
from seggrid.grid.learned import read_segmenters
from seggrid.grid.rules.check import check_sources
from seggrid.grid.samples import sample_seeds
from seggrid.score.counts import read_score_file
from seggrid.studies.export import study
from seggrid.text.gold import read_gold_file
from seggrid.text.selection import draw_lines
from seggrid.text.sides import SIDES

pytestmark = pytest.mark.tier("check")

SENTENCES, GOLD, TRAINING = 120, 60, 40

CONFIG = {
    "learn_merges": 200,
    "seed": 7,
    "pairs": {
        "p": {
            "source": {"text": "eng", "training": "more.eng"},
            "target": {"text": "deu", "training": "more.deu"},
            "empty_lines": "skip",
            "gold": {"file": "gold"},
        },
        # Without gold, nothing is scored.
        "none": {"source": {"text": "plain.eng"}, "target": {"text": "plain.deu"}},
    },
    "experiments": {
        "one": {"pairs": "p", "merges": 60, "aligner": "fast_align"},
        "votes": {
            "pairs": "p",
            "merges": 60,
            "case": "lower",
            "dropout": 0.2,
            "aligner": "fast_align",
            "samples": [2, 3],
            "aggregate": ["1/3", "union"],
            "symmetrization": "union",
        },
        "probable": {
            "pairs": "p",
            "merges": 60,
            "case": "lower",
            "sides": "source",
            "aligner": "gibbs",
            "replicates": 2,
            "aggregate": ["posterior-0.4", "posterior-0.6"],
        },
        "own": {
            "pairs": "none",
            "merges": 60,
            "case": "lower",
            "dropout": [0, 0.2],
            "samples": 2,
            "aggregate": 0.5,
            "aligner": ["fast_align", "gibbs"],
        },
    },
    "batch": 2,
    "report": {"resamples": 100},
}
EXPORT = {
    "whole": {"experiments": ["one", "votes", "probable"]},
    "all": {"experiments": ["one", "own"], "links": "all", "tokens": "all", "format": "gz"},
    "parts": {
        "experiments": ["votes", "probable"],
        "links": "all",
        "parts": 50,
        "sample": 100,
        "format": "zst",
    },
    "single": {
        "experiments": ["own"],
        "links": "all",
        "tokens": "all",
        "parts": 1000,
        "sample": 1000,
        "format": "gz",
    },
    "sampled": {
        "experiments": ["one", "own"],
        "links": "all",
        "tokens": "all",
        "parts": 70,
        "sample": 1000,
        "format": "gz",
    },
}

SHARED = {"counted", "summed", "shared"}


def changed(*path, value):
    return with_value({**CONFIG, "export": EXPORT}, *path, value=value)


@pytest.fixture(scope="module")
def finished(snakemake, tmp_path_factory):
    folder = tmp_path_factory.mktemp("exports")
    lines = {name: builtin_pair.lines_of(name) for name in ("eng", "deu", "gold")}
    for name in ("eng", "deu"):
        text = lines[name][:SENTENCES]
        (folder / f"plain.{name}").write_text("\n".join(text) + "\n", "utf-8")
        # The fourth pair has an empty side, and so has the last one of the training text.
        text[3] = text[3] if name == "eng" else ""
        (folder / name).write_text("\n".join(text) + "\n", "utf-8")
        more = lines[name][SENTENCES : SENTENCES + TRAINING]
        more[-1] = more[-1] if name == "deu" else " "
        (folder / f"more.{name}").write_text("\n".join(more) + "\n", "utf-8")
    gold = lines["gold"][:GOLD]
    (folder / "gold").write_text("\n".join(gold) + "\n", "utf-8")
    snakemake(folder, CONFIG, "--", "results/scores.csv")
    # A record has the time at which its output was last found to be right, not that of its writing.
    made = (file for file in folder.glob("results/**/*.npz") if ".digests" not in file.parts)
    before = {file: file.stat().st_mtime_ns for file in made}
    assert before
    values = changed("export", value=EXPORT)
    jobs = snakemake.planned(folder, values, "--", "exports")
    assert {job.rule for job in jobs} - {"exports"} == {
        *("learn", "whole", "kept", "slice", "counted", "summed", "shared"),
        *("export", "export_models"),
    }
    # The same models as before, without merges that no cell uses.
    learned = {out for job in jobs if job.rule == "learn" for out in job.outputs}
    assert all("learned=60" in file for file in learned)
    snakemake(folder, values, "--", "exports")
    assert all(file.stat().st_mtime_ns == time for file, time in before.items())
    return folder


@pytest.fixture
def grid(finished, monkeypatch):
    monkeypatch.chdir(finished)
    return Grid(changed("export", value=EXPORT))


def test_links_of_the_gold_sentences_are_those_that_are_scored(grid):
    cells = study.exported(grid, "whole")
    # The plain cells and the words, which the grid adds, belong to no experiment.
    assert len(cells) == 1 + 4 + 2
    gold = read_gold_file("results/gold/p.npz")
    kept = [line for line in range(SENTENCES) if line != 3]
    for cell in cells:
        scored = read_score_file(cell.path("score"))
        expected = scored.links[scored.aggregates.index(cell.aggregate)].lines()
        lines = read_lines(f"results/export/whole/{cell}/links.txt")
        assert len(lines) == SENTENCES
        assert lines[3] == ""
        assert [lines[kept[sentence]] for sentence in gold.sentences] == expected
        assert lines[kept[-1]]


def test_the_command_writes_the_tokens_of_a_side_with_an_empty_line(grid, tmp_path):
    """The fourth line of the target is empty; the same, to the byte, with the text of both files."""
    for cell in study.exported(grid, "whole"):
        if cell.target.learns:
            folder = f"results/export/whole/{cell}"
            ask = ["segment", "deu", "-m", f"{folder}/models/target.model", "--empty-lines", "skip"]
            ask += [f"--as=p/target/{cell.target}", "--seed=7", "-o", str(tmp_path / "tokens")]
            assert main(ask) == 0
            assert (tmp_path / "tokens").read_text() == Path(f"{folder}/target.txt").read_text()


def test_all_is_the_text_and_the_training_text(grid):
    (cell,) = (cell for cell in study.exported(grid, "all") if cell.pair == "p")
    both = {}
    for name, ending in (("whole", ".txt"), ("all", ".txt.gz")):
        for what in ("links", "source", "target"):
            both[name, what] = read_lines(f"results/export/{name}/{cell}/{what}{ending}")
    for what in ("links", "source", "target"):
        assert both["all", what][:SENTENCES] == both["whole", what]
        assert len(both["all", what]) == SENTENCES + TRAINING
        assert both["all", what][-1] == ""
        assert both["all", what][-2] != ""


def test_models_align_other_text(grid, tmp_path, capsys):
    for name in ("whole", "parts"):
        for cell in study.exported(grid, name):
            models = f"results/export/{name}/{cell}/models"
            given = ["--name=p", "--seed=7", "--models", models, "-o", str(tmp_path / "links")]
            assert main(["align", "plain.eng", "plain.deu", *given]) == 0
            # The digests of the folder are there, and were compared.
            assert not capsys.readouterr().err
            assert len(read_lines(tmp_path / "links")) == SENTENCES


def test_a_cell_is_what_the_commands_make_of_the_same_settings(grid, tmp_path):
    """Links and models of `seggrid align`, tokens of `seggrid segment`, to the byte."""
    recipe = tmp_path / "plain.yaml"
    recipe.write_text("cell: {segmenter: words, aligner: fast_align}\n")
    for cell in (cell for cell in study.exported(grid, "all") if cell.pair == "none"):
        folder = Path(f"results/export/all/{cell}")
        own = [f"--aligner={cell.aligner}", "--segmenter=bpe", "--merges=60", "--case=lower"]
        own += [f"--aggregate={cell.aggregate}"]
        own += ["--dropout=0.2", "--samples=2"] if cell.sampled else []
        given = [f"--recipe={recipe}", "--name=none", "--seed=7"]
        kept, links = tmp_path / "kept", tmp_path / "links.txt.gz"
        made = [f"--keep={kept}", f"--output={links}"]
        assert main(["align", "plain.eng", "plain.deu", *given, *own, *made]) == 0
        assert links.read_bytes() == (folder / "links.txt.gz").read_bytes()
        models = {file.name: file.read_bytes() for file in kept.iterdir()}
        del models["recipe.yaml"], models["SHA256SUMS"]
        assert {"source.model", "target.model"} < set(models)
        for name, content in models.items():
            assert (folder / "models" / name).read_bytes() == content, name
        for side, name in (("source", "eng"), ("target", "deu")):
            named = [f"--as=none/{side}/{getattr(cell, side)}", "--seed=7"]
            ways = [named] if cell.sampled else [named, ["--merges=60", "--case=lower"]]
            for way in ways:
                command = ["segment", f"plain.{name}", f"--model={folder}/models/{side}.model"]
                assert main([*command, *way, f"--output={links}"]) == 0
                assert links.read_bytes() == (folder / f"{side}.txt.gz").read_bytes()


def test_parts_are_what_the_command_makes_of_them(grid, tmp_path):
    """The drawn sample, and the rest of each slice aligned with the model saved from it."""
    texts = texts_of_pair()
    (seed,) = sample_seeds(7, ["p", "drawn"], (0, 0))
    drawn = draw_lines(SENTENCES + TRAINING - 2, 100, seed)
    rest = [k for k in range(50, 100) if k not in drawn]
    assert 0 < len(rest) < 50
    for name, lines in zip(("eng", "deu"), texts, strict=True):
        written = "\n".join(" ".join(lines[k]) for k in rest)
        (tmp_path / f"slice.{name}").write_text(f"{written}\n", "utf-8")
    for cell in study.exported(grid, "parts"):
        models = f"results/export/parts/{cell}/models"
        given = ["--name=p", "--seed=7", "--models", models, "-o", str(tmp_path / "links")]
        files = [str(tmp_path / f"slice.{name}") for name in ("eng", "deu")]
        assert main(["align", *files, *given]) == 0
        options = grid.config.aligners.options(cell.aligner)
        settings = {"options": options, "process": Process(seed=7)}
        settings["earlier"] = Earlier(segmenters=learned_for(cell))
        sample = align_cell(cell, *([text[k] for k in drawn] for text in texts), **settings)
        if cell.aligner == "gibbs":
            # Its parts are aligned twice instead; these are links of the model that is exported with them.
            kept = read_lines(Path(cell.path("kept", drawn=100), "links.zst"))
            assert kept == sample.links.lines()
            continue
        found = exported("parts", cell)
        assert [found[k] for k in rest] == read_lines(tmp_path / "links")
        assert [found[k] for k in drawn] == sample.links.lines()


def test_parts_of_gibbs_are_aligned_again_with_what_the_others_count(grid):
    """Aligned by itself, and then with the sums of all counts but its own, which are counted one by one."""
    texts = texts_of_pair()
    parts = [range(k, min(k + 50, len(texts[0]))) for k in range(0, len(texts[0]), 50)]
    for cell in (cell for cell in study.exported(grid, "parts") if cell.aligner == "gibbs"):
        options = grid.config.aligners.options(cell.aligner)
        settings = {"options": options, "process": Process(seed=7)}
        segmenters = learned_for(cell)
        cut = [[[text[k] for k in part] for text in texts] for part in parts]
        alone = [
            align_cell(
                cell, *sides, Request(keep=True), **settings, earlier=Earlier(segmenters=segmenters)
            ).models[0]
            for sides in cut
        ]
        found = exported("parts", cell)
        for part, sides in enumerate(cut):
            others = [one.aligners[0] for k, one in enumerate(alone) if k != part]
            models = Models(segmenters, [counted_together(*others)])
            again = align_cell(cell, *sides, **settings, earlier=Earlier(models))
            assert [found[k] for k in parts[part]] == again.links.lines()


def texts_of_pair():
    """The words of all sentence pairs."""
    texts = []
    for side in SIDES:
        lines = Path(f"results/corpus/p/{side}/case=lower.txt").read_text("utf-8").splitlines()
        assert len(lines) == SENTENCES + TRAINING - 2
        texts.append([line.split(" ") for line in lines])
    return texts


def learned_for(cell):
    models = Path(f"results/export/parts/{cell}/models")
    return read_segmenters(cell, {side: models / f"{side}.model" for side in SIDES})


def exported(name, cell):
    """The exported links, without those of empty sentence pairs."""
    whole = read_lines(f"results/export/{name}/{cell}/links.txt.zst")
    assert len(whole) == SENTENCES + TRAINING
    return [line for k, line in enumerate(whole) if k not in (3, len(whole) - 1)]


@pytest.mark.parametrize("name", ["single", "sampled"])
def test_one_part_or_a_sample_of_all_is_the_alignment_of_the_whole(grid, name):
    """Links, tokens and models to the byte; of gibbs, links of parts do not depend on a sample."""
    cells = study.exported(grid, name)
    assert {*cells} <= {*study.exported(grid, "all")}
    assert {cell.aligner for cell in cells} == {"fast_align", "gibbs"}
    for cell in cells:
        whole, parts = (Path(f"results/export/{own}/{cell}") for own in ("all", name))
        files = sorted(file.relative_to(whole) for file in whole.rglob("*") if file.is_file())
        assert files == sorted(
            file.relative_to(parts) for file in parts.rglob("*") if file.is_file()
        )
        own = {"recipe.yaml", "SHA256SUMS"}
        if name == "sampled" and cell.aligner == "gibbs":
            own.add("links.txt.gz")
            if cell.sampled:
                # The first sample of a part is not the part of the first sample.
                own |= {"source.txt.gz", "target.txt.gz"}
        for file in (file for file in files if file.name not in own):
            assert (whole / file).read_bytes() == (parts / file).read_bytes(), file


@pytest.mark.parametrize(
    ("path", "value", "rules"),
    [
        (("export",), EXPORT, set()),
        (("export", "whole", "format"), "gz", {"export"}),
        (("export", "parts", "parts"), 60, {*SHARED, "slice", "export"}),
        (("export", "parts", "sample"), 90, {"kept", "slice", "export", "export_models"}),
        (("aligners",), {"eflomal": {"model": 1}}, set()),
    ],
)
def test_what_a_change_reruns(snakemake, finished, path, value, rules):
    values = changed(*path, value=value)
    jobs = snakemake.planned(finished, values, "--", "exports")
    found = {job.rule for job in jobs}
    assert found - {"exports"} == rules
    if path[-1] == "parts":
        # The last slice is unchanged if its lines are.
        assert {job.wildcards["lines"] for job in jobs if job.rule == "slice"} == {
            *("0-59", "60-119", "120-157")
        }


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({}, "export.x: no experiments or cells (add experiments: NAME)"),
        ({"experiments": "vote"}, "export.x.experiments: no experiment 'vote' (did you mean"),
        ({"experiments": "one", "sample": 10}, "export.x.sample: has no effect without parts"),
        (
            {"experiments": "one", "links": "none", "tokens": "none", "models": False},
            "export.x: nothing is exported",
        ),
        ({"experiments": "one", "links": "some"}, "export.x.links: 'some' is not"),
        ({"experiments": "one", "parts": 0}, "export.x.parts: 0 is out of range"),
    ],
)
def test_what_cannot_be_meant_is_refused(entry, message):
    with pytest.raises(InputErrors) as caught:
        check_config(changed("export", value={"x": entry}))
    assert any(message in str(error) for error in caught.value.errors), str(caught.value)


@pytest.mark.parametrize(
    ("experiment", "entry", "message"),
    [
        ({"sentences": 100}, {}, "a cell of 100 sentences has no links of the others"),
        ({"aligner": "eflomal"}, {}, "eflomal would draw links other than the scored ones"),
        ({"aligner": "eflomal"}, {"parts": 5}, "eflomal keeps no model"),
        ({"aligner": "embeddings"}, {}, "embeddings encodes only the sentences with gold"),
        ({}, {"cells": ["p/none"]}, "no cell 'p/none'"),
    ],
)
def test_cells_that_cannot_be_exported(finished, monkeypatch, experiment, entry, message):
    monkeypatch.chdir(finished)
    config = deepcopy(CONFIG)
    config["experiments"] = {"x": {"pairs": "p", "segmenter": "words", **experiment}}
    config["export"] = {"mine": {"experiments": "x", **entry}}
    with pytest.raises(InputErrors, match=r"export\.mine: ") as caught:
        check_sources(Grid(config), deployed=True)
    assert message in str(caught.value)


def test_a_cell_of_part_of_a_text_is_exported_in_parts(finished, monkeypatch):
    """The segmenters' models are learned on that part; the aligner's sample is drawn from the whole text."""
    monkeypatch.chdir(finished)
    config = deepcopy(CONFIG)
    config["experiments"] = {"x": {"pairs": "p", "merges": 20, "sentences": 100}}
    config["export"] = {"mine": {"experiments": "x", "parts": 100}}
    grid = Grid(config)
    check_sources(grid, deployed=True)
    (cell,) = study.exported(grid, "mine")
    both = grid.both(cell)
    # It holds no more merges than the cell uses.
    assert all("sentences=100" in own.exact and "learned=20." in own.exact for own in both)
    assert [own.whole_text for own in both] == [
        f"results/corpus/p/{side}/case=lower.txt" for side in ("source", "target")
    ]
