"""Aligners that are programs link the right tokens, whatever characters these hold."""

import sys

import pytest

from odd_words import LOWER, MIXED, ODD, parallel
from seggrid.align import ALIGNERS, eflomal
from seggrid.align.eflomal import Eflomal
from seggrid.align.parallel import numbered, read_printed_links
from seggrid.base.errors import InputError
from seggrid.text.segmentation import Segmentation


@pytest.mark.parametrize("name", ["fast_align", "gibbs"])
@pytest.mark.parametrize(
    ("source", "target", "message"),
    [
        ([["a"]], [["w"], ["x"]], "1 source sentences against 2 target"),
        ([], [], "no sentence pairs"),
        ([["a"], []], [["w"], ["x"]], "sentence 2 of the source side is empty"),
        ([["a"], ["b"]], [[], ["x"]], "sentence 1 of the target side is empty"),
    ],
)
def test_aligners_refuse_what_is_not_parallel(name, source, target, message):
    with pytest.raises(InputError, match=message):
        ALIGNERS[name]().align(Segmentation.from_words(source), Segmentation.from_words(target))


def test_types_become_numbers_one_for_each_text():
    source = Segmentation.from_words([["A", "a", "b\u00a0c"], []])
    target = Segmentation.from_words([["b\u00a0c", "x"], ["A"]])
    assert numbered(source, target) == (["0 1 2", ""], ["2 3", "0"])
    assert numbered(source, target, lowercase=True) == (["0 0 1", ""], ["1 2", "0"])


def test_eflomal_links_tokens_that_hold_spaces():
    pytest.importorskip("eflomal")
    odd, plain = (
        Eflomal(eflomal.Options(samplers=5)).align(*parallel(words))
        for words in (ODD, [f"w{k}" for k in range(len(ODD))])
    )
    for links in (*odd, *plain):
        found = [link for s in range(len(links)) for link in links.sentence(s)]
        assert all(i < 4 and j < 4 for i, j in found)
        assert sum(i == j for i, j in found) > 0.9 * 4 * len(links)


def test_a_program_is_given_words_in_lower_case_if_it_is_told_to_fold_them():
    pytest.importorskip("eflomal")
    mixed, lower = map(parallel, (MIXED, LOWER))
    folded = Eflomal(eflomal.Options(lowercase=True)).align(*mixed)
    assert [links.lines() for links in folded] == [
        links.lines() for links in Eflomal().align(*lower)
    ]


def test_a_program_that_is_not_installed_is_refused_by_its_name(monkeypatch):
    """By the check of the workflow, and by the aligner, which the command line calls."""
    monkeypatch.setattr("seggrid.base.extras.find_spec", lambda name: None)
    monkeypatch.setitem(sys.modules, "eflomal", None)
    for act in (Eflomal().check, lambda: Eflomal().align(*parallel(["a", "b"]))):
        with pytest.raises(InputError, match="eflomal is not installed"):
            act()


def test_links_for_every_sentence_or_an_error():
    assert len(read_printed_links(["0-0", ""], 2, "x")) == 2
    with pytest.raises(InputError):
        read_printed_links(["0-0"], 2, "x")
