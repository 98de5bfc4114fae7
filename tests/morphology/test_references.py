import re
import warnings
from random import Random
from unicodedata import combining, normalize

import pytest

from seggrid.base.errors import InputError
from seggrid.morphology.frequencies import read_frequencies, respelled_counts, wordfreq_counts
from seggrid.morphology.respelling import _letters, as_in_text


def test_surface_alternatives(read):
    """Analyses on one line or on several lines; equal ones count once; entries keep the order of their first
    occurrence."""
    reference = read("unable\tun able\tunable\nab\tab\nunable\tuna ble\nab\tab\n")
    assert reference.words == ["unable", "ab"]
    assert reference.analyses.tolist() == [0, 3, 4]
    assert [reference.morphemes.word(i) for i in range(4)] == [[2], [], [3], []]
    assert reference.whole_words is None
    assert reference.lines.tolist() == [1, 2]
    assert reference.has_alternatives


def test_celex_keeps_repeats_and_skips_what_the_paper_skips(read):
    lines = [
        "a\t(a)[D]",
        "a\t(a)[N]",
        "o'er\t(o'er)[P]",
        "ran\t((run)[V])[F]",
        "",
        "ox\t(ox)[A|.F]  ",
    ]
    reference = read("\r\n".join(lines), "celex")
    assert reference.words == ["a", "a", "ox"]
    assert reference.lines.tolist() == [1, 2, 6]


@pytest.mark.parametrize(
    ("format", "text", "line", "message"),
    [
        ("celex", "a\t(a)[N]\nb (b)[N]\n", 2, "a tab"),
        ("celex", "a\t(a)[N]\n\nb\t(b)[N\n", 3, "analysis of 'b'"),
        ("celex", "a\t(a)[N]\nbc\t((b)[N],(c)[N])[N\n", 2, "analysis of 'bc'"),
        ("celex", b"a\t(a)[N]\n\xe4\t(a)[N]\n", 2, "not UTF-8: byte 0xe4"),
        ("surface", "a\ta\nan\ta m\n", 2, "do not concatenate"),
        ("surface", "a\ta\nan\n", 2, "a tab"),
        ("surface", "a\ta\na n\ta n\n", 2, "more than one word"),
        ("surface", "a\ta\na\rn\ta\rn\n", 2, r"U\+000D"),
        ("surface", "a\ta\nan\ta n▁\n", 2, r"U\+2581"),
        ("surface", f"a\ta\n{'a' * 1001}\ta\n", 2, "1,001 characters"),
        ("celex", f"a\t(a)[N]\n{'a' * 1001}\t(a)[N]\n", 2, "1,001 characters"),
        ("surface", "a\ta\nb\ufffdb\tb\ufffd b\n", 2, r"U\+FFFD"),
    ],
)
def test_malformed_lines_are_refused_by_number(read, tmp_path, format, text, line, message):
    path = tmp_path / "reference.tsv"
    with pytest.raises(InputError, match=message) as caught:
        read(text, format)
    assert (caught.value.file, caught.value.line) == (path, line)
    assert str(caught.value).startswith(f"{path}:{line}: ")


@pytest.mark.parametrize("space", ["\u00a0", "\u3000", "\u2009", "\u1680", "\u202f", "\u205f"])
@pytest.mark.parametrize("end", ["", "\n", "\r\n", "  \n", "\t \n"])
def test_only_the_ascii_space_separates_morphemes(read, space, end):
    """Any other space is a character of the word, also at its ends."""
    reference = read(f"ab{space}c\tab{space} c\n{space}d{space}\t{space}d {space}{end}")
    assert reference.words == [f"ab{space}c", f"{space}d{space}"]
    assert [reference.morphemes.word(i) for i in range(2)] == [[3], [2]]


@pytest.fixture
def counted(tmp_path):
    """Reads frequencies from their text."""

    def read(text):
        (tmp_path / "counts").write_text(text, "utf-8")
        return read_frequencies(tmp_path / "counts")

    return read


def test_frequencies(counted, read):
    assert counted("the\t10\nof\t0\nthe\t5\n") == {"the": 15, "of": 0}
    reference = read("the\tthe\nof\tof\nrare\trare\n")
    assert reference.weights({"the": 15, "of": 0}).tolist() == [15, 0, 1]
    assert reference.weights(None).tolist() == [1, 1, 1]


@pytest.mark.parametrize(
    "line", ["the", f"the\t{'9' * 5000}", "the\tten", "the\t-1", "\t3", "the\t1\t2", "the\t٣"]
)
def test_malformed_frequencies(counted, line):
    with pytest.raises(InputError, match=re.escape(":2: ")):
        counted(f"of\t1\n{line}\n")


@pytest.mark.tier("check")
def test_frequencies_of_wordfreq():
    pytest.importorskip("wordfreq")
    found = wordfreq_counts(["the", "House", "qxzjwk", "new york"], "English")
    assert set(found) == {"the", "House"}
    assert found["the"] > 100 * found["House"] > 10**6
    assert wordfreq_counts(["Haus"], "German")["Haus"] > 10**5


# A reference in the spelling of a text: case, umlauts, and the positions of cuts


CELEX = """\
Aal\t(Aal)[N]
aehnlich\t((aehneln)[V],(lich)[A|V.])[A]
Groesse\t((groess)[A],(e)[N|A.])[N]
Masse\t(Masse)[N]
neuerdings\t((neu)[A],(erdings)[B|A.])[B]
Fussball\t((Fuss)[N],(Ball)[N])[N]
"""


@pytest.fixture
def reference(read):
    return read(CELEX, "celex")


def pieces(reference):
    return reference.morphemes.pieces(reference.words)


def test_umlauts_are_those_of_the_text(reference):
    found = as_in_text(reference, {"ähnlich", "Größe", "Fußball", "neuerdings"})
    assert pieces(found) == [
        ["Aal"], ["ähn", "lich"], ["Größ", "e"], ["Masse"], ["neu", "erdings"], ["Fuß", "ball"],
    ]  # fmt: skip
    assert found.whole_words.pieces(found.words)[5] == ["Fuß", "ball"]
    assert pieces(reference)[1] == ["aehn", "lich"]


@pytest.mark.parametrize(
    ("text", "case", "respelled"),
    [
        # What the text spells in two ways is left.
        ({"Maße", "Masse"}, "keep", {}),
        ({"Größe", "Groeße"}, "keep", {}),
        (
            {"größe", "fußball"},
            "lower",
            {"Aal": "aal", "Groesse": "größe", "Masse": "masse", "Fussball": "fußball"},
        ),
        (set(), "first", {}),
        # A cut within a letter is no umlaut, whatever the text contains.
        ({"neürdings"}, "keep", {}),
    ],
)
def test_words_are_spelled_as_in_the_text(reference, text, case, respelled):
    found = as_in_text(reference, text, case)
    assert found.words == [respelled.get(word, word) for word in reference.words]


@pytest.mark.parametrize(("own", "text"), [("NFD", "NFC"), ("NFC", "NFD")])
def test_entries_are_in_the_normal_form_of_the_text(read, own, text):
    lines = "Äpfel\tÄpfel\nfüttern\tfütter n\nhaus\thaus\nblöd\tblö d\n"
    words = {normalize(text, word) for word in ("Äpfel", "größe", "haus")}
    found = as_in_text(read(normalize(own, lines)), words)
    assert pieces(found) == [
        [normalize(text, piece) for piece in row]
        for row in (["Äpfel"], ["fütter", "n"], ["haus"], ["blö", "d"])
    ]


BENGALI = ("মে\u09dfের", "সম\u09dfটি", "বা\u09dcি")


@pytest.mark.parametrize("own", ["NFC", "NFD"])
def test_an_entry_is_spelled_as_the_equal_word_of_a_text_in_several_forms(read, own):
    text = {"grün", normalize("NFD", "schön"), normalize("NFD", "café"), *BENGALI, "가다"}
    lines = "".join(f"{word}\t{word[:1]} {word[1:]}\n" for word in sorted(text))
    found = as_in_text(read(normalize(own, lines)), text)
    assert set(found.words) == text


@pytest.mark.parametrize("own", ["NFC", "NFD"])
def test_a_word_that_the_text_has_not_is_spelled_letter_by_letter(read, own):
    text = {"grün", "fürs", "u\u0308bel", normalize("NFD", "schön"), BENGALI[0]}
    words = ["müde", normalize("NFD", "möhre"), "টা\u09df", "ñu"]
    lines = "".join(f"{word}\t{word}\n" for word in words)
    assert as_in_text(read(normalize(own, lines)), text).words == words


def test_letters_are_those_that_normal_forms_keep_apart():
    random = Random(1)
    marks = [c for c in map(chr, range(0x20000)) if normalize("NFD", c) != c or combining(c)]
    for _ in range(2000):
        word = "".join(random.choices([*marks, *"abc가"], k=random.randint(1, 6)))
        letters = [normalize("NFC", letter) for letter in _letters(word)]
        for form in ("NFC", "NFD"):
            other = _letters(normalize(form, word))
            assert [normalize("NFC", letter) for letter in other] == letters


def test_a_cut_before_an_accent_keeps_the_word(read):
    assert as_in_text(read("a\u0308b\ta \u0308b\n"), {"ä"}).words == ["a\u0308b"]


def test_cuts_move_if_lower_case_has_more_characters(read):
    found = as_in_text(read("İstanbulİde\tİstanbul İ de\nΟΔΟΣ\tΟΔ ΟΣ\n"), set(), "lower")
    assert pieces(found) == [["i̇stanbul", "i̇", "de"], ["οδ", "ος"]]


def test_counts_follow_the_spelling_of_their_words(reference):
    found = as_in_text(reference, {"ähnlich", "größe"}, "lower")
    counts = {"Aal": 7, "aal": 1, "aehnlich": 2, "ähnlich": 50, "Größe": 3, "größe": 4, "other": 9}
    known = respelled_counts(counts, reference.words, found.words)
    assert {word: known.get(word) for word in found.words[:4]} == {
        "aal": 8,
        "ähnlich": 52,
        "größe": 4,
        "masse": None,
    }
    assert known["other"] == 9


TABLES = {
    "SIGMORPHON 2022": "walked\twalk @@ed\t100\nintensive\tintense @@ive\t010\nwalker\twalk @@er\t010\n",
    "SIGMORPHON 2022, two columns": "walked\twalk @@ed\nwalker\twalk @@er\n",
    "UniMorph": "walk\twalked\tV;PST\twalk|ed\nwalk\twalker\tN\twalk|er\nsee\tsaw\tV;PST\t-\n"
    "intense\tintensive\tADJ\tintense|ive\n",
    "UniMorph, first a word of one feature": "walk\twalked\tV\twalk|ed\nwalk\twalker\tN;SG\twalk|er\n",
    "MorphyNet": "walk\twalked\tV|PST\twalk|ed\nwalk\twalker\tN|SG\twalk|er\n",
    "UniSegments": 'walked\twalk\tVERB\twalk + ed\t{"a": 1}\nwalker\twalker\tNOUN\twalk + er\t{}\n',
    "Morpho Challenge": "walked\twalk:walk_V ed:+PAST\nwalker\twalk:walk_V er:er_s ~:+SG, walker:walker_N\n",
    "Morfessor": "walked walk ed\nwalker walk er, walker\n",
}


def test_words_of_one_morpheme_may_come_first_in_a_table_of_two_columns(read):
    reference = read("walk\twalk\nwalked\twalk @@ed\n")
    assert reference.words == ["walk", "walked"]
    assert [reference.morphemes.word(k) for k in range(2)] == [[], [4]]


@pytest.mark.parametrize("name", TABLES)
def test_tables_of_others(read, name):
    with warnings.catch_warnings(record=True) as said:
        reference = read(TABLES[name])
    assert reference.words == ["walked", "walker"]
    assert reference.morphemes.word(0) == [4]
    assert reference.morphemes.word(1) == [4]
    assert reference.has_alternatives == (name in ("Morpho Challenge", "Morfessor"))
    left_out = {"SIGMORPHON 2022": 1, "UniMorph": 2}.get(name)
    assert [str(one.message).split(": ")[-1][:12] for one in said] == (
        [f"{left_out} lines left"] if left_out else []
    )


@pytest.mark.parametrize(
    ("format", "text", "said"),
    [
        ("celex", "o'er\t(o'er)[P]\n", "no entry"),
        ("surface", "\n\n", "no entry"),
        ("tree", "a\ta\n", "not a format"),
        ("surface", "word,stem,suffix\nwalked,walk,ed\n", "tsv:1: a table with commas, such as"),
        ("surface", "walked\twalk @@ed\t100\nwalker\n", "'walker' is no line of SIGMORPHON 2022"),
        ("surface", "intensive\tintense @@ive\t010\n", "no entry"),
        ("surface", "New York\tNew York\n", "tsv:1: 'New York' is more than one word"),
        ("surface", "walked\twalk/STM + ed/SUF\n", "categories, as FlatCat writes them"),
        ("surface", "2 walk/STM + ed/SUF\n", "categories, as FlatCat writes them"),
        ("surface", "Aalauge\tAal\tAuge\n", "in columns, such as GermaNet's"),
        ("surface", "Abbauort\tabbauen|Abbau\tOrt\n", "in columns, such as GermaNet's"),
        ("surface", "walk\twalker\tV\tN\ter\tsuffix\n", "one affix each, as MorphyNet has them"),
        (
            "surface",
            "walked\t((walk)[V],(ed)[V|V.])[V]\n",
            "looks like CELEX (say so: --morphemes-format celex",
        ),
        ("surface", "walked\twalk id\n", "the morphemes 'walk id' do not concatenate"),
        ("surface", "walked walk id\n", "is not a word, a tab and its morphemes"),
    ],
)
def test_what_is_no_reference(read, format, text, said):
    with pytest.raises(InputError, match=re.escape(said)):
        read(text, format)
