"""Links of aligners and gold are read by one rule, whatever program wrote them."""

import numpy as np
import pytest

from seggrid.base.errors import InputError
from seggrid.text.link_files import read_gold_of_text, read_link_file
from seggrid.text.link_notation import UNKNOWN, Known, Notation
from seggrid.text.words import Words

TEXT = Words.of([["a", "b"], ["c", "d", "e"], ["f"]]), Words.of([["x", "y"], ["z", "w"], ["v"]])
SAME = ["0-0 1-1", "2-0", ""]
"""Links of TEXT, which each file below holds."""

GIZA = """# Sentence pair (1) source length 2 target length 2 alignment score : 0.01
x y
NULL ({ }) a ({ 1 }) b ({ 2 })
# Sentence pair (2) source length 3 target length 2 alignment score : 1e-05
z w
NULL ({ 2 }) c ({ }) ({ ({ }) e ({ 1 })
# Sentence pair (3) source length 1 target length 1 alignment score : 0.5
v
NULL ({ 1 }) f ({ })
"""


@pytest.fixture
def read(tmp_path):
    def write_and_read(content, known=UNKNOWN, **notation):
        (tmp_path / "links").write_text(content)
        return read_link_file(tmp_path / "links", Notation(**notation), known)

    return write_and_read


@pytest.mark.parametrize(
    ("content", "notation"),
    [
        ("0-0 1-1\n2-0\n\n", {}),
        ("1-1  0-0 1-1\r\n2-0\r\n\r\n", {}),
        ("0-0\t1-1\n2-0\n\n", {}),
        ("1-1 2-2\n3-1\n\n", {"base": 1}),
        ("0-0 1-1\n0-2\n\n", {"swapped": True}),
        ("0\t0-0 1-1\n1\t2-0\n2\t\n", {}),
        ("1\t1-1 2-2\n2\t3-1\n3\t\n", {"base": 1}),
        ("0-0:0.9 1-1:.51 0-1:0.5\n2-0:1 0-0:1e-05\n\n".replace(":.51", ":0.51"), {}),
        ("0-0/0.9 0-1/0.4 1-1/0.8\n2-0/1\n\n", {"above": 0.7}),
        ("1:1/1 2:2/1\n3:1/1\n\n", {}),
        ("SENT: 0\nS 0 0\nS 1 1\nSENT: 1\nS 2 0\nSENT: 2\n", {}),
        (GIZA, {}),
        ("a b\tx y\t0-0 1-1\nc d e\tz w\t2-0\nf\tv\t\n", {}),
    ],
)
def test_the_format_is_that_of_the_first_lines(read, content, notation):
    assert read(content, **notation).links.lines() == SAME
    assert read(content, Known.of(*TEXT), **notation).links.lines() == SAME


def test_links_without_their_number_of_sentences_take_it_from_the_text(read):
    content = "1 1 1 S 0.7\n1 2 2\n1 0 2\n2 3 1\n"
    assert read(content, Known.of(*TEXT), base=1).links.lines() == SAME
    found = read(content, base=1)
    assert (found.links.lines(), found.complete) == (SAME[:2], False)


def test_links_name_sentences_by_the_ids_of_the_text(read):
    known = Known.of(*TEXT, ids=["9", "7", "8"])
    assert read("7\t2-0\n8\t\n9\t1-1 0-0\n", known).links.lines() == SAME
    assert read("0009 0 0\n7 2 0\n9 1 1\n", known, base=0).links.lines() == SAME


def test_what_is_improbable_is_left_out_and_counted(read):
    (remark,) = read("0-0:0.5 1-1:0.6\n").remarks
    assert remark.endswith("1 links left out, of a probability of 0.5 or less")


@pytest.mark.parametrize(
    ("content", "notation", "message"),
    [
        ("0-0\nx\n", {}, "links:2: malformed link 'x' (a link is i-j"),
        ("0-0\n1p2\n", {}, "links:2: the possible link 1p2, where only gold has possible links"),
        ("0-0\n10000-0\n", {}, "links:2: the link 10000-0: position 10000 is in no sentence"),
        ("1-1\n0-1\n", {"base": 1}, "links:2: position 0 in link (0, 1) of links that count from"),
        ("0:0 1:1\n", {}, "links of the form i:j (if they count from 0: sed"),
        (
            "0-0:1:0.5 1-1:1:0.25\n",
            {},
            "scores of sil-machine, i-j:s:s (take the scores away: sed -E",
        ),
        ("the house\n", {"format": "weighted"}, "links:1: malformed link 'the'"),
        ("0-0:7\n", {}, "links:1: a weight in '0-0:7' is not a probability"),
        ("12-3\t0-0\n12-4\t1-1\n", {}, "each line may be two links, or an id and a link"),
        ("1 1 1\n", {}, "naacl counts words from 0 or 1 (from 1 in the shared task: say"),
        ("0\t0-0\n2\t0-0\n", {}, "pharaoh-ids names sentences, but the text is not given"),
        (GIZA.replace("(2)", "(4)"), {}, "no links of sentence 2"),
        (GIZA.replace("length 3", "length 2"), {}, "links:6: 4 words and NULL, where line 4 says"),
        (GIZA[:-20], {}, "words and NULL, where line 7 says 1"),
        (GIZA.rpartition("NULL")[0], {}, "links:7: not a sentence pair of GIZA++"),
        ("1-1 2-2\n" * 20, {}, "no link of 20 sentences uses position 0, on either side"),
    ],
)
def test_refused(read, content, notation, message):
    with pytest.raises(InputError) as caught:
        read(content, **notation)
    assert message in str(caught.value)
    assert caught.value.hint
    assert len(str(caught.value)) < 1500


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("0-0\n", "1 lines of links, but the text has 3"),
        ("0-0\n0-0\n0-1\n", "links:3: the link 0-1 lies outside its sentence"),
        ("0\t0-0\n2\t0-0\n", "no links of sentence 2"),
        ("1\t0-0\n2\t0-0\n3\t0-0\n", "no links of sentence 1 .*cut -f 2 FILE"),
    ],
)
def test_links_must_fit_their_text(read, content, message):
    with pytest.raises(InputError, match=message):
        read(content, Known.of(*TEXT))


def test_gold_without_the_first_sentence_is_read_if_the_text_tells_its_numbers(tmp_path):
    # Sentence 1 has a link from its third word, which no other sentence has.
    (tmp_path / "gold").write_text("1\t0-0 2-1\n")
    links, _ = read_gold_of_text(tmp_path / "gold", Notation("pharaoh-ids"), Known.of(*TEXT))
    assert [(link.source, link.target) for link in links[1]] == [(0, 0), (2, 1)]


def test_links_to_the_empty_word_do_not_hide_that_gold_counts_from_1(tmp_path):
    rows = "".join(f"{s} 1 1\n{s} 0 2\n{s} 2 0\n" for s in range(20))
    ask = tmp_path / "gold", Notation("naacl"), Known(numbered=True)
    ask[0].write_text(rows)
    with pytest.raises(InputError, match="no link of 20 sentences uses position 0, on either side"):
        read_gold_of_text(*ask)
    read_gold_of_text(ask[0], Notation("naacl", base=0), ask[2])
    ask[0].write_text(rows + "20 0 0\n")
    assert len(read_gold_of_text(*ask)[0]) == 21


def test_many_links_are_read_in_order(read):
    rng = np.random.default_rng(1)
    rows = [
        {(int(i), int(j)) for i, j in rng.integers(0, 40, (rng.integers(0, 9), 2))}
        for _ in range(500)
    ]
    lines = [" ".join(f"{i}-{j}" for i, j in row) for row in rows]
    found = read("\n".join(lines) + "\n").links
    assert [found.sentence(s) for s in range(500)] == [sorted(row) for row in rows]
