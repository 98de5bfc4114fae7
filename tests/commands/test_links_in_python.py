"""`seggrid.symmetrize`, `remap` and `show` do what the commands do."""

import re

import numpy as np
import pytest

import seggrid
from seggrid.base.errors import InputError, Note
from seggrid.commands import main

FORWARD, REVERSE = ["0-2 1-0 2-1", "0-0 1-2 1-1"], ["0-2 1-0 2-0", "0-0 1-2 2-2"]


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(**lines):
        for name, text in lines.items():
            (tmp_path / name).write_text("".join(f"{line}\n" for line in text))

    return write


@pytest.mark.parametrize("heuristic", ["intersect", "union", "grow-diag-final"])
def test_links_are_symmetrized_as_by_the_command(files, capsys, heuristic):
    files(f=FORWARD, r=REVERSE)
    assert main(["symmetrize", "f", "r", "--symmetrization", heuristic]) == 0
    joined = seggrid.symmetrize(FORWARD, "r", heuristic)
    assert joined.lines() == capsys.readouterr().out.splitlines()


def test_links_in_the_other_order_are_refused():
    turned = [" ".join("-".join(link.split("-")[::-1]) for link in s.split()) for s in REVERSE]
    with pytest.raises(InputError, match="reverse: 2 links in common with forward, and 4 if one"):
        seggrid.symmetrize(FORWARD, turned)
    with pytest.raises(InputError, match="symmetrization='none'"):
        seggrid.symmetrize(FORWARD, REVERSE, "none")


def test_links_are_mapped_as_by_the_command(files, capsys):
    files(links=["0-0 1-1"], old=["do n't"], new=["don't"], other=["nicht tun"])
    ask = ["--source", "old", "new", "--target", "other", "other"]
    assert main(["remap", "links", *ask]) == 0
    links = seggrid.remap([[(0, 0), (1, 1)]], (["do n't"], "new"), ("other", "other"))
    assert links.lines() == capsys.readouterr().out.splitlines() == ["0-0 0-1"]
    with pytest.warns(Note, match="links lost"):
        assert not np.any(seggrid.remap(["1-0"], (["a b"], ["a"]), (["c"], ["c"])).pairs)
    with pytest.raises(InputError, match="new: 1 lines, but source has 2"):
        seggrid.remap([[]], (["a", "b"], "new"), ("other", "other"))


def test_the_page_is_that_of_the_command(files):
    files(links=["0-0"], other=["0-1"], eng=["the"], deu=["das haus"], gold=["0-1"])
    with pytest.warns(Note, match="over so few"):
        page = seggrid.show({"links": "links", "other": ["0-1"]}, "eng", ["das haus"], "gold",
                            sides=("eng", "deu"))  # fmt: skip
    assert (
        main(["show", "links", "eng", "deu", "--gold", "gold", "--other", "other", "-o", "page"])
        == 0
    )
    with open("page", encoding="utf-8") as file:
        assert file.read() == page
    assert not re.search("gold", seggrid.show(["0-0"], ["the"], ["das haus"])[-2000:])
    with pytest.raises(InputError, match="most=0"):
        seggrid.show(["0-0"], ["the"], ["das"], most=0)
