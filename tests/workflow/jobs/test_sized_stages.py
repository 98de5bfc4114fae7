"""Every segmenter that takes a vocabulary of a given size, through the scripts of its stages."""

import json
import runpy
import sys

import pytest

from seggrid.grid.axes import LEARN
from seggrid.segment import SEGMENTERS
from seggrid.segment.axes import AXES
from seggrid.segment.side import Side

SIZED = [name for name, entry in SEGMENTERS.items() if "vocabulary" in entry.axes]


@pytest.mark.parametrize("name", SIZED)
@pytest.mark.parametrize(("size", "lines"), [(300, 300), (5000, 20)])
def test_the_measures_say_how_many_types_were_learned(
    root, tmp_path, monkeypatch, name, size, lines
):
    """All that were asked for, or fewer where the text has no more: then the table gets a remark."""
    monkeypatch.chdir(tmp_path)

    def script(script, *arguments):
        monkeypatch.setattr(sys, "argv", [script, *map(str, arguments)])
        runpy.run_path(str(root / f"workflow/scripts/{script}.py"), run_name="__main__")

    text = (root / "resources/builtin/deu.txt").read_text("utf-8").splitlines()[:lines]
    (tmp_path / "text").write_text("\n".join(text) + "\n", "utf-8")
    defaults = {axis: value.default for axis, value in AXES.items()}
    side = Side.from_written({**defaults, "segmenter": name, "vocabulary": size})
    learned = side.spec(LEARN, learned=None)
    script("learn", "--corpus=text", f"--spec={learned}", "--output=model")
    common = ("--corpus=text", "--model=model", f"--spec={side}")
    script(
        "segment",
        *(*common, "--pair=p", "--side=target", "--part=0-0", "--seed=1", "--output=tokens.npz"),
    )
    script("measure", *common, "--segmentation=tokens.npz", "--output=measures.json")
    measures = json.loads((tmp_path / "measures.json").read_text())
    if lines == 300:
        assert measures["vocabulary"] == size
    else:
        assert 20 < measures["vocabulary"] < size
    assert ("vocabulary_use" in measures) == (name != "wordmap")
