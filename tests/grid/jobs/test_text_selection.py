"""After a selection of lines, the cells are scored on the sentences that the gold names."""

from functools import partial

import numpy as np
import pytest

from seggrid.text.gold import Gold, read_gold_file, write_gold
from seggrid.text.links import Links, read_alignments
from seggrid.text.text_files import Text

SENTENCES = [f"w{number} x y" for number in range(8)]


@pytest.fixture
def said(script, tmp_path):
    """Run a script in the folder; return the lines that it logs."""
    return lambda name, *arguments: script(name, tmp_path, *arguments).stderr.splitlines()


def test_gold_sentences_are_found_again(tmp_path, said):
    (tmp_path / "text").write_text("\n".join(SENTENCES) + "\n")
    none = Links.from_sets([[(0, 0)]] * 3)
    write_gold(tmp_path / "gold.npz", Gold(np.array([1, 5, 7]), none, none))
    spec = "words+case=keep+sentences=5"
    text = f"--texts={Text.of('text').to_text()}"
    said("corpus", text, "--spec=case=keep+sentences=5", "--gold-lines=gold.npz", "--output=cut")
    kept = [SENTENCES[line] for line in (0, 1, 2, 5, 7)]
    assert (tmp_path / "cut").read_text().splitlines() == kept
    named = [f"--spec={spec}", "--pair=p", "--part=0-0", "--seed=0"]
    said("segment", "--corpus=cut", "--side=source", *named, "--output=cut.npz")
    specs = [f"--source-spec={spec}", f"--target-spec={spec}", "--replicate=0"]
    inputs = [
        "--source=cut.npz",
        "--target=cut.npz",
        "--gold-lines=gold.npz",
        "--aligner=fast_align",
    ]
    said("align", *inputs, *specs, *named[1:], "--output=links.npz")
    ((source, *_),) = read_alignments(tmp_path / "links.npz")
    assert source.lines() == [SENTENCES[line] for line in (1, 5, 7)]


def test_sentence_pairs_with_an_empty_side_are_left_out_of_texts_and_gold(tmp_path, said):
    (tmp_path / "a").write_text("7\ta\n8\t\n9\tb\n10\tc\n")
    (tmp_path / "b").write_text("x\ny\n \nz\n")
    (tmp_path / "more").write_text("d ||| w\n ||| v\ne ||| u\n")
    (tmp_path / "gold").write_text("8\t0-0\n10\t0-0\n")
    skipping = partial(Text, empty_lines="skip")
    a, b = skipping(("a",), "tsv").to_text(), skipping(("b",)).to_text()
    more = [skipping(("more",), "bars", side).to_text() for side in ("source", "target")]
    both = ["--texts", a, more[0], "--others", b, more[1]]
    said("corpus", *both, "--spec=case=keep", "--output=a.txt")
    logged = said("corpus", "--texts", b, "--others", a, "--spec=case=keep", "--output=b.txt")
    assert (tmp_path / "a.txt").read_text() == "a\nc\nd\ne\n"
    assert (tmp_path / "b.txt").read_text() == "x\nz\n"
    assert logged[0] == "2 sentence pairs left out"
    logged = said("gold", "--gold=gold", "--format=pharaoh-ids", "--texts", a, b, "--output=g.npz")
    gold = read_gold_file(tmp_path / "g.npz")
    assert (gold.sentences.tolist(), gold.names) == ([1], ["10"])
    assert logged[0] == "left out: gold of 1 empty sentence pairs"
    # A failed job's last line is shown as the reason, so the message about left-out lines must not be last.
    assert " took " in logged[-1]
