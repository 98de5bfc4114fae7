import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from seggrid.errors import InputError
from seggrid.morphology.frequencies import read_frequencies
from seggrid.morphology.references import read_reference


def write(folder: Path, text: str | bytes) -> Path:
    path = folder / "reference.tsv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_surface_alternatives(tmp_path):
    """Analyses on one line or on several lines; equal ones count once; entries keep the order of their first
    occurrence."""
    path = write(tmp_path, "unable\tun able\tunable\nab\tab\nunable\tuna ble\nab\tab\n")
    reference = read_reference(path, "surface")
    assert reference.words == ["unable", "ab"]
    assert reference.analyses.tolist() == [0, 3, 4]
    assert [reference.morphemes.word(i) for i in range(4)] == [[2], [], [3], []]
    assert reference.whole_words is None
    assert reference.lines.tolist() == [1, 2]
    assert reference.has_alternatives


def test_celex_keeps_repeats_and_skips_what_the_paper_skips(tmp_path):
    lines = [
        "a\t(a)[D]",
        "a\t(a)[N]",
        "o'er\t(o'er)[P]",
        "ran\t((run)[V])[F]",
        "",
        "ox\t(ox)[A|.F]  ",
    ]
    reference = read_reference(write(tmp_path, "\r\n".join(lines)), "celex")
    assert reference.words == ["a", "a", "ox"]
    assert reference.lines.tolist() == [1, 2, 6]


def test_whole_word_cuts_are_morphemic_cuts(tmp_path):
    lines = [
        "teapots\t((tea)[N],(pot)[N],(s)[N|N.])[N]",
        "unable\t((un)[A|.A],(able)[A])[A]",
        "housework\t((house)[N],(work)[N])[N]",
        "teapot\t((tea)[N],(pot)[N])[N]",
    ]
    reference = read_reference(write(tmp_path, "\n".join(lines)), "celex")
    morphemes = reference.morphemes.mask(reference.offsets)
    whole_words = reference.whole_words.mask(reference.offsets)
    assert morphemes[whole_words].all()
    assert 0 < whole_words.sum() < morphemes.sum()


@pytest.mark.parametrize(
    ("format", "text", "line", "message"),
    [
        ("celex", "a\t(a)[N]\nb (b)[N]\n", 2, "a tab"),
        ("celex", "a\t(a)[N]\n\nb\t(b)[N\n", 3, "analysis of 'b'"),
        ("celex", "a\t(a)[N]\nbc\t((b)[N],(c)[N])[N\n", 2, "analysis of 'bc'"),
        ("celex", "\t(a)[N]\n", 1, "a tab"),
        ("celex", b"a\t(a)[N]\n\xe4\t(a)[N]\n", 2, "not UTF-8: byte 0xe4"),
        ("surface", "a\ta\nan\ta m\n", 2, "do not concatenate"),
        ("surface", "a\ta\nan\n", 2, "a tab"),
        ("surface", "a\ta\nan\t\n", 2, "a tab"),
        ("surface", "a\ta\nan\ta\u00a0n\n", 2, "do not concatenate"),
        ("surface", "a\ta\na n\ta n\n", 2, "do not concatenate"),
        ("surface", "a\ta\nan\ta n\t\ta n\n", 2, "do not concatenate"),
        ("surface", "a\ta\na\rn\ta\rn\n", 2, r"U\+000D"),
        ("surface", "a\ta\nan\ta n▁\n", 2, r"U\+2581"),
        ("surface", "a\ta\na\x00n\ta\x00n\n", 2, r"U\+0000"),
        ("surface", f"a\ta\n{'a' * 1001}\ta\n", 2, "1,001 characters"),
        ("celex", f"a\t(a)[N]\n{'a' * 1001}\t(a)[N]\n", 2, "1,001 characters"),
        ("surface", "a\ta\nb\ufffdb\tb\ufffd b\n", 2, r"U\+FFFD"),
    ],
)
def test_malformed_lines_are_refused_by_number(tmp_path, format, text, line, message):
    path = write(tmp_path, text)
    with pytest.raises(InputError, match=message) as caught:
        read_reference(path, format)
    assert (caught.value.file, caught.value.line) == (path, line)
    assert str(caught.value).startswith(f"{path}:{line}: ")


@pytest.mark.parametrize(
    ("format", "text"), [("celex", "\n"), ("surface", "\n\n"), ("celex", "o'er\t(o'er)[P]\n")]
)
def test_an_empty_reference_is_refused(tmp_path, format, text):
    with pytest.raises(InputError, match="no entry"):
        read_reference(write(tmp_path, text), format)


@pytest.mark.parametrize("space", ["\u00a0", "\u3000", "\u2009", "\u1680", "\u202f", "\u205f"])
@pytest.mark.parametrize("end", ["", "\n", "\r\n", "  \n", "\t \n"])
def test_only_the_ascii_space_separates_morphemes(tmp_path, space, end):
    """Any other space is a character of the word, also at its ends."""
    path = write(tmp_path, f"ab{space}c\tab{space} c\n{space}d{space}\t{space}d {space}{end}")
    reference = read_reference(path, "surface")
    assert reference.words == [f"ab{space}c", f"{space}d{space}"]
    assert [reference.morphemes.word(i) for i in range(2)] == [[3], [2]]


def test_other_mistakes(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read_reference(tmp_path / "nowhere", "celex")
    with pytest.raises(InputError, match="not a format"):
        read_reference(write(tmp_path, "a\ta\n"), "tree")


def test_frequencies(tmp_path):
    path = write(tmp_path, "the\t10\nof\t0\nthe\t5\n")
    assert read_frequencies(path) == {"the": 15, "of": 0}
    reference = read_reference(write(tmp_path, "the\tthe\nof\tof\nrare\trare\n"), "surface")
    assert reference.weights({"the": 15, "of": 0}).tolist() == [15, 0, 1]
    assert reference.weights(None).tolist() == [1, 1, 1]


@pytest.mark.parametrize(
    "text",
    ["a\t1000000000001\n", f"a\t{2**63 - 1}\n", f"a\t{'9' * 5000}\n", "a\t999999999999\na\t2\n"],
)
def test_frequencies_whose_sums_would_overflow_are_refused(tmp_path, text):
    with pytest.raises(InputError, match=r"'a' occurs more than 1,000,000,000,000 times"):
        read_frequencies(write(tmp_path, "of\t1\n" + text))


def test_sums_of_frequencies_are_exact_or_refused(tmp_path):
    """The limit: 2^53 bytes over all words with their frequencies."""
    lines = [f"{'a' * 900}{i}\t{'a' * 900} {i}" for i in range(4)]
    reference = read_reference(write(tmp_path, "\n".join(lines)), "surface")
    frequencies = dict.fromkeys(reference.words, 10**12)
    assert reference.take(np.arange(2)).weights(frequencies).tolist() == [10**12] * 2
    with pytest.raises(InputError, match="more than 9,007,199,254,740,992 bytes"):
        reference.weights(frequencies)


@pytest.mark.parametrize("line", ["the", "the\tten", "the\t-1", "\t3", "the\t1\t2", "the\t٣"])
def test_malformed_frequencies(tmp_path, line):
    with pytest.raises(InputError, match=re.escape(":2: ")):
        read_frequencies(write(tmp_path, f"of\t1\n{line}\n"))


def test_holdout_draws_once_an_entry_in_order(tmp_path):
    words = [f"w{i}" for i in range(200)]
    path = write(tmp_path, "".join(f"{w}\t{w[0]} {w[1:]}\t{w}\n" for w in words))
    reference = read_reference(path, "surface")
    learn, test = map(reference.take, reference.holdout(Fraction(3, 10)))
    generator = np.random.default_rng(0)
    expected = [generator.random() < 0.3 for _ in words]
    assert learn.words == [w for w, chosen in zip(words, expected, strict=True) if chosen]
    assert test.words == [w for w, chosen in zip(words, expected, strict=True) if not chosen]
    assert learn.morphemes.word(0) == [1]
    assert learn.lines.tolist() == [int(w[1:]) + 1 for w in learn.words]
