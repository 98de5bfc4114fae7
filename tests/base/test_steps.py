"""Steps are shown on a terminal, and nowhere else."""

import io

from seggrid.align import ALIGNERS
from seggrid.base import steps
from seggrid.text.segmentation import Segmentation

TEXT = Segmentation.from_words([["a", "b"], ["b", "c"], ["a", "c", "b"]])


class Terminal(io.StringIO):
    def isatty(self):
        return True


def align(aligner):
    return ALIGNERS[aligner]().align(TEXT, TEXT, seed=1)


def test_the_sweeps_of_an_aligner_are_drawn_and_wiped_off(monkeypatch):
    monkeypatch.setattr(steps, "_INTERVAL", 0.0)
    for aligner, name in (("gibbs", "sentence pair"), ("fast_align", "iteration")):
        stream = Terminal()
        align(aligner)  # kernels that must be compiled are steps, too
        with steps.shown(stream):
            align(aligner)
        frames = stream.getvalue().split("\r\x1b[2K")
        drawn = [frame for frame in frames if frame]
        assert all(f"] {name} " in frame for frame in drawn)
        assert drawn[0].startswith("[")
        assert "#" in drawn[-1]
        assert frames[-1] == ""


def test_in_a_pipe_nothing_is_drawn_and_the_links_are_the_same():
    stream, watched = io.StringIO(), Terminal()
    with steps.shown(stream):
        alone = align("gibbs")
    with steps.shown(watched):
        shown = align("gibbs")
    assert stream.getvalue() == ""
    assert [str(links) for links in alone] == [str(links) for links in shown]
