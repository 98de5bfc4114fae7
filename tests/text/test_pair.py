"""A pair and its gold are checked against one another."""

import re

import pytest

from checked_pair import check_files
from seggrid.base.errors import InputError
from seggrid.text.link_notation import Notation
from seggrid.text.pair import kept_lines
from seggrid.text.text_files import Text


def remarks(found):
    """Remarks other than on the few sentences of these texts."""
    return [remark for remark in found if not remark.endswith("over so few mean little")]


GOOD = {"source": b"a b\nc d\n", "target": b"x y\nz w v\n", "gold": b"0-0 1-1\n0-2 1p1\n"}
BY_ID = Notation("pharaoh-ids")
FROM_1 = {"notation": Notation("pharaoh", 1)}
SWAPPED = {"notation": Notation("pharaoh", swapped=True)}
IDS = {"formats": ("tsv", "tsv"), "notation": BY_ID}
ONE_TWO = {"source": b"1\ta\n2\tc\n", "target": b"1\tx\n2\ty\n", "gold": b"1\t0-0\n"}


@pytest.fixture
def check(tmp_path):
    def write_and_check(options, **contents):
        for name, content in {**GOOD, **contents}.items():
            (tmp_path / name).write_bytes(content)
        files = (tmp_path / name for name in ("source", "target", "gold"))
        return remarks(check_files(*files, **options))

    return write_and_check


@pytest.mark.parametrize(
    ("options", "contents"),
    [
        ({"development": 1}, {}),
        (FROM_1, {"gold": b"2-2\n2-3\n"}),
        (SWAPPED, {"gold": b"1-1\n2-0\n"}),
        (
            {"formats": ("lines", "tsv"), "notation": BY_ID},
            {"target": b"7\tx\n8\ty\n", "gold": b"8\t1-0\n"},
        ),
    ],
)
def test_accepted(check, options, contents):
    check(options, **contents)


@pytest.mark.parametrize(
    ("options", "contents", "file", "line", "message"),
    [
        ({}, {"target": b"x y\n"}, "source", 2, "2 lines here, 1 in"),
        ({}, {"target": b"x\ny\nz\nw\n"}, "target", 3, "4 lines here, 2 in"),
        ({}, {"target": b"x y\n\n"}, "target", 2, "an empty sentence"),
        ({}, {"gold": b"0-0\n0-3\n"}, "gold", 2, "word 0 to word 3 in sentence 1, which has 2 and"),
        ({}, {"gold": b"0-0\n2-0\n"}, "gold", 2, "which has 2 and 3 words"),
        (FROM_1, {"gold": b"3-1\n"}, "gold", 1, "word 3 to word 1 in sentence 1"),
        (SWAPPED, {"gold": b"2-0\n"}, "gold", 1, "a link from word 0 to word 2"),
        ({}, {"gold": b"0-0\n0-0\n0-0\n"}, "gold", 3, "no sentence 2, counted from 0, in a text"),
        (IDS, ONE_TWO | {"target": b"1\tx\n3\ty\n"}, "target", 2, "the id 3 where"),
        (IDS, ONE_TWO | {"gold": b"3\t0-0\n"}, "gold", 1, "the id '3' is not in the text"),
        ({"development": 2}, {}, "gold", None, "2 sentences with gold, and `development` takes 2"),
    ],
)
def test_refused(check, tmp_path, options, contents, file, line, message):
    with pytest.raises(InputError) as caught:
        check(options, **contents)
    assert message in caught.value.message
    assert (caught.value.file, caught.value.line) == (tmp_path / file, line)


def test_only_lines_with_words_on_both_sides_are_kept_where_empty_ones_are_skipped(tmp_path):
    texts = []
    for name, lines in (("a", "x\n\ny\nz\n"), ("b", "u\nv\n \nw\n")):
        (tmp_path / name).write_text(lines)
        texts.append(Text((tmp_path / name,), empty_lines="skip"))
    assert kept_lines(*texts).tolist() == [True, False, False, True]
    assert kept_lines(texts[0], None).tolist() == [True] * 4


def test_a_side_without_ids_beside_one_with_ids_is_named(tmp_path):
    """As of training text that is tagged on one side alone."""
    tagged, plain = (tmp_path / name for name in ("tagged", "plain"))
    tagged.write_text("<s snum=7> a b </s>\n<s snum=8> c d </s>\n")
    plain.write_text("x y\nz\n")
    texts = [Text((file,), "wpt", untagged=True) for file in (tagged, plain)]
    with pytest.raises(InputError, match=r"no id where .*tagged has the id 7"):
        check_files(*texts)


@pytest.mark.parametrize(
    ("format", "row", "where", "markers"),
    [
        ("pharaoh", b"1-1 2-2\n", r"either side.*set base: 1", 1),
        ("pharaoh", b"1-1 3-3\n", r"either side.*set base: 1", None),  # the last words lie outside
        ("pharaoh-ids", b"%d\t1-1 2-2\n", r"either side.*set base: 1", 1),
        ("pharaoh", b"1-0 2-2\n", "the source", 9),
        ("pharaoh", b"0-1 2-2\n", "the target", 9),
    ],
)
def test_gold_that_seems_to_count_from_1_is_not_read_from_0(check, format, row, where, markers):
    def checked(sentences, first_words, link=None):
        text = b"".join(b"w%d b c\n" % (n % first_words) for n in range(30))
        rows = [row % n if b"%" in row else row for n in range(sentences)]
        rows[0] = re.sub(rb"\d-\d", link or rb"\g<0>", rows[0], count=1)
        return check({"notation": Notation(format)}, source=text, target=text, gold=b"".join(rows))

    with pytest.raises(InputError, match=f"no link of 20 sentences uses position 0, on {where}"):
        checked(20, 30)
    if markers is None:
        with pytest.raises(InputError, match="from word 3 to word 3"):
            checked(19, 30)
        return
    # Too few sentences to decide; a link with position 0; few distinct first words, as of markers.
    checked(19, 30)
    checked(20, 30, b"0-0")
    checked(20, markers)


def test_gold_with_empty_words_that_counts_from_1(check):
    """In NAACL, links to position 0 are not links to the first word."""
    gold = b"1 1 1\n1 0 2\n1 2 0\n1 2 2\n"
    with pytest.raises(InputError, match=r"check base \(--base\)"):
        check({"notation": Notation("naacl")}, gold=gold)
    check({"notation": Notation("naacl", 1)}, gold=gold)


def test_links_outside_their_sentences_are_dropped_on_request_and_named(check):
    gold = b"0-0 1-1\n0-2 2-2 1-3\n0-0\n"
    with pytest.raises(InputError):
        check({}, gold=gold)
    said = check(DROP, gold=gold)
    assert len(said) == 2
    assert re.search(r"gold:2: left out: a link from word 2 to word 2 in sentence 1", said[0])
    assert re.search(r"gold:3: left out: no sentence 2", said[1])
    assert check(DROP) == []


@pytest.mark.parametrize(("sentences", "said"), [(1, "1 sentence:"), (9, "9 sentences:"), (10, "")])
def test_gold_of_few_sentences_is_remarked_on(tmp_path, sentences, said):
    for name, line in (("source", "a"), ("target", "b"), ("gold", "0-0")):
        (tmp_path / name).write_text(f"{line}\n" * sentences)
    found = check_files(*(tmp_path / name for name in ("source", "target", "gold")))
    assert len(found) == (sentences < 10)
    assert all(f"gold: gold of {said} intervals and p-values" in remark for remark in found)


SKIP = [Text((side,), empty_lines="skip") for side in ("source", "target")]
DROP = {"notation": Notation("pharaoh", bad_links="drop")}
SKIP_GOLD = {"notation": Notation("pharaoh", empty_lines="skip")}
HALVES = {"source": b"a b\n \nc d\n", "target": b"x y\nz\n\n", "gold": b"0-0\n0-0\n0-0 5-5\n"}
WITHOUT_GOLD = "1 lines without a link, taken for sentences without gold, the first line 1"


@pytest.mark.parametrize(
    ("options", "contents", "said"),
    [
        (
            {},
            HALVES,
            [
                "source: 2 sentence pairs with an empty side left out, the first on line 2",
                "gold: gold of 2 sentence pairs that are left out",
            ],
        ),
        # No message if nothing is left out; the gold of the remaining sentences is checked as usual.
        ({}, {}, []),
        ({}, HALVES | {"target": b"x\n\nw\n"}, "a link from word 5 to word 5"),
        (
            SKIP_GOLD,
            {"source": b"a b\n\n", "gold": b"\n0-0\n"},
            "no sentence pair with words on both",
        ),
        (SKIP_GOLD, {"gold": b"\n0-0\n"}, [f"gold: {WITHOUT_GOLD}"]),
        ({}, {"gold": b"\n0-0\n"}, "no link, which could mean"),
        ({"sentences_kept": [2]}, {}, []),
        ({"sentences_kept": [2]}, HALVES, "2 sentences are to be kept, but the text has 1"),
    ],
)
def test_empty_sentences_are_left_out_and_counted(tmp_path, monkeypatch, options, contents, said):
    monkeypatch.chdir(tmp_path)
    for name, content in {**GOOD, **contents}.items():
        (tmp_path / name).write_bytes(content)
    if isinstance(said, list):
        assert remarks(check_files(*SKIP, "gold", **options)) == said
    else:
        with pytest.raises(InputError, match=said):
            check_files(*SKIP, "gold", **options)
