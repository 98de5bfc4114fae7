"""The aligners of examples/thot.py, a library as a plug-in."""

import sys
from importlib.util import find_spec

import pytest

from odd_words import LOWER, MIXED, ODD, parallel
from seggrid.align import ALIGNERS
from seggrid.base.errors import InputError
from seggrid.grid import plugins
from seggrid.grid.config import check_config
from seggrid.grid.plugins.contract import check_again, check_aligner
from seggrid.text.segmentation import Segmentation

NAMES = ("thot_hmm", "thot_ibm4")
ODD_OR_ITS_OWN = [*ODD, "NULL", "UNKNOWN_WORD"]

installed = pytest.mark.skipif(
    find_spec("thot") is None, reason="needs sil-thot: pip install sil-thot"
)


@pytest.fixture(autouse=True)
def file(root):
    """The plug-in, loaded."""
    file = str(root / "examples/thot.py")
    assert plugins.load(file) == [*NAMES]
    return file


@installed
@pytest.mark.parametrize("name", NAMES)
def test_it_does_what_an_aligner_must(name, file):
    checks = [*check_aligner(name), *check_again(name, file)]
    assert len(checks) == 5
    assert [(what, wrong) for what, wrong in checks if wrong] == []


@installed
@pytest.mark.parametrize("name", NAMES)
def test_it_links_tokens_whatever_they_hold(name):
    links = ALIGNERS[name]().align(*parallel(ODD_OR_ITS_OWN))
    plain = ALIGNERS[name]().align(*parallel([f"w{k}" for k in range(len(ODD_OR_ITS_OWN))]))
    assert [own.lines() for own in links] == [own.lines() for own in plain]
    right = sum(i == j for s in range(len(links[0])) for i, j in links[0].sentence(s))
    assert right > 0.9 * 4 * len(links[0])


@installed
def test_words_are_folded_if_it_is_told_to():
    entry = ALIGNERS["thot_hmm"]
    mixed, lower = map(parallel, (MIXED, LOWER))
    folded = entry(entry.settings(lowercase=True)).align(*mixed)
    assert [own.lines() for own in folded] == [own.lines() for own in entry().align(*lower)]


@installed
def test_a_sentence_that_it_would_leave_without_links_is_refused():
    short, long = [["a"]] * 3, [["w"], ["w"] * 201, ["w"]]
    with pytest.raises(InputError, match="sentence 2 of the target side has 201 tokens"):
        ALIGNERS["thot_hmm"]().align(*map(Segmentation.from_words, (short, long)))


@pytest.mark.parametrize("name", NAMES)
def test_without_the_package_it_is_refused_by_its_name(monkeypatch, name):
    monkeypatch.setitem(sys.modules, "thot", None)
    monkeypatch.setattr(sys.modules[ALIGNERS[name].__module__], "find_spec", lambda name: None)
    for act in (ALIGNERS[name]().check, lambda: ALIGNERS[name]().align(*parallel(["a", "b"]))):
        with pytest.raises(InputError, match="sil-thot is not installed"):
            act()


def test_its_options_are_keys_of_a_config(file):
    pair = {"source": {"text": "e"}, "target": {"text": "d"}, "gold": {"file": "g"}}
    config = {"plugins": file, "pairs": {"p": pair}, "experiments": {"x": {"aligner": [*NAMES]}}}
    config["aligners"] = {"thot_ibm4": {"ibm4_iterations": 3}}
    options = check_config(config).config.aligners.options("thot_ibm4")
    assert (options["ibm4_iterations"], options["ibm3_iterations"]) == (3, 5)
    config["aligners"] = {"thot_hmm": {"ibm4_iterations": 3}}
    with pytest.raises(InputError, match=r"aligners\.thot_hmm.*ibm4_iterations"):
        check_config(config)
