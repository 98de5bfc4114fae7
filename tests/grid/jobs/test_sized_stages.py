"""Every segmenter that takes a vocabulary of a given size, through the scripts of its stages."""

import json

import pytest

import builtin_pair
import sides
from seggrid.segment import SEGMENTERS
from snake import run_here

SIZED = [name for name, entry in SEGMENTERS.items() if "vocabulary" in entry.axes]


@pytest.mark.parametrize("name", SIZED)
@pytest.mark.parametrize(("size", "lines"), [(300, 300), (5000, 20)])
def test_the_measures_say_how_many_types_were_learned(tmp_path, monkeypatch, name, size, lines):
    """All that were asked for, or fewer where the text has no more: then the table gets a remark."""
    monkeypatch.chdir(tmp_path)
    builtin_pair.write_pair(tmp_path, lines)
    side = sides.side_of(name, vocabulary=size)
    learned = side.spec("learn", learned=None)
    run_here("learn", "--corpus=deu", f"--spec={learned}", "--output=model")
    common = ("--corpus=deu", "--model=model", f"--spec={side}")
    run_here(
        "segment",
        *(*common, "--pair=p", "--side=target", "--part=0-0", "--seed=1", "--output=tokens.npz"),
    )
    run_here("measure", *common, "--segmentation=tokens.npz", "--output=measures.json")
    measures = json.loads((tmp_path / "measures.json").read_text())
    if lines == 300:
        assert measures["vocabulary"] == size
    else:
        assert 20 < measures["vocabulary"] < size
    assert ("vocabulary_use" in measures) == (name != "wordmap")
