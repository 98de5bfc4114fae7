"""The short form of the fuzz campaign, and valid input drawn by Hypothesis that must be read correctly."""

import random

import numpy as np
import pytest
from fuzz_campaign import fuzz
from hypothesis import given, settings
from hypothesis import strategies as st
from isolation import Violation, isolated, judge
from kinds import KINDS

from checked_pair import check_files
from seggrid.corpus.gold import gold_from_links
from seggrid.corpus.links import Notation, read_gold_links
from seggrid.corpus.text import read_text
from seggrid.errors import InputError, InputErrors
from seggrid.morphology.references import read_reference


@pytest.mark.parametrize("name", KINDS)
def test_damaged_input_ends_right_or_refused(name):
    fuzz(name, 40, seed=7)


@pytest.mark.parametrize("name", KINDS)
def test_undamaged_input_is_not_refused(name):
    kind = KINDS[name]

    def run():
        for number in range(8):
            files, options = kind.draw(random.Random(number), 0)
            judge(lambda folder, options=options: kind.read_valid(folder, options), files)

    isolated(run)


# What the campaign finds


def crash(folder):
    import ctypes

    ctypes.string_at(0)


def use_much_memory(folder):
    bytearray(b"x") * (5 << 28)


def write_elsewhere(folder):
    (folder.parent.parent / "seggrid-fuzz-elsewhere").write_text("")


def overflow(folder):
    np.array([2.0]) ** 1e6


def hang(folder):
    while True:
        pass


def use_the_network(folder):
    import socket

    socket.create_connection(("localhost", 9))


def refuse_at_length(folder):
    raise InputErrors([InputError("a mistake", line=line) for line in range(1000)])


@pytest.mark.parametrize(
    ("run", "said"),
    [
        (crash, "killed by signal 11"),
        (use_much_memory, "too much memory"),
        (write_elsewhere, "writes elsewhere"),
        (overflow, "RuntimeWarning"),
        (use_the_network, "no network here"),
        (refuse_at_length, "a refusal of 1000 lines"),
        (hang, "hangs"),
    ],
)
def test_violations_are_told(run, said, monkeypatch):
    monkeypatch.setattr("isolation.CPU_SECONDS", 1)
    with pytest.raises(Violation, match=said):
        isolated(lambda: judge(run, {}))


def test_a_refusal_is_none():
    def refuse(folder):
        raise InputError("no such file", file="x", line=1)

    assert judge(refuse, {"x": b""}) == "refused"


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
    check_files(*paths, Notation(format, base))
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
