"""The built-in pair: the files are the generator's output, and have the properties that they claim."""

import itertools
import re
import subprocess
import sys
from collections import Counter

import pytest

from seggrid.corpus.check import check_pair
from seggrid.corpus.gold import parse_gold
from seggrid.corpus.text import read_text

FILES = ("eng.txt", "deu.txt", "gold.txt", "eng.morphemes.tsv", "deu.morphemes.tsv")


@pytest.fixture(scope="module")
def folder(root):
    return root / "resources" / "builtin"


@pytest.fixture(scope="module")
def tool(root):
    return root / "tools" / "builtin_pair"


@pytest.fixture(scope="module")
def grammar(tool):
    """The generator's modules, which are not part of the package."""
    sys.path.insert(0, str(tool))
    try:
        import pair.english
        import pair.german
        import pair.lexicon
    finally:
        sys.path.remove(str(tool))
    return pair


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


def generate(tool, output, *options):
    command = [sys.executable, str(tool / "generate.py"), "--output", str(output), *options]
    subprocess.run(command, check=True)


def test_the_generator_writes_the_committed_bytes(folder, tool, tmp_path):
    generate(tool, tmp_path)
    for name in FILES:
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes(), name


def test_a_smaller_corpus_is_the_beginning_of_a_larger_one(folder, tool, tmp_path):
    generate(tool, tmp_path, "--sentences", "50")
    for name in FILES[:3]:
        assert (folder / name).read_text("utf-8").startswith((tmp_path / name).read_text("utf-8"))


def test_another_seed_gives_another_corpus(folder, tool, tmp_path):
    generate(tool, tmp_path, "--sentences", "50", "--seed", "2")
    text = (tmp_path / "eng.txt").read_text("utf-8")
    assert not (folder / "eng.txt").read_text("utf-8").startswith(text)


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


def test_german_capitals(grammar):
    lexicon = grammar.lexicon.Lexicon()
    for noun in lexicon.nouns + lexicon.compounds:
        word = "".join(noun.german.singular)
        assert word[0].isupper(), word
        assert word[1:].islower(), word


def test_every_entry_is_used_by_the_grammar(grammar):
    lexicon = grammar.lexicon.Lexicon()
    tags = {tag for noun in lexicon.nouns for tag in noun.tags}
    for verb in lexicon.verbs:
        assert set(verb.subject) <= tags | {"it"}, verb.english
        assert set(verb.object) <= tags, verb.english
    for adjective in lexicon.adjectives:
        assert adjective.tags <= tags, adjective.english


@pytest.mark.parametrize(
    ("prefix", "infinitive", "expected"),
    [
        ("", "kaufen", "kaufe kauft kaufen kaufte kauften gekauft zu+kaufen"),
        ("", "arbeiten", "arbeite arbeitet arbeiten arbeitete arbeiteten gearbeitet zu+arbeiten"),
        ("", "öffnen", "öffne öffnet öffnen öffnete öffneten geöffnet zu+öffnen"),
        ("", "zeichnen", "zeichne zeichnet zeichnen zeichnete zeichneten gezeichnet zu+zeichnen"),
        ("", "wohnen", "wohne wohnt wohnen wohnte wohnten gewohnt zu+wohnen"),
        ("", "spielen", "spiele spielt spielen spielte spielten gespielt zu+spielen"),
        ("", "sammeln", "sammle sammelt sammeln sammelte sammelten gesammelt zu+sammeln"),
        (
            "",
            "reparieren",
            "repariere repariert reparieren reparierte reparierten repariert zu+reparieren",
        ),
        ("", "besuchen", "besuche besucht besuchen besuchte besuchten besucht zu+besuchen"),
        ("", "sehen", "sehe sieht sehen sah sahen gesehen zu+sehen"),
        ("", "wissen", "weiß weiß wissen wusste wussten gewusst zu+wissen"),
        ("an", "rufen", "rufe ruft rufen rief riefen angerufen anzurufen"),
        ("ein", "laden", "lade lädt laden lud luden eingeladen einzuladen"),
        (
            "vor",
            "bereiten",
            "bereite bereitet bereiten bereitete bereiteten vorbereitet vorzubereiten",
        ),
    ],
)
def test_german_verbs(grammar, prefix, infinitive, expected):
    verb = next(
        entry.german
        for entry in grammar.lexicon.Lexicon().verbs
        if "".join(entry.german.infinitive) == infinitive and "".join(entry.german.prefix) == prefix
    )
    forms = [
        verb.present("1s"),
        verb.present("3s"),
        verb.present("p"),
        verb.preterite("3s"),
        verb.preterite("p"),
        verb.participle,
    ]
    with_zu = "+".join("".join(word) for word in verb.with_zu())
    assert " ".join(["".join(form) for form in forms] + [with_zu]) == expected


@pytest.mark.parametrize(
    ("lemma", "expected"),
    [
        ("Mann", "Mann Mann Mann Mannes Männer Männer Männern Männer"),
        ("Student", "Student Studenten Studenten Studenten" + 4 * " Studenten"),
        ("Lehrerin", 4 * "Lehrerin " + "Lehrerinnen Lehrerinnen Lehrerinnen Lehrerinnen"),
        ("Auto", "Auto Auto Auto Autos Autos Autos Autos Autos"),
        ("Bus", "Bus Bus Bus Busses Busse Busse Bussen Busse"),
        ("Garten", "Garten Garten Garten Gartens Gärten Gärten Gärten Gärten"),
        (
            "Missverständnis",
            3 * "Missverständnis "
            + "Missverständnisses"
            + " Missverständnisse" * 2
            + " Missverständnissen Missverständnisse",
        ),
    ],
)
def test_german_nouns(grammar, lemma, expected):
    nouns = grammar.lexicon.Lexicon().nouns
    noun = next(entry.german for entry in nouns if "".join(entry.german.singular) == lemma)
    cases = ("nom", "acc", "dat", "gen")
    forms = [noun.form(case, plural) for plural in (False, True) for case in cases]
    assert " ".join("".join(form) for form in forms) == expected


@pytest.mark.parametrize(
    ("pattern", "gender", "expected"),
    [
        ("weak", "m", "e en en en"),
        ("weak", "f", "e e en en"),
        ("weak", "n", "e e en en"),
        ("weak", "p", "en en en en"),
        ("mixed", "m", "er en en en"),
        ("mixed", "f", "e e en en"),
        ("mixed", "n", "es es en en"),
        ("strong", "m", "er en em en"),
        ("strong", "f", "e e er er"),
        ("strong", "n", "es es em en"),
        ("strong", "p", "e e en er"),
    ],
)
def test_german_adjectives(grammar, pattern, gender, expected):
    endings = [
        grammar.german.adjective(("alt",), case, gender, pattern)[1]
        for case in ("nom", "acc", "dat", "gen")
    ]
    assert " ".join(endings) == expected


@pytest.mark.parametrize(
    ("rule", "word", "expected"),
    [
        ("with_s", "city", "citi es"),
        ("with_s", "boy", "boy s"),
        ("with_s", "church", "church es"),
        ("with_s", "go", "go es"),
        ("with_ed", "love", "lov ed"),
        ("with_ed", "try", "tri ed"),
        ("with_ed", "play", "play ed"),
        ("with_ed", "plan", "plann ed"),
        ("with_ed", "visit", "visit ed"),
        ("with_ed", "travel", "travell ed"),
        ("with_ing", "lie", "ly ing"),
        ("with_ing", "see", "see ing"),
        ("with_ing", "write", "writ ing"),
        ("with_ing", "run", "runn ing"),
        ("with_ing", "draw", "draw ing"),
    ],
)
def test_english_words(grammar, rule, word, expected):
    assert " ".join(getattr(grammar.english, rule)((word,))) == expected


@pytest.mark.parametrize(
    ("word", "article"),
    [
        ("old", "an"),
        ("hour", "an"),
        ("honest", "an"),
        ("uninteresting", "an"),
        ("egg", "an"),
        ("university", "a"),
        ("euro", "a"),
        ("useful", "a"),
        ("house", "a"),
        ("young", "a"),
    ],
)
def test_english_article(grammar, word, article):
    assert grammar.english.article(word) == article


def test_articles_of_the_text(sentences, grammar):
    for words in sentences["eng"]:
        for word, after in itertools.pairwise(words):
            if word.lower() in ("a", "an"):
                assert word.lower() == grammar.english.article(after), (word, after)


@pytest.fixture(scope="module")
def finite_forms(grammar):
    """The last morphs of every German word that can be a finite verb."""
    forms = {form for table in grammar.german.AUXILIARIES.values() for form in table.values()}
    for entry in grammar.lexicon.Lexicon().verbs:
        for agreement in ("1s", "3s", "p"):
            for form in (entry.german.present(agreement), entry.german.preterite(agreement)):
                forms |= {form, entry.german.prefix + form}
    return {"".join(form) for form in forms}


def test_german_subordinate_clauses_end_in_the_finite_verb(sentences, finite_forms):
    text = "\n".join(" ".join(words) for words in sentences["deu"])
    last = re.findall(r" , (?:dass|weil|ob|obwohl|als|wenn) [^,\n]* (\S+) [.?]$", text, re.M)
    assert len(last) > 300
    assert set(last) <= finite_forms


def test_german_questions_and_requests_begin_with_the_finite_verb(sentences, finite_forms):
    asked = ("Was", "Wer", "Wo", "Wohin", "Wann", "Warum", "Wie")
    first = {words[0] for words in sentences["deu"] if words[-1] == "?"} - set(asked)
    assert len(first) > 20
    assert {word.lower() for word in first} <= finite_forms


@pytest.mark.parametrize(("pronoun", "agreement"), [("Ich", "1s"), ("Er", "3s"), ("Wir", "p")])
def test_german_verbs_agree(sentences, grammar, pronoun, agreement):
    fitting = {form[agreement] for form in grammar.german.AUXILIARIES.values()}
    for entry in grammar.lexicon.Lexicon().verbs:
        fitting |= {entry.german.present(agreement), entry.german.preterite(agreement)}
    fitting = {"".join(form) for form in fitting}
    found = {words[1] for words in sentences["deu"] if words[0] == pronoun}
    assert len(found) > 10
    assert found <= fitting


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
