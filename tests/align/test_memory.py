"""What an aligner will need is foreseen: refused if it is more than is allowed, or remarked on."""

import sys

import pytest

from seggrid.align import memory
from seggrid.align.memory import check_memory, needed
from seggrid.base.errors import InputError, Note
from seggrid.commands import main
from seggrid.text.segmentation import Segmentation

TEXT = Segmentation.from_words([["a", "b", "c"]] * 100)
LONG = Segmentation.from_words([["a", "b", "c"] * 10] * 10)


def test_gibbs_alone_holds_something_for_each_two_tokens_of_a_sentence_pair():
    """A bit for each direction."""
    for name, more in (("fast_align", 0), ("gibbs", (10 * 30**2 - 100 * 3**2) // 4)):
        assert needed(name, LONG, LONG) - needed(name, TEXT, TEXT) == more
        assert needed(name, TEXT, TEXT, threads=2) >= needed(name, TEXT, TEXT)
    assert needed("eflomal", TEXT, TEXT) is None


def test_the_code_of_kernels_is_counted_before_the_first_has_run(monkeypatch):
    monkeypatch.setitem(sys.modules, "numba", sys)
    later = needed("gibbs", TEXT, TEXT, threads=2)
    monkeypatch.delitem(sys.modules, "numba")
    assert needed("gibbs", TEXT, TEXT, threads=2) == later + memory.CODE


def test_of_equally_long_texts_that_of_more_types_needs_more():
    many = Segmentation.from_words([[f"{line}{word}" for word in "abc"] for line in range(100)])
    for name in ("fast_align", "gibbs"):
        assert needed(name, many, many) > needed(name, TEXT, TEXT)


def test_what_needs_more_than_is_allowed_is_refused(monkeypatch):
    monkeypatch.setattr(memory, "held", lambda: 10**9)
    check_memory("fast_align", TEXT, TEXT, limit=2 * 10**9)
    with pytest.raises(
        InputError, match=r"needs about 1\.1 GB for 100 .*1\.0 GB are allowed"
    ) as caught:
        check_memory("fast_align", TEXT, TEXT, limit=10**9)
    assert "parts" in caught.value.hint
    check_memory("eflomal", TEXT, TEXT, limit=1)


def test_another_aligner_is_named_if_it_fits(monkeypatch):
    monkeypatch.setattr(memory, "held", lambda: 0)
    sizes = sorted((needed(name, LONG, LONG), name) for name in ("fast_align", "gibbs"))
    (less, fitting), (_, other) = sizes
    with pytest.raises(InputError) as caught:
        check_memory(other, LONG, LONG, limit=less)
    assert f"--aligner {fitting}" in caught.value.hint


def test_a_machine_with_less_is_remarked_on(monkeypatch):
    monkeypatch.setattr(memory, "available", lambda: 1)
    with pytest.warns(Note, match=r"the machine has .* parts"):
        check_memory("fast_align", TEXT, TEXT)
    monkeypatch.setattr(memory, "available", lambda: None)
    check_memory("fast_align", TEXT, TEXT)


def test_this_machine_says_what_it_has():
    assert memory.held() > 10**7
    found = memory.available()
    assert found is None or found >= 0


def test_the_command_refuses_before_it_aligns(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "eng").write_text("a b\n")
    ask = ["align", "eng", "eng", "--recipe", "words-fast_align", "-o", "links", "--memory"]
    assert main([*ask, "1M"]) == 2
    assert "where 1 MB are allowed" in capsys.readouterr().err
    assert not (tmp_path / "links").exists()
    assert main([*ask, "1.5t"]) == 0
    assert (tmp_path / "links").read_text() == "0-0 1-1\n"
    with pytest.raises(SystemExit):
        main([*ask, "much"])
    assert "'much' is not a size, such as 8G or 500M" in capsys.readouterr().err
