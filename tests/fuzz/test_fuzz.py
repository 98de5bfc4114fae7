"""The short form of the fuzz campaign, and valid input drawn by hypothesis that must be read correctly."""

import random
from collections import Counter

import pytest
from fuzz_campaign import campaign, through_snakemake, warm_up
from hypothesis import given, settings
from hypothesis import strategies as st
from isolation import Worker
from kind import Kind
from kinds import KINDS

from seggrid.corpus.check import check_pair
from seggrid.corpus.gold import gold_from_links
from seggrid.corpus.links import Notation, read_gold_links
from seggrid.corpus.text import read_text
from seggrid.errors import InputError, InputErrors
from seggrid.morphology.references import read_reference

INPUTS = 15
"""How many of each kind, times its share."""
# A gigabyte takes its time to unpack.
ONCE = [pytest.param(k, marks=[pytest.mark.tier("check")] * (k == "bomb")) for k in KINDS]


@pytest.fixture(scope="module")
def worker():
    warm_up(list(KINDS))
    with Worker({name: kind.run for name, kind in KINDS.items()}) as worker:
        yield worker


@pytest.mark.parametrize("kind", ONCE)
def test_damaged_input_ends_right_or_refused(worker, kind):
    found = campaign(kind, INPUTS * KINDS[kind].share, 7, worker, Counter())
    assert not found, "\n\n".join(found)


@pytest.mark.parametrize("kind", ONCE)
def test_undamaged_input_is_not_refused(worker, kind):
    for number in range(3):
        files, options = KINDS[kind].make(random.Random(number))
        outcome = worker(kind, files, {**options, "valid": True})
        assert outcome.status in ("right", "refused" if "odd" in options else "right"), outcome


@pytest.mark.tier("check")
def test_damaged_configs_are_refused_by_snakemake_in_readable_lines():
    assert not through_snakemake(2, seed=5)


# The campaign finds the violations that it should find.


def crash(folder, options):
    import ctypes

    ctypes.string_at(0)


def fill_memory(folder, options):
    return bytearray(6 << 30)


def use_much_memory(folder, options):
    bytearray(b"x") * (5 << 28)


def write_elsewhere(folder, options):
    (folder.parent.parent / "seggrid-fuzz-elsewhere").write_text("")


def overflow(folder, options):
    import numpy as np

    return np.array([2.0]) ** 1e6


def use_the_network(folder, options):
    import socket

    socket.create_connection(("localhost", 9))


def refuse(folder, options):
    raise InputError("no such file", file="x", line=1)


def refuse_at_length(folder, options):
    raise InputErrors([InputError("a mistake", line=line) for line in range(1000)])


@pytest.mark.parametrize(
    ("run", "signature"),
    [
        (crash, "killed 11"),
        (fill_memory, "MemoryError in test_fuzz.py:fill_memory"),
        pytest.param(use_much_memory, "too much memory", marks=pytest.mark.tier("check")),
        (write_elsewhere, "writes elsewhere"),
        (overflow, "RuntimeWarning in test_fuzz.py:overflow"),
        (use_the_network, "OSError in "),
        (refuse_at_length, "long refusal"),
        (refuse, ""),
    ],
)
def test_violations_are_told(run, signature):
    with Worker({"kind": run}) as worker:
        outcome = worker("kind", {}, {})
        assert outcome.signature.startswith(signature)
        assert outcome.status == ("violation" if signature else "refused")
        again = worker("kind", {}, {})  # in a new process, if need be
        assert (again.status, again.signature) == (outcome.status, outcome.signature)


def test_a_violation_is_minimized(monkeypatch):
    def run(folder, options):
        assert b"x" not in (folder / "text").read_bytes()

    def make(rnd):
        return {"text": rnd.choice((b"a", b"x")) * rnd.randrange(1, 9)}, {}

    monkeypatch.setitem(KINDS, "made", Kind(make, run, valid=1))
    with Worker({"made": run}) as worker:
        (found,) = campaign("made", 50, 1, worker, Counter())
    assert found.startswith("made: AssertionError in test_fuzz.py:run: ")
    assert found.endswith("text: b'x'")


# Valid input, however odd

WORDS = st.text(
    st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp"), exclude_characters=" ▁|"), min_size=1
).filter(lambda word: "</w>" not in word)
SENTENCES = st.lists(st.lists(WORDS, min_size=1, max_size=6), min_size=1, max_size=5)
ENDS = st.sampled_from(["\n", "\r\n"])


def save(path, lines, end, last):
    path.write_bytes((end.join(lines) + (end if last else "")).encode())


@settings(max_examples=60)
@given(
    st.data(), SENTENCES, ENDS, st.booleans(), st.sampled_from(["pharaoh", "pharaoh-ids", "naacl"])
)
def test_pairs_are_read_as_written(tmp_path_factory, data, source, end, last, format):
    folder = tmp_path_factory.mktemp("pair", numbered=True)
    target = [data.draw(st.lists(WORDS, min_size=1, max_size=6)) for _ in source]
    base = data.draw(st.sampled_from([0, 1]))
    gold = [
        data.draw(
            st.dictionaries(
                st.tuples(st.integers(0, len(s) - 1), st.integers(0, len(t) - 1)),
                st.booleans(),
                min_size=1,
            ).filter(lambda links: any(links.values()))
        )
        for s, t in zip(source, target, strict=True)
    ]
    # A gold that counts from one and never names the first word looks like one that counts from 0.
    gold[0][0, 0] = True
    lines = []
    for s, links in enumerate(gold):
        rows = [(i + base, j + base, sure) for (i, j), sure in links.items()]
        if format == "naacl":
            lines += [f"{s + base} {i} {j} {'S' if sure else 'P'}" for i, j, sure in rows]
        else:
            marks = " ".join(f"{i}{'-' if sure else 'p'}{j}" for i, j, sure in rows)
            lines.append(marks if format == "pharaoh" else f"{s + base}\t{marks}")
    paths = [folder / name for name in ("source", "target", "gold")]
    texts = ([" ".join(words) for words in side] for side in (source, target))
    for path, content in zip(paths, (*texts, lines), strict=True):
        save(path, content, end, last)
    check_pair(*paths, gold_format=format, base=base)
    assert read_text(paths[0], "lines")[0] == source
    assert read_text(paths[1], "lines")[0] == target
    read = gold_from_links(read_gold_links(paths[2], Notation(format, base)))
    assert read.sentences.tolist() == list(range(len(source)))
    for s, links in enumerate(gold):
        assert read.possible.sentence(s) == sorted(links)
        assert read.sure.sentence(s) == sorted(link for link, sure in links.items() if sure)


MORPHEMES = st.lists(
    st.text(
        st.characters(
            exclude_categories=("Cc", "Cs", "Zs", "Zl", "Zp"), exclude_characters="\ufffd▁"
        ),
        min_size=1,
        max_size=5,
    ),
    min_size=1,
    max_size=4,
)


@settings(max_examples=60)
@given(st.dictionaries(MORPHEMES.map(tuple), st.none(), min_size=1, max_size=10), ENDS)
def test_surface_references_are_read_as_written(tmp_path_factory, analyses, end):
    path = tmp_path_factory.mktemp("surface", numbered=True) / "reference.tsv"
    lines = [f"{''.join(pieces)}\t{' '.join(pieces)}" for pieces in analyses]
    save(path, lines, end, True)
    reference = read_reference(path, "surface")
    read = {}
    for e, word in enumerate(reference.words):
        rows = range(reference.analyses[e], reference.analyses[e + 1])
        read[word] = {tuple(reference.morphemes.word(row)) for row in rows}
    expected = {}
    for pieces in analyses:
        cuts = tuple(sum(map(len, pieces[:k])) for k in range(1, len(pieces)))
        expected.setdefault("".join(pieces), set()).add(cuts)
    assert read == expected
