"""The script of docs/align-step.md gives the links, and so the figures, that the workflow's scripts give."""

import json
import os
import re
import subprocess
import sys
from contextlib import chdir
from pathlib import Path

import pytest

import builtin_pair
import seggrid
from seggrid.align.symmetrize import combine_directions
from seggrid.base.lines import read_lines, write_lines
from seggrid.commands import main
from seggrid.grid.align_cell import Earlier, align_cell
from seggrid.grid.learned import read_learned
from seggrid.grid.recipes import read_recipe
from seggrid.grid.samples import sample_seeds
from seggrid.text.selection import draw_lines

SHOWN = "bpe-fast_align"


@pytest.mark.parametrize("recipe", [SHOWN, "words"])
def test_the_script_gives_what_the_workflow_gives(root, script, tmp_path, recipe):
    drawn, (seed,) = 40, sample_seeds(1, ["pair", "drawn"], (0, 0))
    sample = draw_lines(60, drawn, seed)
    for name in ("eng", "deu"):
        lines = builtin_pair.lines_of(name)[:60]
        write_lines(tmp_path / f"tokens.{name}", lines)
        write_lines(tmp_path / f"sample.{name}", [lines[k] for k in sample])
        # The text before punctuation was cut off.
        plain = [re.sub(r" ([.,?!])(?= |$)", r"\1", line) for line in lines]
        write_lines(tmp_path / f"train.{name}", plain)
    write_lines(tmp_path / "gold", builtin_pair.lines_of("gold")[:60])
    (shown,) = re.findall(
        r"^```sh\n(.*?)^```", (root / "docs/align-step.md").read_text("utf-8"), re.M | re.S
    )
    assert SHOWN in shown
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    command = ["sh", "-c", shown.replace(SHOWN, recipe)]
    subprocess.run(command, cwd=tmp_path, env={**os.environ, "PATH": path}, check=True)
    with chdir(tmp_path):
        of_sample, of_all = by_workflow(script, tmp_path, recipe, drawn)
        assert read_lines("sample.links") == of_sample.lines()
        assert read_lines("links") == of_all.lines()
        assert seggrid.score("links", "gold").f1 > 0.3
        check_outputs()


def by_workflow(script, folder, recipe, drawn):
    """The links of the sample by the script of the stage `kept`; and those of all sentence pairs as the stage
    `slice` makes them of its lines, with the models that are kept."""
    cell = seggrid.Aligner(recipe).cell
    options = read_recipe(recipe).options.get(cell.aligner, {})
    models = [
        f"--{side}-model=models/{side}.model"
        for side in ("source", "target")
        if cell.side(side).learns
    ]
    script(
        "align_part", folder, "--source=tokens.eng", "--target=tokens.deu", "--pair=pair", "--seed=1",
        f"--source-spec={cell.source}", f"--target-spec={cell.target}", "--samples=1",
        f"--aligner={cell.aligner}", f"--symmetrization={cell.symmetrization}",
        f"--aggregate={cell.aggregate}", f"--drawn={drawn}", f"--options={json.dumps(options)}", *models,
        "--output=kept",
    )  # fmt: skip
    texts = ([line.split(" ") for line in read_lines(f"tokens.{name}")] for name in ("eng", "deu"))
    found = align_cell(
        cell, *texts, options=options, earlier=Earlier(read_learned(Path("kept"), cell))
    )
    return seggrid.read_links("kept/links.zst"), found.links


def check_outputs():
    """What else the script writes."""
    aligner = seggrid.Aligner.load("models")
    tokens = aligner.align("tokens.eng", "tokens.deu")
    assert read_lines("piped.links") == aligner.align("train.eng", "train.deu").lines()
    cut = [seggrid.tokenize(f"train.{name}", "unicode") for name in ("eng", "deu")]
    assert read_lines("u.links") == aligner.align(*cut).lines()
    joined = combine_directions(
        seggrid.read_links("forward"), seggrid.read_links("reverse"), "grow-diag-final-and"
    )
    assert read_lines("symmetrized") == joined.lines()
    kept = len(read_lines("filtered.tsv"))
    assert 0 < kept <= len(tokens)
    assert main(["filter", "filtered.tsv", "--quiet", "-o", "again"]) == 0
    assert len(read_lines("again")) == kept
