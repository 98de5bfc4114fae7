"""The commands as a user types them; their results equal the grid's."""

import gzip
import json
from pathlib import Path
from unicodedata import normalize

import pytest
import zstandard

from seggrid.commands import VERBS, main, parser_of
from seggrid.segment.bpe.model import BPEModel
from seggrid.segment.lexical import Lexical
from seggrid.segment.wordmap import Wordmap

ENGLISH = "the house is small\na small house\nthe red house\nthe red car is red\n"
GERMAN = "das haus ist klein\nein kleines haus\ndas rote haus\ndas rote auto ist rot\n"


@pytest.fixture
def texts(tmp_path):
    for name, text in (("eng", ENGLISH), ("deu", GERMAN)):
        (tmp_path / name).write_text(text)
    return tmp_path


def output(capsys, *arguments):
    assert main([str(argument) for argument in arguments]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_tells_its_options(verb, capsys):
    with pytest.raises(SystemExit) as end:
        main([verb, "--help"])
    assert end.value.code == 0
    shown = capsys.readouterr().out
    assert verb in shown
    for nothing in ("(default: (None", "(default: [])", "(default: False)"):
        assert nothing not in shown


def test_learning_ends_when_pairs_are_too_rare(texts, capsys):
    model = texts / "eng.model"
    learned = []
    for least in (1, 2, 3):
        output(capsys, "learn", texts / "eng", "--min-frequency", least, "-o", model)
        learned.append(BPEModel.read(model).merges)
    assert learned[0][: len(learned[1])] == learned[1]
    assert len(learned[0]) > len(learned[1]) > len(learned[2])


def test_a_size_is_merges_or_a_vocabulary(texts, capsys, refused):
    model = texts / "eng.model"
    letters = {("" if k else "▁") + c for word in ENGLISH.split() for k, c in enumerate(word)}
    size = len(letters) + 3
    output(capsys, "learn", texts / "eng", "--vocabulary", size, "-o", model)
    sized = model.read_text()
    output(capsys, "learn", texts / "eng", "--merges", 3, "-o", model)
    assert model.read_text() == sized
    learn = ("learn", texts / "eng", "-o", model)
    assert f"give at least {len(letters)}" in refused(*learn, "--vocabulary", 5)
    align = ("align", texts / "eng", texts / "deu", "--recipe", "bpe-fast_align")
    joint = output(capsys, *align, "--joint", "yes", "--vocabulary", 60).splitlines()
    assert len(joint) == len(ENGLISH.splitlines())


def test_dropout_has_samples_and_a_seed(texts, capsys):
    model = texts / "eng.model"
    output(capsys, "learn", texts / "eng", "-o", model)
    ask = ["segment", texts / "eng", "-m", model, "--dropout", "1/3", "--samples", 3]
    once, again, other = (
        output(capsys, *ask),
        output(capsys, *ask),
        output(capsys, *ask, "--seed", 2),
    )
    assert once == again != other
    assert len(once.splitlines()) == 12


def test_texts_as_they_come(texts, capsys, refused):
    links = output(capsys, "align", texts / "eng", texts / "deu")
    (texts / "moses.en").write_text(ENGLISH)
    (texts / "moses.de.zst").write_bytes(zstandard.compress(GERMAN.encode()))
    moses = ["align", texts / "moses", "--format", "moses", "--codes", "en", "de"]
    assert output(capsys, *moses) == links
    assert not output(capsys, *moses, "-o", texts / "links.zst")
    assert output(capsys, "symmetrize", texts / "links.zst", texts / "links.zst") == links
    # Training text is aligned, too, but its links are not written; it changes what is learned.
    pair = texts / "eng", texts / "deu"
    more = output(capsys, "align", *pair, "--training", *pair)
    assert len(more.splitlines()) == 4
    (texts / "odd").write_text("a\x01b\n")
    words = ["segment", texts / "odd", "--segmenter", "words"]
    assert "U+0001" in refused(*words)
    assert main([*map(str, words), "--control-characters", "drop"]) == 0
    assert capsys.readouterr() == ("ab\n", f"note: {texts / 'odd'}: 1 control characters dropped\n")


def test_show_drops_control_characters_unless_told_to_refuse_them(tmp_path, capsys, refused):
    for name, line in (("eng", "a\x01b c\n"), ("deu", "x y\n"), ("links", "0-0 1-1\n")):
        (tmp_path / name).write_text(line)
    files = [tmp_path / name for name in ("links", "eng", "deu")]
    show = ["show", *files, "-o", tmp_path / "page.html"]
    assert "U+0001" in refused(*show, "--control-characters", "refuse")
    assert not (tmp_path / "page.html").exists()
    assert main([*map(str, show)]) == 0
    note = f"note: {tmp_path / 'eng'}: 1 control characters dropped\n"
    assert capsys.readouterr() == ("", note)


def test_a_link_file_that_counts_from_one_is_refused(tmp_path, capsys, refused):
    (tmp_path / "gold").write_text("0-0 1-1\n" * 30)
    (tmp_path / "links").write_text("1-1 2-2\n" * 30)
    ask = ["score", str(tmp_path / "links"), str(tmp_path / "gold")]
    assert "no link of 30 sentences uses position 0" in refused(*ask)
    (tmp_path / "links").write_text("1-0 2-2\n" * 30)
    assert main(ask) == 0
    assert "the links never use the first source word" in capsys.readouterr().err


def test_a_byte_level_tokenizer_is_pruned_into_the_files_of_other_programs(tmp_path, capsys):

    from seggrid.morphology.word_segmentation import read_word_model
    from seggrid.segment.byte_level import ByteLevelModel
    from seggrid.segment.formats.tokenizer_writer import write_tokenizer

    merges = [("h", "o"), ("e", "s"), ("r", "s"), ("ho", "rs")]
    types = [*sorted({"Ġ", *"horse"}), *map("".join, merges)]
    write_tokenizer(
        ByteLevelModel(merges, {type_: i for i, type_ in enumerate(types)}), tmp_path / "in.json"
    )
    (tmp_path / "reference").write_text("horses\thorse s\nshoes\tshoe s\n")
    command = ["prune", str(tmp_path / "in.json"), "--morphemes", str(tmp_path / "reference")]
    assert main(command) == 2
    assert "no output is given" in capsys.readouterr().err
    assert main([*command, "--folder", str(tmp_path / "out")]) == 0
    assert "Hugging Face tokenizers loads the files" in capsys.readouterr().out
    pruned = read_word_model(tmp_path / "out" / "tokenizer.json")
    assert ("e", "s") not in pruned.merges
    assert pruned.vocabulary["hors"] == types.index("hors")


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("segmenter", ["bpe", "byte_bpe"])
def test_pruning_by_the_model_alone_follows_its_unicode_form(
    tmp_path, monkeypatch, segmenter, form
):
    monkeypatch.chdir(tmp_path)
    words = ["grün lich", "schön heit", "müd igkeit", "hör bar", "für sorge"]
    text = " ".join(word.replace(" ", "") for word in words * 6)
    Path("text").write_text(normalize(form, f"{text}\n"), "utf-8")
    assert main(["learn", "text", "--segmenter", segmenter, "--merges", "60", "-o", "model"]) == 0
    for own in ("NFC", "NFD"):
        lines = (f"{word.replace(' ', '')}\t{word}\n" for word in words)
        Path(own).write_text(normalize(own, "".join(lines)), "utf-8")
        assert main(["prune", "model", "--morphemes", own, "-o", f"{own}.pruned"]) == 0
    assert Path("NFC.pruned").read_bytes() == Path("NFD.pruned").read_bytes()
    assert Path("NFC.pruned").read_bytes() != Path("model").read_bytes()


@pytest.mark.parametrize("packed", [None, gzip.compress, zstandard.compress])
def test_a_byte_level_bpe_is_learned_from_a_packed_text(texts, capsys, packed):
    text = texts / "text"
    data = ("Häuser Häuser Haus " * 12 + "\n").encode()
    text.write_bytes(packed(data) if packed else data)
    model = texts / "tokenizer.json"
    ask = ["learn", text, "--segmenter", "byte_bpe", "--vocabulary", 270, "-o", model]
    output(capsys, *ask)
    merges = {"".join(merge) for merge in json.loads(model.read_text())["model"]["merges"]}
    assert {"ĠHÃ¤user", "ĠHaus"} <= merges
    lines = output(capsys, "segment", texts / "deu", "-m", model, "--segmenter", "byte_bpe")
    assert lines.count("\n") == 4


def test_a_tree_of_merges_is_printed_and_drawn(texts, capsys):
    model, picture = texts / "eng.model", texts / "tree.svg"
    output(capsys, "learn", texts / "eng", "--merges", 6, "-o", model)
    ask = ["tree", model, "house", "red", "--around", "▁h", "-o", picture]
    *around, house, _ = output(capsys, *ask).splitlines()
    assert house.replace("(", "").replace(")", "").replace(" ", "") == "▁house"
    assert all(line.startswith(("made by\t", "used by\t")) for line in around)
    first = picture.read_bytes()
    assert b"<svg" in first
    output(capsys, *ask)
    assert picture.read_bytes() == first
    output(capsys, "tree", model, "--around", "▁h", "-o", picture)
    assert picture.read_bytes() != first
    BPEModel([("▁$", "x"), ("▁$x", "^"), ("▁$x^", "$")]).write(texts / "odd.model")
    output(capsys, "tree", texts / "odd.model", "$x^$", "-o", picture)
    assert picture.read_text("utf-8").count("$") >= 4


SEGMENTS = dict.fromkeys(("ver", "steh", "en", "st", "eh", "stehen"), 1)


@pytest.mark.parametrize("kept", [Wordmap(SEGMENTS), Lexical(SEGMENTS, [], "bpe")])
def test_all_ways_to_cut_a_word_into_segments_are_printed_and_drawn(texts, capsys, refused, kept):
    """The word of Jung's Figure 2."""
    model, picture = texts / "segments.model", texts / "tree.svg"
    kept.write(model)
    ask = ["tree", model, "verstehen", "house", "-o", picture]
    assert output(capsys, *ask).splitlines() == [
        "verstehen\t1.383\tver stehen",
        "verstehen\t1.373\tver steh en",
        "verstehen\t1.144\tver st eh en",
        "house\tno segments cover it",
    ]
    drawn = picture.read_text()
    # Each node once: the root, ver, stehen, steh, en, st, eh, en; and the word that is not covered.
    assert sum(f"<!-- {one} -->" in line for line in drawn.split("\n") for one in NODES) == 9
    assert "no segments" in output(capsys, "tree", model, "house", "-o", picture)
    assert "--around with a model without" in refused("tree", model, "verstehen", "--around", "ver")
    Wordmap({"aa": 1, "aaa": 1}).write(model)
    assert "ways to cut" in refused("tree", model, "a" * 40)


NODES = ("verstehen", "ver", "stehen", "steh", "st", "eh", "en", "house")


def test_trees_of_morphemes_stand_beside_those_of_merges(texts, capsys, refused):
    """CELEX's tree for the word of BPE-knockout's Figure 8."""
    model, celex, picture = texts / "eng.model", texts / "celex.txt", texts / "tree.svg"
    output(capsys, "learn", texts / "eng", "--merges", 2, "-o", model)
    analysis = "((((re)[V|.V],(animeer)[V])[V],(atie)[N|V.])[N],((technisch)[A],(iek)[N|A.])[N])[N]"
    celex.write_text(f"house\t(house)[N]\nreanimatietechniek\t{analysis}\n")
    ask = ["tree", model, "reanimatietechniek", "--morphemes", celex, "-o", picture]
    _, morphemes = output(capsys, *ask).splitlines()
    parts = "(((re [V|.V] animeer [V]) atie [N|V.]) (technisch [A] iek [N|A.]))"
    assert morphemes == parts
    assert b"<svg" in picture.read_bytes()
    ask = ["tree", model, "houses", "--morphemes", celex]
    assert "no analysis of 'houses'" in refused(*ask)
    celex.write_text("house\t(house[N]\n")
    assert "celex.txt:1: analysis of" in refused("tree", model, "house", "--morphemes", celex)


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("score links --base 1 gold", {"links": "links", "gold": "gold", "base": "1"}),
        ("tree vocab --vocab encoder the cat", {"model": "vocab", "words": ["the", "cat"]}),
        ("tree vocab the --vocab encoder cat", {"model": "vocab", "words": ["the", "cat"]}),
        ("align a --seed 3 b -o out", {"texts": ["a", "b"], "seed": 3}),
        ("run a.yaml --cores 2 b.yaml", {"configs": ["a.yaml", "b.yaml"], "cores": "2"}),
    ],
)
def test_options_may_stand_between_arguments(words, named):
    verb, *rest = words.split()
    parser = parser_of(verb)
    parsed, unknown = parser.parse_known_intermixed_args(rest)
    assert not unknown
    found = {name: getattr(parsed, name) for name in named}
    assert {name: str(value) for name, value in found.items()} == {
        name: str(value) for name, value in named.items()
    }
