"""Aligners that are programs link the right tokens, whatever characters these hold."""

import sys

import pytest

from seggrid.align import ALIGNERS, eflomal
from seggrid.align.eflomal import Eflomal
from seggrid.align.parallel import numbered, read_links
from seggrid.align.thot import HmmOptions, ThotHmm, ThotIbm4
from seggrid.base.errors import InputError
from seggrid.text.segmentation import Segmentation

# Characters that a program may take for a separator, in the middle of a word.
ODD = ["a\u00a0b", "c\u3000d", "e\x0bf", "|||", "g\u2028h", "i-j", "<eps>", "\u0130"]


def parallel(words, copies=60):
    """A text in which word k of the target translates word k of the source."""
    sentences = [[words[(i + k * k) % len(words)] for k in range(4)] for i in range(copies)]
    return (
        Segmentation.from_words(sentences),
        Segmentation.from_words([[f"{word}'" for word in words] for words in sentences]),
    )


@pytest.mark.parametrize("name", ["fast_align", "gibbs", "thot_hmm"])
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
    if name == "thot_hmm":
        pytest.importorskip("thot")
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


@pytest.mark.parametrize("aligner", [ThotHmm, ThotIbm4])
def test_thot_links_each_generated_token_at_most_once(aligner):
    pytest.importorskip("thot")
    for words in ([*ODD, "NULL", "UNKNOWN_WORD"], [f"w{k}" for k in range(10)]):
        forward, reverse = aligner().align(*parallel(words))
        for links, generated in ((forward, 1), (reverse, 0)):
            for s in range(len(links)):
                found = links.sentence(s)
                assert found == sorted(found)
                tokens = [link[generated] for link in found]
                assert len(tokens) == len(set(tokens))
                assert all(i < 4 and j < 4 for i, j in found)
            right = sum(i == j for s in range(len(links)) for i, j in links.sentence(s))
            assert right > 0.9 * 4 * len(links)


def test_thot_gives_the_same_links_again():
    pytest.importorskip("thot")
    one, other = (ThotIbm4().align(*parallel(ODD), threads=threads) for threads in (1, 4))
    assert [links.lines() for links in one] == [links.lines() for links in other]


@pytest.mark.parametrize(
    ("aligner", "folding"),
    [(ThotHmm, HmmOptions(lowercase=True)), (Eflomal, eflomal.Options(lowercase=True))],
)
def test_a_program_is_given_words_in_lower_case_if_it_is_told_to_fold_them(aligner, folding):
    pytest.importorskip("thot")
    pytest.importorskip("eflomal")
    mixed, lower = (
        parallel(words) for words in (["Ab", "aB", "cd", "CD", "e"], ["ab", "ab", "cd", "cd", "e"])
    )
    folded, apart = aligner(folding).align(*mixed), aligner().align(*lower)
    assert [links.lines() for links in folded] == [links.lines() for links in apart]


def test_thot_refuses_what_it_would_leave_without_links():
    pytest.importorskip("thot")
    short, long = [["a"]] * 3, [["w"], ["w"] * 201, ["w"]]
    with pytest.raises(InputError, match="sentence 2 of the target side has 201 tokens"):
        ThotHmm().align(*map(Segmentation.from_words, (short, long)))


@pytest.mark.parametrize(
    ("aligner", "package"), [(ThotHmm, "sil-thot"), (ThotIbm4, "sil-thot"), (Eflomal, "eflomal")]
)
def test_a_program_that_is_not_installed_is_refused_by_its_name(monkeypatch, aligner, package):
    """By the check of the workflow, and by the aligner, which the command line calls."""
    monkeypatch.setattr("seggrid.base.extras.find_spec", lambda name: None)
    monkeypatch.setitem(sys.modules, "eflomal", None)
    for act in (aligner().check, lambda: aligner().align(*parallel(["a", "b"]))):
        with pytest.raises(InputError, match=f"{package} is not installed"):
            act()


def test_links_for_every_sentence_or_an_error():
    assert len(read_links(["0-0", ""], 2, "x")) == 2
    with pytest.raises(InputError):
        read_links(["0-0"], 2, "x")
