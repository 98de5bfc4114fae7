"""Gold links: reading every format, and the file that the stages share."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seggrid.base.errors import InputError
from seggrid.text.gold import Gold, gold_from_links, gold_of_nothing, read_gold_file, write_gold
from seggrid.text.link_checks import without_bad_links
from seggrid.text.link_files import read_gold_links
from seggrid.text.link_notation import Known, Notation
from seggrid.text.links import Links
from seggrid.text.words import Words


@pytest.fixture
def read(tmp_path):
    def write_and_read(content: str, format: str, **options):
        path = tmp_path / "gold.txt"
        path.write_text(content, "utf-8")
        ids = options.pop("ids", None)
        return gold_from_links(read_gold_links(path, Notation(format, **options), ids), ids)

    return write_and_read


def contents(gold: Gold):
    return {
        int(sentence): (gold.sure.sentence(row), gold.possible.sentence(row))
        for row, sentence in enumerate(gold.sentences)
    }


# One alignment in every format: sentence 0 has sure 0-0, 1-2 and possible 1-1; sentence 2
# has sure 0-1; sentence 1 has no gold.
SAME = {0: ([(0, 0), (1, 2)], [(0, 0), (1, 1), (1, 2)]), 2: ([(0, 1)], [(0, 1)])}


@pytest.mark.parametrize(
    ("format", "options", "content"),
    [
        ("pharaoh-ids", {}, "0\t1-2 0-0 1p1 0p0\n2\t0-1\n"),
        ("pharaoh-ids", {"ids": ["0", "9", "2"]}, "2\t0-1\n0\t1?1 1-2 0-0 1-2"),
        ("pharaoh-ids", {"base": 1}, "1\t1-1 2-3 2p2\n3\t1-2\n"),
        ("pharaoh-ids", {"ids": ["a", "b", "7"]}, "a\t1-2 0-0 1p1\n7\t0-1\n"),
        ("pharaoh-ids", {"swapped": True}, "0\t2-1 0-0 1p1\n2\t1-0\n"),
        ("column", {"empty_lines": "skip"}, "a b\tx y z\t1-2 0-0 1p1\na\tx\nb\tx y\t0-1\n"),
        ("naacl", {}, "0 0 0 S\n0 1 1 P\n0 1 2\n2 0 1 S 0.9\n"),
        ("naacl", {"base": 1}, "0001 1 1 S\n0001 2 2 P\n0001 2 3\n0001 0 2\n0003 1 2 0.9\n"),
        ("naacl", {"base": 1, "ids": ["12", "013", "00"]}, "0012 1 1\n012 2 2 P\n12 2 3\n0 1 2\n"),
        ("tsinghua", {"empty_lines": "skip"}, "1:1/1 2:3/1 2:2/0\n\n1:2/1\n"),
        ("tsinghua", {"empty_lines": "skip"}, "1:1/1\t2:3/1 2:2/0\n\n1:2/1\t\n"),
        ("rwth", {}, "SENT: 0\nS 0 0\nS 1 2\nP 1 1\n\nSENT: 2\nS 0 1\n"),
        ("rwth", {"ids": ["v1", "v2", "v3"]}, "SENT: v3\nS 0 1\nSENT: v1\nP 1 1\nS 1 2\nS 0 0\n"),
    ],
)
def test_formats_agree(read, format, options, content):
    assert contents(read(content, format, **options)) == SAME


def test_a_file_of_blinker_is_a_verse(read):
    links = "2 1\n1 2\n0 3\n4 0\n"
    assert contents(read(links, "blinker")) == {0: ([(0, 1), (1, 0)], [(0, 1), (1, 0)])}
    joined = f"==> A1/samp2.SentPair3 <==\n{links}\n==> A1/samp1.SentPair0 <==\n1 1\n"
    gold = read(joined, "blinker")
    assert gold.sentences.tolist() == [0, 13]
    assert gold.sure.lines() == ["0-0", "0-1 1-0"]


CZENALI = """<?xml version="1.0" encoding="utf-8"?>
<sentences>
<s id="a-s1"><english>a b</english><czech>x y z</czech><sure>1-1 2-3</sure>
  <possible>2-2</possible><phrasal>1-2
  2-1</phrasal></s>
<s id="a-s2"><english>a</english><czech>x</czech><sure/><possible></possible></s>
</sentences>
"""


def test_czenali_has_sure_possible_and_phrasal_links(read):
    first = ([(0, 0), (1, 2)], [(0, 0), (0, 1), (1, 0), (1, 1), (1, 2)])
    assert contents(read(CZENALI, "czenali")) == {0: first, 1: ([], [])}
    # Files that are joined, and the Czech word first.
    both = contents(read(CZENALI * 2, "czenali", swapped=True))
    assert both[2] == both[0] == tuple(sorted((j, i) for i, j in row) for row in first)


def test_an_id_as_the_text_has_it_goes_first(read):
    gold = read("1 0 0\n01 1 1\n0002 2 2\n", "naacl", ids=["1", "01", "02"])
    assert [gold.sure.sentence(row) for row in range(3)] == [[(0, 0)], [(1, 1)], [(2, 2)]]
    assert gold.names == ["1", "01", "02"]


def test_a_sentence_may_have_gold_without_links(read):
    assert contents(read("0\t0-0\n1\t\n", "pharaoh-ids"))[1] == ([], [])


@pytest.mark.parametrize(
    ("format", "options", "content", "line", "message"),
    [
        ("pharaoh", {}, "1 1 1\n" * 6 + "1 7 x\n" + "2 1 1\n" * 20, 1, "looks like naacl, not"),
        ("pharaoh", {}, "0-0\n" * 6 + "1 7 x\n" + "0-0 1-1\n" * 20, 7, "malformed link '1'"),
        ("column", {}, "1-1 2-2\n0-0\n", 1, "looks like pharaoh, not column"),
        ("naacl", {}, '{"links": []}\n', 1, "looks like JSON"),
        ("pharaoh", {}, "<?xml version='1.0'?>\n<gold/>\n", 1, "looks like XML"),
        ("naacl", {}, f"{'9' * 5000} 1 1\n", 1, "is not a line number"),
        ("naacl", {"ids": ["1", "01"]}, "001 0 0\n", 1, "'001' could be '1' or '01'"),
        ("pharaoh", {}, "0-0\n\n1-1\n", 2, "no link"),
        ("pharaoh", {}, "0-0 1-1\t1-0\n0-0\t\n", 1, "a tab among the links"),
        ("weighted", {}, "0-0:0.9\n", None, "unknown gold format 'weighted'"),
        ("tsinghua", {}, "1:1/1 1:2\n", 1, "malformed link '1:2'"),
        ("tsinghua", {"base": 0}, "1:1/1\n", None, "tsinghua counts from 1"),
        ("rwth", {}, "S 0 0\nSENT: 0\nS 0 0\n", 1, "a link before a sentence"),
        ("rwth", {}, "SENT: 0\nS 0 0\nX 0 0\n", 3, "malformed line 'X 0 0'"),
        ("blinker", {}, "==> samp0.SentPair0 <==\n1 1\n", 1, "no sample 0"),
        ("czenali", {}, "<s id='a'><sure>1-1 x</sure></s>\n", 1, "malformed link 'x'"),
        ("czenali", {}, "<sentences><sure>1-1</sure>\n", 1, "links before a sentence"),
        ("pharaoh", {}, "0p0\n1p1\n", None, "not one sure link"),
        ("pharaoh", {"base": 1}, "1-1\n0-1\n", 2, "position 0"),
        ("pharaoh-ids", {}, "0\t0-0\n1 1-1\n", 2, "no tab"),
        ("pharaoh-ids", {"ids": ["0"]}, "0\t0-0\n0\t1-1\n", 2, "the id 0 again, after line 1"),
        ("pharaoh-ids", {}, "1\t0-0\n0\t1-1\n", 2, "the sentence 0 after 1, so these may be ids"),
        ("pharaoh-ids", {"ids": ["a"]}, "a\t0-0\nb\t0-0\n", 2, "the id 'b' is not in the text"),
        *(
            ("pharaoh-ids", {}, f"0\t0-0\n{name}\t0-0\n", 2, f"{name!r} is not a line number")
            for name in ("b", "", "-1", "٣")
        ),
        ("naacl", {}, "0 0 0\n0 1 x\n", 2, "malformed link '0 1 x'"),
        ("naacl", {}, "0 0 0\n0 1 1 T\n", 2, "'T' is neither S nor P"),
    ],
)
def test_refused(read, tmp_path, format, options, content, line, message):
    with pytest.raises(InputError) as caught:
        read(content, format, **options)
    assert message in caught.value.message
    assert (caught.value.file, caught.value.line) == (tmp_path / "gold.txt", line)
    assert caught.value.hint


links = st.frozensets(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=20)


# Each example waits for the disk, since atomic writing syncs.
@settings(max_examples=20)
@given(
    gold=st.dictionaries(st.integers(0, 99), st.tuples(links, links), min_size=1).filter(
        lambda gold: any(sure for sure, _ in gold.values())
    )
)
def test_load_gold_undoes_save_gold(tmp_path_factory, gold):
    path = tmp_path_factory.mktemp("gold") / "gold.npz"
    sentences = sorted(gold)
    sure = Links.from_sets(gold[s][0] for s in sentences)
    possible = Links.from_sets(gold[s][0] | gold[s][1] for s in sentences)
    names = [str(sentence + 1) for sentence in sentences]
    write_gold(path, Gold(np.array(sentences), sure, possible, names))
    back = read_gold_file(path)
    assert back.sentences.tolist() == sentences
    assert back.names == names
    assert (back.sure.lines(), back.possible.lines()) == (sure.lines(), possible.lines())


def test_links_outside_their_sentences_can_be_left_out(tmp_path):
    (tmp_path / "gold").write_text("0-0 1-1\n0-2 2-2 1p1\n0-0\n")
    links = read_gold_links(tmp_path / "gold", Notation("pharaoh"))
    texts = [["a", "b"], ["c", "d"]], [["x", "y"], ["z", "w", "v"]]
    gold = gold_from_links(without_bad_links(links, Known.of(*map(Words.of, texts))))
    assert gold.sentences.tolist() == [0, 1]
    assert gold.sure.lines() == ["0-0 1-1", "0-2"]
    assert gold.possible.lines() == ["0-0 1-1", "0-2 1-1"]


def test_gold_of_some_lines_is_numbered_among_them():
    links = Links.from_lines(["0-0", "1-1", "2-2"])
    gold = Gold(np.array([1, 4, 6]), links, links, ["b", "e", "g"])
    some = gold.among(np.array([0, 3, 4, 6]))
    assert some.sentences.tolist() == [2, 3]
    assert some.sure.lines() == some.possible.lines() == ["1-1", "2-2"]
    assert some.names == ["e", "g"]
    same = gold.among(np.arange(9))
    assert (same.sentences.tolist(), same.names) == ([1, 4, 6], ["b", "e", "g"])


def test_a_pair_without_gold_keeps_sentences_that_are_spread_over_it():
    kept = gold_of_nothing(np.arange(1200))
    assert len(kept) == 500
    assert kept.sentences[0] == 0
    assert set(np.diff(kept.sentences)) == {2, 3}
    assert kept.names[1] == "3"
    assert not len(kept.sure.pairs)
    # If sentences are left out, the remaining ones are renumbered, but named as in the text.
    few = gold_of_nothing(np.array([1, 4]), ["a", "b", "c", "d", "e"])
    assert (few.sentences.tolist(), few.names) == ([0, 1], ["b", "e"])
