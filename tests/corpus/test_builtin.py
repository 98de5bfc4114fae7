"""The built-in pair: the files are the published ones, and have the properties that they claim."""

import hashlib
import itertools
from collections import Counter

import pytest

from seggrid.corpus.check import check_pair
from seggrid.corpus.gold import parse_gold
from seggrid.corpus.text import read_text

DIGESTS = {
    "eng.txt": "32d842509befa9152cdfbdaba3f03d9bde90a6158920f8ecaa5bf73b3ff9700c",
    "deu.txt": "d8df0f25e47760faf69abe2fa73a21855a3cc19de786475d41ead82aca8c2d46",
    "gold.txt": "1d255062908f1cdacf443ac813b6e601193da969b6c9b5410eff7ec5c4aae545",
    "eng.morphemes.tsv": "f9f2916c421124df1a34b397597a979a29cc3de1f0646a90ea70e289adf84b16",
    "deu.morphemes.tsv": "fef23db132244236727df4d7319775abd73c34807154ae55ba89cae660eaf5c8",
}


@pytest.fixture(scope="module")
def folder(root):
    return root / "resources" / "builtin"


@pytest.fixture(scope="module")
def sentences(folder):
    return {name: read_text(folder / f"{name}.txt", "lines")[0] for name in ("eng", "deu")}


@pytest.fixture(scope="module")
def gold(folder):
    return parse_gold(folder / "gold.txt", "pharaoh", base=0, ids=None)


@pytest.fixture(scope="module")
def morphemes(folder):
    tables = {}
    for language in ("eng", "deu"):
        lines = (folder / f"{language}.morphemes.tsv").read_text("utf-8").splitlines()
        tables[language] = dict(line.split("\t") for line in lines)
        assert len(tables[language]) == len(lines)
    return tables


def test_the_files_are_those_that_figures_were_measured_on(folder):
    digests = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in DIGESTS}
    assert digests == DIGESTS


def test_the_pair_is_well_formed(folder):
    check_pair(folder / "eng.txt", folder / "deu.txt", folder / "gold.txt")


def test_every_sentence_has_a_sure_link_and_the_last_is_between_the_final_marks(sentences, gold):
    assert gold.sentences.tolist() == list(range(2000))
    for s in range(2000):
        ends = len(sentences["eng"][s]) - 1, len(sentences["deu"][s]) - 1
        assert gold.sure.sentence(s)[-1] == ends


def test_sentences_are_distinct_and_types_many(sentences):
    assert len({" ".join(words) for words in sentences["eng"]}) == 2000
    types = {name: Counter(w for words in sentences[name] for w in words) for name in sentences}
    assert len(types["eng"]) >= 700
    assert len(types["deu"]) >= 1200
    for counts in types.values():  # a long tail
        assert sum(count == 1 for count in counts.values()) > len(counts) / 8


def test_morphemes_cover_the_types_and_concatenate(sentences, morphemes):
    for name, table in morphemes.items():
        assert table.keys() == {word for words in sentences[name] for word in words}
        for word, analysis in table.items():
            assert "".join(analysis.split(" ")) == word


@pytest.mark.parametrize(
    ("language", "word", "analysis"),
    [
        ("eng", "teachers", "teach er s"),
        ("eng", "unhappy", "un happy"),
        ("eng", "useless", "use less"),
        ("eng", "stories", "stori es"),
        ("eng", "living", "liv ing"),
        ("eng", "went", "went"),
        ("eng", "cannot", "can not"),
        ("deu", "Lehrerinnen", "Lehr er inn en"),
        ("deu", "zum", "zu m"),
        ("deu", "unglücklichen", "un glück lich en"),
        ("deu", "Krankenhaus", "Krank en haus"),
        ("deu", "Arbeitszimmer", "Arbeit s zimmer"),
        ("deu", "gesprochen", "ge sproch en"),
        ("deu", "begonnen", "begonn en"),
    ],
)
def test_morphemes_of_known_words(morphemes, language, word, analysis):
    assert morphemes[language][word] == analysis


def test_articles_of_the_text(sentences):
    for words in sentences["eng"]:
        for word, after in itertools.pairwise(words):
            if word.lower() in ("a", "an"):
                vowel = after[0].lower() in "aeiou" and not after.lower().startswith(
                    ("eu", "universi", "use")
                )
                vowel |= after.lower().startswith(("hour", "honest"))
                assert word.lower() == ("an" if vowel else "a"), after


def linked(sentences, gold, s):
    """The sure links of a sentence as pairs of words."""
    return {(sentences["eng"][s][i], sentences["deu"][s][j]) for i, j in gold.sure.sentence(s)}


@pytest.mark.parametrize(
    ("english", "german", "links"),
    [
        ("to the", "zum", [("to", "zum"), ("the", "zum")]),
        ("in the", "im", [("in", "im"), ("the", "im")]),
        ("cannot", "nicht", [("cannot", "nicht")]),
        ("German teacher", "Deutschlehrer", [("German", "Deutschlehrer")]),
        ("has to", "muss", [("has", "muss")]),
        ("in order to", "um", [("in", "um"), ("order", "um"), ("to", "zu")]),
        ("There is no", "keine", [("no", "keine"), ("is", "gibt"), ("There", "Es")]),
    ],
)
def test_links_of_known_phrases(sentences, gold, english, german, links):
    """Some sentence contains both phrases with these links; in others they may occur together by chance."""
    found = [
        s
        for s in range(2000)
        if f" {english} " in f" {' '.join(sentences['eng'][s])} "
        and german in sentences["deu"][s]
        and set(links) <= linked(sentences, gold, s)
    ]
    assert found


def test_a_separated_prefix_is_linked_with_its_verb(sentences, gold):
    found = 0
    for s in range(2000):
        words = sentences["deu"][s]
        if words[-2:-1] == ["an"]:  # ruft ... an: of its verbs, English says some in one word
            found += 1
            assert any(german == "an" for _, german in linked(sentences, gold, s))
    assert found > 5


def test_word_order_differs(gold):
    """In most sentences some links cross."""
    crossing = 0
    for s in range(2000):
        pairs = gold.sure.sentence(s)
        crossing += any(j < last for (_, last), (_, j) in itertools.pairwise(pairs))
    assert crossing > 1000
