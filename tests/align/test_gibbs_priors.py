"""Priors of gibbs: counted as eflomal counts them, written and read back, and improving alignments."""

import math
import subprocess
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_corpora import corpus_of, priors_of, right_of
from small_corpora import gibbs_links as align

from counted_twin import counted_in, model_of
from seggrid.align.gibbs import Gibbs, Options
from seggrid.align.gibbs.link_counts import LinkCounts
from seggrid.align.gibbs.priors import joined_priors, read_priors, remark_on_use, write_priors
from seggrid.base.errors import InputError
from seggrid.commands import main
from seggrid.text.links import Links
from seggrid.text.segmentation import Segmentation

SOURCE, TARGET = ["a b a", "b c", "A d"], ["x y", "y z z", "X"]
FORWARD, REVERSE = ["0-0 1-1", "0-0 1-1 1-2", "0-0"], ["0-0 1-1 2-0", "0-0 1-1", "0-0"]

# The output of eflomal-makepriors for these texts and links.
EFLOMAL = """\
LEX A X 1
LEX a x 1
LEX b y 2
LEX c z 2
FERF A 1 1
FERF a 1 1
FERF b 1 2
FERF c 2 1
FERR X 1 1
FERR x 2 1
FERR y 1 2
FERR z 1 1
HMMF 0 1
HMMF 1 6
HMMF 2 2
HMMR -1 1
HMMR 1 6
HMMR 2 2
""".replace(" ", "\t")


def words(lines):
    return Segmentation.from_words([line.split() for line in lines])


def counted():
    links = ([Links.from_lines(lines)] for lines in (FORWARD, REVERSE))
    return LinkCounts.from_links(words(SOURCE), words(TARGET), *links)


def test_links_are_counted_as_eflomal_counts_them(tmp_path):
    """And tokens without links, which eflomal does not count."""
    write_priors(counted(), tmp_path / "priors")
    found = {*(tmp_path / "priors").read_text().splitlines()}
    assert found - {*EFLOMAL.splitlines()} == {"FERF\ta\t0\t1", "FERF\td\t0\t1", "FERR\tz\t0\t1"}
    assert found >= {*EFLOMAL.splitlines()}


def test_counts_from_a_million_on_are_read_as_eflomal_writes_them(tmp_path):
    """By Python's %g; its <NULL>, for words without links, is no word."""
    counts = [999_999, 1_000_000, 1_001_000, 123_456_000]
    lines = [f"LEX\ta\tb{k}\t{count:g}" for k, count in enumerate(counts)]
    (tmp_path / "p").write_text("\n".join([*lines, "LEX\t<NULL>\tb\t3", "LEX\ta\t<NULL>\t3"]))
    (read,) = counted_in(read_priors(tmp_path / "p"))
    assert [*read.values()] == counts


def test_priors_are_in_the_case_of_the_text(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p").write_text("LEX\tThe\tDas\t3\nLEX\tHouse\tHaus\t2\n")
    for name, line in (("e", "The House"), ("d", "Das Haus")):
        (tmp_path / name).write_text(f"{line}\n" * 3)
    for case, used in (("lower", 2), ("keep", 2), ("first", 1)):
        ask = ["align", "e", "d", "--recipe", "words", "--priors", "p", "--case", case]
        assert main(ask) == 0
        assert f"{used} of 2 pairs of tokens in the priors occur" in capsys.readouterr().err


def test_eflomal_takes_the_file(tmp_path):
    pytest.importorskip("eflomal")
    write_priors(counted(), tmp_path / "priors")
    for name, lines in (("s", SOURCE), ("t", TARGET)):
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    command = "eflomal-align -s s -t t --priors priors -f forward -r reverse"
    subprocess.run(command.split(), cwd=tmp_path, check=True, capture_output=True)
    assert len((tmp_path / "forward").read_text().splitlines()) == 3


types = st.text("abc\u00a0", min_size=1, max_size=3)
PRIORS = priors_of(types, types, st.integers(1, 99))


@given(st.lists(PRIORS, min_size=1, max_size=4))
def test_what_is_written_is_read(tmp_path_factory, priors):
    file = tmp_path_factory.mktemp("priors") / "p"
    write_priors(model_of(*priors), file)
    assert counted_in(read_priors(file)) == [Counter(one) for one in priors]


@given(st.lists(PRIORS, min_size=2, max_size=3))
def test_several_files_are_one(tmp_path_factory, files):
    """Files of one sampler each are added as the lines of one file are."""
    folder = tmp_path_factory.mktemp("priors")
    for k, one in enumerate(files):
        write_priors(model_of(one), folder / str(k))
    text = "".join((folder / str(k)).read_text() for k in range(len(files)))
    (folder / "all").write_text(text)
    joined = joined_priors([read_priors(folder / str(k)) for k in range(len(files))])
    assert counted_in(joined) == counted_in(read_priors(folder / "all"))


def lexical(**pairs):
    """The counts of one sampler, of pairs of types of one letter each: `lexical(ax=1)`."""
    return {("LEX", *pair): count for pair, count in pairs.items()}


def test_a_file_of_fewer_samplers_serves_several():
    files = (
        model_of(lexical(ax=1), lexical(ax=20), lexical(ax=300)),
        model_of(*[lexical(ax=4000), lexical(by=5)]),
    )
    assert counted_in(joined_priors(files)) == [
        lexical(ax=4001),
        lexical(ax=20, by=5),
        lexical(ax=4300),
    ]


def test_how_many_priors_meet_the_text_is_said():
    pairs = ("the", "das"), ("a", "ein"), ("the", "die")
    one, two, three = ({("LEX", *pair): 1} for pair in pairs)
    priors = model_of(one | two, three)
    assert remark_on_use(priors, ["the", "house"], ["das", "die"], False) == (
        "2 of 3 pairs of tokens in the priors occur in the text"
    )
    assert remark_on_use(priors, ["Das", "haus"], ["the"], True).endswith(
        "0 of 3 pairs of tokens in the priors occur in the text, but 1 with source and target exchanged"
    )


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("LEX\ta\t1", "2 fields after LEX"),
        ("LEX\ta\tb\t1\t1", "4 fields after LEX; the first line has as many counts as samplers, 1"),
        ("LEX\ta\tb\t1.5", "'1.5' is not a whole number from 0"),
        ("HMMF\tx\t1", "'x' is not a whole number"),
        ("FERF\ta\t-1\t1", "'-1' is not a whole number"),
        ("LEXX\ta\tb\t1", "none of LEX, HMMF"),
        ("LEX\ta\tb\t9999999999", "is not a whole number"),
        ("LEX\ta\tb\t1073741824", "the sum of all counts is more than"),
    ],
)
def test_other_lines_are_refused(tmp_path, line, message):
    (tmp_path / "p").write_text(f"LEX\ta\tb\t1\n{line}\n")
    with pytest.raises(InputError, match=message) as error:
        read_priors(tmp_path / "p")
    assert str(error.value).startswith(f"{tmp_path / 'p'}:2: ")


@pytest.mark.tier("check")
def test_few_sentences_are_aligned_by_what_many_taught():
    old, new = corpus_of(300, 1), corpus_of(5, 2)
    options = Options(relative_iterations=0.005)
    kept = Gibbs().align_sample(*old, seed=1, keep=True).model
    with_priors, _ = align(*new, options=options, seed=1, priors=kept)
    without, _ = align(*new, options=options, seed=1)
    assert sum(right_of(*new, with_priors)) > 0.9 * len(new[1].ids)
    assert sum(right_of(*new, without)) < 0.7 * len(new[1].ids)


def test_case_is_folded_in_priors_too():
    upper = lexical(AX=3, ax=4) | {("HMMF", 1): 2, ("FERF", "A", 1): 2, ("FERF", "a", 1): 1}
    lower = lexical(ax=7) | {("HMMF", 1): 2, ("FERF", "a", 1): 3}
    texts = words(["A b", "b"]), words(["x Y", "Y"])
    options = Options(lowercase=True, relative_iterations=0.01)
    models = model_of(upper), model_of(lower)
    folded, apart = (align(*texts, options=options, seed=1, priors=one) for one in models)
    assert [links.lines() for links in folded] == [links.lines() for links in apart]


def test_counts_beyond_narrow_ones_are_added_in_full():
    """Pairs of types with more links than 21 bits can count."""
    texts = words(["a b", "b a"]), words(["x y", "y x"])
    priors = model_of(lexical(ay=1 << 22, bx=1 << 22))
    forward, _ = align(*texts, options=Options(model=1), seed=1, priors=priors)
    assert forward.lines() == ["0-1 1-0", "0-1 1-0"]


def test_sentence_pairs_are_scored_by_the_counts():
    priors = model_of(lexical(ax=3, ay=1))
    source, target = Segmentation.from_words([["a"]]), Segmentation.from_words([["x", "z"]])
    forward = math.log((1 / 2 + 3 / 4) / 2) + math.log((1 / 2) / 2)
    reverse = math.log((1 + 3 / 3) / 3)
    found = Gibbs().score(priors, source, target)
    assert found.tolist() == [pytest.approx([forward, reverse])]
    capitals = Segmentation.from_words([["A"]]), Segmentation.from_words([["X", "Z"]])
    assert Gibbs(Options(lowercase=True)).score(priors, *capitals).tolist() == found.tolist()
    assert Gibbs().score(priors, *capitals)[0, 0] < forward
