"""A text that is cut to some sentences is scored on the sentences that its gold names."""

import subprocess
import sys

import numpy as np

from seggrid.corpus.gold import Gold, write_gold
from seggrid.data.alignments import read_alignments
from seggrid.data.links import Links

SENTENCES = [f"w{number} x y" for number in range(8)]


def test_gold_sentences_are_found_again(root, tmp_path):
    def script(name, *arguments):
        command = [sys.executable, root / f"workflow/scripts/{name}.py", *arguments]
        subprocess.run(list(map(str, command)), cwd=tmp_path, check=True)

    (tmp_path / "text").write_text("\n".join(SENTENCES) + "\n")
    none = Links.from_sets([[(0, 0)]] * 3)
    write_gold(tmp_path / "gold.npz", Gold(np.array([1, 5, 7]), none, none))
    spec = "words+case=keep+sentences=5"
    script("corpus", "--text=text", "--sentences=5", "--gold=gold.npz", "--output=cut")
    kept = [SENTENCES[line] for line in (0, 1, 2, 5, 7)]
    assert (tmp_path / "cut").read_text().splitlines() == kept
    named = [f"--spec={spec}", "--pair=p", "--part=0-0", "--seed=0"]
    script("segment", "--corpus=cut", "--side=source", *named, "--output=cut.npz")
    specs = [f"--source-spec={spec}", f"--target-spec={spec}", "--replicate=0"]
    inputs = ["--source=cut.npz", "--target=cut.npz", "--gold=gold.npz", "--aligner=fast_align"]
    script("align", *inputs, *specs, *named[1:], "--output=links.npz")
    ((source, *_),) = read_alignments(tmp_path / "links.npz")
    assert source.lines() == [SENTENCES[line] for line in (1, 5, 7)]
